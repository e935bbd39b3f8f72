"""Checks of Python, the platform, the libraries and the models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level, good
from bunnymoose_cv.vision.model_files import ModelState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.cli.doctor.computer import Platform

OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 14)
"""Releases for which all libraries offer wheels."""

_GLIBC: Final = (2, 28)
"""Oldest release that MediaPipe's wheel for Linux runs on."""

_MACOS: Final = (14, 0)
"""Oldest release that PyAV's wheel for Apple silicon runs on."""

_REINSTALL: Final = "Install bunnymoose again; a virus scanner may have taken files away."


def check_python(version: tuple[int, int]) -> Finding:
    """Check the release of Python."""
    name = f"Python {version[0]}.{version[1]}"
    if version < OLDEST_PYTHON:
        return Finding(CheckLine.PYTHON, Level.BAD, f"{name} is too old.", "Install Python 3.11 or newer.")
    if version > NEWEST_PYTHON:
        return Finding(
            CheckLine.PYTHON, Level.WEAK, f"{name} is newer than what was tried.", "Use Python 3.11 to 3.14."
        )
    return good(CheckLine.PYTHON, f"{name} fits.")


def check_platform(platform: Platform) -> Finding:
    """Check system, processor and the system's version against what MediaPipe and PyAV are built for."""
    version = ".".join(map(str, platform.version))
    match platform.system, platform.machine.lower():
        case "linux", "x86_64" | "amd64":
            title, oldest, newer = "glibc", _GLIBC, "Use Debian 10, Ubuntu 20.04 or newer (glibc 2.28)."
        case "darwin", "arm64":
            title, oldest, newer = "macOS", _MACOS, "Update to macOS 14 or newer."
        case "win32", "amd64" | "x86_64":
            return good(CheckLine.PLATFORM, "Windows on x64 fits.")
        case _:
            sentence = f"MediaPipe is not made for {platform.system} on {platform.machine}."
            remedy = "Use Linux x86-64, a Mac with Apple silicon, or Windows x64."
            return Finding(CheckLine.PLATFORM, Level.BAD, sentence, remedy)
    if not version:
        return Finding(CheckLine.PLATFORM, Level.BAD, f"This system has no {title}.", newer)
    if platform.version < oldest:
        return Finding(CheckLine.PLATFORM, Level.BAD, f"{title} {version} is too old.", newer)
    return good(CheckLine.PLATFORM, f"{title} {version} on {platform.machine} fits.")


def check_libraries(missing: Sequence[str]) -> Finding:
    """Check that every library can be imported; virus scanners take modules away."""
    if missing:
        return Finding(
            CheckLine.LIBRARIES, Level.BAD, f"These libraries do not load: {', '.join(missing)}.", _REINSTALL
        )
    return good(CheckLine.LIBRARIES, "All libraries load.")


def check_cv2(owners: Sequence[str]) -> Finding:
    """Check that one package alone brings the module `cv2`; two overwrite each other's files."""
    others = [owner for owner in owners if owner != "opencv-python"]
    if others:
        return Finding(
            CheckLine.CV2,
            Level.WEAK,
            f"The module cv2 belongs to several packages or a strange one: {', '.join(owners)}.",
            f"pip uninstall {' '.join(others)}, then pip install --force-reinstall opencv-python.",
        )
    if not owners:
        return Finding(CheckLine.CV2, Level.BAD, "No package brings the module cv2.", "Run pip install opencv-python.")
    return good(CheckLine.CV2, "The module cv2 belongs to opencv-python alone.")


def check_model_files(states: Mapping[str, ModelState]) -> Finding:
    """Check the hashes of the models."""
    broken = [f"{name} is {state.value}" for name, state in states.items() if state is not ModelState.READY]
    if broken:
        return Finding(CheckLine.MODELS, Level.BAD, f"Of the models {', '.join(broken)}.", _REINSTALL)
    return good(CheckLine.MODELS, f"All {len(states)} models are whole.")
