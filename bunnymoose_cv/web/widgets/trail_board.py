"""The trail with its figures, which walk when they move.

The trail slides: spaces are laid at the front and taken from the rear, and it may be extended at the rear. A wide
screen shows it as one row, a phone as two that wind. Figures on one space stand in rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.web.art.figure_art import figure_art
from bunnymoose_cv.web.live.player_styles import style_of
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.trail import Trail

STEP_S: Final = 0.35
"""Delay between two figures that walk one after the other, so that people can follow."""

STANDING: Final = 0.28
"""Height above the ground at which figures stand on the stones, in widths of a space."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Position of a figure.

    Attributes:
        space: counted as `Places` does.
        column: on its space, from the rear, from 0.
        row: on its space, from the ground, from 0.
        columns: how many columns there are on its space.
    """

    space: int
    column: int
    row: int
    columns: int


def spaces_of(trail: Trail) -> range:
    """The spaces that lie on the table: as at the start, unless somebody passed an end."""
    foremost, rearmost = max(trail.places.values()), min(trail.places.values())
    first = max(foremost - trail.spaces + 1, min(rearmost, 1))
    return range(first, first + trail.spaces)


def spots_of(trail: Trail) -> Mapping[Figure, Spot]:
    """Positions of all figures, so that none covers another."""
    spots = {}
    for space in set(trail.places.values()):
        here = [figure for figure, place in trail.places.items() if place == space]
        columns = _columns(len(here))
        for number, figure in enumerate(here):
            spots[figure] = Spot(space, number % columns, number // columns, columns)
    return spots


def _columns(figures: int) -> int:
    """Number of columns in which figures stand on one space."""
    return 1 if figures == 1 else 2 if figures <= 4 else 3  # two rows of two, then rows of three


def height_of(spots: Iterable[Spot]) -> float:
    """Height of the figures, in widths of a space; static/table.css draws them so large."""
    sizes = ((spot, min(1.2 * 0.92 / spot.columns, 0.74)) for spot in spots)
    return max(STANDING + size * (0.92 * spot.row + 1.2) for spot, size in sizes)


def walks_of(game: Game) -> Mapping[Figure, int]:
    """Figures that moved in the last round, each with its turn in the order of moves."""
    moves = game.rounds[-1].moves if game.rounds else ()
    return {figure: turn for turn, figure in enumerate(dict.fromkeys(move.figure for move in moves))}


def place_style(place: int, spaces: range) -> str:
    """The variables of the style sheet (table.css) that put something on a space: in one row, and in two that wind."""
    across, half = place - spaces.start, ceil(len(spaces) / 2)
    winds = across >= half
    return f"--across:{across};--turn:{2 * half - 1 - across if winds else across};--up:{int(winds)}"


def trail_html(game: Game, texts: Texts) -> Markup:
    """Trail in words and as a drawing, whose keyed figures are animated between updates."""
    trail, spaces = game.trail, spaces_of(game.trail)
    spots, turns = spots_of(trail), walks_of(game)
    tall = height_of(spots.values())
    figures = [
        {
            "key": f"{figure.animal.value} {figure.player}",
            "place": ";".join((place_style(spot.space, spaces), _stand_style(spot, turns.get(figure, 0)))),
            "art": _art(figure, game),
        }
        for figure, spot in ((each, spots[each]) for each in _figures(game))
    ]
    return render(
        "table/trail",
        texts,
        lines=tuple(_describe_figures(trail, texts)),
        ground=f"--spaces:{len(spaces)};--half:{ceil(len(spaces) / 2)};--tall:{tall:.2f}",
        figures=figures,
        spaces=[{"number": place, "place": place_style(place, spaces)} for place in spaces],
    )


def _figures(game: Game) -> Iterator[Figure]:
    """All figures in an order that no move changes."""
    return (Figure(player, animal) for player in game.players for animal in (Animal.MOOSE, Animal.RABBIT))


def _stand_style(spot: Spot, turn: int) -> str:
    """The variables that put a figure beside the others on its space, when it is its turn."""
    return f"--column:{spot.column};--row:{spot.row};--columns:{spot.columns};--wait:{turn * STEP_S:g}s"


def _art(figure: Figure, game: Game) -> Markup:
    style = style_of(figure.player, game)
    return drawing(figure_art(figure.animal, style.colour, style.symbol))


def _describe_figures(trail: Trail, texts: Texts) -> Iterator[str]:
    """Describe the trail for screen readers."""
    for player in dict.fromkeys(figure.player for figure in trail.places):
        moose, rabbit = (trail.places[Figure(player, animal)] for animal in (Animal.MOOSE, Animal.RABBIT))
        yield texts(
            "{player}: moose on space {moose}, rabbit on space {rabbit}", player=player, moose=moose, rabbit=rabbit
        )
