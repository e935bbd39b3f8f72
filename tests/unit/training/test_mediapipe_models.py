"""MediaPipe's models are converted to the shipped bytes, and a wheel that will not do is refused in one sentence."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from training.mediapipe_models import face_detector, hand_landmarker, main

if TYPE_CHECKING:
    from collections.abc import Callable

MODELS = Path(__file__).parents[3] / "models"


def test_the_hand_models_make_the_shipped_bundle() -> None:
    shipped = MODELS / "hand_landmarker_full.task"
    with zipfile.ZipFile(shipped) as bundle:
        made = hand_landmarker(bundle.read("hand_detector.tflite"), bundle.read("hand_landmarks_detector.tflite"))
    assert made == shipped.read_bytes()


def test_the_shipped_face_detector_is_in_both_files_and_stays_when_converted_again() -> None:
    shipped = (MODELS / "face_detector_full_range.tflite").read_bytes()
    with zipfile.ZipFile(MODELS / "face_landmarker_attention_full_range.task") as bundle:
        assert bundle.read("face_detector.tflite") == shipped
    assert face_detector(shipped) == shipped


def no_wheel(path: Path) -> None:
    path.write_text("Bunny, bunny, moose!")


def other_wheel(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as files:
        files.writestr("other/__init__.py", "")


def wheel_with_other_models(path: Path) -> None:
    content = tomllib.loads((MODELS / "manifest.toml").read_text(encoding="utf-8"))
    with zipfile.ZipFile(path, "w") as files:
        for part in {part["path"] for entry in content["model"] for part in entry["part"]}:
            files.writestr(part, b"another model")


def damaged_wheel(path: Path) -> None:
    wheel_with_other_models(path)
    path.write_bytes(path.read_bytes().replace(b"another model", b"anothre model"))


def nothing(_: Path) -> None:
    """Find no such file."""


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (nothing, "There is no wheel"),
        (Path.mkdir, "cannot be read"),
        (no_wheel, "is damaged or no wheel"),
        (damaged_wheel, "is damaged or no wheel"),
        (other_wheel, "it must be a wheel of mediapipe 0.10.21"),
        (wheel_with_other_models, "it must be a wheel of mediapipe 0.10.21"),
    ],
)
def test_a_wheel_that_will_not_do_is_refused(
    make: Callable[[Path], None], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "given.whl")
    assert main([str(tmp_path / "given.whl"), str(tmp_path / "made")]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert not list((tmp_path / "made").iterdir())


def test_without_both_arguments_the_usage_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python -m training.mediapipe_models WHEEL OUTDIR\n"
