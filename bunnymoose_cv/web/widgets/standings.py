"""Standings: the trail with its figures, the ranking, the summary of an evening, and the podium of a game that is over.

The trail slides: spaces are laid at the front and taken from the rear, and it may be extended at the rear. A wide
screen shows it as one row, a phone as two that wind. Figures on one space stand in rows and walk when they move.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

import segno

from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.art.animals import figure_art
from bunnymoose_cv.art.art_names import pose_name
from bunnymoose_cv.art.head_art import pose_art
from bunnymoose_cv.art.standings_plot import StandingsLine, standings_plot
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.input_file import is_visible
from bunnymoose_cv.record.past_evening import standings
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.web.auth.permissions import Action, Role
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.round_evidence import round_evidence_view
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import JOIN
from bunnymoose_cv.web.widgets.landmarks import still_image

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import Verdict
    from bunnymoose_cv.rules.trail import Trail
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.player_styles import PlayerStyle


STEP_S: Final = 0.35
"""Delay between two figures that walk one after the other, so that people can follow."""

STANDING: Final = 0.28
"""Height above the ground at which figures stand on the stones, in widths of a space."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Position of a figure on a space with a number of columns: its column from the rear, and row from the ground."""

    space: int
    column: int
    row: int
    columns: int


def spaces_of(trail: Trail) -> range:
    """Return the spaces on the table: those of the start, unless a figure has passed an end."""
    foremost, rearmost = max(trail.places.values()), min(trail.places.values())
    first = max(foremost - trail.spaces + 1, min(rearmost, 1))
    return range(first, first + trail.spaces)


