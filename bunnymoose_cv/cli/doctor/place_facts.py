"""Facts about disk, folders, network and speed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from bunnymoose_cv.calibration.checks.speed_check import time_five
from bunnymoose_cv.cli.doctor.computer import NetworkFacts, SpeedFacts, StorageFacts
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_folder import user_folder
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.server.addresses import PORT, addresses_of_this_computer

if TYPE_CHECKING:
    from bunnymoose_cv.core.user_settings import Settings

MEASURED_S: Final = 5.0
"""Time for which readings are timed."""

_PATIENCE_S: Final = 5.0
"""Longest wait for a firewall's answer."""

_SERVICES: Final = r"SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy\StandardProfile"


def storage_facts() -> StorageFacts:
    """Room in the data folder, and folders that cannot be written."""
    folder = user_folder()
    folders = (folder, Path(tempfile.gettempdir()))
    return StorageFacts(
        folder, shutil.disk_usage(_existing(folder)).free, tuple(each for each in folders if not _is_writable(each))
    )


def _existing(folder: Path) -> Path:
    """The folder or the nearest one above it that is there."""
    return next(each for each in (folder, *folder.parents) if os.path.isdir(each))  # noqa: PTH112 - never fails


def _is_writable(folder: Path) -> bool:
    """True where a file can be made; a folder that is not there yet counts as the one above it.

    What stands in a folder's place is no folder above it.
    """
    try:
        place = next(each for each in (folder, *folder.parents) if each.exists())
        with tempfile.TemporaryFile(dir=place):
            return True
    except OSError:
        return False


def network_facts() -> NetworkFacts:
    """Local addresses, and an active firewall."""
    return NetworkFacts(addresses_of_this_computer(), PORT, _firewall())


def _firewall() -> str:
    """Name of an active firewall, as far as this user can see one."""
    if sys.platform == "win32":
        return "Windows Defender Firewall" if _windows_firewall_is_on() else ""
    if sys.platform == "darwin":
        told = _told("/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate")
        return "the macOS firewall" if "enabled" in told else ""
    if "ENABLED=yes" in _text(Path("/etc/ufw/ufw.conf")):
        return "ufw"
    return "firewalld" if "running" in _told("firewall-cmd", "--state").split() else ""


def _windows_firewall_is_on() -> bool:
    if sys.platform == "win32":
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _SERVICES) as key:
                return bool(winreg.QueryValueEx(key, "EnableFirewall")[0])
        except OSError:
            return True  # on unless somebody switched it off
    return False


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _told(*command: str) -> str:
    """The first output of a program of the system; empty where it is missing, refuses or hangs."""
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


def speed_facts(settings: Settings) -> SpeedFacts:
    """Time full readings of the demo clip's freeze at 1080p for five seconds, after one that warms up."""
    try:
        with Reader(settings) as reader:
            players, seconds = time_five(reader, MEASURED_S)
            return SpeedFacts(players, seconds)
    except (InputError, OSError, cv2.error) as error:
        return SpeedFacts(problem=f"The referee cannot read a picture: {error}.")
