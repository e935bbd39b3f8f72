"""Our own numerals and signs, drawn with a round pen.

Fonts differ from machine to machine; a card's value has to be read from three metres on every one.
"""

from __future__ import annotations

from bunnymoose_cv.web.art.ink import group, line

HEIGHT = 40.0
_GAP = 9.0

_STROKES = {
    "0": (20, "M10 2C4 2 1 11 1 20S4 38 10 38 19 29 19 20 16 2 10 2Z"),
    "1": (11, "M1 10 10 2V38"),
    "2": (20, "M1 12C1 6 5 2 10 2 15 2 19 6 19 12 19 19 9 28 1 38H20"),
    "3": (20, "M2 5C4 3 7 2 10 2 15 2 18 6 18 11 18 16 14 19 8 19 15 19 19 23 19 28 19 34 15 38 9 38 6 38 3 37 1 34"),
    "4": (22, "M16 38V2L1 27H22"),
    "5": (19, "M17 2H4L3 18C5 16 7 15 10 15 15 15 18 20 18 26 18 33 14 38 8 38 5 38 3 37 1 35"),
    "6": (20, "M16 2C7 6 1 15 1 26 1 33 5 38 10 38S19 33 19 27 15 17 10 17 2 21 1 26"),
    "7": (19, "M1 2H19C12 13 9 24 7 38"),
    "8": (
        20,
        (
            "M10 2C5 2 3 6 3 10 3 15 7 18 10 19 15 21 19 24 19 29 19 35 15 38 10"
            " 38S1 35 1 29C1 24 5 21 10 19 13 18 17 15 17 10 17 6 15 2 10 2Z"
        ),
    ),
    "9": (20, "M4 38C13 34 19 25 19 14 19 7 15 2 10 2S1 7 1 13 5 23 10 23 18 19 19 14"),
    "+": (20, "M1 21H19M10 12V30"),
    "−": (18, "M1 21H17"),
    "×": (17, "M1 13 16 28M16 13 1 28"),
    "±": (20, "M10 4V24M0 14H20M0 35H20"),
    "?": (18, "M1 11C1 5 4 2 9 2 14 2 17 6 17 11 17 18 9 18 9 26M9 37V37.2"),
}


def numerals(text: str, middle: tuple[float, float], height: float, colour: str, weight: float = 7) -> str:
    """Numerals and signs around a middle.

    Args:
        text: made of `0`-`9 + − × ± ?`.
        weight: of the pen, for numerals 40 high.
    """
    strokes, width = "", 0.0
    for sign in text:
        advance, path = _STROKES[sign]
        strokes += group(line(path, colour, weight), move=(width, 0))
        width += advance + _GAP
    scale = height / HEIGHT
    return group(strokes, move=(middle[0] - (width - _GAP) / 2 * scale, middle[1] - height / 2), scale=scale)


def signed(value: int) -> str:
    """A value as a card prints it: `+2`, `−1`, `0`."""
    return f"{value:+d}".replace("-", "−") if value else "0"
