"""From probabilities to a headgear with what is unclear; what the shipped nets see beside what was found."""

from dataclasses import replace

import numpy as np
import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Headgear, Side, parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.hands.assignment import Player
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
from bunnymoose_cv.vision.headgear.headgear_reading import NO_HAND, HeadgearProbabilities, Kind
from bunnymoose_cv.vision.headgear.logit_scaling import LogitScaling, Probabilities
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.unit.vision.made_heads import make_hand, make_head

LIMITS = load_settings().headgear


@pytest.fixture(scope="module")
def headgears() -> HeadgearReader:
    return HeadgearReader(LIMITS)


@pytest.mark.parametrize(
    ("probabilities", "headgear", "unclear"),
    [
        (HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.99, up=0.97), "WU", ()),
        (HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.45, up=0.03), "CD", (Field.SPREAD,)),
        (HeadgearProbabilities(0.55, 0.25, 0.20, wide=0.99, up=0.5), "WU", (Field.KIND, Field.DIRECTION)),
        (HeadgearProbabilities(0.01, 0.98, 0.01, straight=0.98, top=0.01), "SS", ()),
        (HeadgearProbabilities(0.01, 0.98, 0.01, straight=0.02, top=0.6), "TF", (Field.PLACE,)),
        (HeadgearProbabilities(0.01, 0.01, 0.98, wide=0.5, up=0.5, straight=0.5, top=0.5), "--", ()),
        (HeadgearProbabilities(0.4, 0.1, 0.5), "--", (Field.KIND,)),
        (NO_HAND, "--", (Field.KIND,)),
    ],
)
def test_the_likeliest_headgear_and_what_is_unclear(
    probabilities: HeadgearProbabilities, headgear: str, unclear: tuple[Field, ...]
) -> None:
    expected: Headgear = parse_headgear(headgear)
    assert probabilities.headgear == expected
    assert probabilities.unclear(LIMITS) == unclear


def test_confidence_is_that_of_every_field_of_the_kind_together() -> None:
    antler = HeadgearProbabilities(0.9, 0.05, 0.05, wide=0.8, up=0.1, straight=0.5, top=0.5)
    assert antler.confidence == pytest.approx(0.9 * 0.8 * 0.9)
    assert HeadgearProbabilities(0.1, 0.1, 0.8, wide=0.5).confidence == pytest.approx(0.8)


def cut_off(player: Player, left: int, top: int = 0) -> Player:
    """Return the head of a player in an image without its first columns and rows; no hand was found."""
    return Player(1, Head(FaceLandmarks(player.head.face.points - np.array([left, top, 0], np.float32))))


def test_a_hand_that_was_not_found_is_seen_all_the_same(party: FrameReading, headgears: HeadgearReader) -> None:
    """The joints of a moose's hands are thrown away: the image still shows antlers."""
    player = party.players[1]
    readings = headgears.read(party.image, replace(player.player, hands={}))
    for side in Side:
        assert readings[side].probabilities.kind is Kind.ANTLER
        assert readings[side].probabilities.kind is player.headgear[side].probabilities.kind


@pytest.mark.parametrize("usual", [False, True])
@pytest.mark.parametrize(("sure", "unclear"), [(True, ()), (False, (Field.KIND, Field.SPREAD, Field.DIRECTION))])
def test_a_side_without_a_hand_is_sure_where_there_surely_is_a_face(
    canned_reader: Reader, unclear: tuple[Field, ...], *, sure: bool, usual: bool
) -> None:
    """The head's points may be those of a usual face: only whether there is one counts."""
    antler = HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.99, up=0.97)
    player = Player(1, replace(make_head(), sure=sure, mean_mesh=usual))
    assert canned_reader.headgear_reading(player, Side.LEFT, antler).unclear == unclear


def test_beyond_the_border_of_a_tight_image_nothing_is_sure(party: FrameReading, headgears: HeadgearReader) -> None:
    moose = party.players[1]
    box = moose.face
    left, top = int(box.x), int(box.y)
    tight = party.image[top : top + int(box.height), left : left + int(box.width)].copy()
    readings = headgears.read(tight, cut_off(moose.player, left, top))
    for side in Side:
        assert readings[side].headgear is None
        assert Field.KIND in readings[side].unclear


def test_a_side_that_cannot_be_seen_says_nothing_of_the_other(
    party: FrameReading, headgears: HeadgearReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pairwise prior needs both sides."""
    moose = party.players[1].player
    applied = []
    on_one_head = LogitScaling.on_one_head

    def note(scaling: LogitScaling, *sides: Probabilities, hands_found: bool) -> tuple[Probabilities, ...]:
        applied.append(hands_found)
        return on_one_head(scaling, *sides, hands_found=hands_found)

    monkeypatch.setattr(LogitScaling, "on_one_head", note)
    headgears.read(party.image, moose)
    assert applied == [True]
    x = int(moose.head.centre[0])  # the player's right stands at the image's left
    readings = headgears.read(np.ascontiguousarray(party.image[:, x:]), cut_off(moose, x))
    assert applied == [True]
    assert readings[Side.RIGHT].probabilities == NO_HAND
    assert readings[Side.LEFT].probabilities != NO_HAND


def test_a_hand_without_a_head_has_no_place_that_could_be_unclear(headgears: HeadgearReader) -> None:
    (reading,) = headgears.read_alone([make_hand(100, 100)])
    assert reading.probabilities.top == 1.0
    assert Field.PLACE not in reading.unclear
