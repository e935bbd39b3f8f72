"""Persons with simulated unusual hands, on the level of landmarks: real hands, bent by a trait, in two sessions.

    python -m training.adaptation.simulated_hands LANDMARKS.npz OUT

A person has the hand of one subject of the digits set. Three in four persons get a trait: short fingers, a spread that
parts little, a thumb that hardly leaves the palm. Takes of one person differ by the view and by how far the fingers
part. The network of joints alone answers, as for a hand without a head; places, directions and tongues are unknown.
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
from bunnymoose_cv.rules.pose import Pose
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

POSES: Final = ("WU WU", "CU CU", "TS TS", "-- --")
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
    """Return subjects with a wide antler, an ear and another hand."""
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
            shapes = {shown: [_seen(person, shown, random) for _ in range(2)] for shown in POSES}
            for shown, hands in shapes.items():
                for half in range(HALVES[session]):
                    held = [_turned_view(hand, hand.points, HELD_DEG, random) for hand in hands] if half else hands
                    left, right = (SideOdds.of(each.probabilities) for each in reader.read_alone(held))
                    take = LabelledTake(TakeSource.WARM_UP, Pose.parse(shown), left, right, -FURTHEST)
                    name = f"{person.name} {session} {repeat} {half} {shown}"
                    yield PersonTake(name, person.name, person.trait, session, take)


def _seen(person: _Person, shown: str, random: np.random.Generator) -> HandLandmarks:
    """Return one of a person's hands for a pose, bent by the trait, from another view."""
    hands = {"TS TS": person.ears, "-- --": person.others}.get(shown, person.antlers)
    hand = hands[random.integers(len(hands))].hand
    points = hand.points.astype(float)
    if hands is person.antlers:
        less, wide = 0.75 - 0.35 * person.amount, shown == "WU WU"
        part = random.uniform(0.85, 1.15) if wide else random.uniform(0.0, 0.15)
        points = _parted(points, part * less if wide and person.trait == "narrow spread" else part)
        if person.trait == "stiff thumb":
            points[2:5] = _nearer(points[1:5], _angle(points[8] - points[5]), less)[1:]
    return _turned_view(hand, _fingers(points, person), TURNED_DEG, random)


def _fingers(points: NDArray[np.float64], person: _Person) -> NDArray[np.float64]:
    if person.trait != "short fingers":
        return points
    short = points.copy()
    for base in FINGERS:
        finger = slice(base + 1, base + 4)
        short[finger] = points[base] + (points[finger] - points[base]) * (1 - 0.4 * person.amount)
    return short


def _parted(points: NDArray[np.float64], part: float) -> NDArray[np.float64]:
    """Turn each finger about its root so that its angle to the middle finger is `part` of what it was."""
    middle = _angle(points[12] - points[9])
    parted = points.copy()
    for base in FINGERS:
        parted[base : base + 4] = _nearer(points[base : base + 4], middle, part)
    return parted


def _nearer(finger: NDArray[np.float64], towards: float, part: float) -> NDArray[np.float64]:
    """Turn a finger about its root, its first joint, so that its angle to a direction is `part` of what it was."""
    away = (_angle(finger[3] - finger[0]) - towards + np.pi) % (2 * np.pi) - np.pi
    around = np.array([*finger[0, :2], 0.0])
    return rotated(finger - around, (0, 1), away * (part - 1)) + around


def _angle(way: NDArray[np.float64]) -> float:
    return float(np.arctan2(way[1], way[0]))


def _turned_view(
    hand: HandLandmarks, points: NDArray[np.floating], degrees: float, random: np.random.Generator
) -> HandLandmarks:
    """Return a hand with its points seen from another view."""
    about_x, about_y, about_z = np.radians(random.normal(0, degrees, 3) * [1, 1, 0.5])
    turned = points.astype(float)
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
