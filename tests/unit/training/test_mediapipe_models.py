"""Conversion of MediaPipe's models to the shipped bytes, and one sentence for an unusable wheel."""

import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from training.mediapipe_models import face_detector, hand_landmarker, main

MODELS = Path(__file__).parents[3] / "models"


def test_hand_models_convert_to_the_shipped_bundle() -> None:
    shipped = MODELS / "hand_landmarker_full.task"
    with zipfile.ZipFile(shipped) as bundle:
        made = hand_landmarker(bundle.read("hand_detector.tflite"), bundle.read("hand_landmarks_detector.tflite"))
    assert made == shipped.read_bytes()


def test_converting_the_shipped_face_detector_changes_nothing() -> None:
    with zipfile.ZipFile(MODELS / "face_landmarker_attention_full_range.task") as bundle:
        shipped = bundle.read("face_detector.tflite")
    assert face_detector(shipped) == shipped


def wheel(content: bytes, *names: str) -> Callable[[Path], None]:
    """Return a factory of a wheel whose files have the given names and the same content."""

    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as files:
            for name in names:
                files.writestr(name, content)

    return make


PARTS = {
    part["path"]
    for entry in tomllib.loads((MODELS / "manifest.toml").read_text(encoding="utf-8"))["model"]
    for part in entry["part"]
}
OTHER_MODELS = wheel(b"another model", *PARTS)


def damaged_wheel(path: Path) -> None:
    OTHER_MODELS(path)
    path.write_bytes(path.read_bytes().replace(b"another model", b"anothre model"))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda _: None, "There is no wheel"),
        (Path.mkdir, "cannot be read"),
        (lambda path: path.write_text("Bunny, bunny, moose!"), "is damaged or no wheel"),
        (damaged_wheel, "is damaged or no wheel"),
        (wheel(b"", "other/__init__.py"), "it must be a wheel of mediapipe 0.10.21"),
        (OTHER_MODELS, "it must be a wheel of mediapipe 0.10.21"),
    ],
)
def test_unusable_wheel_is_refused(
    make: Callable[[Path], object], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "given.whl")
    assert main([str(tmp_path / "given.whl"), str(tmp_path / "made")]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert not list((tmp_path / "made").iterdir())


def test_missing_arguments_print_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python -m training.mediapipe_models WHEEL OUTDIR\n"