def spots_of(trail: Trail) -> Mapping[Figure, Spot]:
    """Return the positions of all figures, so that none covers another."""
    spots = {}
    for space in set(trail.places.values()):
        here = [figure for figure, place in trail.places.items() if place == space]
        columns = _columns(len(here))
        for number, figure in enumerate(here):
            spots[figure] = Spot(space, number % columns, number // columns, columns)
    return spots


def _columns(figures: int) -> int:
    return 1 if figures == 1 else 2 if figures <= 4 else 3 if figures <= 9 else 4  # at most three rows


def height_of(spots: Iterable[Spot]) -> float:
    """Return the height of the tallest stack, in widths of a space; static/table.css uses the same sizes."""
    sizes = ((spot, min(1.2 * 0.92 / spot.columns, 0.74)) for spot in spots)
    return max(STANDING + size * (0.92 * spot.row + 1.2) for spot, size in sizes)


def walks_of(game: Game) -> Mapping[Figure, int]:
    """Return the figures that moved in the last round, each with its turn in the order of moves."""
    moves = game.rounds[-1].moves if game.rounds else ()
    return {figure: turn for turn, figure in enumerate(dict.fromkeys(move.figure for move in moves))}


def place_style(place: int, spaces: range) -> str:
    """Return the CSS variables (table.css) of a position on the trail, for the layouts of one row and of two."""
    across, half = place - spaces.start, ceil(len(spaces) / 2)
    winds = across >= half
    return f"--across:{across};--turn:{2 * half - 1 - across if winds else across};--up:{int(winds)}"


def trail_html(game: Game, texts: Texts) -> Markup:
    """Render the trail in words and as a drawing, whose keyed figures are animated between updates."""
    spaces, styles = spaces_of(game.trail), styles_of(game.players, game.colours)
    spots, turns = spots_of(game.trail), walks_of(game)
    return render(
        "table/trail",
        texts,
        lines=tuple(_describe_figures(game, texts)),
        ground=f"--spaces:{len(spaces)};--half:{ceil(len(spaces) / 2)};--tall:{height_of(spots.values()):.2f}",
        figures=[
            {
                "key": f"{figure.animal.value} {figure.player}",
                "place": _figure_style(spots[figure], spaces, turns.get(figure, 0)),
                "art": _art(figure.animal, styles[figure.player]),
            }
            for figure in game.trail.places  # in an order that moves do not change
        ],
        spaces=[(place, place_style(place, spaces)) for place in spaces],
    )


def _figure_style(spot: Spot, spaces: range, turn: int) -> str:
    """Return the CSS variables that place a figure on its space and among the others there, with its delay."""
    among = f"--column:{spot.column};--row:{spot.row};--columns:{spot.columns};--wait:{turn * STEP_S:g}s"
    return f"{place_style(spot.space, spaces)};{among}"


def _art(animal: Animal, style: PlayerStyle) -> Markup:
    return drawing(figure_art(animal, style.colour, style.symbol))


def _describe_figures(game: Game, texts: Texts) -> Iterator[str]:
    """Describe the trail for screen readers."""
    for player in game.players:
        moose, rabbit = (game.trail.places[Figure(player, animal)] for animal in (Animal.MOOSE, Animal.RABBIT))
        yield texts(
            "{player}: moose on space {moose}, rabbit on space {rabbit}", player=player, moose=moose, rabbit=rabbit
        )


def ranking_html(game: Game, texts: Texts) -> Markup:
    """Render the ranking: the rear figure counts, the front one breaks ties."""
    return render("round/ranking", texts, game=game, styles=styles_of(game.players, game.colours))


def summary_html(game: Game, texts: Texts) -> Markup:
    """Render the ranking, and the figures of all players after each round as plot and table."""
    styles = styles_of(game.players, game.colours)
    lines = [
        StandingsLine(player, styles[player].colour, styles[player].symbol, *both)
        for player, both in standings(game).items()
    ]
    return render(
        "history/summary",
        texts,
        ranking=ranking_html(game, texts),
        plot=drawing(standings_plot(lines, texts)),
        lines=lines,
        rounds=len(game.rounds),
        styles=styles,
    )


_ON_LIGHT: Final = {"dark": "#1f2a22", "light": "#ffffff"}
"""Colours of a code: scanners need dark on light, by day and by night."""


def join_codes(host: Host) -> list[tuple[str, Markup]]:
    """Return the address and code for each network address, the likeliest first; none without a network."""
    addresses = [f"{address}{JOIN}?code={host.access.code}" for address in host.addresses[1:]]
    codes = (segno.make(address, error="m", micro=False) for address in addresses)
    drawn = (drawing(code.svg_inline(border=4, omitsize=True, **_ON_LIGHT)) for code in codes)
    return list(zip(addresses, drawn, strict=True))


STEPS: Final = 3


def podium_html(host: Host, state: TableState, visitor: Visitor) -> Markup:
    """Render the podium of a game that is over; empty before."""
    game, texts = state.game, host.texts
    if game.phase is not Phase.OVER:
        return drawing("")
    styles = styles_of(game.players, game.colours)
    codes = join_codes(host) if visitor.may(Action.ADMIT) else []
    return render(
        "table/podium",
        texts,
        steps=list(_steps(game, styles)),
        styles=styles,
        best=_best_pose(state, texts),
        has_films=has_films(state),
        at_table=visitor.role is Role.OWNER,
        code=codes[0][1] if codes else "",
    )


def has_films(state: TableState) -> bool:
    """Return whether a camera sees the players, or saw them in a round."""
    numbers = range(1, len(state.game.rounds) + 1)
    return state.camera is not CameraState.NONE or any(
        is_visible(round_folder(state.folder, number).json) for number in numbers
    )


def _steps(game: Game, styles: Mapping[str, PlayerStyle]) -> Iterator[Mapping[str, object]]:
    """Yield the steps from the highest; players who share a place stand on one."""
    for place in range(1, STEPS + 1):
        players = [
            (standing, [_art(animal, styles[standing.player]) for animal in (Animal.MOOSE, Animal.RABBIT)])
            for standing in game.ranking
            if standing.place == place
        ]
        if players:
            yield {"place": place, "players": players}


def best_verdict(game: Game) -> tuple[int, Verdict] | None:
    """Return the verdict that paid most, with the number of its round; the first of equals, None if none paid."""
    paid = [
        (played.facts.number, verdict)
        for played in game.rounds
        for verdict in played.verdicts
        if (verdict.score.total or 0) > 0
    ]
    return max(paid, key=lambda numbered: numbered[1].score.total or 0, default=None)


def _best_pose(state: TableState, texts: Texts) -> Mapping[str, object] | None:
    found = best_verdict(state.game)
    if found is None:
        return None
    number, verdict = found
    return {
        "player": verdict.player,
        "number": number,
        "said": announce(verdict.score.species, verdict.score.total, (), texts.language),
        "pose": pose_name(verdict.score.pose, texts),
        "picture": _picture(state, number, verdict, texts),
    }


def _picture(state: TableState, number: int, verdict: Verdict, texts: Texts) -> Markup:
    """Return the player's image at Bam, or a drawing of the pose if no camera saw it."""
    try:
        seen = round_evidence_view(state, number)
    except EvidenceError:
        seen = None
    if seen is None or seen.reading_of(verdict.seat) is None:
        return drawing(pose_art(verdict.score.pose, texts))
    address, seat = f"/still/{number}/{verdict.seat}.jpg", verdict.seat
    return drawing(still_image(address, seen.still_of(seat), seen.player_in(seat), None, verdict.player))
