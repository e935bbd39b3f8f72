"""A reading drawn on its picture so that a person at the table understands it at a glance.

Colours are Okabe and Ito's, which colour-blind people tell apart (Color Universal Design, 2008), and never stand alone:
an antler and an ear also differ by their sign and their words, what is unclear also by dashes and a question mark.
OpenCV 5 brings the font; it writes every European letter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np

from bunnymoose_cv.drawing.label_layout import Label, Obstacle, place
from bunnymoose_cv.drawing.pose_words import animal_words, headgear_parts, tongue_words
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Side, Spread, Tongue
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.hands.hand_geometry import FINGERS

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.rules.pose import Headgear
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

Colour: TypeAlias = tuple[int, int, int]
"""Blue, green, red."""

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
SKY_BLUE: Colour = (233, 180, 86)
YELLOW: Colour = (66, 228, 240)
ORANGE: Colour = (0, 159, 230)
GREY: Colour = (190, 190, 190)

Line: TypeAlias = Sequence[tuple[float, float]]
"""Points of a sign, in its side: left upper corner (0, 0), right lower corner (1, 1)."""

SHORTEST_SIDE = 480
"""A picture whose shorter side has fewer pixels is enlarged to this, or its words could not be read."""

LARGEST_LETTERS, SMALLEST_LETTERS = 0.042, 0.012
"""Height of the letters, in the picture's shorter side: they begin large and shrink until all labels fit."""

SHRINKING = 0.88

LETTERS_TO_FACE = 0.26
"""Letters are not higher than this share of the middle face's width, so that they do not drown small players."""

BOLD, PLAIN = 700, 500

ENGLISH: Final = Texts()


@dataclass(frozen=True, slots=True, eq=False)
class _Note:
    """A label before it has a place.

    Attributes:
        lines: its text; the first line is bold.
        colour: of its border.
        anchor: what it names, pixels.
        towards: where its middle would like to stand, in heights of its letters from the anchor.
        dashed: whether its border says that something is unclear.
        sign: the line art before its text.
        scale: height of its letters against the others'.
    """

    lines: tuple[str, ...]
    colour: Colour
    anchor: tuple[float, float]
    towards: tuple[float, float]
    dashed: bool = False
    sign: Sequence[Line] = ()
    scale: float = 1.0


def draw(reading: FrameReading, banners: Mapping[int, str] | None = None, texts: Texts = ENGLISH) -> Picture:
    """Draw faces, hands and tongues with what was read of them, and a banner for each player.

    Args:
        reading: what is shown, on its own picture, which stays as it is.
        banners: what is announced about each seat, such as `Blue: moose ahead 3`; a seat without one shows its animal.
        texts: of the language to write in.

    Returns:
        A new picture, shape (height, width, 3), blue-green-red: of the same size, or enlarged where it was small.
    """
    canvas, scale = _enlarged(reading.picture)
    thickness = max(1, round(min(canvas.shape[:2]) / 400))
    for player in reading.players:
        _draw_face(canvas, _scaled(player.face, scale), thickness)
        for side, hand in player.player.hands.items():
            _draw_hand(canvas, hand.points * scale, player.headgear[side], thickness)
    notes = [note for player in reading.players for note in _notes(player, scale, banners or {}, texts)]
    _draw_notes(canvas, notes, _obstacles(reading, scale), _widest_letters(canvas, reading, scale))
    return canvas


def draw_caption(picture: Picture, text: str) -> Picture:
    """Write a line on a dark bar along the picture's lower edge, in letters that fit its width.

    Args:
        picture: shape (height, width, 3), blue-green-red; stays as it is.
        text: one line; an empty one has no bar.

    Returns:
        A new picture of the same size.
    """
    canvas = picture.copy()
    if not text:
        return canvas
    height, width = canvas.shape[:2]
    letters = LARGEST_LETTERS * min(height, width) * CAPTION_SCALE
    letters *= min(1.0, (width - 2 * letters) / _text_width(text, letters, BOLD))
    bar = canvas[height - round(2 * letters) :]
    bar[:] = bar // 6
    cv2.putText(canvas, text, (round(letters), height - round(0.65 * letters)), WHITE, _font(), round(letters), BOLD)
    return canvas


CAPTION_SCALE = 1.4
"""A caption is read from across the room: so much higher than the largest labels are its letters."""


def _enlarged(picture: Picture) -> tuple[Picture, float]:
    scale = max(1.0, SHORTEST_SIDE / min(picture.shape[:2]))
    if scale == 1:
        return picture.copy(), 1.0
    large = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.uint8), scale


def _scaled(box: Box, scale: float) -> Box:
    return Box(box.x * scale, box.y * scale, box.width * scale, box.height * scale)


def _widest_letters(canvas: Picture, reading: FrameReading, scale: float) -> float:
    """The height of letters to begin with, pixels."""
    shorter = float(min(canvas.shape[:2]))
    largest = LARGEST_LETTERS * shorter
    if not reading.players:
        return largest
    face = float(np.median([player.face.width for player in reading.players])) * scale
    return min(largest, max(LETTERS_TO_FACE * face, SMALLEST_LETTERS * shorter))


