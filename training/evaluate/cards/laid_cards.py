"""Cards and other things on a painted table, with the truth about every place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM
from training.evaluate.cards.conditions import Cover
from training.evaluate.cards.table import BORDER_MM, foreign_card, hand_colour, paper_sheet, phone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_reading import CardFaceId
    from bunnymoose_cv.vision.cards.mat import Mat
    from training.evaluate.cards.conditions import Conditions
    from training.evaluate.cards.table import Corners, PaintedTable, PlaceRow, TablePlace, Vector

FOREIGN: Final = "foreign"
"""Truth of a place with something that is not a card of the deck."""

EMPTY: Final = "empty"


@dataclass(frozen=True, slots=True)
class Face:
    """A printed face."""

    face: CardFaceId
    image: Image


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Things on the table, with corners in millimetres.

    Attributes:
        places: for each place the shown face, the corners of its top card, and whether something covers a part of it.
        over: cards of another game over an edge.
    """

    places: list[tuple[str, Corners, bool]]
    over: list[Corners]


def lay_mat(table: PaintedTable, mat: Mat) -> None:
    """Draw the paper of a mat with its outlines and markers."""
    paper = np.full((8, 8, 3), 244, np.uint8)
    table.lay(paper, BORDER_MM + np.array(mat.size) / 2, mat.size, 0, shadow=0.2, corner=0.5)
    for place in mat.places:
        corners = np.rint((place.corners + BORDER_MM) * table.scale).astype(np.int32)
        thickness = max(1, round(table.scale))
        cv2.polylines(table.paint, [corners], isClosed=True, color=(170, 170, 170), thickness=thickness)
    for marker in mat.markers:
        square = marker.square
        cells = np.kron(marker.pattern.astype(np.uint8) * 230 + 15, np.ones((16, 16), np.uint8))
        middle = np.array([BORDER_MM + square.x + square.width / 2, BORDER_MM + square.y + square.height / 2])
        table.lay(np.stack([cells] * 3, 2), middle, (square.width, square.height), 0, shadow=0, corner=0)


