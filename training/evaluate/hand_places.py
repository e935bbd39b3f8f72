"""Places of hands at real heads: whether a hand counts, and which of two people it is given to.

Both are figures of `python -m training.headgear.measure`. The first is from readings by networks that have not seen the
person. The second is from composed rows, in which another person's head is set beside a head with a hand.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.hands.assignment import assign_hands
from training.evaluate.shares import ClusteredShare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.readings import PlayerReading
    from training.evaluate.people import PersonRow
    from training.evaluate.side_labels import Shapes, SideShape

BINS: Final = 5
WORDS: Final = {"t": "touching", "n": "near", "f": "far", "o": "over the face", "b": "below"}
"""Places of `shapes.csv` in words."""

EYES_PX: Final = 100.0
"""Distance in pixels between the eyes in a composed row."""


@dataclass(frozen=True, slots=True)
class JudgedPlace:
    """Place of a hand with one of our shapes.

    Attributes:
        person: person id.
        label: line of `shapes.csv`.
        counts: truth of the label.
        probability: probability of an antler or an ear, 0 to 1.
    """

    person: str
    label: SideShape
    counts: bool
    probability: float


def judged_places(read: Iterable[tuple[PersonRow, PlayerReading]], shapes: Shapes) -> Iterator[JudgedPlace]:
    """Yield the places of the found hands with one of our shapes."""
    for row, reading in read:
        for side in reading.player.hands:
            label = shapes.sides.get((row.name, side))
            counts = None if label is None else label.counts_there
            if label is not None and counts is not None:
                probability = 1 - reading.headgear[side].probabilities.neither
                yield JudgedPlace(row.person, label, counts, probability)


def place_lines(places: Sequence[JudgedPlace]) -> Iterator[str]:
    """Yield the area under the curve, the confusion by place, and the reliability, in words."""
    counts = np.array([place.counts for place in places])
    probability = np.array([place.probability for place in places])
    above = probability[counts][:, None] - probability[~counts]
    area = (above > 0).mean() + (above == 0).mean() / 2
    yield f"places of {len(places)} hands of our shapes, {counts.sum()} count: area under the curve {area:.3f}"
    total = Counter(_words(place.label) for place in places)
    taken = Counter(_words(place.label) for place in places if place.probability > 0.5)
    yield "taken to count, " + "; ".join(f"{words} {taken[words]} of {total[words]}" for words in total)
    bins = np.minimum((probability * BINS).astype(int), BINS - 1)
    shares = (f"{probability[bins == edge].mean():.2f} → {counts[bins == edge].mean():.2f}" for edge in np.unique(bins))
    yield "mean probability → share that counts: " + ", ".join(shares)


def _words(label: SideShape) -> str:
    return f"{WORDS[label.place]}{f' ({label.again})' if label.again else ''}"


def given_to_own(
    read: Sequence[tuple[PersonRow, PlayerReading]], shapes: Shapes, apart: float, seed: int
) -> ClusteredShare | None:
    """Return the share of hands at or near a head that are given to their own head, with another person's beside it.

    Args:
        read: readings of labelled crops.
        shapes: labels; far hands, and those below the face, are left out.
        apart: distance between both heads, in eye distances.
        seed: random seed of the choice of neighbours.
    """
    draw, settings = random.Random(seed), load_settings().people
    answers = []
    for row, reading in read:
        others = [other for whose, other in read if whose.person != row.person]
        for side, hand in reading.player.hands.items():
            label = shapes.sides.get((row.name, side))
            if label is None or label.place not in {"t", "n", "o"}:
                continue
            own, neighbour = reading.player.head, draw.choice(others).player.head
            shift = EYES_PX * apart * (1 if side is Side.LEFT else -1)
            heads = [_head(_moved(own.face.points, own)), _head(_moved(neighbour.face.points, neighbour, shift))]
            given, _ = assign_hands([replace(hand, points=_moved(hand.points, own))], heads, settings)
            answers.append((row.person, bool(given)))
    return ClusteredShare.of_clusters(answers)


def _moved(points: Points, head: Head, rightward: float = 0.0) -> Points:
    """Return points in a composed row, whose own head has its eyes' middle `rightward` pixels from the origin."""
    middle = np.array([*head.centre, 0])
    moved = (points - middle) * (EYES_PX / head.eye_distance) + (rightward, 0, 0)
    return np.asarray(moved, np.float32)


def _head(points: Points) -> Head:
    return Head(FaceLandmarks(points))
