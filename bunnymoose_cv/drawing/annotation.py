"""Overlay of a reading on its image: faces, hands, and a label for what each player shows.

Colours never stand alone: an antler and an ear also differ by their sign and their words, what is unclear also by
dashes and a question mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.drawing.headgear_signs import headgear_colour
from bunnymoose_cv.drawing.label_layout import Obstacle
from bunnymoose_cv.drawing.letters import LARGEST_LETTERS, SMALLEST_LETTERS
from bunnymoose_cv.drawing.note_drawing import draw_notes
from bunnymoose_cv.drawing.notes import ENGLISH, notes_about
from bunnymoose_cv.drawing.strokes import (
    BLACK,
    WHITE,
    draw_line,
    outline,
    scaled,
)
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.hands.hand_geometry import FINGERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FrameReading

SHORTEST_SIDE = 480
"""An image whose shorter side has fewer pixels is enlarged to this, or its words could not be read."""

LETTERS_TO_FACE = 0.26
"""Largest height of letters, in widths of the middle face, so that they do not drown small players."""

FACE_WEIGHT, HAND_WEIGHT = 6.0, 2.0
"""Costs of covering a face and a hand, relative to the distance from the labelled point."""


def draw(reading: FrameReading, banners: Mapping[int, str] | None = None, texts: Texts = ENGLISH) -> Image:
    """Draw faces, hands and tongues with what was read of them, and a banner for each player.

    Args:
        reading: what is shown, on its own image, which stays as it is.
        banners: what is announced about each seat, such as `Blue: moose ahead 3`; a seat without one shows its animal.
        texts: of the language to write in.

    Returns:
        A new image, shape (height, width, 3), blue-green-red: of the same size, or enlarged where it was small.
    """
    canvas, scale = _enlarged(reading.image)
    thickness = max(1, round(min(canvas.shape[:2]) / 400))
    for player in reading.players:
        _draw_face(canvas, scaled(player.face, scale), thickness)
        for side, hand in player.player.hands.items():
            _draw_hand(canvas, hand.points * scale, player.headgear[side], thickness)
    notes = [note for player in reading.players for note in notes_about(player, scale, banners or {}, texts)]
    draw_notes(canvas, notes, _obstacles(reading, scale), _widest_letters(canvas, reading, scale))
    return canvas


def _enlarged(image: Image) -> tuple[Image, float]:
    scale = max(1.0, SHORTEST_SIDE / min(image.shape[:2]))
    if scale == 1:
        return image.copy(), 1.0
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.uint8), scale


def _widest_letters(canvas: Image, reading: FrameReading, scale: float) -> float:
    """The height of letters to begin with, pixels."""
    shorter = float(min(canvas.shape[:2]))
    largest = LARGEST_LETTERS * shorter
    if not reading.players:
        return largest
    face = float(np.median([player.face.width for player in reading.players])) * scale
    return min(largest, max(LETTERS_TO_FACE * face, SMALLEST_LETTERS * shorter))


def _draw_face(canvas: Image, face: Box, thickness: int) -> None:
    draw_line(canvas, outline(face), WHITE, thickness)


def _draw_hand(canvas: Image, joints: Points, reading: HeadgearReading, thickness: int) -> None:
    """The bones from the wrist through each finger, and across the palm."""
    colour, dashed = headgear_colour(reading.headgear), bool(reading.unclear)
    palm = joints[[0, 5, 9, 13, 17, 0], :2]
    for line in (palm, *(joints[finger, :2] for finger in FINGERS), joints[[0, 1], :2]):
        draw_line(canvas, list(line), colour, thickness, dashed=dashed)
    for x, y in joints[:, :2]:
        cv2.circle(canvas, (round(float(x)), round(float(y))), thickness + 1, BLACK, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(canvas, (round(float(x)), round(float(y))), thickness, colour, cv2.FILLED, cv2.LINE_AA)


def _obstacles(reading: FrameReading, scale: float) -> list[Obstacle]:
    faces = [_obstacle(scaled(player.face, scale), FACE_WEIGHT) for player in reading.players]
    hands = [
        _obstacle(scaled(Box.around(hand.points), scale), HAND_WEIGHT)
        for player in reading.players
        for hand in player.player.hands.values()
    ]
    return faces + hands


def _obstacle(box: Box, weight: float) -> Obstacle:
    return Obstacle(box.x, box.y, box.x + box.width, box.y + box.height, weight)
