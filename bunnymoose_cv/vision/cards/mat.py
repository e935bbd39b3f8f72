"""Geometry of the printed mat and of the printed card, in millimetres: printing and reading use the same values.

Origin top left, x to the right, y down, seen as the narrator's photograph shows the mat. Cards lie upright or upside
down on it; both are read.
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
"""Cards take the first ids, mats the last; so no card's marker is ever taken for one of a mat."""

MARKER_CELLS: Final = 6
"""Cells along a marker's side, its black border included; one more cell around it stays white."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """An upright rectangle in millimetres: left upper corner and size."""

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
    """A square 4×4 marker of `MARKER_DICTIONARY`: its id and where its black square lies."""

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
class Sheet:
    """One sheet that a mat is printed on: its part of the mat; it fits A4 and Letter across."""

    part: Rectangle


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat with its places from left to right, the markers in its corners and the sheets it is printed on.

    Attributes:
        size: width and height, mm.
        places: card-sized rectangles, numbered from 1 by their order.
        markers: four, clockwise from the top left.
        sheets: from left to right, laid edge to edge.
    """

    size: tuple[float, float]
    places: tuple[Rectangle, ...]
    markers: tuple[Marker, ...]
    sheets: tuple[Sheet, ...]


_HEIGHT: Final = 190.0
_PITCH: Final = 84.0
"""From place to place: a card and room for a pile that is not laid straight."""
_EDGE: Final = 8.0
_MARKER: Final = 36.0
_MARKER_EDGE: Final = 6.0
_FIRST_ID: Final = {6: 240, 8: 244}
_PER_SHEET: Final = {6: (3, 3), 8: (3, 2, 3)}

PLACE_COUNTS: Final = tuple(_FIRST_ID)
"""The numbers of places that a mat can have."""


@lru_cache
def mat_of(places: int) -> Mat:
    """Lay out the mat of so many places, 6 or 8.

    Raises:
        ValueError: there is no mat of so many places.
    """
    if places not in _FIRST_ID:
        raise ValueError(f"a mat has one of {PLACE_COUNTS} places")
    width = 2 * _EDGE + places * _PITCH
    return Mat((width, _HEIGHT), _places(places), _markers(width, _FIRST_ID[places]), _sheets(places))


def _places(count: int) -> tuple[Rectangle, ...]:
    width, height = CARD_SIZE_MM
    left, top = _EDGE + (_PITCH - width) / 2, (_HEIGHT - height) / 2
    return tuple(Rectangle(left + index * _PITCH, top, width, height) for index in range(count))


def _markers(width: float, first: int) -> tuple[Marker, ...]:
    left, top = _MARKER_EDGE, _MARKER_EDGE
    right, bottom = width - _MARKER_EDGE - _MARKER, _HEIGHT - _MARKER_EDGE - _MARKER
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple(Marker(first + index, Rectangle(*corner, _MARKER, _MARKER)) for index, corner in enumerate(corners))


def _sheets(count: int) -> tuple[Sheet, ...]:
    """Cut the mat between two places, never through one."""
    sheets, left, done = [], 0.0, 0
    for places in _PER_SHEET[count]:
        done += places
        right = _EDGE + done * _PITCH + (_EDGE if done == count else 0)
        sheets.append(Sheet(Rectangle(left, 0, right - left, _HEIGHT)))
        left = right
    return tuple(sheets)


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """Layout of a card of the printed deck: the face above, a strip with its marker and its notation below.

    Attributes:
        face: where the artwork lies, in the proportions of the artwork (5 : 7).
        marker: black square of the marker; its white margin lies free around it.
        label: where the notation may be written for people.
    """

    face: Rectangle = Rectangle(8.5, 3.0, 46.0, 64.4)
    marker: Rectangle = Rectangle(8.5, 70.0, 15.0, 15.0)
    label: Rectangle = Rectangle(27.0, 70.0, 27.5, 15.0)


PRINTED_CARD: Final = PrintedCard()


def card_marker(number: int) -> Marker:
    """The marker of the printed deck's face of this number, from 0 in the order of the deck's distinct faces.

    Raises:
        ValueError: there are markers for 240 faces only.
    """
    if not 0 <= number < _FIRST_ID[6]:
        raise ValueError(f"a printed deck has at most {_FIRST_ID[6]} faces")
    return Marker(number, PRINTED_CARD.marker)
