"""Detection of hands at a head, their measures and assignment to players; test_reader.py reads whole images."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import HandLandmarks
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.hands.assignment import assign_hands, drop_heads_on_hands, holding, suppress_duplicate_hands
from bunnymoose_cv.vision.hands.hand_geometry import palm_length
from bunnymoose_cv.vision.hands.hand_search import BESIDE, CLOSER, find_hands, hands_around
from tests.unit.vision.made_heads import make_hand, make_head

LIMITS = load_settings().people


def test_hands_are_assigned_to_the_nearest_head_within_reach() -> None:
    heads = [make_head(x=300), make_head(x=600)]
    places = ((-1.6, Side.RIGHT), (1.6, Side.LEFT))
    hands = [make_hand(*head.at(leftward, 0.2), anatomical=side) for head in heads for leftward, side in places]
    first, second = {Side.RIGHT: hands[0], Side.LEFT: hands[1]}, {Side.RIGHT: hands[2], Side.LEFT: hands[3]}
    assert assign_hands(hands, heads, LIMITS) == [first, second]
    assert assign_hands(hands[2:], [make_head(x=380), heads[1]], LIMITS)[0] == {}
    head = make_head(eyes=20)
    assert assign_hands([make_hand(*head.at(LIMITS.hand_reach + 3, 0), palm=20)], [head], LIMITS) == [{}]
    head = make_head()
    near, far = make_hand(*head.at(1.5, 0), palm=40), make_hand(*head.at(2.5, 0), palm=40)
    assert all(head.distance_to(hand) < LIMITS.hand_reach for hand in (near, far))
    assert assign_hands([far, near], [head], LIMITS) == [{Side.LEFT: near}]


@pytest.mark.parametrize("apart", [5.0, 5.5, 6.0, 7.0])
@pytest.mark.parametrize("off", [1.6, 2.0, 2.4])
def test_hand_between_two_players_belongs_to_the_owner_of_its_arm(apart: float, off: float) -> None:
    heads = [make_head(x=300), make_head(x=300 + apart * make_head().eye_distance)]
    left_hand = make_hand(*heads[0].at(off, 0.2), palm=30, anatomical=Side.LEFT)
    right_hand = make_hand(*heads[1].at(-off, 0.2), palm=30, anatomical=Side.RIGHT)
    assert assign_hands([left_hand, right_hand], heads, LIMITS) == [{Side.LEFT: left_hand}, {Side.RIGHT: right_hand}]


def test_players_know_the_hands_of_their_neighbours() -> None:
    heads = make_head(x=300), make_head(x=700)
    at_head, at_chest = make_hand(*heads[1].at(-1.5, 0), palm=40), make_hand(*heads[1].at(0, -9), palm=40)
    left, right = holding([at_head, at_chest], heads, LIMITS)
    assert (left.hands, left.neighbours_hands) == ({}, (at_head,))
    assert (right.hands, right.neighbours_hands) == ({Side.RIGHT: at_head}, ())


def test_touching_hands_on_top_of_the_head_stay_two() -> None:
    head = make_head()
    left = make_hand(*head.at(0.5, 1.6), palm=40, anatomical=Side.LEFT)
    right = make_hand(*head.at(-0.4, 1.6), palm=40, anatomical=Side.RIGHT)
    assert len(suppress_duplicate_hands([left, right])) == 2
    assert assign_hands([left, right], [head], LIMITS) == [{Side.LEFT: left, Side.RIGHT: right}]


def test_suppression_keeps_the_surer_of_two_detections() -> None:
    sure, unsure = make_hand(100, 100, confidence=0.95), make_hand(104, 98, confidence=0.6)
    assert suppress_duplicate_hands([unsure, sure]) == [sure]


def test_reversed_detection_of_a_hand_is_suppressed() -> None:
    """MediaPipe may take the back of a hand for the palm of the other, with thumb and little finger exchanged."""
    hand = make_hand(100, 100, anatomical=Side.RIGHT)
    wrist, *digits = np.split(hand.points, [1, 5, 9, 13, 17])
    other_way_round = np.concatenate([wrist, *reversed(digits)])
    again = replace(hand, anatomical=Side.LEFT, points=other_way_round, confidence=hand.confidence / 2)
    assert np.linalg.norm(again.points - hand.points, axis=1).mean() > 20  # far apart joint by joint
    assert suppress_duplicate_hands([again, hand]) == [hand]


def test_head_filled_by_a_hand_is_dropped_unless_alone_or_inside_it() -> None:
    """A fist before the only face is likelier than no face; a face inside a larger hand is another player's."""
    adult, other = make_head(x=300), make_head(x=700, eyes=20)
    filling = make_hand(695, 332, palm=26)
    assert drop_heads_on_hands([adult, other], [filling]) == (adult,)
    assert drop_heads_on_hands([other], [filling]) == (other,)
    around = make_hand(700, 400, palm=120)
    assert drop_heads_on_hands([adult, other], [around]) == (adult, other)


