"""The face detector's looks at an image, and decoding of the network's answers."""

import numpy as np
import numpy.typing as npt
import pytest

from bunnymoose_cv.vision.nets import face_nets
from bunnymoose_cv.vision.nets.face_nets import OUTPUTS, FaceDetector, cells_of, decode_faces

Array = npt.NDArray[np.float32]

FAINT = -9.0

shown: list[tuple[int, int]] = []
"""Sizes of the images given to the network."""


def answers_of(cells: Array, faces: list[tuple[float, float, float, float]]) -> Array:
    """Return answers in which cells near the middle of a face give its box, and its middle for all points."""
    answers = np.full((OUTPUTS, len(cells)), FAINT, np.float32)
    for x, y, width, height in faces:
        centre = np.array([x + width / 2, y + height / 2])
        off = np.abs(cells[:, :2] - centre).max(1)
        own = off <= max(off.min(), width / 4)
        answers[0, own] = 3 - off[own] / width
        answers[1:, own] = np.tile((centre - cells[own, :2]) / cells[own, 2:], 7).T
        answers[3:5, own] = np.log(np.array([width, height])[:, None] / cells[own, 2])
    return answers


class BrightThings:
    """Network that sees a face in the bright part of an image."""

    def __init__(self, _: bytes) -> None:
        shown.clear()

    def run(self, batch: Array) -> Array:
        height, width = batch.shape[2:]
        shown.append((height, width))
        bright = np.argwhere(batch[0, 0] > 0.5)
        cells = cells_of(height, width)
        if not len(bright):
            return answers_of(cells, [])[None]
        (top, left), (bottom, right) = bright.min(0), bright.max(0) + 1
        return answers_of(cells, [(left, top, right - left, bottom - top)])[None]


@pytest.fixture
def detector(monkeypatch: pytest.MonkeyPatch) -> FaceDetector:
    monkeypatch.setattr(face_nets, "OnnxNet", BrightThings)
    return FaceDetector(b"")


def with_face(width: int, height: int, side: int) -> npt.NDArray[np.uint8]:
    image = np.zeros((height, width, 3), np.uint8)
    image[100 : 100 + side, 200 : 200 + side] = 255
    return image


@pytest.mark.parametrize(
    ("side", "looks"),
    [
        (150, [(384, 640)]),
        (520, [(384, 640), (192, 320)]),
        (28, [(384, 640), (640, 1120)]),
        (36, [(384, 640), (512, 896)]),
        (0, [(384, 640), (192, 320)]),
    ],
)
def test_large_small_and_missing_faces_get_a_second_look(
    detector: FaceDetector, side: int, looks: list[tuple[int, int]]
) -> None:
    found = detector.find(with_face(1290, 730, side))
    assert shown == looks
    assert len(found) == (side > 0)
    for face in found:
        box = face.box
        assert [box.x, box.y, box.width, box.height] == pytest.approx([200, 100, side, side], abs=3)
        assert face.points == pytest.approx(np.tile([200 + side / 2, 100 + side / 2], (5, 1)), abs=3)


@pytest.mark.parametrize("side", [28, 520])
def test_clear_face_of_the_first_look_stays_the_same(detector: FaceDetector, side: int) -> None:
    """The workers are fitting the mesh of such a face already."""
    image = with_face(1290, 730, side)
    first = detector.find_quick(image, least=0.3)
    assert detector.find_rest(image, first) == first
    assert len(shown) == 2


@pytest.mark.parametrize(
    ("side", "on_the_left", "mirrored", "found", "check"),
    [
        (150, 1.0, 1.0, True, (480, 800)),
        (150, 0.5, FAINT, False, (480, 800)),
        (520, 1.0, 1.0, True, (256, 416)),
        (150, 3.0, FAINT, True, None),
    ],
)
def test_doubtful_face_is_looked_for_again_in_the_mirrored_image(  # noqa: PLR0913, PLR0917 - a table
    detector: FaceDetector,
    monkeypatch: pytest.MonkeyPatch,
    side: int,
    on_the_left: float,
    mirrored: float,
    found: bool,  # noqa: FBT001 - a table
    check: tuple[int, int] | None,
) -> None:
    bright = BrightThings.run

    def run(net: BrightThings, batch: Array) -> Array:
        answers = bright(net, batch)
        is_left = np.nonzero(batch[0, 0] > 0.5)[1].mean() < batch.shape[3] / 2
        answers[0, 0] += (on_the_left if is_left else mirrored) - answers[0, 0].max()
        return answers

    monkeypatch.setattr(BrightThings, "run", run)
    assert bool(detector.find(with_face(1290, 730, side))) is found
    # Without a sure face a look for large ones comes first.
    assert shown == ([(384, 640)] if check is None else [(384, 640), (192, 320), check])


def test_cells_of_one_face_are_merged_and_unsure_ones_dropped() -> None:
    cells = cells_of(192, 320)
    faces = [(20.0, 30.0, 60.0, 80.0), (70.0, 30.0, 60.0, 80.0)]
    found = decode_faces(answers_of(cells, faces), cells, 1.0, 0.5)
    assert not decode_faces(answers_of(cells, faces), cells, 1.0, least=0.96)
    assert sorted(round(face.box.x) for face in found) == [20, 70]


@pytest.mark.parametrize("size", [(150, 3000), (9000, 600), (400, 400)])
def test_first_look_has_a_bounded_number_of_pixels(detector: FaceDetector, size: tuple[int, int]) -> None:
    detector.find(np.zeros((*size, 3), np.uint8))
    assert shown[0][0] * shown[0][1] <= 640 * 640
