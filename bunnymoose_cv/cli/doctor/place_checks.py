"""Checks of disk, folders, network and speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS

if TYPE_CHECKING:
    from bunnymoose_cv.cli.doctor.computer import NetworkFacts, SpeedFacts, StorageFacts

_LITTLE_ROOM_BYTES: Final = 2 * 10**9
_NO_ROOM_BYTES: Final = 2 * 10**8
"""Threshold of free space: an evening with films takes up to 400 MB, the games folder holds ten in 4 GB."""

_SLOW_S: Final = 3.0
"""Seconds for a full reading; a freeze takes about three such and six cheaper ones."""

_PLAYERS: Final = 5


def check_disk(storage: StorageFacts) -> Finding:
    """Check the room for games, evidence and films."""
    sentence = f"{storage.free_bytes / 1e9:.1f} GB are free in {storage.folder}."
    if storage.free_bytes < _LITTLE_ROOM_BYTES:
        state = Level.BAD if storage.free_bytes < _NO_ROOM_BYTES else Level.WEAK
        return Finding(CheckLine.DISK, state, sentence, "Make room; an evening takes up to half a gigabyte.")
    return good(CheckLine.DISK, sentence)


def check_folders(storage: StorageFacts) -> Finding:
    """Check that the program's folders can be written."""
    if storage.unwritable:
        folders = ", ".join(map(str, storage.unwritable))
        return Finding(
            CheckLine.FOLDERS,
            Level.BAD,
            f"{folders} cannot be written.",
            "Give yourself the right to write there, and move away any file that stands in a folder's place.",
        )
    return good(CheckLine.FOLDERS, "The program's folders can be written.")


def check_network(network: NetworkFacts) -> Finding:
    """Check the way of phones to the table screen (`play --lan`)."""
    if not network.addresses:
        return Finding(
            CheckLine.PHONES,
            Level.WEAK,
            "This computer is in no local network; phones cannot join.",
            "Join the phones' network before play --lan.",
        )
    if network.firewall:
        return Finding(
            CheckLine.PHONES,
            Level.WEAK,
            f"{network.firewall} is active and may keep phones out.",
            f"Allow TCP port {network.port} for play --lan ({_allowing(network)}).",
        )
    return good(CheckLine.PHONES, f"Phones reach this computer at {network.addresses[0]}.")


def _allowing(network: NetworkFacts) -> str:
    """Instruction that opens the port in a firewall."""
    return {
        "ufw": f"sudo ufw allow {network.port}/tcp",
        "firewalld": f"sudo firewall-cmd --add-port={network.port}/tcp",
    }.get(network.firewall, "say yes when the system asks about Python")


def check_reading_speed(speed: SpeedFacts) -> Finding:
    """Check whether this computer is quick enough for a game, by the time for five players."""
    if speed.problem:
        return Finding(CheckLine.SPEED, Level.BAD, speed.problem, "Install bunnymoose again.")
    if speed.players != _PLAYERS:
        sentence = f"Of the demo's {_PLAYERS} players {speed.players} were read."
        return Finding(CheckLine.SPEED, Level.BAD, sentence, "Install bunnymoose again.")
    reading = f"five players are read in {speed.seconds:.1f} s"
    if speed.seconds <= THRESHOLDS.comfortable_s:
        return good(CheckLine.SPEED, f"This computer is quick enough: {reading}.")
    sentence = f"This computer is slow: {reading}, and up to {THRESHOLDS.comfortable_s} s is quick enough."
    if speed.seconds <= _SLOW_S:
        return Finding(CheckLine.SPEED, Level.WEAK, sentence, "Close other programs; verdicts will take some seconds.")
    return Finding(CheckLine.SPEED, Level.WEAK, sentence, "Use a quicker computer, or judge photographs and clips.")
