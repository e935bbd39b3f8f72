"""Facts about Python, platform, libraries and models."""

from __future__ import annotations

import importlib
import platform
import sys
from importlib import metadata
from typing import Final

from bunnymoose_cv.cli.doctor.computer import Platform
from bunnymoose_cv.vision.model_files import ModelState, manifest, model_state

_LIBRARIES: Final = ("av", "cv2", "mediapipe", "numpy", "PIL", "pydantic", "pyttsx3", "starlette")
"""The libraries that a game needs; sound is checked by itself, for a game goes on without it."""


def this_platform() -> Platform:
    """System, processor, and the version that matters there."""
    told = {"linux": platform.libc_ver()[1], "darwin": platform.mac_ver()[0]}.get(sys.platform, "")
    return Platform(sys.platform, platform.machine(), tuple(int(part) for part in told.split(".") if part.isdecimal()))


def missing_libraries() -> tuple[str, ...]:
    """The libraries that cannot be imported."""
    return tuple(name for name in _LIBRARIES if not _loads(name))


def _loads(name: str) -> bool:
    try:
        importlib.import_module(name)
    except (ImportError, OSError):  # a missing module, or a missing library of the system
        return False
    return True


def cv2_owners() -> tuple[str, ...]:
    """The installed packages that bring the module `cv2`."""
    return tuple(sorted(set(metadata.packages_distributions().get("cv2", ()))))


def model_states() -> dict[str, ModelState]:
    """The state of each model, by the name of its file."""
    return {entry.model.value: model_state(entry) for entry in manifest()}