@pytest.mark.parametrize(
    ("leftwards", "sides"),
    [
        ((-1.5, 0.4), [Side.RIGHT, Side.LEFT]),
        ((-0.4, 1.5), [Side.RIGHT, Side.LEFT]),
        ((-1.5, -0.4), [Side.RIGHT, Side.LEFT]),
        ((0.4, 1.5), [Side.RIGHT, Side.LEFT]),
        ((0.8, 2.0), [Side.LEFT]),
        ((-2.0, -0.8), [Side.RIGHT]),
    ],
)
def test_two_hands_share_a_side_only_if_both_are_well_beyond_the_middle(
    leftwards: tuple[float, float], sides: list[Side]
) -> None:
    """Both hands of a leaning player may be slightly off the middle."""
    head = make_head()

    def hand_at(leftward: float) -> HandLandmarks:
        hand = make_hand(*head.at(leftward, 1.6), palm=30)
        return make_hand(*head.at(2 * leftward - head.leftwards(hand), 1.6), palm=30)

    right, left = map(hand_at, leftwards)
    assert [head.leftwards(hand) for hand in (right, left)] == pytest.approx(leftwards, abs=1e-3)
    (given,) = assign_hands([right, left], [head], LIMITS)
    assert sorted(given, key=[Side.RIGHT, Side.LEFT].index) == sides
    assert len(sides) == 1 or given == {Side.RIGHT: right, Side.LEFT: left}


@pytest.mark.parametrize(("foreshortened", "expected"), [(1.0, 62), (0.3, 36), (0.0, 36)])
def test_foreshortened_palm_is_as_long_as_it_is_wide(foreshortened: float, expected: float) -> None:
    """The drawn palm is 60 pixels long and 36 wide."""
    points = make_hand(100, 100, palm=60).points.copy()
    points[:, 1] = 100 + foreshortened * (points[:, 1] - 100)
    assert palm_length(points[None])[0] == pytest.approx(expected, abs=1)


@dataclass
class UpsideDownHands:
    """Workers and landmarkers that see a hand only in crops rotated by 180 degrees."""

    hand: HandLandmarks
    sizes: list[int] = field(default_factory=list)

    def begin(self, look: Callable[[Any, Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        return iter([look(self, item) for item in items])

    def map(self, look: Callable[[Any, Any], Any], items: Iterable[Any]) -> list[Any]:
        return list(self.begin(look, items))

    def hands(self, crop: Image) -> list[HandLandmarks]:
        self.sizes.append(crop.shape[0])
        return [self.hand] if crop[0].mean() > crop[-1].mean() else []


def test_hand_from_a_rotated_crop_is_rotated_back() -> None:
    image = np.repeat(np.linspace(0, 255, 600).astype(np.uint8), 800 * 3).reshape(600, 800, 3)  # bright below
    seen = make_hand(BESIDE.size / 2, BESIDE.size / 2)
    workers: Any = UpsideDownHands(seen)
    heads, settings = (make_head(400),), load_settings().people
    found = hands_around(heads, image, workers)
    hands = find_hands(found, heads, image, workers, settings, looks_closer=lambda *_: True)
    assert len(workers.sizes) == 1 + 2 * len(CLOSER)
    for hand in hands:
        assert np.allclose(hand.world, seen.world * [-1, -1, 1])
        fingers, seen_fingers = (seen_hand.points[12, :2] - seen_hand.points[0, :2] for seen_hand in (hand, seen))
        assert fingers @ seen_fingers < -0.99 * np.linalg.norm(fingers) * np.linalg.norm(seen_fingers)
    assert len(hands) == 2


@pytest.mark.parametrize(("leftward", "is_searched"), [(2.5, False), (4.5, True)], ids=["at the head", "far off"])
def test_a_hand_far_from_the_head_does_not_end_the_search(leftward: float, *, is_searched: bool) -> None:
    """MediaPipe may see a hand in a forearm, and miss the one at the head."""
    head, image = make_head(400), np.zeros((600, 800, 3), np.uint8)
    hand = make_hand(*head.at(leftward, 0.0), palm=30)
    workers: Any = UpsideDownHands(hand)
    asked: list[Side] = []

    def looks_closer(_: Head, side: Side) -> bool:
        asked.append(side)
        return False

    assert find_hands([hand], (head,), image, workers, LIMITS, looks_closer=looks_closer) == [hand]
    assert set(asked) == ({*Side} if is_searched else {Side.RIGHT})
