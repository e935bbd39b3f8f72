"""The rounds of a game as a table for spreadsheets: a line for each player in each round.

What people typed may begin as a formula does; a spreadsheet must take it for text, so it gets an apostrophe before it.
"""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.record.past_evening import corrections
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.trail import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.rules.round import Round

COLUMNS: Final = (
    *("round", "narrator", "bet", "cards", "player", "seat", "pose", "animal", "species", "score"),
    *("moose on space", "rabbit on space", "put right by"),
)

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - the wide signs count too
"""Characters that a spreadsheet takes for the beginning of a formula."""


def rounds_csv(file: GameFile, delimiter: str = ",") -> str:
    """All rounds that are over, with a heading; `score` is empty for a bush and for the narrator, who has no seat.

    Args:
        delimiter: a semicolon for spreadsheets in languages with a decimal comma, which take no other.
    """
    text = StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(COLUMNS)
    for played in file.game.rounds:
        entries = corrections(file.standing, played.facts.number)
        writer.writerows([guarded(cell) for cell in row] for row in _rows(played, entries))
    return text.getvalue()


def guarded(cell: str | int | None) -> str | int | None:
    """A cell that no spreadsheet takes for a formula; numbers are none."""
    dangerous = isinstance(cell, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA))
    return f"'{cell}" if dangerous else cell


def _rows(played: Round, entries: Iterable[Entry]) -> Iterator[tuple[str | int | None, ...]]:
    facts = played.facts
    about = (facts.number, facts.narrator, facts.bet, format_table(facts.cards))
    for verdict in played.verdicts:
        score = verdict.score
        shown = (str(score.pose), score.pose.animal.value, score.species.value, score.total)
        righters = ", ".join(dict.fromkeys(entry.who for entry in entries if _concerns(entry, verdict.player)))
        yield (*about, verdict.player, verdict.seat, *shown, *_places(played, verdict.player), righters)
    yield (*about, facts.narrator, None, None, None, None, None, *_places(played, facts.narrator), None)


def _places(played: Round, player: str) -> tuple[int, int]:
    places = played.trail.places
    return places[Figure(player, Animal.MOOSE)], places[Figure(player, Animal.RABBIT)]


def _concerns(entry: Entry, player: str) -> bool:
    """Tell if something that was put right changed what a player's line tells; cards and bet are on every line."""
    match entry.event:
        case PoseCorrected(player=shown):
            return shown == player
        case TableCorrected() | BetCorrected():
            return True
        case _:
            return False
