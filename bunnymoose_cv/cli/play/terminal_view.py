"""Live view in the terminal: the state of the round, the newest reading, the keys."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.cli.tables import answers_line, reading_rows
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.referee.judged_round import JudgedSeat
    from bunnymoose_cv.session.table_state import LatestReading, TableState

KEYS: Final = (
    "space Bam · d that was no Bam · b bet · c cards · s deal · k correct · t contest · u undo · r replay · p pause · "
    "q leave"
)

_COUNTED_S: Final = 3.0
"""Time window for the rate of readings, seconds."""


class TableView:
    """View of the open round, with the newest message for the players."""

    def __init__(self) -> None:
        self.message = ""
        self._latest_reading: LatestReading | None = None
        self._times_s: deque[float] = deque()

    def saw(self, latest_reading: LatestReading, now_s: float) -> None:
        """Store the newest reading and its time; a repeated one is ignored."""
        if self._latest_reading is not None and latest_reading.number == self._latest_reading.number:
            return
        self._latest_reading = latest_reading
        self._times_s.append(now_s)
        while now_s - self._times_s[0] > _COUNTED_S:
            self._times_s.popleft()

    def render(self, state: TableState, line: str) -> RenderableType:
        """Render the whole view with its line: the prompt or, without one, the keys."""
        game = state.game
        if game.phase is Phase.OVER:
            head = "The game is over."
        else:
            bet = f" · bet on {game.bet}" if game.bet else ""
            head = f"Round {game.round_number} · {game.narrator} narrates{bet} · waiting for {game.phase.value}"
        parts = [Text(head, "bold"), Text(f"Cards: {format_table(game.table)}" if game.table else "No card lies yet.")]
        if game.phase is Phase.FROZEN and game.first_pass:
            known = f"{len(game.table)} of {game.rules.piles} piles are known"
            parts.append(Text(f"Please enter the cards: {known} (c, then those of the others, or all)", "yellow"))
        if state.asked:
            parts.append(Text(f"Please check: {', '.join(state.asked)} (k, then the name and what is shown)", "yellow"))
            parts += [Text(line, "yellow") for line in _answers(state)]
        if state.asked_again:
            names = ", ".join(state.asked_again)
            parts.append(Text(f"With these cards it matters, please check: {names} (k)", "yellow"))
        parts += [Text(state.problem, "red")] if state.problem else []
        seats = self._seats_grid(game.seats)
        below = [Text(self.message, "yellow")] if self.message else []
        return Group(*parts, *([] if seats is None else [seats]), *below, Text(line, "dim"))

    def _seats_grid(self, seats: tuple[str, ...]) -> Grid | None:
        if self._latest_reading is None:
            return None
        found, times_s = self._latest_reading.reading.players, self._times_s
        rate = (len(times_s) - 1) / max(1e-6, times_s[-1] - times_s[0])
        title = f"{len(found)} of {len(seats)} players seen · {rate:.1f} readings a second"
        grid = Grid("", "left", "right", "tongue", title=title)
        for player in found:
            grid.add_row(Text(seats[player.seat - 1]), *(words for _, words, *_ in reading_rows(player)))
        return grid


def _answers(state: TableState) -> Iterator[str]:
    """Yield the answers with different moves for each player who is asked, once all cards are known."""
    judged, game = state.judged, state.game
    if judged is None or judged.number != game.round_number or game.first_pass or state.asks_everything:
        return
    for seat in judged.seats:
        move = seat.move(game.table, game.round_rules, judged.threshold) if seat.player in state.asked else None
        if move is not None:
            yield f"{seat.player}: {answers_line(move)}"


def reasons_grid(seat: JudgedSeat) -> RenderableType:
    """Return a table of the reasons for a verdict."""
    if seat.reading is None:
        return Text(f"{seat.player} was not seen.")
    grid = Grid(seat.player, "read", "sure", "because")
    for row in reading_rows(seat.reading):
        grid.add_row(*row)
    return grid
