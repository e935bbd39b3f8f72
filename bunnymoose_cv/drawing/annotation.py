"""Overlay of a reading on its image: faces, hands, and labels with each player's pose.

Colour is never the only distinction. An antler and an ear also differ by their sign and their words, and anything
unclear also has dashes and a question mark. Labels are near their points, in the largest letters with which none
overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.drawing.letters import BOLD, LARGEST_LETTERS, PLAIN, SMALLEST_LETTERS, text_width, write_text
from bunnymoose_cv.drawing.strokes import (
    BLACK,
    ORANGE,
    WHITE,
    Colour,
    Line,
    draw_line,
    headgear_colour,
    headgear_sign,
    outline,
    scaled,
    stroke,
)
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.rules.pose_words import animal_words, headgear_parts, tongue_words
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.hands.hand_geometry import FINGERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.tongue import TongueReading

SHORTEST_SIDE = 480
"""Smallest shorter side of an image, pixels. A smaller image is enlarged to it, to make its words legible."""

LETTERS_TO_FACE = 0.26
"""Largest height of letters, in widths of the median face, so that they do not hide small players."""

FACE_WEIGHT, HAND_WEIGHT = 6.0, 2.0
"""Costs of covering a pixel of a face and a hand, relative to moving a label by one pixel."""

ENGLISH: Final = Texts()


def draw(reading: FrameReading, banners: Mapping[int, str] | None = None, texts: Texts = ENGLISH) -> Image:
    """Draw faces, hands and tongues with their readings, and a banner for each player.

    Args:
        reading: the reading to draw on a copy of its own image.
        banners: announcements by seat, such as `Blue: moose ahead 3`. A seat without one shows its animal.

    Returns:
        a new image, shape (height, width, 3), blue-green-red, of the same size, or enlarged if it was small.
    """
    canvas, scale = _enlarged(reading.image)
    thickness = max(1, round(min(canvas.shape[:2]) / 400))
    faces: list[Obstacle] = []
    hands: list[Obstacle] = []
    for player in reading.players:
        faces.append((scaled(player.face, scale), FACE_WEIGHT))
        draw_line(canvas, outline(faces[-1][0]), WHITE, thickness)
        for side, hand in player.player.hands.items():
            hands.append((scaled(Box.around(hand.points), scale), HAND_WEIGHT))
            _draw_hand(canvas, hand.points * scale, player.headgear[side], thickness)
    notes = [note for player in reading.players for note in notes_about(player, scale, banners or {}, texts)]
    draw_notes(canvas, notes, faces + hands, _widest_letters(canvas, reading, scale))
    return canvas


def _enlarged(image: Image) -> tuple[Image, float]:
    scale = max(1.0, SHORTEST_SIDE / min(image.shape[:2]))
    if scale == 1:
        return image.copy(), 1.0
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.uint8), scale


def _widest_letters(canvas: Image, reading: FrameReading, scale: float) -> float:
    """Return the height of letters to begin with, pixels."""
    shorter = float(min(canvas.shape[:2]))
    largest = LARGEST_LETTERS * shorter
    if not reading.players:
        return largest
    face = float(np.median([player.face.width for player in reading.players])) * scale
    return min(largest, max(LETTERS_TO_FACE * face, SMALLEST_LETTERS * shorter))


def _draw_hand(canvas: Image, joints: Points, reading: HeadgearReading, thickness: int) -> None:
    """Draw the bones from the wrist through each finger, and across the palm."""
    colour, dashed = headgear_colour(reading.headgear), bool(reading.unclear)
    palm = joints[[0, 5, 9, 13, 17, 0], :2]
    for line in (palm, *(joints[finger, :2] for finger in FINGERS), joints[[0, 1], :2]):
        draw_line(canvas, list(line), colour, thickness, dashed=dashed)
    for x, y in joints[:, :2]:
        cv2.circle(canvas, (round(float(x)), round(float(y))), thickness + 1, BLACK, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(canvas, (round(float(x)), round(float(y))), thickness, colour, cv2.FILLED, cv2.LINE_AA)


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """Label before it is placed.

    Attributes:
        lines: the text; the first line is bold.
        anchor: the labelled point, pixels.
        towards: preferred offset of its middle from the anchor, in heights of the letters.
        dashed: True to mark by the border that something is unclear.
        sign: the line art before the text.
        scale: height of its letters relative to the other notes.
    """

    lines: tuple[str, ...]
    colour: Colour
    anchor: tuple[float, float]
    towards: tuple[float, float]
    dashed: bool = False
    sign: Sequence[Line] = ()
    scale: float = 1.0


def notes_about(player: PlayerReading, scale: float, banners: Mapping[int, str], texts: Texts) -> list[Note]:
    """Return the notes about a player. The banner is first, since the first notes choose their places first."""
    face = scaled(player.face, scale)
    text = banners.get(player.seat) or texts(animal_words(player.pose.animal))
    doubt, tongue = bool(player.unclear), player.tongue
    lines = [f"{player.seat}  {text}"]
    if tongue.tongue is Tongue.OUT or tongue.unclear:
        lines.append(f"{texts(tongue_words(tongue.tongue, unclear=tongue.unclear))} · {_sure(tongue, texts)}")
    banner = Note(
        tuple(lines),
        ORANGE if doubt else WHITE,
        (face.centre[0], face.y + face.height),
        (0, 0.9 + 0.72 * len(lines)),
        dashed=doubt,
        scale=1.15,
    )
    notes = (_side_note(player, side, scale, texts) for side in Side)
    return [banner, *(note for note in notes if note is not None)]


def _sure(reading: HeadgearReading | TongueReading, texts: Texts) -> str:
    """Return the confidence of a reading as a percentage."""
    return texts("{confidence:.0%}", confidence=reading.confidence)


def _side_note(player: PlayerReading, side: Side, scale: float, texts: Texts) -> Note | None:
    """Return the note about a side, or None if it surely shows no headgear."""
    reading, hand = player.headgear[side], player.player.hands.get(side)
    if hand is None and not reading.unclear:
        return None
    outward = 1.0 if side is Side.LEFT else -1.0
    x, y = player.player.head.at(1.6 * outward, 1.0)
    if hand is not None:
        x, y = map(float, hand.points[np.argmin(hand.points[:, 1]), :2])
    first, *others = map(texts, headgear_parts(reading.headgear, reading.unclear))
    return Note(
        (first, " · ".join((*others, _sure(reading, texts)))),
        headgear_colour(reading.headgear),
        (x * scale, y * scale),
        (2 * outward, -2.2),
        dashed=bool(reading.unclear),
        sign=headgear_sign(reading.headgear),
    )


Rectangles: TypeAlias = npt.NDArray[np.float64]
"""Rectangles, one per row: left, top, right, bottom."""


class Label(NamedTuple):
    """Size of a label, and the point for its middle, if possible."""

    x: float
    y: float
    width: float
    height: float


Obstacle: TypeAlias = tuple[Box, float]
"""Box that should remain free, and the cost of covering one of its pixels, relative to moving a label by one pixel."""


def place(
    labels: Sequence[Label], obstacles: Sequence[Obstacle], size: tuple[int, int], gap: float
) -> tuple[tuple[int, int], ...] | None:
    """Return the upper left corner of each label, or None if they do not all fit. Earlier labels choose first."""
    placed = np.empty((0, 4))
    corners = []
    for label in labels:
        places = _places(label, size)
        places = places[(_shared(places, placed, gap) == 0).all(1)]
        if len(places) == 0:
            return None
        best = places[np.argmin(_cost(places, label, obstacles))]
        placed = np.vstack([placed, best])
        corners.append((int(best[0]), int(best[1])))
    return tuple(corners)


STEP = 0.75
"""Step between candidate places, in heights of the label."""


def _places(label: Label, size: tuple[int, int]) -> Rectangles:
    """Return the candidate places of a label: a grid over the whole image, one of which is centred on its point."""
    lefts = _steps(label.x - label.width / 2, label.width, size[0], STEP * label.height)
    tops = _steps(label.y - label.height / 2, label.height, size[1], STEP * label.height)
    left, top = (grid.ravel() for grid in np.meshgrid(lefts, tops))
    return np.stack([left, top, left + np.ceil(label.width), top + np.ceil(label.height)], 1)


def _steps(wanted: float, length: float, whole: int, step: float) -> npt.NDArray[np.float64]:
    """Return whole pixels at which a stretch may begin. The result is empty if it is longer than the whole."""
    last = whole - np.ceil(length)
    if last < 0:
        return np.empty(0)
    step = max(1.0, step)
    grid = np.arange(wanted % step, last + 1, step)
    return np.asarray(np.unique(np.floor(np.append(grid, np.clip(wanted, 0, last)))), np.float64)


def _shared(places: Rectangles, others: Rectangles, gap: float) -> npt.NDArray[np.float64]:
    """Return the area that each place shares with each of the others, grown by a gap, shape (places, others)."""
    low = np.maximum(places[:, None, :2], others[None, :, :2] - gap)
    high = np.minimum(places[:, None, 2:], others[None, :, 2:] + gap)
    return np.asarray(np.prod(np.maximum(high - low, 0), axis=2), np.float64)


def _cost(places: Rectangles, label: Label, obstacles: Sequence[Obstacle]) -> npt.NDArray[np.float64]:
    """Return the cost of each place: its distance from the point, plus the obstacles under it."""
    middles = (places[:, :2] + places[:, 2:]) / 2
    distance = np.linalg.norm(middles - (label.x, label.y), axis=1)
    corners = [(box.x, box.y, box.x + box.width, box.y + box.height) for box, _ in obstacles]
    weights = np.array([weight for _, weight in obstacles])
    covered = _shared(places, np.array(corners).reshape(-1, 4), gap=0.0) @ weights / label.height
    return np.asarray(distance + covered, np.float64)


SHRINKING = 0.88
PADDING = 0.35
LINE_HEIGHT = 1.25
SIGN_SIDE = 1.5
"""Side of a sign, in heights of the letters, as are padding and line height."""


def draw_notes(canvas: Image, notes: Sequence[Note], obstacles: Sequence[Obstacle], letters: float) -> None:
    """Draw all labels in the largest letters with which none covers another, or none if letters get too small."""
    height, width = canvas.shape[:2]
    while letters >= _FEWEST_PIXELS:
        labels = [_label(note, letters) for note in notes]
        corners = place(labels, obstacles, (width, height), gap=max(2.0, 0.2 * letters))
        if corners is not None:
            for note, label, corner in zip(notes, labels, corners, strict=True):
                _draw_leader(canvas, note, label, corner, letters)
            for note, label, corner in zip(notes, labels, corners, strict=True):
                _draw_note(canvas, note, label, corner, letters)
            return
        letters *= SHRINKING


_FEWEST_PIXELS = 4.0
"""Smallest legible height of letters, pixels. With so many players that it is reached, only lines are drawn."""


def _label(note: Note, letters: float) -> Label:
    own = note.scale * letters
    widest = max(text_width(line, own, _weight(number)) for number, line in enumerate(note.lines))
    width = widest + 2 * PADDING * own + (1 + PADDING) * SIGN_SIDE * own * bool(note.sign)
    height = LINE_HEIGHT * own * len(note.lines) + 2 * PADDING * own
    x, y = note.anchor
    return Label(x + note.towards[0] * letters, y + note.towards[1] * letters, np.ceil(width), np.ceil(height))


def _weight(line_number: int) -> int:
    return BOLD if line_number == 0 else PLAIN


def _draw_leader(canvas: Image, note: Note, label: Label, corner: tuple[int, int], letters: float) -> None:
    """Draw a line from a label to its anchor, if it could not be placed nearby."""
    nearest = np.clip(note.anchor, corner, (corner[0] + label.width, corner[1] + label.height))
    ends = [np.asarray(note.anchor, np.float32), np.asarray(nearest, np.float32)]
    if np.linalg.norm(ends[0] - ends[1]) > 1.5 * letters:
        draw_line(canvas, ends, note.colour, max(1, round(letters / 12)))


def _draw_note(canvas: Image, note: Note, label: Label, corner: tuple[int, int], letters: float) -> None:
    own, thickness = note.scale * letters, max(1, round(letters / 12))
    left, top = corner
    right, bottom = left + int(label.width), top + int(label.height)
    ground = canvas[top:bottom, left:right]
    ground[:] = ground // 6
    frame = Box(left + thickness / 2, top + thickness / 2, label.width - thickness, label.height - thickness)
    draw_line(canvas, outline(frame), note.colour, thickness, dashed=note.dashed)
    x, y = left + PADDING * own, top + PADDING * own
    if note.sign:
        side = SIGN_SIDE * own
        start = np.array([x, (top + bottom - side) / 2], np.float32)
        stroke(
            canvas,
            [start + side * np.array(line, np.float32) for line in note.sign],
            note.colour,
            max(1, round(own / 9)),
        )
        x += side + PADDING * own
    for number, text in enumerate(note.lines):
        baseline = y + (number + 0.9) * LINE_HEIGHT * own - 0.1 * own
        write_text(canvas, text, (x, baseline), own, _weight(number))
