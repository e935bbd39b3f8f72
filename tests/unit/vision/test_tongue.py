"""The crop of a mouth follows the head, and the network reads people that no training has seen."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import TongueSettings, load_settings
from bunnymoose_cv.rules.pose import Tongue
from bunnymoose_cv.vision.detections import FACE_POINTS, FaceLandmarks
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.geometry import CropSpec
from bunnymoose_cv.vision.logits import logit, sigmoid
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.tongue import CROPS, SIDE, SIZE, MouthPlace, TongueReader, TongueReading

FIXTURES = Path(__file__).parents[3] / "fixtures"
MOUTHS, PLAYERS = FIXTURES / "mouths", FIXTURES / "players"
LIMITS = TongueSettings.model_construct(clear_in=0.3, clear_out=0.7)

NOSE_BELOW_EYES, MOUTH_BELOW_EYES = 0.8, 1.42
"""Distance of the mouth below the eyes of drawn faces, in eye distances; it is 0.62 below the base of the nose."""


@dataclass(frozen=True)
class DrawnHead:
    """A drawn head: middle of the eyes, eye distance in pixels, rotation clockwise and to the side."""

    x: float = 200.0
    y: float = 150.0
    eyes: float = 40.0
    roll: float = 0.0
    yaw: float = 0.0

    def at(self, across: float, down: float) -> tuple[float, float, float]:
        """Return the image position of a face point given in eye distances from the middle of the eyes."""
        roll, yaw = np.radians(self.roll), np.radians(self.yaw)
        x, y, z = across * np.cos(yaw) * self.eyes, down * self.eyes, across * np.sin(yaw) * self.eyes
        return (self.x + x * np.cos(roll) - y * np.sin(roll), self.y + x * np.sin(roll) + y * np.cos(roll), z)

    @property
    def face(self) -> FaceLandmarks:
        points = np.tile(np.array(self.at(0, 0), np.float32), (FACE_POINTS, 1))
        for index, across in ((33, -0.6), (133, -0.4), (362, 0.4), (263, 0.6)):
            points[index] = self.at(across, 0)
        points[2] = self.at(0, NOSE_BELOW_EYES)
        return FaceLandmarks(points)


heads = st.builds(
    DrawnHead,
    x=st.floats(300, 340),
    y=st.floats(300, 340),
    eyes=st.floats(8, 120),
    roll=st.floats(-180, 180),
    yaw=st.floats(-45, 45),
)


@given(heads)
def test_mouth_place_is_below_the_nose_for_any_head_pose(head: DrawnHead) -> None:
    place = MouthPlace.of(head.face)
    x, y, _ = head.at(0, MOUTH_BELOW_EYES)
    assert (place.x, place.y) == pytest.approx((x, y), abs=0.01)
    assert place.eye_distance == pytest.approx(head.eyes, rel=1e-4)
    assert np.cos(np.radians(place.down - head.roll)) == pytest.approx(1, abs=1e-5)


@settings(max_examples=40)
@given(heads, st.sampled_from(CROPS))
def test_mouth_crop_is_upright_and_centred(head: DrawnHead, look: CropSpec) -> None:
    """A disc on the mouth is in the middle of the crop, and one half an eye distance below it straight below."""
    image = np.zeros((640, 640, 3), np.uint8)
    for colour, down in (((255, 0, 0), MOUTH_BELOW_EYES), ((0, 0, 255), MOUTH_BELOW_EYES + 0.5)):
        x, y, _ = head.at(0, down)
        centre = round((x - 0.5) * 16), round((y - 0.5) * 16)  # of the pixel in OpenCV's coordinates
        cv2.circle(image, centre, round(0.15 * head.eyes * 16), colour, -1, cv2.LINE_AA, shift=4)
    cut = MouthPlace.of(head.face).cut(image, look).astype(float)
    assert cut.shape == (SIZE, SIZE, 3)
    middle, eye = (SIZE - 1) / 2, SIZE / SIDE
    for channel, below in ((0, 0.0), (2, 0.5)):
        rows, columns = np.mgrid[:SIZE, :SIZE]
        weight = cut[..., channel] / cut[..., channel].sum()
        assert (weight * columns).sum() == pytest.approx(middle, abs=1.5)
        assert (weight * rows).sum() == pytest.approx(middle + (below + look.upward) * eye, abs=1.5)


def _resized(image: Image, scale: float) -> Image:
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=way), np.uint8)


@pytest.mark.parametrize("scale", [0.5, 2.0, 5.0])
def test_mouth_crop_hardly_depends_on_image_size(scale: float) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (12, 16, 3), np.uint8)
    image = _resized(noise, 40)
    other = _resized(image, scale)
    head = DrawnHead(320, 200, 60, roll=20)
    cut = MouthPlace.of(head.face).cut(image)
    scaled = DrawnHead(320 * scale, 200 * scale, 60 * scale, roll=20)
    assert np.abs(MouthPlace.of(scaled.face).cut(other).astype(int) - cut).mean() < 3


@pytest.mark.parametrize("position", [(0, 0), (199, 0), (0, 149), (199, 149), (-300, 75), (5000, 5000)])
def test_mouth_crop_repeats_the_border_pixels(position: tuple[float, float]) -> None:
    image = np.full((150, 200, 3), (10, 120, 240), np.uint8)
    cut = MouthPlace.of(DrawnHead(*position).face).cut(image)
    assert (cut == (10, 120, 240)).all()


def test_face_points_without_a_mouth_place_are_refused() -> None:
    with pytest.raises(ValueError, match="eyes apart"):
        MouthPlace.of(DrawnHead(eyes=0).face)
    points = DrawnHead().face.points.copy()
    points[7] = np.nan
    with pytest.raises(ValueError, match="finite"):
        MouthPlace.of(FaceLandmarks(points))


@pytest.mark.parametrize(
    ("probability", "shown", "confidence", "unclear"),
    [
        (0.0, Tongue.IN, 1.0, False),
        (0.3, Tongue.IN, 0.7, False),
        (0.31, Tongue.IN, 0.69, True),
        (0.5, Tongue.OUT, 0.5, True),
        (0.69, Tongue.OUT, 0.69, True),
        (0.7, Tongue.OUT, 0.7, False),
        (1.0, Tongue.OUT, 1.0, False),
    ],
)
def test_reading_follows_from_the_probability(
    probability: float, shown: Tongue, confidence: float, *, unclear: bool
) -> None:
    reading = TongueReading.of(probability, LIMITS)
    assert (reading.tongue, reading.unclear, reading.probability_out) == (shown, unclear, probability)
    assert reading.confidence == pytest.approx(confidence)


@dataclass(frozen=True)
class Mouth:
    """A rendered face of a person that no training has seen."""

    image: Image
    head: Head
    out: bool


@pytest.fixture(scope="module")
def mouths() -> Iterator[dict[str, Mouth]]:
    with (MOUTHS / "truth.csv").open(newline="") as lines, Landmarkers() as landmarkers:
        yield {row["file"]: _mouth(row, landmarkers) for row in csv.DictReader(lines)}


def _mouth(row: dict[str, str], landmarkers: Landmarkers) -> Mouth:
    image = np.asarray(cv2.imread(str(MOUTHS / row["file"])), np.uint8)
    height, width = image.shape[:2]
    crop = CropSpec(1.2 * width, 512).cut(image, (width / 2, height / 2), 1.0)
    face = landmarkers.face(crop.image)
    assert face is not None, row["file"]
    return Mouth(image, Head(FaceLandmarks(crop.to_whole(face.points))), row["tongue"] == "out")


@pytest.fixture(scope="module")
def tongues() -> TongueReader:
    return TongueReader(load_settings().tongue)


def test_tongues_of_unseen_people_and_small_faces_are_read(mouths: dict[str, Mouth], tongues: TongueReader) -> None:
    """With 20 pixels between the eyes no tongue that is in is read as out."""
    for name, mouth in mouths.items():
        assert (tongues.read(mouth.image, mouth.head).tongue is Tongue.OUT) is mouth.out, name
        scale = 20 / MouthPlace.of(mouth.head.face).eye_distance
        small = Head(FaceLandmarks(mouth.head.face.points * np.float32(scale)))
        reading = tongues.read(_resized(mouth.image, scale), small)
        assert mouth.out or reading.tongue is Tongue.IN, name


@pytest.mark.parametrize(("sure", "usual"), [(False, False), (True, True)], ids=["hardly a face", "a mean mesh"])
def test_tongue_is_never_sure_without_a_sure_face_and_its_own_mesh(
    reader: Reader, tongues: TongueReader, *, sure: bool, usual: bool
) -> None:
    image = read_image(PLAYERS / "0021.jpg")
    (player,) = reader.read(image).players
    head = player.player.head
    plain, doubted = tongues.read(image, head), tongues.read(image, replace(head, sure=sure, mean_mesh=usual))
    assert (plain.tongue, plain.unclear) == (Tongue.OUT, False)
    assert doubted == replace(plain, unclear=True)


def test_mirrored_mouth_has_the_same_reading(mouths: dict[str, Mouth], tongues: TongueReader) -> None:
    for name, mouth in mouths.items():
        points = mouth.head.face.points.copy()
        points[:, 0] = mouth.image.shape[1] - points[:, 0]
        points[[33, 133, 263, 362]] = points[[263, 362, 33, 133]]
        mirrored = np.ascontiguousarray(mouth.image[:, ::-1]), Head(FaceLandmarks(points))
        straight = mouth.image, mouth.head
        one, other = tongues.read(*mirrored), tongues.read(*straight)
        assert (one.tongue, one.unclear) == (other.tongue, other.unclear), name
        assert one.probability_out == pytest.approx(other.probability_out, abs=0.05), name


@pytest.mark.parametrize(
    ("image", "error"),
    [
        (np.zeros((10, 10), np.uint8), ValueError),
        (np.zeros((10, 10, 4), np.uint8), ValueError),
        (np.zeros((10, 10, 3), np.float32), TypeError),
        (np.zeros((0, 10, 3), np.uint8), ValueError),
    ],
    ids=["grey", "alpha", "float", "empty"],
)
def test_invalid_image_is_refused(image: Image, error: type[Exception], tongues: TongueReader) -> None:
    with pytest.raises(error, match="An image has to be of"):
        tongues.read(image, Head(DrawnHead().face))


def test_missing_tongue_model_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there_is_none\.onnx is missing"):
        TongueReader(LIMITS, tmp_path / "there_is_none.onnx")


@pytest.mark.parametrize(
    ("first", "second_stage", "crops", "out"),
    [(0.5, True, len(CROPS), 0.9), (0.5, False, 1, 0.5), (0.97, True, 1, 0.97), (0.005, True, 1, 0.005)],
    ids=["uncertain", "second stage left out", "certainly out", "certainly in"],
)
def test_second_stage_runs_only_if_the_first_is_uncertain(
    monkeypatch: pytest.MonkeyPatch, first: float, crops: int, out: float, *, second_stage: bool
) -> None:
    tongues = TongueReader(LIMITS)
    answers = [first, *[float(sigmoid(logit(0.9, 1e-9) * len(CROPS) / (len(CROPS) - 1)))] * (len(CROPS) - 1)]
    run: list[float] = []

    def answer(_: object) -> np.ndarray:
        run.append(answers[len(run)])
        return np.array([run[-1]])

    monkeypatch.setattr(tongues, "_net", SimpleNamespace(run=answer))
    reading = tongues.read(np.zeros((400, 600, 3), np.uint8), Head(DrawnHead().face), second_stage=second_stage)
    assert len(run) == crops
    assert reading.probability_out == pytest.approx(out)
