"""Ink of all art: colours, line weights, outlined strokes, the frame of an SVG.

What is drawn is of cardboard and wood: it keeps its daylight colours in the dark, as it would on a table. Every colour
is a CSS variable, so that a page may still tint it, with a fallback, so that art shows on its own. No element has an
id: many images stand on one page.
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
"""Width of what is drawn inside an outline."""


def image(content: str, size: tuple[float, float], name: str) -> str:
    """A whole SVG of no fixed size.

    Args:
        size: width and height of its own coordinates, origin top left.
        name: what a screen reader says; empty where words beside the image say it already.
    """
    spoken = f'role="img" aria-label="{escape(name)}"' if name else 'aria-hidden="true"'
    box = f'viewBox="0 0 {size[0]:g} {size[1]:g}"'
    pen = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="art" {box} {pen} {spoken}>{content}</svg>'


def group(
    content: str, *, move: tuple[float, float] = (0, 0), turn: float = 0, scale: float = 1, flip: bool = False
) -> str:
    """Elements scaled or flipped left to right, then turned by degrees clockwise, then moved."""
    steps = [
        f"translate({move[0]:g} {move[1]:g})" if any(move) else "",
        f"rotate({turn:g})" if turn else "",
        f"scale({-scale if flip else scale:g} {scale:g})" if flip or scale != 1 else "",
    ]
    transform = " ".join(filter(None, steps))
    return f'<g transform="{transform}">{content}</g>' if transform else content


def line(path: str, colour: str = INK, width: float = LINE, strength: float = 1) -> str:
    """A stroke with round ends."""
    return f'<path d="{path}" stroke="{colour}"{_opacity("stroke", strength)} stroke-width="{width:g}"/>'


def shape(path: str, fill: str, *, strength: float = 1, width: float = LINE) -> str:
    """A filled shape with an outline of ink; below full strength its colour lies on paper."""
    under = patch(path, PAPER) if strength < 1 else ""
    return (
        f'{under}<path d="{path}" fill="{fill}"{_opacity("fill", strength)} stroke="{INK}" stroke-width="{width:g}"/>'
    )


def patch(path: str, fill: str, strength: float = 1) -> str:
    """A filled shape without an outline."""
    return f'<path d="{path}" fill="{fill}"{_opacity("fill", strength)}/>'


def limbs(path: str, fill: str, width: float, *, strength: float = 1, outline: float = LINE) -> str:
    """Thick rounded strokes that grow together into one outlined body: fingers, legs, antlers.

    Below full strength the colour lies on paper.
    """
    under = line(path, PAPER, width) if strength < 1 else ""
    return line(path, INK, width + 2 * outline) + under + line(path, fill, width, strength)


def dot(x: float, y: float, radius: float, fill: str = INK) -> str:
    """A filled circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>'


def disc(x: float, y: float, radius: float, fill: str) -> str:
    """A circle with an outline of ink."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="{LINE:g}"/>'


def _opacity(of: str, strength: float) -> str:
    return "" if strength == 1 else f' {of}-opacity="{strength:g}"'