# What is said about a player, and near what.


def _notes(player: PlayerReading, scale: float, banners: Mapping[int, str], texts: Texts) -> list[_Note]:
    """The banner first, since the first ones choose their places first."""
    face = _scaled(player.face, scale)
    text = banners.get(player.seat) or texts(animal_words(player.pose.animal))
    doubt = bool(player.unclear)
    lines = (f"{player.seat}  {text}", *_tongue_lines(player.tongue, texts))
    banner = _Note(
        lines,
        ORANGE if doubt else WHITE,
        (face.centre[0], face.y + face.height),
        (0, 0.9 + 0.72 * len(lines)),
        dashed=doubt,
        scale=1.15,
    )
    notes = (_side_note(player, side, scale, texts) for side in Side)
    return [banner, *(note for note in notes if note is not None)]


def _tongue_lines(reading: TongueReading, texts: Texts) -> tuple[str, ...]:
    """A tongue is spoken of when it is out or in doubt."""
    if reading.tongue is Tongue.IN and not reading.unclear:
        return ()
    return (f"{texts(tongue_words(reading))} · {_sure(reading, texts)}",)


def _sure(reading: HeadgearReading | TongueReading, texts: Texts) -> str:
    """Confidence of a reading as a percentage."""
    return texts("{confidence:.0%}", confidence=reading.confidence)


def _side_note(player: PlayerReading, side: Side, scale: float, texts: Texts) -> _Note | None:
    """Label of a side; None where there is surely no headgear."""
    reading, hand = player.headgear[side], player.player.hands.get(side)
    if hand is None and not reading.unclear:
        return None
    x, y = _hand_top(hand) if hand is not None else player.player.head.at(1.6 if side is Side.LEFT else -1.6, 1.0)
    outward = 1.0 if side is Side.LEFT else -1.0
    first, *others = map(texts, headgear_parts(reading.headgear, reading.unclear))
    return _Note(
        (first, " · ".join((*others, _sure(reading, texts)))),
        _colour(reading.headgear),
        (x * scale, y * scale),
        (2 * outward, -2.2),
        dashed=bool(reading.unclear),
        sign=_sign(reading.headgear),
    )


def _hand_top(hand: HandLandmarks) -> tuple[float, float]:
    """The highest joint of a hand."""
    x, y = hand.points[np.argmin(hand.points[:, 1]), :2]
    return float(x), float(y)


def _colour(headgear: Headgear) -> Colour:
    if isinstance(headgear, Antler):
        return SKY_BLUE
    return YELLOW if isinstance(headgear, Ear) else GREY


# Line art: an antler's four tines on their stem, an ear's loop.

_STEM = ((0.5, 1.0), (0.5, 0.62))
_TINES = {
    Spread.WIDE: ((0.06, 0.3), (0.34, 0.03), (0.66, 0.03), (0.94, 0.3)),
    Spread.COMPACT: ((0.38, 0.06), (0.46, 0.0), (0.54, 0.0), (0.62, 0.06)),
}
_LOOPS: Mapping[Form, Line] = {
    Form.STRAIGHT: ((0.38, 1.0), (0.28, 0.5), (0.38, 0.08), (0.5, 0.0), (0.62, 0.08), (0.72, 0.5), (0.62, 1.0)),
    Form.FLOPPY: (
        *((0.3, 1.0), (0.26, 0.5), (0.36, 0.18), (0.6, 0.08), (0.84, 0.25)),
        *((0.94, 0.62), (0.82, 0.72), (0.68, 0.46), (0.56, 0.42), (0.54, 1.0)),
    ),
}


def _sign(headgear: Headgear) -> Sequence[Line]:
    """The line art of a headgear; none for nothing."""
    if headgear is None:
        return ()
    if isinstance(headgear, Ear):
        return (_LOOPS[headgear.form],)
    lines = (_STEM, *((_STEM[1], tip) for tip in _TINES[headgear.spread]))
    if headgear.direction is Direction.UP:
        return lines
    return tuple(tuple((x, 1 - y) for x, y in line) for line in lines)


# Faces and hands.


def _draw_face(canvas: Picture, face: Box, thickness: int) -> None:
    _draw_line(canvas, _outline(face), WHITE, thickness)


def _outline(box: Box) -> list[Points]:
    right, bottom = box.x + box.width, box.y + box.height
    corners = ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom), (box.x, box.y))
    return [np.array(corner, np.float32) for corner in corners]


