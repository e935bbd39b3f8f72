"""The standings of an evening as a plot: the spaces of all figures after each round.

A player's rear figure, which decides the ranking, is a thick line with full symbols; the front figure is a thin dashed
line with hollow ones. Symbols and names distinguish the players where colours do not. Besides the plot there is always
a table of the same numbers (pages/history_pages.py), so the plot itself is one image to a screen reader.
Reasons against a library: docs/explanation/decisions/0001-libraries.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import ceil, cos, pi, sin
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.i18n.texts import Texts

Point: TypeAlias = tuple[float, float]
"""Point in the plot, from its upper left corner."""

WIDTH, HEIGHT = 960.0, 480.0
"""Size of the plot in its own coordinates; it is shown in any size."""

LEFT, RIGHT, TOP, BOTTOM = 52.0, 225.0, 18.0, 52.0
"""Margins of the plot, for the numbers of spaces, the names, air, and the numbers of rounds."""

SYMBOL: Final = 8.0
"""Radius of a symbol."""

NAME_HEIGHT: Final = 26.0
"""Height of a name at a line's end."""

LONGEST_NAME: Final = 14
"""Greatest number of letters of a name at its line; the table has the whole name."""

MOST_TICKS: Final = 12

ASIDE: Final = 3.2
"""Offset between the lines of two players, so that equal lines remain visible."""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One player's evening, in a CSS colour: the spaces of both figures at the start and after each round."""

    player: str
    colour: str
    symbol: str
    rear: tuple[int, ...]
    front: tuple[int, ...]


def standings_plot(lines: Sequence[StandingsLine], texts: Texts) -> str:
    """Draw lines, at least one and all of the same length, as SVG without a size of its own.

    Inks follow `--ink`, `--quiet`, `--line` and `--card`.
    """
    scale = _Scale.of(lines)
    drawn = "".join(_line(line, number - (len(lines) - 1) / 2, scale) for number, line in enumerate(lines))
    return (
        f'<svg class="standings-plot" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="{escape("; ".join(_positions(lines, texts)))}">'
        f"{_axes(scale, texts)}{drawn}{_names(lines, scale)}</svg>"
    )


def symbol_path(symbol: str, middle: Point) -> str:
    """Return the outline of a player's symbol as SVG path data; a circle for an unknown symbol."""
    x, y = middle
    corners = [(x + SYMBOL * across, y + SYMBOL * down) for across, down in _OUTLINES.get(symbol, _CIRCLE)]
    return "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in corners) + "Z"


def _ring_of_corners(count: int, reaches: Sequence[float] = (1.0,)) -> tuple[Point, ...]:
    """Return corners around a middle, the first at the top, with alternating distances."""
    corners = [(reaches[corner % len(reaches)], 2 * pi * corner / count) for corner in range(count)]
    return tuple((reach * sin(turn), -reach * cos(turn)) for reach, turn in corners)


_CIRCLE: Final = _ring_of_corners(24, (0.86,))
_BAR: Final = 0.36
_OUTLINES: Final = {
    "●": _CIRCLE,
    "▲": ((0.0, -1.0), (0.95, 0.75), (-0.95, 0.75)),
    "■": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "◆": ((0.0, -1.05), (0.9, 0.0), (0.0, 1.05), (-0.9, 0.0)),
    "★": _ring_of_corners(10, (1.15, 0.5)),
    "✚": (
        *((-_BAR, -1.0), (_BAR, -1.0), (_BAR, -_BAR), (1.0, -_BAR), (1.0, _BAR), (_BAR, _BAR)),
        *((_BAR, 1.0), (-_BAR, 1.0), (-_BAR, _BAR), (-1.0, _BAR), (-1.0, -_BAR), (-_BAR, -_BAR)),
    ),
}
"""Corners of each symbol, from its middle, at distances of about 1."""


@dataclass(frozen=True, slots=True)
class _Scale:
    rounds: int
    lowest: int
    highest: int

    @classmethod
    def of(cls, lines: Sequence[StandingsLine]) -> _Scale:
        lowest = min(min(line.rear) for line in lines)
        highest = max(max(line.front) for line in lines)
        return cls(len(lines[0].rear) - 1, lowest, max(highest, lowest + 1))

    def at(self, number: int, space: float, aside: float = 0.0) -> Point:
        x = LEFT + (WIDTH - LEFT - RIGHT) * number / max(1, self.rounds)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (space - self.lowest) / (self.highest - self.lowest)
        return x + aside, y - aside


