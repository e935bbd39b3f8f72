"""Measures of a hand and the reasons made of them, which never contradict the verdict."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Side, Spread, parse_headgear
from bunnymoose_cv.vision.detections import HandLandmarks
from bunnymoose_cv.vision.headgear.measures import (
    LIMITS,
    HandMeasures,
    Quantity,
    Zone,
    measures_alone,
    measures_at_head,
)
from bunnymoose_cv.vision.headgear.reasons import reasons_alone, reasons_at_head, reasons_without_hand
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.unit.vision.made_heads import make_hand, make_head, rotation


@pytest.mark.parametrize("quantity", Quantity)
def test_zone_follows_from_the_limits(quantity: Quantity) -> None:
    low, high = LIMITS[quantity]
    assert low < high
    zones = [Zone.of(quantity, value) for value in (low - 0.01, low, high, high + 0.01)]
    assert zones == [Zone.BELOW, Zone.BETWEEN, Zone.BETWEEN, Zone.ABOVE]


def test_reasons_agree_with_the_measures(party: FrameReading) -> None:
    """Check that the numbers in the reasons for each hand of two rendered players are those on the gauges."""
    words_of = {
        Quantity.PARTING: {Zone.BELOW: "apart, touching", Zone.BETWEEN: "apart, neither", Zone.ABOVE: "apart, parted"},
        Quantity.STRAIGHTNESS: {Zone.BELOW: "rs curled", Zone.BETWEEN: "half bent", Zone.ABOVE: "rs straight"},
        Quantity.POINTING: {Zone.BELOW: "point up", Zone.BETWEEN: "sideways", Zone.ABOVE: "point down"},
    }
    agreeing = 0
    for reading in party.players:
        for side, hand in reading.player.hands.items():
            measured = measures_at_head(hand, reading.player.head, side)
            reasons = reasons_at_head(measured, reading.headgear[side].headgear)
            text = "; ".join(reason for reason in reasons if not reason.startswith("the picture shows"))
            assert measured.parting is None or "apart" not in text or f"fingers {measured.parting:.0f}° apart" in text
            assert measured.temple is not None
            assert "off the temple" not in text or f"thumb about {6 * measured.temple:.0f} cm off" in text
            for quantity, words in words_of.items():
                zone = measured.zone(quantity)
                others = [word for other_zone, word in words.items() if other_zone is not zone]
                assert not any(word in text for word in others), (quantity, zone, text)
                agreeing += zone is not None and words[zone] in text
    assert agreeing >= 6


def test_lone_hand_has_no_place_at_a_head() -> None:
    measured = measures_alone(make_hand(0, 0))
    assert measured.temple is None
    assert measured.gap is None
    assert measured.zone(Quantity.HEIGHT) is None
    assert measured.zone(Quantity.POINTING) is Zone.BELOW


@pytest.mark.parametrize(("leftward", "gap"), [(0.5, 0.0), (1.8, 0.4), (2.9, 1.5)])
def test_gap_is_the_distance_of_the_nearest_joint_from_the_head(leftward: float, gap: float) -> None:
    head = make_head()
    hand = make_hand(0, 0)
    nearest = hand.points[hand.points[:, 0].argmin()]
    at = np.array([*head.at(leftward, 0.35), 0])
    beside = replace(hand, points=(hand.points - nearest + at).astype(np.float32))
    assert measures_at_head(beside, head, Side.LEFT).gap == pytest.approx(gap, abs=0.05)


def test_wide_antler_has_thumb_out_and_fingers_parted(party: FrameReading) -> None:
    """Use the moose on the right, with both antlers up."""
    moose = next(player for player in party.players if str(player.pose) == "WU WU")
    assert moose.headgear[Side.LEFT].headgear == parse_headgear("WU")
    measured = [measures_at_head(hand, moose.player.head, side) for side, hand in moose.player.hands.items()]
    assert len(measured) == 2
    assert {measures.zone(Quantity.PARTING) for measures in measured} == {Zone.ABOVE}
    assert {measures.zone(Quantity.THUMB) for measures in measured} == {Zone.ABOVE}
    assert {measures.zone(Quantity.POINTING) for measures in measured} == {Zone.BELOW}


FIXTURES = Path(__file__).parents[4] / "fixtures" / "players"


def folded(hand: HandLandmarks, *fingers: int) -> HandLandmarks:
    """Return a hand with some fingers (1 index … 4 little) folded onto the palm."""
    points, world = hand.points.copy(), hand.world.copy()
    for joints in (points, world):
        for finger in fingers:
            root = 4 * finger + 1
            joints[root + 2] = 0.6 * joints[root] + 0.4 * joints[0]
            joints[root + 3] = 0.5 * joints[root] + 0.5 * joints[0]
    return replace(hand, points=points, world=world)


@pytest.mark.parametrize(
    ("away", "shown", "words"),
    [
        ((), "WU", "four fingers out"),
        ((4,), "--", "three fingers out (index, middle, ring)"),
        ((3, 4), "SS", "two fingers out (index, middle)"),
        ((2, 3, 4), "--", "one finger out (index)"),
        ((1, 2, 3, 4), "--", "no finger straight out"),
    ],
)
def test_fingers_are_counted_and_named(away: tuple[int, ...], shown: str, words: str) -> None:
    assert words in reasons_alone(measures_alone(folded(make_hand(0, 0), *away)), parse_headgear(shown))


def test_upside_down_hand_points_down() -> None:
    hand = make_hand(0, 0)
    down = replace(hand, points=(hand.points * [1, -1, 1]).astype(np.float32))
    for shown, headgear, words in ((hand, "WU", "fingers point up"), (down, "WD", "fingers point down")):
        reasons = reasons_alone(measures_alone(shown), parse_headgear(headgear))
        assert any(reason.startswith(words) for reason in reasons)


@pytest.mark.parametrize("tilt", [-30.0, 0.0, 30.0])
def test_pointing_is_relative_to_the_tilt_of_the_head(tilt: float) -> None:
    head = make_head(tilt=tilt)
    x, y = head.at(1.5, 0.3)
    upright = make_hand(0, 0)
    leaning = replace(upright, points=(upright.points @ rotation(0, 0, tilt).T + [x, y, 0]).astype(np.float32))
    antler = parse_headgear("WU")
    at_head = reasons_at_head(measures_at_head(leaning, head, Side.LEFT), antler)
    alone = reasons_alone(measures_alone(upright), antler)
    pointing, expected = (next(reason for reason in reasons if "s point" in reason) for reasons in (at_head, alone))
    assert pointing == expected.replace("picture", "head")


def with_thumb(away: float) -> HandMeasures:
    """Measure an open hand whose thumb tip is `away` eye distances outward of the left temple."""
    head, hand = make_head(), make_hand(0, 0, palm=40)
    towards_head = hand.points * np.array([-1, 1, 1], np.float32)
    leftward, upward = head.temple(Side.LEFT)
    at = np.array([*head.at(float(leftward) + away, float(upward)), 0])
    moved = replace(hand, points=(towards_head - towards_head[4] + at).astype(np.float32))
    return measures_at_head(moved, head, Side.LEFT)


@pytest.mark.parametrize(
    ("away", "words"),
    [(0.1, "thumb at the temple"), (0.4, "thumb about 2 cm off the temple"), (1.1, "thumb about 7 cm off the temple")],
)
def test_antler_reason_gives_the_distance_of_the_thumb_from_the_temple(away: float, words: str) -> None:
    measured = with_thumb(away)
    assert words in reasons_at_head(measured, parse_headgear("WU"))
    assert not any("temple" in reason for reason in reasons_at_head(measured, parse_headgear("SS")))


def test_two_fingers_with_the_thumb_out_are_an_ear() -> None:
    reasons = reasons_alone(measures_alone(folded(make_hand(0, 0), 3, 4)), parse_headgear("SS"))
    assert reasons[:2] == ("thumb out, but two fingers make an ear", "two fingers out (index, middle)")


def test_hand_off_the_head_is_reported_as_too_far() -> None:
    measured = with_thumb(3.0)
    reasons = reasons_at_head(measured, None)
    assert "four fingers out" in reasons
    assert any(reason.endswith("cm off the head, too far to count") for reason in reasons)
    assert not any("too far" in reason for reason in reasons_at_head(measured, parse_headgear("WU")))


def test_thumb_away_from_the_head_is_a_reason_against_an_antler() -> None:
    hand, head = make_hand(0, 0, palm=50), make_head()
    middle = np.array([*head.at(2.0, 0.35), 0])
    for thumb_outward, there in ((1, True), (-1, False)):
        points = (hand.points - hand.points[9]) * np.array([thumb_outward, 1, 1]) + middle
        measured = measures_at_head(replace(hand, points=points.astype(np.float32)), head, Side.LEFT)
        assert measured.thumb_behind is not None
        assert (measured.thumb_behind > 0) is there
        words = "thumb turned away from the head, which does not count"
        assert (words in reasons_at_head(measured, None)) is there


def test_reasons_against_the_verdict_are_omitted() -> None:
    """The thumb of an antler may be misplaced, as happens with hands that point down."""
    reasons = reasons_at_head(with_thumb(3.0), parse_headgear("WD"))
    assert reasons[0] == "the picture shows a thumb out, fingers parted, pointing down, beside the head"
    assert not any("off the" in reason or "point up" in reason for reason in reasons)


def test_rejected_antler_is_explained_without_its_fingers() -> None:
    reasons = reasons_at_head(with_thumb(0.1), None)
    assert reasons[0] == "this is no antler and no ear"
    assert not any("finger out" in reason or "fingers out" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("CU", "the picture shows a thumb out, fingers together, pointing up, beside the head"),
        ("TF", "the picture shows curled fingers of an ear, on top of the head"),
        ("SS", "the picture shows straight fingers of an ear, beside the head"),
        ("--", "the picture shows no antler and no ear on this side"),
    ],
)
def test_reasons_without_a_hand_come_from_the_image(shown: str, words: str) -> None:
    assert reasons_without_hand(parse_headgear(shown)) == (words,)


BELIES = {
    Antler: ("tucked in", "no finger", "one finger", "two fingers", "three fingers", "no neighbours", "too far"),
    Ear: ("stuck out", "too far", "no finger", "one finger", "three fingers", "no neighbours"),
    Spread.WIDE: ("apart, touching",),
    Spread.COMPACT: ("apart, parted",),
    Direction.UP: ("point down",),
    Direction.DOWN: ("point up",),
    Form.STRAIGHT: ("fingers curled",),
    Form.FLOPPY: ("fingers straight",),
    Place.TOP: ("below the eyes",),
    Place.SIDE: ("above the head",),
}
"""Words that contradict a headgear."""


def test_no_reason_contradicts_the_verdict_of_a_fixture(reader: Reader) -> None:
    for path in sorted(FIXTURES.glob("*.jpg"))[2::9]:
        for player in reader.read(read_image(path)).players:
            for reading in player.headgear.values():
                assert reading.reasons
                for word in words_against(reading.headgear):
                    assert not any(word in reason for reason in reading.reasons), (path.stem, reading)


def words_against(shown: Headgear) -> tuple[str, ...]:
    """Return the words that contradict a headgear."""
    if isinstance(shown, Antler):
        return (*BELIES[Antler], *BELIES[shown.spread], *BELIES[shown.direction])
    return (*BELIES[Ear], *BELIES[shown.form], *BELIES[shown.place]) if isinstance(shown, Ear) else ()


@pytest.mark.parametrize(
    ("leftward", "upward", "words"),
    [
        (0.5, 0.0, ["hand over the face, which does not count"]),
        (1.6, -2.6, ["hand below the mouth, which does not count"]),
        (1.3, -0.5, []),
    ],
)
def test_reason_explains_why_the_place_does_not_count(leftward: float, upward: float, words: list[str]) -> None:
    head = make_head()
    measured = measures_at_head(make_hand(*head.at(leftward, upward), palm=40), head, Side.LEFT)
    reasons = reasons_at_head(measured, None)
    assert [reason for reason in reasons if reason.endswith("which does not count")] == words
    assert ("four fingers out" in reasons) is bool(words)
