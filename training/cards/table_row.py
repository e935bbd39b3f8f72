"""Row of places on a table, in millimetres: on a mat, or as people lay piles without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM
from training.cards.painted_table import turned

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.vision.cards.mat import Mat
    from training.cards.conditions import Conditions

BORDER_MM: Final = 55.0
"""Width of the table around the mat, or beyond the outermost piles."""

_WITHOUT_MAT_MM: Final = 300.0
"""Height of a table without a mat."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A place on the table: its middle in millimetres, and its turn in degrees."""

    middle: tuple[float, float]
    turn: float

    @property
    def corners(self) -> npt.NDArray[np.float32]:
        """Corners of a card that lies straight on it, millimetres."""
        return turned(self.middle, CARD_SIZE_MM, self.turn)


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """The row of places on its table, and the table's size in millimetres."""

    spots: tuple[TablePlace, ...]
    size: tuple[float, float]


def row_of(mat: Mat) -> PlaceRow:
    """The places of a mat."""
    width, height = CARD_SIZE_MM
    spots = tuple(
        TablePlace((place.x + width / 2 + BORDER_MM, place.y + height / 2 + BORDER_MM), 0) for place in mat.places
    )
    return PlaceRow(spots, (mat.size[0] + 2 * BORDER_MM, mat.size[1] + 2 * BORDER_MM))


def row_without_mat(conditions: Conditions, rng: np.random.Generator) -> PlaceRow:
    """Piles as people lay them: bent, their gaps uneven."""
    pitch = CARD_SIZE_MM[0] + conditions.gap_mm
    width = conditions.piles * pitch + 2 * BORDER_MM
    across = BORDER_MM + pitch * (np.arange(conditions.piles) + 0.5)
    across = across + rng.uniform(-0.15, 0.15, conditions.piles) * conditions.gap_mm
    share = 2 * across / width - 1
    down = _WITHOUT_MAT_MM / 2 + conditions.row_bend_mm * (1 - share**2)
    slope = np.degrees(np.arctan(-4 * conditions.row_bend_mm * share / width))
    spots = (TablePlace((float(x), float(y)), float(turn)) for x, y, turn in zip(across, down, slope, strict=True))
    return PlaceRow(tuple(spots), (width, _WITHOUT_MAT_MM))
