"""View model of the kept evenings in the history, read all at once.

Reading opens every game's file, so pages call `load` beside the server's loop.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.past_evening import listed_game, past_evening_of
from bunnymoose_cv.web.urls import game_number

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.past_evening import ListedGame, PastEvening
    from bunnymoose_cv.record.stored_game import StoredGame

_DAY_AND_TIME: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)_(\d\d)-(\d\d)", re.ASCII)
"""Beginning of a game folder's name."""


@dataclass(frozen=True, slots=True)
class Evenings:
    """Kept evenings, read at once.

    Attributes:
        listed: all that are kept, the newest first.
        kept: the one that is looked at; None where there is none.
        retold: all that is told of it; None where it cannot be read.
        problem: then one sentence why; else empty.
    """

    listed: tuple[ListedGame, ...] = ()
    kept: StoredGame | None = None
    retold: PastEvening | None = None
    problem: str = ""


def load(games: Iterable[StoredGame], wanted: int | None, playing: Path | None) -> Evenings:
    """Read all that the history shows.

    Args:
        games: those that are kept, the newest first.
        wanted: which one is looked at (`game_number`); None for the one that is played, else the newest.
    """
    try:
        kept = tuple(games)
    except InputError as error:
        return Evenings(problem=error.sentence)
    listed = tuple(map(listed_game, kept))
    number = game_number(playing) if wanted is None and playing is not None else wanted
    chosen = next((each for each in kept if number is None or game_number(each.folder) == number), None)
    if chosen is None:
        return Evenings(listed)
    try:
        return Evenings(listed, chosen, past_evening_of(chosen))
    except InputError as error:
        return Evenings(listed, chosen, problem=error.sentence)


def when(folder: Path, texts: Texts) -> str:
    """Format the start of an evening as the language does: `2026-11-21 20:05`, `21.11.2026, 20:05`."""
    named = _DAY_AND_TIME.match(folder.name)
    if named is None:
        return folder.name
    year, month, day, hour, minute = map(int, named.groups())
    return texts(
        "{year}-{month:02}-{day:02} {hour:02}:{minute:02}", year=year, month=month, day=day, hour=hour, minute=minute
    )
