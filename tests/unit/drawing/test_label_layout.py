"""Labels find places: inside the image, none on another, near what they name where that is free."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.drawing.label_layout import Label, Obstacle, place

WIDTH, HEIGHT, GAP = 320, 240, 3.0

labels = st.lists(
    st.builds(
        Label,
        x=st.floats(-50, WIDTH + 50),
        y=st.floats(-50, HEIGHT + 50),
        width=st.floats(8, 120),
        height=st.floats(8, 40),
    ),
    max_size=12,
)
obstacles = st.lists(
    st.builds(
        Obstacle,
        left=st.floats(0, WIDTH),
        top=st.floats(0, HEIGHT),
        right=st.floats(0, WIDTH),
        bottom=st.floats(0, HEIGHT),
        weight=st.floats(0, 10),
    ),
    max_size=4,
)


@given(labels, obstacles)
def test_no_label_covers_another_or_leaves_the_image(wanted: list[Label], taken: list[Obstacle]) -> None:
    corners = place(wanted, taken, (WIDTH, HEIGHT), GAP)
    if corners is None:
        return
    boxes = [(x, y, x + label.width, y + label.height) for (x, y), label in zip(corners, wanted, strict=True)]
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= WIDTH
        assert bottom <= HEIGHT
    for one, other in combinations(boxes, 2):
        assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]


def test_a_free_label_stands_around_its_point() -> None:
    assert place([Label(100, 50, 40, 20)], [], (WIDTH, HEIGHT), GAP) == ((80, 40),)


def test_a_label_at_the_border_is_moved_in() -> None:
    assert place([Label(WIDTH, 0, 40, 20)], [], (WIDTH, HEIGHT), GAP) == ((WIDTH - 40, 0),)


def test_a_label_goes_round_what_should_stay_free() -> None:
    face = Obstacle(80, 30, 120, 70, weight=6)
    corners = place([Label(100, 50, 40, 20)], [face], (WIDTH, HEIGHT), GAP)
    assert corners is not None
    left, top = corners[0]
    assert left >= face.right or left + 40 <= face.left or top >= face.bottom or top + 20 <= face.top


def test_a_label_larger_than_the_image_has_no_place() -> None:
    assert place([Label(100, 50, WIDTH + 1, 20)], [], (WIDTH, HEIGHT), GAP) is None
    assert place([Label(100, 50, WIDTH, HEIGHT)], [], (WIDTH, HEIGHT), GAP) == ((0, 0),)


def test_more_labels_than_fit_have_no_places() -> None:
    assert place([Label(50, 50, 200, 150)] * 2, [], (WIDTH, HEIGHT), GAP) is None