@dataclass(frozen=True, slots=True, eq=False)
class CardLayer:
    """Layer of the cards of one photograph.

    Attributes:
        table: the painted table under them.
        conditions: conditions of the photograph.
        faces: faces of the deck.
    """

    table: PaintedTable
    conditions: Conditions
    faces: Sequence[Face]
    rng: np.random.Generator

    def lay_beside(self, size: tuple[float, float]) -> list[Corners]:
        """Add a phone, a poem sheet, trail cards or a cup above and below the row. Return the corners of rectangles."""
        table, rng = self.table, self.rng
        laid = []
        for _ in range(self.conditions.beside):
            kind = rng.integers(4)
            middle = np.array([rng.uniform(0.15, 0.85) * size[0], rng.choice([18.0, size[1] - 18.0])])
            turn = float(rng.uniform(0, 360))
            match kind:
                case 0:
                    laid.append(table.lay(phone(rng), middle, (72, 150), 90 + float(rng.normal(0, 8)), corner=8))
                case 1:
                    sheet = paper_sheet(rng)
                    laid.append(table.lay(sheet, middle, (105, 148), 90 + float(rng.normal(0, 8)), corner=0.3))
                case 2:
                    laid.append(table.lay(foreign_card(rng), middle, CARD_SIZE_MM, turn))
                case _:
                    cup = np.full((64, 64, 3), rng.integers(30, 240, 3), np.uint8)
                    table.lay(cup, middle, (80, 80), 0, corner=39)
        return laid

    def lay(self, row: PlaceRow) -> Laid:
        """Fill each place but the empty ones with a pile or something foreign, then cover a part of one of them."""
        rng, cover, laid = self.rng, self.conditions.cover, Laid([], [])
        upside_down = 180.0 * rng.integers(2)
        covered = int(rng.integers(len(row.spots))) if cover is not Cover.NONE else -1
        for index, spot in enumerate(row.spots):
            what = rng.random()
            if what < 0.04:
                laid.places.append((EMPTY, spot.corners, False))
                continue
            if what < 0.08:
                laid.places.append((FOREIGN, self._lay_foreign(spot), False))
                continue
            face, corners = self._lay_pile(spot, upside_down)
            if index == covered and cover is Cover.NEIGHBOUR:
                laid.over.append(self._lay_over(corners))
            elif index == covered:
                self._lay_fingers(corners)
            laid.places.append((str(face.face), corners, index == covered))
        if rng.random() < 0.3 and self.conditions.beside < 2:
            hunter = next((face for face in self.faces if face.face == "HUNTER"), self.faces[0])
            middle = np.array([rng.uniform(0.35, 0.65) * row.size[0], row.size[1] - 46.0])
            self._lay_card(hunter, middle, upside_down + float(rng.normal(0, 8)))
        return laid

    def _lay_foreign(self, spot: TablePlace) -> Corners:
        """Add a card of another game to a place."""
        card = foreign_card(self.rng)
        return self.table.lay(card, spot.middle, CARD_SIZE_MM, spot.turn + float(self.rng.normal(0, 3)))

    def _lay_pile(self, spot: TablePlace, upside_down: float) -> tuple[Face, Corners]:
        """Add the cards of a pile. Return the top one and its corners."""
        face, corners, rng = self.faces[0], spot.corners, self.rng
        base = rng.uniform(-2, 2, 2)
        for _ in range(1 + int(rng.integers(self.conditions.pile))):
            face = self.faces[int(rng.integers(len(self.faces)))]
            shift = base + rng.uniform(-1, 1, 2) * self.conditions.offset_mm
            turn = spot.turn + upside_down + float(np.clip(rng.normal(0, 2.5), -7, 7))
            corners = self._lay_card(face, spot.middle + shift, turn)
        return face, corners

    def _lay_card(self, face: Face, centre: Vector, turn: float) -> Corners:
        """Add a card, in a sleeve or not, bent or not."""
        width, height = CARD_SIZE_MM
        if self.conditions.sleeves:
            sleeve = np.full((16, 16, 3), self.rng.integers(150, 215), np.uint8)
            self.table.lay(sleeve, centre, (width + 3, height + 5), turn, shadow=0.3, corner=1)
        bend = self.conditions.bend_mm * float(self.rng.uniform(-1, 1))
        bulge = bend * math.tan(math.radians(self.conditions.tilt_deg))
        return self.table.lay(face.image, centre, CARD_SIZE_MM, turn, bulge=(bulge, bend / 6))

    def _lay_over(self, corners: Corners) -> Corners:
        """Add a card of another game over 8 to 18 mm of a card's upper or lower edge."""
        down = (corners[3] - corners[0]) * float(self.rng.choice([-1, 1]))
        hidden = float(self.rng.uniform(8, 18))
        middle = corners.mean(0) + down * (1 - hidden / CARD_SIZE_MM[1])
        turn = math.degrees(math.atan2(float(down[0]), -float(down[1])))
        return self.table.lay(foreign_card(self.rng), middle, CARD_SIZE_MM, turn)

    def _lay_fingers(self, corners: Corners) -> None:
        """Draw a finger over a corner of a card, or three across it."""
        colour = hand_colour(self.rng)
        side = corners[self.rng.integers(4)]
        middle = corners.mean(0)
        outside = middle + (side - middle) * 2.2
        if self.conditions.cover is Cover.CORNER:
            self.table.draw(np.stack([outside, middle + (side - middle) * 0.72]), colour, 16)
            return
        across = np.array([-(side - middle)[1], (side - middle)[0]]) * 0.35
        for finger in (-1, 0, 1):
            tip = middle - (side - middle) * 0.2 + across * finger
            self.table.draw(np.stack([outside + across * finger, tip]).astype(np.float32), colour, 17)
