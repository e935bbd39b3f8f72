"""The twelve figures on the trail: a moose and a rabbit for each player, as wooden pieces."""

from __future__ import annotations

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.web.art.ink import INK, PAPER, dot, group, image, limbs, line, patch, shape

SYMBOLS = "●▲■◆★✚"
"""One for each colour, so that colour is never alone."""

_SYMBOL_SHAPES = {
    "●": "M0 -12A12 12 0 1 1 0 12A12 12 0 1 1 0 -12Z",
    "▲": "M0 -13L14 11H-14Z",
    "■": "M-11 -11H11V11H-11Z",
    "◆": "M0 -15L13 0 0 15-13 0Z",
    "★": "M0 -15L4.3 -5.2 14.5 -4.6 6.6 2 9 12.4 0 6.8-9 12.4-6.6 2-14.5 -4.6-4.3 -5.2Z",
    "✚": "M-4.5 -13H4.5V-4.5H13V4.5H4.5V13H-4.5V4.5H-13V-4.5H-4.5Z",
}
_GROWN = {
    Animal.MOOSE: (
        "M38 34C30 36 24 32 20 25L9 21M20 25L11 11M21 25L24 8M27 31L35 17M62 34C70 36 76 32 80 25L91 21M80 25L89 11"
        "M79 25L76 8M73 31L65 17"
    ),
    Animal.RABBIT: "M42 36C38 28 36 22 37 13M58 36C62 28 64 22 63 13",
}
_BROAD = {Animal.MOOSE: 7.5, Animal.RABBIT: 13.0}
_BODY = {
    Animal.MOOSE: (
        "M50 22C62 22 67 30 66 39 66 46 70 49 69 56 68 62 65 65 62 66 76 70 84 86 84 106 84 114 80 116 76 116"
        "H24C20 116 16 114 16 106 16 86 24 70 38 66 35 65 32 62 31 56 30 49 34 46 34 39 33 30 38 22 50 22Z"
    ),
    Animal.RABBIT: (
        "M50 26C63 26 70 34 70 45 70 52 67 57 62 61 76 66 84 84 84 106 84 114 80 116 76 116"
        "H24C20 116 16 114 16 106 16 84 24 66 38 61 33 57 30 52 30 45 30 34 37 26 50 26Z"
    ),
}


_FACE = {
    Animal.MOOSE: dot(42, 37, 3.4)
    + dot(58, 37, 3.4)
    + patch("M50 45C60 45 66 49 66 55 66 62 58 65 50 65S34 62 34 55C34 49 40 45 50 45Z", PAPER, 0.55)
    + line("M45 54V54.2M55 54V54.2", INK, 4.5),
    Animal.RABBIT: dot(42, 43, 3.4)
    + dot(58, 43, 3.4)
    + patch("M50 46C59 46 63 50 63 55 63 60 57 62 50 62S37 60 37 55C37 50 41 46 50 46Z", PAPER, 0.55)
    + patch("M46 50H54C54 53 52 55 50 55S46 53 46 50Z", INK)
    + line("M50 55V58M44 59C46 62 49 61 50 58 51 61 54 62 56 59", INK, 2.5),
}


def figure_art(animal: Animal, colour: str, symbol: str, name: str = "") -> str:
    """A figure, 100 × 120, standing on its lower edge.

    Args:
        colour: a CSS colour, such as `var(--player-1)`.
        symbol: one of `SYMBOLS`, drawn on the figure.
        name: what a screen reader says; empty where words beside it say it.
    """
    body = limbs(_GROWN[animal], colour, _BROAD[animal], outline=4.5) + shape(_BODY[animal], colour)
    light = line("M26 100C27 88 31 78 37 72", PAPER, 4)
    badge = group(
        patch("M0 -21A21 21 0 1 1 0 21A21 21 0 1 1 0 -21Z", PAPER) + patch(_SYMBOL_SHAPES[symbol], INK), move=(50, 90)
    )
    return image(body + _FACE[animal] + light + badge, (100, 120), name)
