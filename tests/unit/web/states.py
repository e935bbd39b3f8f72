"""Table states without a session, of games in files and in memory."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.record.game_file import Entry, GameFile
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, Event, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.table_state import TableState, idle_phase
from bunnymoose_cv.web.live.verdict_view import RoundView, round_view

PLAYERS = ("Red", "Blue", "Green", "Yellow")
CARDS = parse_table("L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2")
BEGUN = GameStarted(PLAYERS, rules_for())
MOOSE = Pose.parse("WU WU")
ROUND = (BetPlaced("Blue"), TableLaid(CARDS), Bam(), PosesJudged(dict.fromkeys(PLAYERS[1:], MOOSE)))
"""Events of a round of four players."""


def rounds_without_bets(pose: Pose) -> tuple[Event, ...]:
    """Return the events of a whole game without bets, in which all players always show the same."""
    return tuple(
        event
        for number in range(8)
        for event in (
            TableLaid(CARDS),
            Bam(),
            PosesJudged(dict.fromkeys((name for name in PLAYERS if name != PLAYERS[-number % 4]), pose)),
        )
    )


OVER = rounds_without_bets(MOOSE)
_NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def state_after(*events: Event, **other: Any) -> TableState:
    """Return the state of a table with a camera after events, with the given other fields."""
    entries = tuple(
        Entry(number, _NOON, "said at the table", "people", event)
        for number, event in enumerate((BEGUN, *events), start=1)
    )
    game = _fold(entries)
    is_frozen = game.phase is Phase.FROZEN
    asked = tuple(seat for seat in game.seats if seat not in game.poses) if is_frozen else ()
    fields: dict[str, Any] = {"asked": asked} | other
    return replace(_at_rest(game, entries, Path("nowhere")), **fields)


def judged_by(author: str, state: TableState) -> TableState:
    """Return a state with another author of all verdicts."""
    entries = tuple(
        replace(entry, who=author) if isinstance(entry.event, PosesJudged) else entry for entry in state.entries
    )
    return replace(state, entries=entries, game=_fold(entries))


def _fold(entries: tuple[Entry, ...]) -> Game:
    return fold((entry.event for entry in entries), (entry.who for entry in entries))


def state_of(file: GameFile, camera: CameraState) -> TableState:
    """Return the state of a game without a session."""
    return replace(_at_rest(file.game, file.entries, file.folder), camera=camera)


def _at_rest(game: Game, entries: tuple[Entry, ...], folder: Path) -> TableState:
    return TableState(
        version=1,
        game=game,
        entries=entries,
        folder=folder,
        camera=CameraState.WATCHING,
        problem="",
        phase=idle_phase(game),
        asked=(),
        judged=None,
        deal=None,
        said=(),
        changes=None,
    )


def view(state: TableState, number: int = 1) -> RoundView:
    found = round_view(state, number)
    assert found is not None
    return found


def restarted(state: TableState) -> TableState:
    """Return the state after a restart, which has no readings in memory."""
    return replace(state, judged=None)
