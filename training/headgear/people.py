"""Labelled crops of real people (`../shared/people`) as sides of heads with their truth, person and source."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.profile import load_profile
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features_at_head
from bunnymoose_cv.vision.headgear.side_net import cut_side
from bunnymoose_cv.vision.reader import Reader
from training.headgear.examples import ANTLER, EAR, NEITHER, UNKNOWN
from training.headgear.gather import STORED_SIZE, STORED_WINDOW, on_cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Picture

NOTHING, OTHER_HAND = "--", "n"
_OPEN: Final = frozenset({"x", "open"})
_SPREADS: Final = {"W": 1, "C": 0}
_DIRECTIONS: Final = {"U": 1, "D": 0}
_FORMS: Final = {"S": 1, "F": 0}
_PLACES: Final = {"T": 1, "S": 0}


@dataclass(frozen=True, slots=True, eq=False)
class PersonSide:
    """One surely labelled side of a real head.

    Attributes:
        cut: wide crop of the side, shape (STORED_SIZE, STORED_SIZE, 3).
        joints: hand joints in the crop's pixels, shape (21, 2); NaN where no hand was detected.
        hand: features of the hand found there; None where none was.
        values: truth as in `Truth.values`.
        label: the label as written (`--`, `n`, `WU`, …).
        person: person id; never on both sides of a split.
        source: source repository.
    """

    cut: Picture
    joints: npt.NDArray[np.float64]
    hand: HandFeatures | None
    values: tuple[int, int, int, int, int]
    label: str
    person: str
    source: str


def truth_of_label(label: str) -> tuple[int, int, int, int, int] | None:
    """Truth values of a label; None where it cannot be told."""
    if label in _OPEN:
        return None
    if label in {NOTHING, OTHER_HAND}:
        return NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN
    first, second = label[0], label[1]
    if second in _DIRECTIONS:
        return ANTLER, _SPREADS.get(first, UNKNOWN), _DIRECTIONS[second], UNKNOWN, UNKNOWN
    return EAR, UNKNOWN, UNKNOWN, _FORMS.get(second, UNKNOWN), _PLACES.get(first, UNKNOWN)


def person_sides(table: Path) -> Iterator[PersonSide]:
    """Cut the surely labelled sides out of every crop of a table.

    Args:
        table: `people.csv`; the files lie relative to it.
    """
    with table.open(encoding="utf-8", newline="") as lines, Reader(load_profile()) as reader:
        for row in csv.DictReader(lines):
            yield from _sides_of(row, read_image(table.parent / row["file"]), reader)


def _sides_of(row: Mapping[str, str], picture: Picture, reader: Reader) -> Iterator[PersonSide]:
    height, width = picture.shape[:2]
    players = [reading.player for reading in reader.read(picture).players]
    if not players:
        return
    player = min(
        players, key=lambda each: math.hypot(each.head.centre[0] - width / 2, each.head.centre[1] - height / 2)
    )
    for side in Side:
        label = row[side.name.lower()]
        values = truth_of_label(label) if row[f"{side.name.lower()}_sure"] == "1" else None
        if values is None:
            continue
        hand = player.hands.get(side)
        joints = (
            np.full((21, 2), np.nan) if hand is None else on_cut(hand.points[:, :2].astype(float), player.head, side)
        )
        cut = cut_side(picture, player.head, side, STORED_WINDOW, STORED_SIZE)
        stance = None if hand is None else features_at_head(hand, player.head, side)
        yield PersonSide(cut, joints, stance, values, label, row["person"], row["source"])
