"""Python, the platform, the libraries and the models: facts and their checks, which need none of the libraries."""

from __future__ import annotations

import importlib
import platform
import sys
from importlib import metadata
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level, good
from bunnymoose_cv.vision.model_files import ModelState, manifest, model_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_LIBRARIES: Final = ("av", "cv2", "mediapipe", "numpy", "PIL", "pydantic", "pyttsx3", "starlette")
"""Libraries that a game needs; sound is checked separately, because a game can be played without it."""


def system_version() -> tuple[int, ...]:
    """Return the version of glibc on Linux, or of macOS on a Mac; empty if unknown or irrelevant."""
    version = {"linux": platform.libc_ver()[1], "darwin": platform.mac_ver()[0]}.get(sys.platform, "")
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def missing_libraries() -> tuple[str, ...]:
    """Return the libraries that cannot be imported."""
    return tuple(name for name in _LIBRARIES if not _loads(name))


def _loads(name: str) -> bool:
    try:
        importlib.import_module(name)
    except (ImportError, OSError):  # a missing module, or a missing library of the system
        return False
    return True


def cv2_owners() -> tuple[str, ...]:
    """Return the installed packages that provide the module `cv2`."""
    return tuple(sorted(set(metadata.packages_distributions().get("cv2", ()))))


def model_states() -> dict[str, ModelState]:
    """Return the state of each model, by the name of its file."""
    return {entry.model.value: model_state(entry) for entry in manifest()}


OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 14)
"""Newest release for which all libraries offer wheels; `OLDEST_PYTHON` is the oldest."""

_GLIBC: Final = (2, 28)
"""Oldest release supported by MediaPipe's wheel for Linux."""

_MACOS: Final = (14, 0)
"""Oldest release supported by PyAV's wheel for Apple silicon."""

_REINSTALL: Final = "Install bunnymoose again; a virus scanner may have taken files away."


def check_python(version: tuple[int, int]) -> Finding:
    """Check the release of Python."""
    name = f"Python {version[0]}.{version[1]}"
    if version < OLDEST_PYTHON:
        return Finding(CheckLine.PYTHON, Level.BAD, f"{name} is too old.", "Install Python 3.11 or newer.")
    if version > NEWEST_PYTHON:
        sentence = f"{name} is newer than what was tried."
        return Finding(CheckLine.PYTHON, Level.WEAK, sentence, "Use Python 3.11 to 3.14.")
    return good(CheckLine.PYTHON, f"{name} fits.")


def check_platform(system: str, machine: str, version: tuple[int, ...] = ()) -> Finding:
    """Check that MediaPipe and PyAV support the system, its version and the processor.

    Args:
        system: `linux`, `darwin` or `win32`, as `sys.platform` names it.
        machine: the processor: `x86_64`, `arm64`, `AMD64`.
        version: see `system_version`.
    """
    match system, machine.lower():
        case "linux", "x86_64" | "amd64":
            title, oldest, remedy = "glibc", _GLIBC, "Use Debian 10, Ubuntu 20.04 or newer (glibc 2.28)."
        case "darwin", "arm64":
            title, oldest, remedy = "macOS", _MACOS, "Update to macOS 14 or newer."
        case "win32", "amd64" | "x86_64":
            return good(CheckLine.PLATFORM, "Windows on x64 fits.")
        case _:
            sentence = f"MediaPipe is not made for {system} on {machine}."
            remedy = "Use Linux x86-64, a Mac with Apple silicon, or Windows x64."
            return Finding(CheckLine.PLATFORM, Level.BAD, sentence, remedy)
    name = f"{title} {'.'.join(map(str, version))}"
    if not version:
        return Finding(CheckLine.PLATFORM, Level.BAD, f"This system has no {title}.", remedy)
    if version < oldest:
        return Finding(CheckLine.PLATFORM, Level.BAD, f"{name} is too old.", remedy)
    return good(CheckLine.PLATFORM, f"{name} on {machine} fits.")


def check_libraries(missing: Sequence[str]) -> Finding:
    """Check that every library can be imported; virus scanners may remove modules."""
    if not missing:
        return good(CheckLine.LIBRARIES, "All libraries load.")
    sentence = f"These libraries do not load: {', '.join(missing)}."
    return Finding(CheckLine.LIBRARIES, Level.BAD, sentence, _REINSTALL)


def check_cv2(owners: Sequence[str]) -> Finding:
    """Check that only one package provides the module `cv2`; two overwrite each other's files."""
    if not owners:
        return Finding(CheckLine.CV2, Level.BAD, "No package brings the module cv2.", "Run pip install opencv-python.")
    others = [owner for owner in owners if owner != "opencv-python"]
    if not others:
        return good(CheckLine.CV2, "The module cv2 belongs to opencv-python alone.")
    sentence = f"The module cv2 belongs to several packages or a strange one: {', '.join(owners)}."
    remedy = f"pip uninstall {' '.join(others)}, then pip install --force-reinstall opencv-python."
    return Finding(CheckLine.CV2, Level.WEAK, sentence, remedy)


def check_model_files(states: Mapping[str, ModelState]) -> Finding:
    """Check the hashes of the models."""
    broken = [f"{name} is {state.value}" for name, state in states.items() if state is not ModelState.READY]
    if broken:
        return Finding(CheckLine.MODELS, Level.BAD, f"Of the models {', '.join(broken)}.", _REINSTALL)
    return good(CheckLine.MODELS, f"All {len(states)} models are whole.")