def _draw_hand(canvas: Picture, joints: Points, reading: HeadgearReading, thickness: int) -> None:
    """The bones from the wrist through each finger, and across the palm."""
    colour, dashed = _colour(reading.headgear), bool(reading.unclear)
    palm = joints[[0, 5, 9, 13, 17, 0], :2]
    for line in (palm, *(joints[finger, :2] for finger in FINGERS), joints[[0, 1], :2]):
        _draw_line(canvas, list(line), colour, thickness, dashed=dashed)
    for x, y in joints[:, :2]:
        cv2.circle(canvas, (round(float(x)), round(float(y))), thickness + 1, BLACK, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(canvas, (round(float(x)), round(float(y))), thickness, colour, cv2.FILLED, cv2.LINE_AA)


def _draw_line(
    canvas: Picture, points: Sequence[Points], colour: Colour, thickness: int, *, dashed: bool = False
) -> None:
    """A line with a dark edge, so that it shows on every ground."""
    pieces = _dashes(points, 4 * thickness) if dashed else [np.asarray(points, np.float32)]
    _stroke(canvas, pieces, BLACK, thickness + 2 * max(1, thickness // 2))
    _stroke(canvas, pieces, colour, thickness)


def _stroke(canvas: Picture, pieces: Sequence[Points], colour: Colour, thickness: int) -> None:
    """Lines of one colour, placed to a sixteenth of a pixel."""
    sixteenths = [np.round(piece * 16).astype(np.int32) for piece in pieces]
    cv2.polylines(canvas, sixteenths, False, colour, thickness, cv2.LINE_AA, shift=4)


def _dashes(points: Sequence[Points], length: float) -> list[Points]:
    """A line cut into dashes with gaps as long."""
    dashes = []
    for start, end in pairwise(points):
        count = max(1, round(float(np.linalg.norm(end - start)) / (2 * length)))
        for number in range(count):
            cuts = (number / count, (number + 0.5) / count)
            dashes.append(np.array([start + cut * (end - start) for cut in cuts], np.float32))
    return dashes


# Labels.

PADDING = 0.35
LINE_HEIGHT = 1.25
SIGN_SIDE = 1.5
"""Lengths of a label, in heights of its letters."""

FACE_WEIGHT, HAND_WEIGHT = 6.0, 2.0
"""Costs of covering a face and a hand, relative to the distance from the labelled point."""


def _obstacles(reading: FrameReading, scale: float) -> list[Obstacle]:
    faces = [_obstacle(_scaled(player.face, scale), FACE_WEIGHT) for player in reading.players]
    hands = [
        _obstacle(_scaled(Box.around(hand.points), scale), HAND_WEIGHT)
        for player in reading.players
        for hand in player.player.hands.values()
    ]
    return faces + hands


def _obstacle(box: Box, weight: float) -> Obstacle:
    return Obstacle(box.x, box.y, box.x + box.width, box.y + box.height, weight)


def _draw_notes(canvas: Picture, notes: Sequence[_Note], obstacles: Sequence[Obstacle], letters: float) -> None:
    """Draw all labels in the largest letters with which none covers another."""
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
"""Letters lower than this say nothing; with so many players the lines alone must do."""


def _label(note: _Note, letters: float) -> Label:
    own = note.scale * letters
    text_width = max(_text_width(line, own, _weight(number)) for number, line in enumerate(note.lines))
    width = text_width + 2 * PADDING * own + (1 + PADDING) * SIGN_SIDE * own * bool(note.sign)
    height = LINE_HEIGHT * own * len(note.lines) + 2 * PADDING * own
    x, y = note.anchor
    return Label(x + note.towards[0] * letters, y + note.towards[1] * letters, np.ceil(width), np.ceil(height))


def _weight(line_number: int) -> int:
    return BOLD if line_number == 0 else PLAIN


def _text_width(text: str, letters: float, weight: int) -> float:
    left, _, width, _ = cv2.getTextSize((0, 0), text, (0, 0), _font(), round(letters), weight)
    return float(left + width)


def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


def _draw_leader(canvas: Picture, note: _Note, label: Label, corner: tuple[int, int], letters: float) -> None:
    """A line from a label that could not stand near what it names."""
    nearest = np.clip(note.anchor, corner, (corner[0] + label.width, corner[1] + label.height))
    ends = [np.asarray(note.anchor, np.float32), np.asarray(nearest, np.float32)]
    if np.linalg.norm(ends[0] - ends[1]) > 1.5 * letters:
        _draw_line(canvas, ends, note.colour, max(1, round(letters / 12)))


def _draw_note(canvas: Picture, note: _Note, label: Label, corner: tuple[int, int], letters: float) -> None:
    own, thickness = note.scale * letters, max(1, round(letters / 12))
    left, top = corner
    right, bottom = left + int(label.width), top + int(label.height)
    ground = canvas[top:bottom, left:right]
    ground[:] = ground // 6
    frame = Box(left + thickness / 2, top + thickness / 2, label.width - thickness, label.height - thickness)
    _draw_line(canvas, _outline(frame), note.colour, thickness, dashed=note.dashed)
    x, y = left + PADDING * own, top + PADDING * own
    if note.sign:
        side = SIGN_SIDE * own
        start = np.array([x, (top + bottom - side) / 2], np.float32)
        _stroke(
            canvas,
            [start + side * np.array(line, np.float32) for line in note.sign],
            note.colour,
            max(1, round(own / 9)),
        )
        x += side + PADDING * own
    for number, text in enumerate(note.lines):
        baseline = y + (number + 0.9) * LINE_HEIGHT * own - 0.1 * own
        cv2.putText(canvas, text, (round(x), round(baseline)), WHITE, _font(), round(own), _weight(number))
