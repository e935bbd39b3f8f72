"""The twelve figures on the trail: a moose and a rabbit for each player, as wooden pieces. Owns no colours of players."""

from __future__ import annotations

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.screen.art.ink import INK, PAPER, dot, group, line, patch, picture, shape

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
_BODIES = {
    Animal.MOOSE: (
        "M38 38C30 36 22 34 18 26 14 30 8 26 9 18 4 12 8 4 15 7 18 1 26 4 26 11 28 18 34 24 40 27 43 22 57 22 60 27"
        " 66 24 72 18 74 11 74 4 82 1 85 7 92 4 96 12 91 18 92 26 86 30 82 26 78 34 70 36 62 38 64 44 64 50 62 56"
        " 76 62 84 84 84 106 84 114 80 116 76 116H24C20 116 16 114 16 106 16 84 24 62 38 56 36 50 36 44 38 38Z"
    ),
    Animal.RABBIT: (
        "M38 34C28 22 26 4 35 3 44 3 47 18 48 27H52C53 18 56 3 65 3 74 4 72 22 62 34 69 42 69 52 63 58"
        " 76 64 84 84 84 106 84 114 80 116 76 116H24C20 116 16 114 16 106 16 84 24 64 37 58 31 52 31 42 38 34Z"
    ),
}


def figure_art(animal: Animal, colour: str, symbol: str, name: str = "") -> str:
    """A figure, 100 × 120, standing on its lower edge.

    Args:
        animal: moose or rabbit.
        colour: a CSS colour, such as `var(--player-1)`.
        symbol: one of `SYMBOLS`, drawn on the figure.
        name: what a screen reader says; empty where words beside it say it.
    """
    body = shape(_BODIES[animal], colour)
    eyes = dot(44, 42, 3.4) + dot(56, 42, 3.4)
    light = line("M26 100C27 88 31 78 37 72", PAPER, 4)
    badge = group(
        patch("M0 -21A21 21 0 1 1 0 21A21 21 0 1 1 0 -21Z", PAPER) + patch(_SYMBOL_SHAPES[symbol], INK), move=(50, 88)
    )
    return picture(body + eyes + light + badge, (100, 120), name)


def symbol_art(symbol: str, colour: str) -> str:
    """A player's symbol in the player's colour, 40 × 40, for beside a name."""
    return picture(group(shape(_SYMBOL_SHAPES[symbol], colour, width=3), move=(20, 20)), (40, 40), "")
