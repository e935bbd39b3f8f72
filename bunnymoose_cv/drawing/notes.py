"""Notes about a player, and the points that they name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.drawing.headgear_signs import Line, headgear_colour, headgear_sign
from bunnymoose_cv.drawing.pose_words import animal_words, headgear_parts, tongue_words
from bunnymoose_cv.drawing.strokes import (
    ORANGE,
    WHITE,
    Colour,
    scaled,
)
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Side, Tongue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import PlayerReading
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

ENGLISH: Final = Texts()


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """A label before it has a place.

    Attributes:
        lines: its text; the first line is bold.
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


def notes_about(player: PlayerReading, scale: float, banners: Mapping[int, str], texts: Texts) -> list[Note]:
    """The banner first, since the first ones choose their places first."""
    face = scaled(player.face, scale)
    text = banners.get(player.seat) or texts(animal_words(player.pose.animal))
    doubt = bool(player.unclear)
    lines = (f"{player.seat}  {text}", *_tongue_lines(player.tongue, texts))
    banner = Note(
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
    """Lines about a tongue that is out or in doubt; none about any other."""
    if reading.tongue is Tongue.IN and not reading.unclear:
        return ()
    return (f"{texts(tongue_words(reading))} · {_sure(reading, texts)}",)


def _sure(reading: HeadgearReading | TongueReading, texts: Texts) -> str:
    """Confidence of a reading as a percentage."""
    return texts("{confidence:.0%}", confidence=reading.confidence)


def _side_note(player: PlayerReading, side: Side, scale: float, texts: Texts) -> Note | None:
    """Label of a side; None where there is surely no headgear."""
    reading, hand = player.headgear[side], player.player.hands.get(side)
    if hand is None and not reading.unclear:
        return None
    x, y = _hand_top(hand) if hand is not None else player.player.head.at(1.6 if side is Side.LEFT else -1.6, 1.0)
    outward = 1.0 if side is Side.LEFT else -1.0
    first, *others = map(texts, headgear_parts(reading.headgear, reading.unclear))
    return Note(
        (first, " · ".join((*others, _sure(reading, texts)))),
        headgear_colour(reading.headgear),
        (x * scale, y * scale),
        (2 * outward, -2.2),
        dashed=bool(reading.unclear),
        sign=headgear_sign(reading.headgear),
    )


def _hand_top(hand: HandLandmarks) -> tuple[float, float]:
    """The highest joint of a hand."""
    x, y = hand.points[np.argmin(hand.points[:, 1]), :2]
    return float(x), float(y)
