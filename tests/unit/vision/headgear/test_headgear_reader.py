"""Conversion of probabilities to headgear with unclear fields, and readings of the shipped networks."""

from dataclasses import replace

import numpy as np
import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Headgear, Side, parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.hands.assignment import Player
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader, at_bam
from bunnymoose_cv.vision.headgear.headgear_reading import NO_HAND, HeadgearProbabilities, Kind
from bunnymoose_cv.vision.headgear.logit_scaling import LogitScaling, Probabilities, shipped_scaling
from bunnymoose_cv.vision.headgear.measures import HandMeasures
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
def test_probabilities_give_headgear_and_unclear_fields(
    probabilities: HeadgearProbabilities, headgear: str, unclear: tuple[Field, ...]
) -> None:
    expected: Headgear = parse_headgear(headgear)
    assert probabilities.headgear == expected
    assert probabilities.unclear(LIMITS) == unclear


def test_confidence_is_the_product_over_the_fields_of_the_kind() -> None:
    antler = HeadgearProbabilities(0.9, 0.05, 0.05, wide=0.8, up=0.1, straight=0.5, top=0.5)
    assert antler.confidence == pytest.approx(0.9 * 0.8 * 0.9)
    assert HeadgearProbabilities(0.1, 0.1, 0.8, wide=0.5).confidence == pytest.approx(0.8)


NEARLY_SURE = HeadgearProbabilities(0.9, 0.02, 0.08, wide=0.9, up=0.9)
THUMB_OUT, THUMB_ON_PALM = 1.5, 0.5


@pytest.mark.parametrize(
    ("gap", "thumb", "headgear"),
    [
        pytest.param(None, THUMB_OUT, 0.92, id="no hand"),
        pytest.param(0.3, THUMB_OUT, 0.979, id="at the head"),
        pytest.param(1.3, THUMB_OUT, 0.65, id="maybe too far off"),
        pytest.param(1.3, THUMB_ON_PALM, 0.979, id="thumb maybe at the head"),
    ],
)
def test_prior_at_bam_leaves_hands_in_doubt_that_may_be_too_far_off(
    gap: float | None, thumb: float, headgear: float
) -> None:
    measures = None if gap is None else HandMeasures((1, 2, 3, 4), thumb, 8.0, 1.0, 0.0, 0.0, gap=gap)
    likely = at_bam(NEARLY_SURE, measures, headgear_prior=4.0)
    assert likely.antler + likely.ear == pytest.approx(headgear, abs=0.001)
    assert likely.antler + likely.ear + likely.neither == pytest.approx(1)
    assert likely.antler / likely.ear == pytest.approx(NEARLY_SURE.antler / NEARLY_SURE.ear)
    assert (likely.wide, likely.up) == (NEARLY_SURE.wide, NEARLY_SURE.up)


def cut_off(player: Player, left: int, top: int = 0) -> Player:
    """Return a player without hands, in the coordinates of an image without its first columns and rows."""
    return Player(1, Head(FaceLandmarks(player.head.face.points - np.array([left, top, 0], np.float32))))


def test_antlers_are_read_from_pixels_without_hand_joints(party: FrameReading, headgears: HeadgearReader) -> None:
    """Remove the hand joints of a moose; its pixels still show antlers."""
    player = party.players[1]
    readings = headgears.read(party.image, replace(player.player, hands={}))
    for side in Side:
        assert readings[side].probabilities.kind is Kind.ANTLER
        assert readings[side].probabilities.kind is player.headgear[side].probabilities.kind


def test_joints_that_no_hand_can_have_are_ignored(party: FrameReading, headgears: HeadgearReader) -> None:
    moose = party.players[1].player
    hand = moose.hands[Side.LEFT]
    world = hand.world.copy()
    world[4] += 5 * (world[9] - world[0])
    stretched = replace(moose, hands={Side.LEFT: replace(hand, world=world)})
    from_joints, from_pixels = (
        headgears.read(party.image, each)[Side.LEFT] for each in (stretched, replace(moose, hands={}))
    )
    assert from_joints.probabilities == from_pixels.probabilities


