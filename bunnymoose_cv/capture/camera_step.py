"""Quality steps: sizes and rates that a camera is asked for, so that the computer keeps up with it.

The check of the table chooses a step and keeps it in the user's data folder; every camera that is opened afterwards is
asked for no more.
"""

from __future__ import annotations

import tomllib
from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.camera_mode import CameraMode
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_folder import user_folder

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.core.user_settings import CameraSettings

_FILE: Final = "camera_step.toml"


class CameraStep(Enum):
    """Quality steps, the best first; the first is whatever the settings ask for."""

    FULL = "full"
    MIDDLE = "middle"
    SMALL = "small"

    @property
    def mode(self) -> CameraMode | None:
        """The largest size and rate of the step; None where the settings alone decide."""
        return _MODES[self]

    @property
    def below(self) -> CameraStep:
        """The next lower step; the last one is below itself."""
        steps = tuple(CameraStep)
        return steps[min(steps.index(self) + 1, len(steps) - 1)]

    def limit(self, settings: CameraSettings) -> CameraSettings:
        """Reduce the settings to this step."""
        if self.mode is None:
            return settings
        return settings.model_copy(
            update={
                "width": min(settings.width, self.mode.width),
                "height": min(settings.height, self.mode.height),
                "frames_per_s": min(settings.frames_per_s, self.mode.frames_per_s),
            }
        )


_MODES: Final = {
    CameraStep.FULL: None,
    CameraStep.MIDDLE: CameraMode(1280, 720, 30.0),
    CameraStep.SMALL: CameraMode(1280, 720, 15.0),
}
"""Modes of the steps; five players need 1280 × 720 pixels, and a freeze 10 frames a second."""


def step_file() -> Path:
    """File of the quality step."""
    return user_folder() / _FILE


def kept_step() -> CameraStep:
    """The step that the last check chose; `FULL` where none was kept, or the file is damaged."""
    try:
        return CameraStep(tomllib.loads(step_file().read_text("utf-8"))["step"])
    except (OSError, ValueError, KeyError):
        return CameraStep.FULL


def keep_step(step: CameraStep) -> None:
    """Keep the step for every camera that is opened from now on.

    Raises:
        InputError: the data folder cannot be written.
    """
    path = step_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            part.write_text(
                f'# Chosen by "bunnymoose calibrate"; full, middle or small.\nstep = "{step.value}"\n', "utf-8"
            )
    except OSError as error:
        raise InputError(
            f"What the camera is asked for cannot be kept in {path} ({error.strerror}): "
            "make room, or give yourself the right to write there."
        ) from error
