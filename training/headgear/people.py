"""Labelled crops of real people (`../shared/people`) as sides of heads with their truth, person and source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features_at_head
from bunnymoose_cv.vision.headgear.hand_shape import SHIPPED_NET, HandShapeNet
from bunnymoose_cv.vision.headgear.side_net import cut_side
from bunnymoose_cv.vision.reader import Reader
from training.content_cache import code_of, keyed, pickled_once
from training.evaluate.people import player_of, read_people
from training.evaluate.side_labels import SHAPES, read_shapes
from training.headgear.examples import COLUMNS, Truth, values_of
from training.headgear.gather import STORED_SIZE, STORED_WINDOW, WORK, to_crop
from training.paths import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Side
    from training.evaluate.people import PersonRow
    from training.evaluate.side_labels import Held, SideLabel, SideShape

TABLE: Final = SHARED / "people/people.csv"


@dataclass(frozen=True, slots=True, eq=False)
class PersonSide:
    """One labelled side of a real head.

    Attributes:
        cut: wide crop of the side, shape (STORED_SIZE, STORED_SIZE, 3).
        joints: hand joints in the crop's pixels, shape (21, 2); NaN if no hand was detected.
        hand: features of the hand found there; None without a hand.
        values: truth as in `Truth.values`.
        held: content of the side.
        sure: False if the label is only likely. Such a side has a hand, and is for training alone.
        person: person id; one person may be in several sources.
        source: source repository.
    """

    cut: Image
    joints: npt.NDArray[np.float64]
    hand: HandFeatures | None
    values: tuple[int, ...]
    held: Held
    sure: bool
    person: str
    source: str

    @property
    def between(self) -> npt.NDArray[np.bool_]:
        """Fields that are between two values, as in `Truth.between`: the kind, if the label is only likely."""
        return np.array([not self.sure] + [False] * (len(COLUMNS) - 1))


def truth_of(sides: Sequence[PersonSide]) -> Truth:
    """Return the truth of sides."""
    return Truth(
        np.array([side.values for side in sides], np.int8).reshape(-1, len(COLUMNS)),
        np.array([side.between for side in sides], bool).reshape(-1, len(COLUMNS)),
        np.array([side.person for side in sides]),
        np.full(len(sides), ""),
    )


def cached_people(*, sure: bool = True) -> list[PersonSide]:
    """Return the sides of all people with sure labels, or those with likely ones, from the cache if possible."""
    images = [row.image for row in read_people(TABLE).rows]
    file = keyed(WORK / "person_sides.pickle", TABLE, TABLE.with_name(SHAPES), images, SHIPPED_NET, code_of(__file__))
    return [side for side in pickled_once(file, lambda: person_sides(TABLE)) if side.sure is sure]


def person_sides(table: Path) -> Iterator[PersonSide]:
    """Crop the sides with a sure or likely label from every image of a table.

    Args:
        table: path of `people.csv`; its files are relative to it.

    Raises:
        InputError: the table, or a line of it, cannot be read.
    """
    people = read_people(table)
    if people.problems:
        raise people.problems[0]
    shapes, shape_net = read_shapes(table.with_name(SHAPES)).sides, HandShapeNet()
    with Reader() as reader:
        for row in people.rows:
            yield from _sides_of(row, shapes, reader, shape_net)


def _sides_of(
    row: PersonRow, shapes: Mapping[tuple[str, Side], SideShape], reader: Reader, shape_net: HandShapeNet
) -> Iterator[PersonSide]:
    image = read_image(row.image)
    found = player_of(image, reader)
    if found is None:
        return
    player = found.player
    for side, scored in row.sides.items():
        hand, joints, features = player.hands.get(side), np.full((21, 2), np.nan), None
        label = scored if scored.counts or hand is None else _likely(scored, shapes.get((row.name, side)))
        if label.held is None:
            continue
        if hand is not None:
            joints = to_crop(hand.points[:, :2].astype(float), player.head, side)
            pixels = shape_net.logits_at(image, {side: hand})
            features = features_at_head(hand, player.head, side, pixels)
        cut = cut_side(image, player.head, side, STORED_WINDOW, STORED_SIZE)
        values = values_of(label.fields)
        yield PersonSide(cut, joints, features, values, label.held, scored.counts, row.person, row.source)


def _likely(label: SideLabel, shape: SideShape | None) -> SideLabel:
    """Return the label of a side as if its shape were sure."""
    return label if shape is None else label.by_shape(replace(shape, sure=True))
