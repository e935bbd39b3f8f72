"""Drawings on an image: distinct signs for every player, and placed labels that are readable at any size."""

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.drawing.annotation import (
    ENGLISH,
    SHORTEST_SIDE,
    Label,
    Note,
    Obstacle,
    draw,
    draw_notes,
    notes_about,
    place,
)
from bunnymoose_cv.drawing.strokes import GREY, ORANGE, SKY_BLUE, WHITE, YELLOW, Colour, headgear_colour
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from tests.doubles import CannedReader, shrunk

UNSURE = HeadgearProbabilities(0.5, 0.4, 0.1)


def has(image: Image, colour: Colour) -> bool:
    """Return whether more than a few pixels have nearly this colour."""
    least, most = (tuple(np.add(colour, step).tolist()) for step in (-7, 7))
    return cv2.countNonZero(cv2.inRange(image, least, most)) > 20


def with_doubt(party: FrameReading, canned_reader: CannedReader) -> FrameReading:
    """Return the party with an undecided left side of seat 1."""
    first, second = party.players
    unsure = canned_reader.headgear_reading(first.player, Side.LEFT, UNSURE)
    return replace(
        party, players=(PlayerReading(first.player, {**first.headgear, Side.LEFT: unsure}, first.tongue), second)
    )


def test_drawing_does_not_change_the_input_image(party: FrameReading) -> None:
    before = party.image.copy()
    drawn = draw(party, {1: "Rabbit back 1"})
    assert (party.image == before).all()
    assert drawn.shape == party.image.shape
    assert (drawn != before).any()


def test_drawing_without_players_changes_nothing(party: FrameReading) -> None:
    assert (draw(replace(party, players=())) == party.image).all()


def test_ears_and_antlers_are_drawn_in_their_own_colours(party: FrameReading) -> None:
    drawn = draw(party)
    rabbit, moose = drawn[:, :640], drawn[:, 640:]
    assert has(rabbit, YELLOW)
    assert not has(rabbit, SKY_BLUE)
    assert has(moose, SKY_BLUE)
    assert not has(moose, YELLOW)


def test_joints_of_hands_have_the_colour_of_their_headgear(party: FrameReading) -> None:
    drawn = draw(party)
    for player in party.players:
        for side, hand in player.player.hands.items():
            columns, rows = hand.points[:, :2].round().astype(int).T
            away = np.abs(drawn[rows, columns].astype(int) - headgear_colour(player.headgear[side].headgear))
            assert np.mean(away.max(1) < 8) > 0.5, "labels may cover some of them"


def test_doubtful_reading_is_dashed_with_a_question_mark(party: FrameReading, canned_reader: CannedReader) -> None:
    doubtful = with_doubt(party, canned_reader)
    assert has(draw(doubtful)[:, :640], ORANGE)
    notes = notes_about(doubtful.players[0], 1.0, {}, ENGLISH)
    assert [note.dashed for note in notes] == [True, True, bool(doubtful.players[0].headgear[Side.RIGHT].unclear)]
    assert "?" in notes[1].lines[0]


@pytest.mark.parametrize("scale", [0.25, 0.5, 1.0, 3.0])
def test_letters_are_readable_at_any_image_size(party: FrameReading, scale: float) -> None:
    reading = shrunk(party, scale)
    drawn = draw(reading, {1: "Seat 1: rabbit back 1", 2: "Seat 2: moose ahead 3"})
    assert min(drawn.shape[:2]) >= max(SHORTEST_SIDE, min(reading.image.shape[:2]))
    assert has(drawn, WHITE)
    assert drawn.shape[1] / drawn.shape[0] == pytest.approx(2, abs=0.02)


def test_twenty_players_in_one_image_all_get_their_labels(party: FrameReading) -> None:
    """Letters shrink until all labels fit."""
    crowd = replace(party, players=party.players * 10)
    drawn = draw(crowd, {1: "Seat 1: rabbit back 1", 2: "Seat 2: moose ahead 3"})
    assert (drawn != draw(party)).any()
    assert has(drawn, YELLOW)


def test_side_without_headgear_is_grey(party: FrameReading, canned_reader: CannedReader) -> None:
    player = party.players[1]
    nothing = canned_reader.headgear_reading(player.player, Side.LEFT, HeadgearProbabilities(0.01, 0.01, 0.98))
    drawn = draw(replace(party, players=(replace(player, headgear=dict.fromkeys(Side, nothing)),)))
    assert has(drawn, GREY)
    assert not has(drawn, SKY_BLUE)