def _axes(scale: _Scale, texts: Texts) -> str:
    """Draw the spaces as horizontal lines, and the numbers of rounds below."""
    right = scale.at(scale.rounds, 0)[0] if scale.rounds else WIDTH - RIGHT
    across = "".join(
        f'<path d="M{LEFT:g} {(y := scale.at(0, space)[1]):.1f}H{right:.1f}" stroke="var(--line)" fill="none"/>'
        f"{_text(f'{space}', (LEFT - 16, y), 'end')}"
        for space in _ticks(scale.lowest, scale.highest)
    )
    below = "".join(
        _text(f"{number}", (scale.at(number, 0)[0], HEIGHT - BOTTOM + 28), "middle")
        for number in _ticks(0, scale.rounds)
    )
    title = _text(texts("Round"), (right + 30, HEIGHT - BOTTOM + 28), "start")
    return f"<g>{across}{below}{title}</g>"


def _ticks(first: int, last: int) -> range:
    """Return at most `MOST_TICKS` whole numbers in equal steps from the first on."""
    return range(first, last + 1, max(1, ceil((last - first + 1) / MOST_TICKS)))


def _line(line: StandingsLine, aside: float, scale: _Scale) -> str:
    pieces = []
    for spaces, width, dashes, fill in (
        (line.front, 2, ' stroke-dasharray="7 6"', "var(--card)"),
        (line.rear, 4, "", line.colour),
    ):
        places = [scale.at(number, space, ASIDE * aside) for number, space in enumerate(spaces)]
        way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        symbols = "".join(symbol_path(line.symbol, place) for place in places)
        pieces.append(
            f'<path d="{way}" fill="none" stroke-width="{width}"{dashes}/>'
            f'<path d="{symbols}" fill="{fill}" stroke-width="2"/>'
        )
    return f'<g stroke="{escape(line.colour)}" stroke-linejoin="round" stroke-linecap="round">{"".join(pieces)}</g>'


def _names(lines: Sequence[StandingsLine], scale: _Scale) -> str:
    """Draw each name at the end of its rear line, or as near as there is room."""
    ends = [scale.at(scale.rounds, line.rear[-1]) for line in lines]
    heights = apart([y for _, y in ends], NAME_HEIGHT, TOP + NAME_HEIGHT / 2, HEIGHT - BOTTOM)
    return "".join(_name(line, (end[0] + 24, y)) for line, end, y in zip(lines, ends, heights, strict=True))


def _name(line: StandingsLine, place: Point) -> str:
    short = line.player if len(line.player) <= LONGEST_NAME else f"{line.player[: LONGEST_NAME - 1]}…"
    outline = symbol_path(line.symbol, (place[0] + SYMBOL, place[1]))
    name = _text(short, (place[0] + 26, place[1]), "start", "var(--ink)")
    return f'<path d="{outline}" fill="{escape(line.colour)}"/>{name}'


def apart(wanted: Sequence[float], least: float, first: float, last: float) -> list[float]:
    """Return heights as near as possible to the wanted ones, in the same order, at least `least` apart.

    The first is the upper limit; the last is the lower one, which is exceeded only by too many heights.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    heights = [max(first, wanted[index]) for index in order]
    for lower in range(1, len(heights)):
        heights[lower] = max(heights[lower], heights[lower - 1] + least)
    room = last
    for upper in reversed(range(len(heights))):
        heights[upper] = max(first + upper * least, min(heights[upper], room))
        room = heights[upper] - least
    return [heights[order.index(index)] for index in range(len(wanted))]


def _text(text: str, place: Point, anchor: str, ink: str = "var(--quiet)") -> str:
    return (
        f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" text-anchor="{anchor}" dominant-baseline="central" '
        f'fill="{ink}" font-size="19" font-family="inherit">{escape(text)}</text>'
    )


def _positions(lines: Sequence[StandingsLine], texts: Texts) -> Iterator[str]:
    """Yield the current positions for screen readers; the table has the rest."""
    yield texts("Standings after round {number}", number=len(lines[0].rear) - 1)
    for line in sorted(lines, key=lambda player: (player.rear[-1], player.front[-1]), reverse=True):
        yield texts(
            "{player}: rear figure on space {rear}, front figure on space {front}",
            player=line.player,
            rear=line.rear[-1],
            front=line.front[-1],
        )
