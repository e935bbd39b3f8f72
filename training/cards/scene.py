"""A rendered photograph of cards on a table, with the truth about every place; equal for equal seeds.

The table is painted flat, in millimetres, then seen through a tilted camera, blurred, exposed and compressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, mat_of
from training.cards.conditions import Cover, sample
from training.cards.laid_cards import CardLayer, lay_mat
from training.cards.painted_table import PaintedTable
from training.cards.photograph import SUPERSAMPLING, blurred, camera, developed, lit
from training.cards.table_row import row_of, row_without_mat

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.cards.conditions import Conditions, Group
    from training.cards.laid_cards import Face, Laid

COVERED: Final = "covered"
"""Truth of a place whose card lies under fingers."""


@dataclass(frozen=True, slots=True, eq=False)
class TruePlace:
    """A place: what lies on it and where its top card's corners are in the image, from the face's top left."""

    number: int
    shows: str
    corners_px: npt.NDArray[np.float32]
    hidden: bool = False
    """True where a finger or a reflection lies on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered photograph with its truth.

    Attributes:
        places: in the order of their numbers.
        foreign_px: corners of other rectangles of a card's size or larger, shape (n, 4, 2).
        apart_px: corners of the hunter's card where it lies apart from the row, shape (0 or 1, 4, 2).
    """

    image: Image
    conditions: Conditions
    places: tuple[TruePlace, ...]
    foreign_px: npt.NDArray[np.float32]
    apart_px: npt.NDArray[np.float32]


def render(group: Group, seed: int, faces: Sequence[Face]) -> Scene:
    """Render the photograph of a group and a seed."""
    rng = np.random.default_rng((list(type(group)).index(group), seed))
    conditions = sample(group, rng)
    mat = mat_of(conditions.piles) if conditions.mat else None
    row = row_without_mat(conditions, rng) if mat is None else row_of(mat)
    table = PaintedTable(row.size, conditions.height_px / CARD_SIZE_MM[1] * SUPERSAMPLING, conditions.cloth, rng)
    if mat is not None:
        lay_mat(table, mat)
    layer = CardLayer(table, conditions, faces, rng)
    foreign = layer.lay_beside(row.size)
    return _photograph(layer, layer.lay(row), foreign)


def _photograph(layer: CardLayer, laid: Laid, foreign: list[npt.NDArray[np.float32]]) -> Scene:
    """Take the photograph of what was laid, and note where its corners are in it."""
    table, conditions, rng = layer.table, layer.conditions, layer.rng
    light = lit(table, conditions, laid, rng)
    seen, size = camera(table, conditions, rng)
    sharp = np.asarray(cv2.warpPerspective(light, seen, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
    image = developed(blurred(sharp, conditions, rng), conditions, rng)

    def projected(corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        points = (corners * table.scale).reshape(-1, 1, 2).astype(np.float32)
        return np.asarray(cv2.perspectiveTransform(points, seen), np.float32).reshape(-1, 2)

    def stacked(several: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
        return np.array([projected(corners) for corners in several], np.float32).reshape(-1, 4, 2)

    truth = tuple(
        TruePlace(
            number, COVERED if hidden and conditions.cover is Cover.FINGERS else shows, projected(corners), hidden
        )
        for number, (shows, corners, hidden) in enumerate(laid.places, 1)
    )
    return Scene(image, conditions, truth, stacked(foreign + laid.over), stacked(laid.apart))
