"""Disk, folders, network and speed: facts and their checks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.speed_check import time_five
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import user_folder
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.server.addresses import PORT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.core.user_settings import Settings

MEASURED_S: Final = 5.0
"""Duration of the timing of readings, seconds, after one for warm-up."""

_PATIENCE_S: Final = 5.0
"""Timeout for a firewall's answer, seconds."""

_SERVICES: Final = r"SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy\StandardProfile"


def _is_writable(folder: Path) -> bool:
    """Return whether a file can be created in a folder or, if the folder does not exist yet, in its nearest parent.

    The result is False if a file has the name of the folder or of a parent.
    """
    try:
        place = next(path for path in (folder, *folder.parents) if path.exists())
        with tempfile.TemporaryFile(dir=place):
            return True
    except OSError:
        return False


def active_firewall() -> str:
    """Return the name of an active firewall, if this user can detect one."""
    if sys.platform == "win32":
        return "Windows Defender Firewall" if _windows_firewall_is_on() else ""
    if sys.platform == "darwin":
        state = _output("/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate")
        return "the macOS firewall" if "enabled" in state else ""
    with suppress(OSError):
        if "ENABLED=yes" in Path("/etc/ufw/ufw.conf").read_text("utf-8", "replace"):
            return "ufw"
    return "firewalld" if "running" in _output("firewall-cmd", "--state").split() else ""


def _windows_firewall_is_on() -> bool:
    if sys.platform == "win32":
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _SERVICES) as key:
                return bool(winreg.QueryValueEx(key, "EnableFirewall")[0])
        except OSError:
            return True  # the default is on
    return False


def _output(*command: str) -> str:
    """Return the output of a system command; empty if it is missing, fails or hangs."""
    path = shutil.which(command[0])
    if path is None:
        return ""
    try:
        return subprocess.run(  # noqa: S603 - fixed programs of the system
            [path, *command[1:]],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE_S,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


_LITTLE_ROOM_BYTES: Final = 2 * 10**9
_NO_ROOM_BYTES: Final = 2 * 10**8
"""Threshold of free space: an evening with films takes up to 400 MB, the games folder holds ten in 4 GB."""

_SLOW_S: Final = 3.0
"""Threshold of the seconds for a full reading; a freeze takes about three of them and six cheaper ones."""

_PLAYERS: Final = 5


def check_disk() -> Finding:
    """Check the disk space for games, evidence and films."""
    folder = user_folder()
    present = next(path for path in (folder, *folder.parents) if os.path.isdir(path))  # noqa: PTH112 - never fails
    free_bytes = shutil.disk_usage(present).free
    sentence = f"{free_bytes / 1e9:.1f} GB are free in {folder}."
    if free_bytes >= _LITTLE_ROOM_BYTES:
        return good(CheckLine.DISK, sentence)
    level = Level.BAD if free_bytes < _NO_ROOM_BYTES else Level.WEAK
    return Finding(CheckLine.DISK, level, sentence, "Make room; an evening takes up to half a gigabyte.")


def check_folders() -> Finding:
    """Check that the program's folders can be written."""
    unwritable = [path for path in (user_folder(), Path(tempfile.gettempdir())) if not _is_writable(path)]
    if not unwritable:
        return good(CheckLine.FOLDERS, "The program's folders can be written.")
    sentence = f"{', '.join(map(str, unwritable))} cannot be written."
    remedy = "Give yourself the right to write there, and move away any file that has the name of a folder."
    return Finding(CheckLine.FOLDERS, Level.BAD, sentence, remedy)


def check_network(addresses: Sequence[str], firewall: str) -> Finding:
    """Check the access of phones to the table screen (`play --lan`); the firewall is empty if none is detected."""
    if not addresses:
        sentence = "This computer is in no local network; phones cannot join."
        return Finding(CheckLine.PHONES, Level.WEAK, sentence, "Join the phones' network before play --lan.")
    if not firewall:
        return good(CheckLine.PHONES, f"Phones reach this computer at {addresses[0]}.")
    commands = {"ufw": f"sudo ufw allow {PORT}/tcp", "firewalld": f"sudo firewall-cmd --add-port={PORT}/tcp"}
    how = commands.get(firewall, "say yes when the system asks about Python")
    sentence = f"{firewall} is active and may keep phones out."
    return Finding(CheckLine.PHONES, Level.WEAK, sentence, f"Allow TCP port {PORT} for play --lan ({how}).")


def check_reading_speed(settings: Settings) -> Finding:
    """Check whether this computer is fast enough for a game, by full readings of the demo clip's freeze at 1080p."""
    try:
        with Reader(settings) as reader:
            players, seconds = time_five(reader, MEASURED_S)
    except (InputError, OSError, cv2.error) as error:
        sentence = f"The referee cannot read a picture: {error}."
        return Finding(CheckLine.SPEED, Level.BAD, sentence, "Install bunnymoose again.")
    if players != _PLAYERS:
        sentence = f"Of the demo's {_PLAYERS} players {players} were read."
        return Finding(CheckLine.SPEED, Level.BAD, sentence, "Install bunnymoose again.")
    reading = f"five players are read in {seconds:.1f} s"
    if seconds <= THRESHOLDS.comfortable_s:
        return good(CheckLine.SPEED, f"This computer is quick enough: {reading}.")
    sentence = f"This computer is slow: {reading}, and up to {THRESHOLDS.comfortable_s} s is quick enough."
    remedy = "Use a quicker computer, or judge photographs and clips."
    if seconds <= _SLOW_S:
        remedy = "Close other programs; verdicts will take some seconds."
    return Finding(CheckLine.SPEED, Level.WEAK, sentence, remedy)
