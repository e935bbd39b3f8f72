"""Drawings on an image: every player, in signs that differ, with labels that find places, readable at any size."""

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.drawing.annotation import SHORTEST_SIDE, draw
from bunnymoose_cv.drawing.headgear_signs import headgear_colour
from bunnymoose_cv.drawing.label_layout import Label, Obstacle, place
from bunnymoose_cv.drawing.note_drawing import draw_notes
from bunnymoose_cv.drawing.notes import ENGLISH, Note, notes_about
from bunnymoose_cv.drawing.strokes import GREY, ORANGE, SKY_BLUE, WHITE, YELLOW, Colour
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from tests.doubles import CannedReader, shrunk

UNSURE = HeadgearProbabilities(0.5, 0.4, 0.1)


def has(image: Image, colour: Colour) -> bool:
    """Return whether more than a few pixels have very nearly this colour."""
    least, most = (tuple(np.add(colour, step).tolist()) for step in (-7, 7))
    return cv2.countNonZero(cv2.inRange(image, least, most)) > 20


def with_doubt(party: FrameReading, canned_reader: CannedReader) -> FrameReading:
    """The same, but the left side of seat 1 is anybody's guess."""
    first, second = party.players
    unsure = canned_reader.headgear_reading(first.player, Side.LEFT, UNSURE)
    return replace(
        party, players=(PlayerReading(first.player, {**first.headgear, Side.LEFT: unsure}, first.tongue), second)
    )


def test_the_image_itself_stays_as_it_is(party: FrameReading) -> None:
    before = party.image.copy()
    drawn = draw(party, {1: "Rabbit back 1"})
    assert (party.image == before).all()
    assert drawn.shape == party.image.shape
    assert (drawn != before).any()


def test_nobody_leaves_the_image_untouched(party: FrameReading) -> None:
    assert (draw(replace(party, players=())) == party.image).all()


def test_ears_and_antlers_have_colours_of_their_own_each_on_its_player(party: FrameReading) -> None:
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


def test_doubt_is_dashed_and_asked(party: FrameReading, canned_reader: CannedReader) -> None:
    doubtful = with_doubt(party, canned_reader)
    assert has(draw(doubtful)[:, :640], ORANGE)
    notes = notes_about(doubtful.players[0], 1.0, {}, ENGLISH)
    assert [note.dashed for note in notes] == [True, True, bool(doubtful.players[0].headgear[Side.RIGHT].unclear)]
    assert "?" in notes[1].lines[0]


@pytest.mark.parametrize("scale", [0.25, 0.5, 1.0, 3.0])
def test_letters_can_be_read_at_any_size(party: FrameReading, scale: float) -> None:
    reading = shrunk(party, scale)
    drawn = draw(reading, {1: "Seat 1: rabbit back 1", 2: "Seat 2: moose ahead 3"})
    assert min(drawn.shape[:2]) >= max(SHORTEST_SIDE, min(reading.image.shape[:2]))
    assert has(drawn, WHITE)
    assert drawn.shape[1] / drawn.shape[0] == pytest.approx(2, abs=0.02)


def test_twenty_players_in_one_image_all_get_their_labels(party: FrameReading) -> None:
    """Players stand in each other's way; the letters shrink until all labels fit."""
    crowd = replace(party, players=party.players * 10)
    drawn = draw(crowd, {1: "Seat 1: rabbit back 1", 2: "Seat 2: moose ahead 3"})
    assert (drawn != draw(party)).any()
    assert has(drawn, YELLOW)


def test_what_is_no_headgear_is_grey(party: FrameReading, canned_reader: CannedReader) -> None:
    player = party.players[1]
    nothing = canned_reader.headgear_reading(player.player, Side.LEFT, HeadgearProbabilities(0.01, 0.01, 0.98))
    drawn = draw(replace(party, players=(replace(player, headgear=dict.fromkeys(Side, nothing)),)))
    assert has(drawn, GREY)
    assert not has(drawn, SKY_BLUE)


def test_a_side_without_a_hand_is_named_only_in_doubt(party: FrameReading, canned_reader: CannedReader) -> None:
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


def test_the_words_are_those_of_the_table(party: FrameReading) -> None:
    moose = party.players[1]
    banner, left, right = notes_about(moose, 1.0, {}, Texts(Language.GERMAN))
    assert banner.lines[0] == "2  Elch"
    for note, side in ((left, Side.LEFT), (right, Side.RIGHT)):
        confidence = moose.headgear[side].confidence
        assert note.lines == ("breite Schaufel", f"nach oben · {confidence:.0%}".replace("%", "\N{NO-BREAK SPACE}%"))


def test_a_larger_drawing_has_its_notes_at_the_same_places(party: FrameReading) -> None:
    for player in party.players:
        notes, larger = (notes_about(player, scale, {}, ENGLISH) for scale in (1.0, 2.0))
        assert [note.anchor for note in larger] == [(2 * x, 2 * y) for x, y in (note.anchor for note in notes)]


NOTE = Note(("1  Moose", "wide antler"), ORANGE, (160, 120), (0, 0))


def drawn(*notes: Note, letters: float = 16.0, width: int = 320) -> Image:
    canvas = np.full((240, width, 3), 120, np.uint8)
    draw_notes(canvas, notes, (), letters)
    return canvas


def orange(image: Image) -> int:
    """Number of pixels that are orange, also where they are mixed with the ground."""
    return int((image[..., 2].astype(int) - image[..., 0] > 60).sum())


def test_a_label_is_a_dark_ground_with_a_border_and_white_letters() -> None:
    image = drawn(NOTE)
    assert (image == 20).all(2).sum() > 500
    assert orange(image) > 200
    assert (image == 255).all(2).sum() > 50


def test_a_dashed_border_says_less_than_a_whole_one() -> None:
    assert orange(drawn(replace(NOTE, dashed=True))) < 0.75 * orange(drawn(NOTE))


def test_a_sign_stands_before_the_text_in_the_colour_of_the_border() -> None:
    sign = (((0.0, 0.0), (1.0, 1.0)),)
    assert orange(drawn(replace(NOTE, sign=sign))) > orange(drawn(NOTE)) + 20


def test_a_label_far_from_what_it_names_has_a_leader() -> None:
    far = replace(NOTE, colour=SKY_BLUE, towards=(0, -6))
    assert (drawn(far)[110:122, 158:162] != 120).any()
    assert (drawn(replace(far, anchor=(160, 24), towards=(0, 0)))[110:122, 158:162] == 120).all()


@pytest.mark.parametrize(("width", "shows"), [(320, True), (60, True), (8, False)])
def test_letters_shrink_until_the_labels_fit_and_are_left_out_where_nobody_reads_them(
    width: int, *, shows: bool
) -> None:
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
def test_labels_have_places_if_they_fit(
    label: Label, count: int, corners: tuple[tuple[float, float], ...] | None
) -> None:
    assert place([label] * count, [], (WIDTH, HEIGHT), GAP) == corners


def test_a_label_goes_round_what_should_stay_free() -> None:
    face = Obstacle(80, 30, 120, 70, weight=6)
    corners = place([Label(100, 50, 40, 20)], [face], (WIDTH, HEIGHT), GAP)
    assert corners is not None
    left, top = corners[0]
    assert left >= face.right or left + 40 <= face.left or top >= face.bottom or top + 20 <= face.top
