"""Persons with simulated unusual hands, on the level of landmarks: real hands, bent by a trait, in two sessions.

    python -m training.adaptation.simulated_hands LANDMARKS.npz OUT

A person has the hand of one subject of the digits set. Three in four persons get a trait: short fingers, a spread that
parts little, a thumb that hardly leaves the palm. Takes of one person differ by the view and by how far the fingers
part. The network of joints alone answers, as for a hand without a head; places, directions and tongues are not told.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import FURTHEST, SideOdds
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Pose, Spread
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.adaptation.person_takes import PersonTake
from training.evaluate.landmark_datasets import read_landmark_file
from training.geometry import rotated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bunnymoose_cv.vision.detections import HandLandmarks
    from training.evaluate.landmark_datasets import LabelledHand

SOURCE: Final = "digits"
TRAITS: Final = ("usual", "short fingers", "narrow spread", "stiff thumb")
FINGERS: Final = (5, 9, 13, 17)
TURNED_DEG: Final = 12.0
HELD_DEG: Final = 2.0
"""Turns of a hand between the two halves of a warm-up's take, in which people hold still."""

REPEATS: Final = (1, 3)
"""Takes of each shape in the warm-up and in the session that is counted."""

HALVES: Final = (2, 1)
"""Readings of each of them: a warm-up's take has two halves."""


@dataclass(frozen=True, slots=True)
class _Person:
    """Real hands of one subject by kind, with a trait and its amount, 0 to 1."""

    name: str
    trait: str
    amount: float
    antlers: tuple[LabelledHand, ...]
    ears: tuple[LabelledHand, ...]
    others: tuple[LabelledHand, ...]


def people(path: Path) -> Iterator[_Person]:
    """Subjects with a wide antler, an ear and another hand."""
    by_subject: dict[str, list[LabelledHand]] = defaultdict(list)
    for hand in read_landmark_file(path).hands:
        if hand.row.labels["source"] == SOURCE:
            by_subject[hand.row.labels["subject"]].append(hand)
    for number, (subject, hands) in enumerate(sorted(by_subject.items())):
        antlers, ears, others = (tuple(each for each in hands if each.truth.kind is kind) for kind in Kind)
        if antlers and ears and others:
            amount = float(np.random.default_rng(number).uniform(0.3, 1))
            yield _Person(subject, TRAITS[number % len(TRAITS)], amount, antlers, ears, others)


def _takes(person: _Person, reader: HeadgearReader, random: np.random.Generator) -> Iterator[PersonTake]:
    for session, repeats in enumerate(REPEATS):
        for repeat in range(repeats):
            shapes = {
                "WU WU": [_antler(person, Spread.WIDE, random) for _ in range(2)],
                "CU CU": [_antler(person, Spread.COMPACT, random) for _ in range(2)],
                "TS TS": [_other(person.ears, person, random) for _ in range(2)],
                "-- --": [_other(person.others, person, random) for _ in range(2)],
            }
            for shown, hands in shapes.items():
                for half in range(HALVES[session]):
                    held = (
                        [_turned_view(hand, hand.points.astype(float), HELD_DEG, random) for hand in hands]
                        if half
                        else hands
                    )
                    left, right = (SideOdds.of(each.probabilities) for each in reader.read_alone(held))
                    take = LabelledTake(TakeSource.WARM_UP, Pose.parse(shown), left, right, -FURTHEST)
                    name = f"{person.name} {session} {repeat} {half} {shown}"
                    yield PersonTake(name, person.name, person.trait, session, take)


def _antler(person: _Person, spread: Spread, random: np.random.Generator) -> HandLandmarks:
    hand = person.antlers[random.integers(len(person.antlers))].hand
    points = hand.points.astype(float)
    part = random.uniform(0.85, 1.15) if spread is Spread.WIDE else random.uniform(0.0, 0.15)
    if person.trait == "narrow spread" and spread is Spread.WIDE:
        part *= 0.75 - 0.35 * person.amount
    points = _parted(points, part)
    if person.trait == "stiff thumb":
        points = _thumb_nearer(points, 0.75 - 0.35 * person.amount)
    return _seen(hand, _fingers(points, person), random)


def _other(hands: tuple[LabelledHand, ...], person: _Person, random: np.random.Generator) -> HandLandmarks:
    hand = hands[random.integers(len(hands))].hand
    return _seen(hand, _fingers(hand.points.astype(float), person), random)


def _fingers(points: NDArray[np.float64], person: _Person) -> NDArray[np.float64]:
    if person.trait != "short fingers":
        return points
    short = points.copy()
    for base in FINGERS:
        short[base + 1 : base + 4] = points[base] + (points[base + 1 : base + 4] - points[base]) * (
            1 - 0.4 * person.amount
        )
    return short


def _parted(points: NDArray[np.float64], part: float) -> NDArray[np.float64]:
    """Turn each finger about its root so that its angle to the middle finger is `part` of what it was."""
    middle = _angle(points[12] - points[9])
    parted = points.copy()
    for base in FINGERS:
        away = _angle(points[base + 3] - points[base]) - middle
        away = (away + np.pi) % (2 * np.pi) - np.pi
        parted[base + 1 : base + 4] = _turned(points[base + 1 : base + 4], points[base], away * (part - 1))
    return parted


def _thumb_nearer(points: NDArray[np.float64], part: float) -> NDArray[np.float64]:
    away = _angle(points[4] - points[1]) - _angle(points[8] - points[5])
    away = (away + np.pi) % (2 * np.pi) - np.pi
    nearer = points.copy()
    nearer[2:5] = _turned(points[2:5], points[1], away * (part - 1))
    return nearer


def _angle(way: NDArray[np.float64]) -> float:
    return float(np.arctan2(way[1], way[0]))


def _turned(points: NDArray[np.float64], centre: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Turn points in the plane of the image, radians."""
    around = np.array([*centre[:2], 0.0])
    return rotated(points - around, (0, 1), angle) + around


def _seen(hand: HandLandmarks, points: NDArray[np.float64], random: np.random.Generator) -> HandLandmarks:
    """The hand from another view."""
    return _turned_view(hand, points, TURNED_DEG, random)


def _turned_view(
    hand: HandLandmarks, points: NDArray[np.float64], degrees: float, random: np.random.Generator
) -> HandLandmarks:
    about_x, about_y, about_z = np.radians(random.normal(0, degrees, 3) * [1, 1, 0.5])
    turned = points
    for plane, angle in (((2, 1), about_x), ((2, 0), about_y), ((1, 0), about_z)):
        turned = rotated(turned, plane, angle)
    return replace(hand, points=turned.astype(hand.points.dtype))


def main() -> None:
    """Simulate the people of the file that the command line names."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    reader = HeadgearReader(load_settings().headgear)
    with Path(sys.argv[2]).open("w", encoding="utf-8") as lines:
        for number, person in enumerate(people(Path(sys.argv[1]))):
            lines.writelines(f"{take.line}\n" for take in _takes(person, reader, np.random.default_rng((7, number))))


if __name__ == "__main__":
    main()
