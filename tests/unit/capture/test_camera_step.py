"""The kept quality step of the camera, and a disk that does not keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.camera_step import CameraStep, keep_step, kept_step, step_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder, still to be made."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


def test_a_kept_step_limits_what_cameras_are_asked_for() -> None:
    settings = load_settings().camera
    assert kept_step() is CameraStep.FULL
    assert CameraStep.FULL.limit(settings) == settings
    keep_step(CameraStep.SMALL)
    small = kept_step().limit(settings)
    assert (small.width, small.height, small.frames_per_s) == (1280, 720, 15)
    assert CameraStep.SMALL.limit(settings.model_copy(update={"width": 640})).width == 640
    step_file().write_text("step = 'huge'\n")
    assert kept_step() is CameraStep.FULL
    step_file().write_bytes(b"\xff\xfe")
    assert kept_step() is CameraStep.FULL


def test_a_disk_that_refuses_the_step_is_one_sentence(data: Path) -> None:
    data.write_text("no folder")
    with pytest.raises(InputError, match=r"cannot be kept in .*camera_step.toml \(.+\): make room, or give yourself"):
        keep_step(CameraStep.SMALL)
    assert kept_step() is CameraStep.FULL
