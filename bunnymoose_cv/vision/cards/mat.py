"""Geometry of the printed mat and the printed card, in millimetres, used for both printing and reading.

The origin is top left, x to the right, y down, as in the narrator's photograph of the mat. Cards may lie on it upright
or upside down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

CARD_SIZE_MM: Final = (63.0, 88.0)
"""Width and height of a card."""

MARKER_DICTIONARY: Final = cv2.aruco.DICT_4X4_250
"""Dictionary of markers. Cards use the first ids, mats the last, so a card's marker is never mistaken for a mat's."""

MARKER_CELLS: Final = 6
"""Number of cells along a marker's side, including its black border. One more cell around it remains white."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Upright rectangle in millimetres: upper left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def corners(self) -> npt.NDArray[np.float32]:
        """Corners clockwise from the top left, shape (4, 2)."""
        right, bottom = self.x + self.width, self.y + self.height
        return np.array([[self.x, self.y], [right, self.y], [right, bottom], [self.x, bottom]], np.float32)


@dataclass(frozen=True, slots=True)
class Marker:
    """Square 4×4 marker of `MARKER_DICTIONARY`: its id and the place of its black square."""

    id: int
    square: Rectangle

    @property
    def cell(self) -> float:
        """Side of a cell, and width of the white margin that it needs, in millimetres."""
        return self.square.width / MARKER_CELLS

    @property
    def pattern(self) -> npt.NDArray[np.bool_]:
        """Mask of the white cells, shape (6, 6), row by row."""
        dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
        return cv2.aruco.generateImageMarker(dictionary, self.id, MARKER_CELLS) > 0


@dataclass(frozen=True, slots=True)
class Mat:
    """Mat with card-sized places from left to right, and four markers, clockwise from the top left."""

    size: tuple[float, float]
    places: tuple[Rectangle, ...]
    markers: tuple[Marker, ...]


_HEIGHT: Final = 190.0
_PITCH: Final = 84.0
"""Distance from place to place: a card, and room for an untidy pile."""
_EDGE: Final = 8.0
_MARKER: Final = 36.0
_MARKER_EDGE: Final = 6.0
_FIRST_ID: Final = {6: 240, 8: 244}

PLACE_COUNTS: Final = tuple(_FIRST_ID)
"""Numbers of places that a mat can have."""


@lru_cache
def mat_of(places: int) -> Mat:
    """Compute the layout of the mat with 6 or 8 places, or raise a `ValueError` for another number."""
    if places not in _FIRST_ID:
        raise ValueError(f"a mat has one of {PLACE_COUNTS} places")
    width = 2 * _EDGE + places * _PITCH
    return Mat((width, _HEIGHT), _places(places), _markers(width, _FIRST_ID[places]))


def _places(count: int) -> tuple[Rectangle, ...]:
    width, height = CARD_SIZE_MM
    left, top = _EDGE + (_PITCH - width) / 2, (_HEIGHT - height) / 2
    return tuple(Rectangle(left + index * _PITCH, top, width, height) for index in range(count))


def _markers(width: float, first: int) -> tuple[Marker, ...]:
    left, top = _MARKER_EDGE, _MARKER_EDGE
    right, bottom = width - _MARKER_EDGE - _MARKER, _HEIGHT - _MARKER_EDGE - _MARKER
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple(Marker(number, Rectangle(*corner, _MARKER, _MARKER)) for number, corner in enumerate(corners, first))


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """Layout of a card of the printed deck: the artwork above a strip with marker and notation."""

    face: Rectangle = Rectangle(8.5, 3.0, 46.0, 64.4)  # in the proportions of the artwork, 5 : 7
    marker: Rectangle = Rectangle(8.5, 70.0, 15.0, 15.0)  # the black square; its white margin is around it
    label: Rectangle = Rectangle(27.0, 70.0, 27.5, 15.0)


PRINTED_CARD: Final = PrintedCard()


def card_marker(number: int) -> Marker:
    """Return the marker of a face of the printed deck, by its index among the distinct faces, 0 to 239.

    Raises:
        ValueError: the number is not one of the 240 that have markers.
    """
    if not 0 <= number < _FIRST_ID[6]:
        raise ValueError(f"a printed deck has at most {_FIRST_ID[6]} faces")
    return Marker(number, PRINTED_CARD.marker)