def test_pixels_are_read_only_if_joints_are_unsure(party: FrameReading, headgears: HeadgearReader) -> None:
    """The joints of the moose leave no doubt, those of the bunny do."""
    grey = np.full_like(party.image, 128)
    bunny, moose = (player.player for player in party.players)
    seen, unseen = ([headgears.read(image, player) for player in (bunny, moose)] for image in (party.image, grey))
    assert seen[1] == unseen[1]
    for side in Side:
        assert seen[0][side].confidence > unseen[0][side].confidence


def over_the_forehead(hand: HandLandmarks, head: Head) -> HandLandmarks:
    """Return a hand whose middle is just above the eyes."""
    shift = np.asarray(head.at(0.0, 1.0)) - hand.points[:, :2].mean(0)
    return replace(hand, points=hand.points + np.array([*shift, 0], np.float32))


@pytest.mark.parametrize("neighbour", [False, True])
def test_hand_that_was_found_elsewhere_hardly_counts_for_a_side_without_one(
    party: FrameReading, *, neighbour: bool
) -> None:
    """The pixels of the right side show an antler, but its hand may be that of the left side or of a neighbour."""
    even = np.ones((3, 3), np.float32)
    headgears = HeadgearReader(LIMITS, scaling=replace(shipped_scaling(), pairs=even, pairs_of_hands=even))
    moose = party.players[1].player
    left, right = moose.hands[Side.LEFT], moose.hands[Side.RIGHT]
    of_missed_hand = replace(moose, hands={Side.LEFT: left})
    elsewhere = replace(of_missed_hand, hands={Side.LEFT: over_the_forehead(left, moose.head)})
    if neighbour:
        elsewhere = replace(of_missed_hand, neighbours_hands=(right,))
    before, after = (
        headgears.read(party.image, player)[Side.RIGHT].probabilities for player in (of_missed_hand, elsewhere)
    )
    assert before.kind is Kind.ANTLER
    assert after.neither > 3 * before.neither


@pytest.mark.parametrize("usual", [False, True])
@pytest.mark.parametrize(("sure", "unclear"), [(True, ()), (False, (Field.KIND, Field.SPREAD, Field.DIRECTION))])
def test_side_without_a_hand_is_sure_only_with_a_sure_face(
    canned_reader: Reader, unclear: tuple[Field, ...], *, sure: bool, usual: bool
) -> None:
    """A mean mesh does not matter; only the certainty of the face does."""
    antler = HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.99, up=0.97)
    player = Player(1, replace(make_head(), sure=sure, mean_mesh=usual))
    assert canned_reader.headgear_reading(player, Side.LEFT, antler).unclear == unclear


def test_sides_cut_off_by_the_border_are_unclear(party: FrameReading, headgears: HeadgearReader) -> None:
    moose = party.players[1]
    box = moose.face
    left, top = int(box.x), int(box.y)
    tight = party.image[top : top + int(box.height), left : left + int(box.width)].copy()
    readings = headgears.read(tight, cut_off(moose.player, left, top))
    for side in Side:
        assert readings[side].headgear is None
        assert Field.KIND in readings[side].unclear


def test_invisible_side_does_not_influence_the_other(
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
    x = int(moose.head.centre[0])  # the player's right is on the image's left
    readings = headgears.read(np.ascontiguousarray(party.image[:, x:]), cut_off(moose, x))
    assert applied == [True]
    assert readings[Side.RIGHT].probabilities == NO_HAND
    assert readings[Side.LEFT].probabilities != NO_HAND


def test_place_of_a_lone_hand_is_never_unclear(headgears: HeadgearReader) -> None:
    reading = headgears.read_alone(make_hand(100, 100))
    assert reading.probabilities.top == 1.0
    assert Field.PLACE not in reading.unclear
