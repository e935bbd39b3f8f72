"""Ink of all art: colours, line weights, outlined strokes, numerals, and the frame of an SVG.

Art looks like cardboard and wood, so it keeps its daylight colours in the dark. Every colour is a CSS variable, so that
a page may still tint it, with a fallback, so that art can be shown on its own. No element has an id: many images share
one page. Numerals are drawn, since fonts differ between machines and a card's value must be legible from three metres
on every one.
"""

from __future__ import annotations

from html import escape

INK = "var(--art-ink, #35261b)"
PAPER = "var(--art-paper, #fff8e8)"
QUIET = "var(--art-quiet, #7a6854)"
MOOSE = "var(--art-moose, #b56d22)"
RABBIT = "var(--art-rabbit, #6467c0)"
FOREST = "var(--art-forest, #3f7350)"
TONGUE = "var(--art-tongue, #d9586b)"
GOOD = "var(--art-good, #2c7a4b)"
BAD = "var(--art-bad, #b3372f)"
SUN = "var(--art-sun, #e0a126)"

LINE = 5.0
"""Width of an outline, in units of a card that is 200 wide."""

FINE = 3.5
"""Width of lines inside an outline."""


def image(content: str, size: tuple[float, float], name: str = "") -> str:
    """Return a whole SVG without a fixed size; the name, for screen readers, is empty if words beside it say it."""
    spoken = f'role="img" aria-label="{escape(name)}"' if name else 'aria-hidden="true"'
    box = f'viewBox="0 0 {size[0]:g} {size[1]:g}"'
    pen = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="art" {box} {pen} {spoken}>{content}</svg>'


def group(
    content: str, *, move: tuple[float, float] = (0, 0), turn: float = 0, scale: float = 1, flip: bool = False
) -> str:
    """Return elements scaled or flipped left to right, then rotated clockwise by degrees, then moved."""
    steps = [
        f"translate({move[0]:g} {move[1]:g})" if any(move) else "",
        f"rotate({turn:g})" if turn else "",
        f"scale({-scale if flip else scale:g} {scale:g})" if flip or scale != 1 else "",
    ]
    transform = " ".join(filter(None, steps))
    return f'<g transform="{transform}">{content}</g>' if transform else content


def line(path: str, colour: str = INK, width: float = LINE, strength: float = 1) -> str:
    """Return a stroke with round ends."""
    return f'<path d="{path}" stroke="{colour}"{_opacity("stroke", strength)} stroke-width="{width:g}"/>'


def shape(path: str, fill: str, *, strength: float = 1, width: float = LINE) -> str:
    """Return a filled shape with an outline of ink; below full strength its colour is over paper."""
    under = patch(path, PAPER) if strength < 1 else ""
    return (
        f'{under}<path d="{path}" fill="{fill}"{_opacity("fill", strength)} stroke="{INK}" stroke-width="{width:g}"/>'
    )


def patch(path: str, fill: str, strength: float = 1) -> str:
    """Return a filled shape without an outline."""
    return f'<path d="{path}" fill="{fill}"{_opacity("fill", strength)}/>'


def limbs(path: str, fill: str, width: float, *, strength: float = 1, outline: float = LINE) -> str:
    """Return thick rounded strokes that merge into one outlined body; below full strength the colour is over paper."""
    under = line(path, PAPER, width) if strength < 1 else ""
    return line(path, INK, width + 2 * outline) + under + line(path, fill, width, strength)


def dot(x: float, y: float, radius: float, fill: str = INK) -> str:
    """Return a filled circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>'


def disc(x: float, y: float, radius: float, fill: str) -> str:
    """Return a circle with an outline of ink."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="{LINE:g}"/>'


def _opacity(of: str, strength: float) -> str:
    return "" if strength == 1 else f' {of}-opacity="{strength:g}"'


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
    """Draw some of `0`-`9 + − × ± ?` around a middle; the weight is the width of the pen for numerals 40 high."""
    strokes, width = "", 0.0
    for sign in text:
        advance, path = _STROKES[sign]
        strokes += group(line(path, colour, weight), move=(width, 0))
        width += advance + _GAP
    scale = height / HEIGHT
    return group(strokes, move=(middle[0] - (width - _GAP) / 2 * scale, middle[1] - height / 2), scale=scale)


def signed(value: int) -> str:
    """Return a value as printed on a card: `+2`, `−1`, `0`."""
    return f"{value:+d}".replace("-", "−") if value else "0"
