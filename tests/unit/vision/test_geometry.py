"""Crops and shrinking of images at every scale, and suppression of duplicates (non-maximum suppression)."""

from collections.abc import Sequence

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.vision.detections import keep_first, suppress
from bunnymoose_cv.vision.geometry import Box, Crop, CropSpec, shrink

WIDTH, HEIGHT = 1600, 900


@pytest.fixture(scope="module")
def ramps() -> Image:
    """Image whose blue rises from left to right and green from top to bottom."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[..., 0] = np.linspace(0, 255, WIDTH)
    image[..., 1] = np.linspace(0, 255, HEIGHT)[:, None]
    return image


def check_places(crop: Crop, pixels: Sequence[tuple[int, int]]) -> None:
    """Check that pixels of a crop inside the image show their places."""
    edge = 4 / crop.scale
    for column, row in pixels:
        x, y = crop.to_whole(np.array([[column, row, 0]], np.float32))[0, :2]
        if edge < x < WIDTH - edge and edge < y < HEIGHT - edge:
            blue, green, _ = crop.image[row, column].astype(int)
            assert blue == pytest.approx(255 * x / WIDTH, abs=2.5)
            assert green == pytest.approx(255 * y / HEIGHT, abs=2.5)


@pytest.mark.parametrize("side", [60.0, 400.0, 850.5, 3000.0], ids=["enlarged", "as large", "shrunk", "more than all"])
@pytest.mark.parametrize("centre", [(800.0, 450.0), (20.0, 30.0), (1590.5, 880.0)], ids=["middle", "corner", "other"])
def test_crop_pixels_come_from_their_places(ramps: Image, centre: tuple[float, float], side: float) -> None:
    check_places(CropSpec(side, 256).cut(ramps, centre, 1.0), ((20, 20), (128, 128), (200, 90), (250, 240)))


@pytest.mark.parametrize("centre", [(-500.0, 450.0), (9000.0, 450.0), (800.0, -500.0), (800.0, 9000.0)])
def test_crop_outside_the_image_is_grey(ramps: Image, centre: tuple[float, float]) -> None:
    for side in (100.0, 900.0):
        assert (CropSpec(side, 64).cut(ramps, centre, 1.0).image == 128).all()


def test_continued_crop_repeats_the_border_pixels(ramps: Image) -> None:
    crop = CropSpec(side=1.0, size=64, continued=True).cut(ramps, (WIDTH + 400.0, 450.0), 500.0)
    assert (crop.image[..., 0] == ramps[0, -1, 0]).all()
    assert crop.image[:, 0, 1] == pytest.approx(crop.image[:, -1, 1])


@pytest.mark.parametrize("side", [700.0, 1300.0, 2900.0])
def test_shrinking_crop_averages_without_aliasing(side: float) -> None:
    """A checkerboard of single pixels becomes grey, without a pattern."""
    rows, columns = np.indices((1024, 1024))
    board = np.repeat((255 * ((rows + columns) % 2)).astype(np.uint8)[..., None], 3, 2)
    crop = CropSpec(side, 256).cut(board, (512.0, 512.0), 1.0)
    assert np.abs(crop.image.astype(int) - 128).max() < 70


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("degrees", [-40.0, 0.0, 90.0, 180.0])
def test_rotated_crop_maps_its_points_to_the_image(ramps: Image, degrees: float, *, mirrored: bool) -> None:
    crop = CropSpec(side=4.0, size=128, mirrored=mirrored).cut(ramps, (800.0, 450.0), 60.0, degrees)
    check_places(crop, ((10, 20), (64, 64), (110, 30)))


@pytest.mark.parametrize(
    ("degrees", "mirrored", "up"), [(0.0, False, (0, -1)), (90.0, False, (1, 0)), (180.0, True, (0, 1))]
)
def test_directions_in_a_rotated_crop_are_mapped_to_the_image(
    ramps: Image, degrees: float, up: tuple[int, int], *, mirrored: bool
) -> None:
    crop = CropSpec(side=4.0, size=128, mirrored=mirrored).cut(ramps, (800.0, 450.0), 60.0, degrees)
    assert crop.directions_to_whole(np.array([[0.0, -1.0]]))[0] == pytest.approx(up, abs=1e-9)


@pytest.mark.parametrize(
    ("shape", "longest_px", "shrunk", "scale"),
    [
        ((100, 200, 3), 50, (25, 50, 3), 0.25),
        ((200, 100), 50, (50, 25), 0.25),
        ((100, 200, 3), 200, (100, 200, 3), 1.0),
        ((100, 200), 900, (100, 200), 1.0),
    ],
    ids=["colour", "grey and upright", "just as large", "small"],
)
def test_longer_side_is_shrunk_to_the_limit(
    shape: tuple[int, ...], longest_px: int, shrunk: tuple[int, ...], scale: float
) -> None:
    image, found = shrink(np.full(shape, 7, np.uint8), longest_px)
    assert (image.shape, found) == (shrunk, scale)
    assert (image == 7).all()


@pytest.mark.parametrize("longest_px", [1000, 999, 640, 333, 250])
def test_a_shrunk_image_keeps_its_places_and_brightness(longest_px: int) -> None:
    """Sizes between whole factors are shrunk in two steps."""
    image = np.zeros((500, 2000, 3), np.uint8)
    image[:, 1000:] = 200
    small, scale = shrink(image, longest_px)
    columns = small[10, :, 0].astype(float)
    assert longest_px - 1 <= len(columns) <= longest_px
    assert (200 * len(columns) - columns.sum()) / 200 == pytest.approx(1000 * scale, abs=0.5)
    assert set(np.unique(columns[abs(np.arange(len(columns)) + 0.5 - 1000 * scale) > 2])) == {0, 200}


@pytest.mark.parametrize(
    ("x", "y", "gap"),
    [(15, 2, 5), (-14, 2, 4), (2, 21, 1), (2, -30, 20), (14, 60, 40), (9, 19, 0), (3, 3, 0)],
    ids=["right", "left", "below", "above", "right and farther below", "overlapping", "inside"],
)
def test_gap_between_boxes(x: float, y: float, gap: float) -> None:
    box, other = Box(0, 0, 10, 20), Box(x, y, 10, 10)
    assert box.gap_to(other) == other.gap_to(box) == gap


def near(item: float, other: float) -> bool:
    return abs(item - other) < 1


def test_suppression_keeps_the_highest_score_or_the_earlier_of_equals() -> None:
    assert suppress([1.0, 1.5, 4.0, 4.2, 9.0], score=lambda item: item, same=near) == [9.0, 4.2, 1.5]
    assert suppress([1.0, 1.5, 4.0], score=lambda _: 0.0, same=near) == [1.0, 4.0]


def test_suppressed_items_suppress_nothing_when_the_first_is_kept() -> None:
    assert keep_first([1.5, 1.0, 0.4, 4.0], near) == [1.5, 0.4, 4.0]