def test_side_without_a_hand_is_labelled_only_when_doubtful(party: FrameReading, canned_reader: CannedReader) -> None:
    player = party.players[1]
    handless = replace(player.player, hands={})
    for probabilities, named in ((HeadgearProbabilities(0.01, 0.01, 0.98), 0), (UNSURE, 2)):
        reading = canned_reader.headgear_reading(handless, Side.LEFT, probabilities)
        notes = notes_about(replace(player, player=handless, headgear=dict.fromkeys(Side, reading)), 1.0, {}, ENGLISH)
        assert len(notes) == 1 + named


def test_banners_name_seat_and_announcement(party: FrameReading) -> None:
    banners = {1: "Grün: Hase bleibt stehen"}
    with_banner, without = (notes_about(player, 1.0, banners, ENGLISH)[0] for player in party.players)
    assert with_banner.lines[0] == "1  Grün: Hase bleibt stehen"
    assert without.lines[0] == "2  Moose"


def test_labels_are_in_the_language_of_the_table(party: FrameReading) -> None:
    moose = party.players[1]
    banner, left, right = notes_about(moose, 1.0, {}, Texts(Language.GERMAN))
    assert banner.lines[0] == "2  Elch"
    for note, side in ((left, Side.LEFT), (right, Side.RIGHT)):
        confidence = moose.headgear[side].confidence
        assert note.lines == ("breite Schaufel", f"nach oben · {confidence:.0%}".replace("%", "\N{NO-BREAK SPACE}%"))


def test_notes_scale_with_the_drawing(party: FrameReading) -> None:
    for player in party.players:
        notes, larger = (notes_about(player, scale, {}, ENGLISH) for scale in (1.0, 2.0))
        assert [note.anchor for note in larger] == [(2 * x, 2 * y) for x, y in (note.anchor for note in notes)]


NOTE = Note(("1  Moose", "wide antler"), ORANGE, (160, 120), (0, 0))


def drawn(*notes: Note, letters: float = 16.0, width: int = 320) -> Image:
    canvas = np.full((240, width, 3), 120, np.uint8)
    draw_notes(canvas, notes, (), letters)
    return canvas


def orange(image: Image) -> int:
    """Return the number of orange pixels, including blends with the background."""
    return int((image[..., 2].astype(int) - image[..., 0] > 60).sum())


def test_label_has_a_dark_background_a_border_and_white_letters() -> None:
    image = drawn(NOTE)
    assert (image == 20).all(2).sum() > 500
    assert orange(image) > 200
    assert (image == 255).all(2).sum() > 50


def test_dashed_border_is_fainter_than_a_solid_one() -> None:
    assert orange(drawn(replace(NOTE, dashed=True))) < 0.75 * orange(drawn(NOTE))


def test_sign_is_drawn_in_the_colour_of_the_border() -> None:
    sign = (((0.0, 0.0), (1.0, 1.0)),)
    assert orange(drawn(replace(NOTE, sign=sign))) > orange(drawn(NOTE)) + 20


def test_distant_label_has_a_leader_line() -> None:
    far = replace(NOTE, colour=SKY_BLUE, towards=(0, -6))
    assert (drawn(far)[110:122, 158:162] != 120).any()
    assert (drawn(replace(far, anchor=(160, 24), towards=(0, 0)))[110:122, 158:162] == 120).all()


@pytest.mark.parametrize(("width", "shows"), [(320, True), (60, True), (8, False)])
def test_letters_shrink_to_fit_and_are_omitted_when_unreadable(width: int, *, shows: bool) -> None:
    assert (drawn(NOTE, width=width) != 120).any() == shows


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
    st.tuples(
        st.builds(
            Box,
            x=st.floats(0, WIDTH),
            y=st.floats(0, HEIGHT),
            width=st.floats(0, WIDTH),
            height=st.floats(0, HEIGHT),
        ),
        st.floats(0, 10),
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


@pytest.mark.parametrize(
    ("label", "count", "corners"),
    [
        (Label(100, 50, 40, 20), 1, ((80, 40),)),  # around its point
        (Label(WIDTH, 0, 40, 20), 1, ((WIDTH - 40, 0),)),  # moved in at the border
        (Label(100, 50, WIDTH, HEIGHT), 1, ((0, 0),)),
        (Label(100, 50, WIDTH + 1, 20), 1, None),
        (Label(50, 50, 200, 150), 2, None),
    ],
)
def test_labels_are_placed_if_they_fit(
    label: Label, count: int, corners: tuple[tuple[float, float], ...] | None
) -> None:
    assert place([label] * count, [], (WIDTH, HEIGHT), GAP) == corners


def test_label_avoids_an_obstacle() -> None:
    corners = place([Label(100, 50, 40, 20)], [(Box(80, 30, 40, 40), 6)], (WIDTH, HEIGHT), GAP)
    assert corners is not None
    left, top = corners[0]
    assert left >= 120 or left + 40 <= 80 or top >= 70 or top + 20 <= 30
