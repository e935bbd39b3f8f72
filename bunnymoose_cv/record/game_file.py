"""Append-only file of one game's events in SQLite, each with its time, its reason and its author.

The state is always the fold of the events. An event is durable when `append` returns, so an announcement made after it
always agrees with the file. The layout of the file is in game_format.py.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.core.address import without_secrets
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.record.event_json import event_from_json, event_to_json
from bunnymoose_cv.record.game_folders import ProcessLock
from bunnymoose_cv.record.game_format import (
    GameFileError,
    bring_forward,
    cleared,
    connected,
    data_version,
    make_current,
    missing_game,
    reading,
    reserve,
    texts_of,
    transaction,
    wait_for_others,
    writing,
)
from bunnymoose_cv.rules.events import Event, GameStarted, Undone
from bunnymoose_cv.rules.fold import RULES_VERSION, fold, migrate_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bunnymoose_cv.rules.game import Game

GAME_FILE: Final = "game.sqlite"

_MOST_ENTRIES: Final = 100_000
"""Limit of entries; no evening has as many, so a file with more is rejected."""

_UNNUMBERED: Final = 0
"""Number of an entry that has not been written yet."""

MEANWHILE: Final = Phrase("Something has just been corrected: please check again.")
"""Refusal to undo an event that the user has not seen."""


class EventNotStoredError(InputError):
    """Events that could not be written; they remain in memory, and the next append writes them too."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Written event, numbered from 1, with its time in UTC.

    Attributes:
        why: the reason in words, such as `the cue was the space bar` or `contested`.
        who: the author: `referee`, `narrator`, a player's name.
    """

    number: int
    time: datetime
    why: str
    who: str
    event: Event


def standing_entries(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries that have not been undone, without the undos."""
    standing: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, Undone):
            standing.pop()
        else:
            standing.append(entry)
    return tuple(standing)


class GameFile:
    """Stored game, constructed by `create` or `open`. Its methods may be called from any thread.

    Attributes:
        folder: the game's own folder, with the file, the evidence and the films.
        source: the source of its images (a camera, a script), by which an unfinished evening is found again.
        unkept: the number of the newest entries that are not on the disk.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._claim: ProcessLock | None = None
        self._lock = Lock()
        self._foreign: tuple[Entry, ...] = ()  # from other processes, since the last `refresh`
        self._data_version = data_version(connection)  # read before the entries, so that none is missed
        self.unkept = 0
        self.title, self.source = texts_of(connection.execute("SELECT title, source FROM game").fetchone())
        self.entries = self._read_after(())
        self.game = self._folded(self.entries)

    @classmethod
    def create(cls, folder: Path, started: GameStarted, *, title: str = "", source: str = "", who: str) -> Self:
        """Begin a game in a folder of its own, which is created if necessary.

        Raises:
            IllegalEventError: the players cannot play, for example because two have the same name.
            GameFileError: there is a game in the folder, or it cannot be written.
        """
        fold([started])
        path = folder / GAME_FILE
        if path.exists():
            raise GameFileError(f"There is a game in {folder} already: choose another folder, or go on with that game.")
        part = path.with_name(f"{GAME_FILE}.part")
        with writing(folder), cleared(part):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            part.touch(mode=0o600)
            with closing(connected(part)) as connection:
                bring_forward(connection)
                about = as_unicode(title), RULES_VERSION, as_unicode(source)
                connection.execute("INSERT INTO game VALUES (?, ?, ?)", about)
                _insert(connection, [Entry(1, datetime.now(UTC), "the game begins", as_unicode(who), started)])
                connection.execute("COMMIT")
                # The journal of the file that is renamed must not stay behind.
                connection.execute("PRAGMA journal_mode = DELETE")
            part.rename(path)
        with suppress(sqlite3.Error), closing(connected(path)) as connection:  # on a full disk, the game has no reserve
            reserve(connection)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a game, even one left behind by an interrupted run; raise a `GameFileError` if it cannot be read."""
        path = folder / GAME_FILE
        with reading(path):
            if not path.is_file():
                raise missing_game(folder)
            connection = connected(path)
            try:
                connection = make_current(connection, path)
                with suppress(sqlite3.Error):  # on a full disk, an interrupted reserve remains
                    connection.execute("DROP TABLE IF EXISTS reserve")
                return cls(folder, connection)
            except BaseException:
                connection.close()
                raise

    def claim(self) -> None:
        """Lock the game until it is closed, or raise a `GameLockedError`; others may still read and correct it."""
        self._claim = ProcessLock(self.folder)

    @property
    def standing(self) -> tuple[Entry, ...]:
        """The entries that have not been undone, without the undos."""
        return standing_entries(self.entries)

    def append(self, events: Event | Sequence[Event], why: str, who: str) -> Game:
        """Write all of the events or none. When this returns, they are on the disk.

        Events that another process has appended since come first. An undo is refused then, as it would undo an event
        that the user has not seen.

        Raises:
            IllegalEventError: an event cannot follow those before it; then nothing has changed.
            InputError: an undo was refused because another process has appended events, which have been read now.
            EventNotStoredError: the disk is full or gone. The events count in memory; the next append writes them too.
        """
        now, why, who = datetime.now(UTC), as_unicode(why), as_unicode(who)
        each_event = events if isinstance(events, tuple | list) else (events,)
        return self._append([Entry(_UNNUMBERED, now, why, who, event) for event in each_event])

    def take_back(self, number: int, still_true: Iterable[Entry], why: str, who: str) -> Game:
        """Undo the newest events, and rewrite those still true as they were; raise the same errors as `append`."""
        now, why, who = datetime.now(UTC), as_unicode(why), as_unicode(who)
        return self._append([*[Entry(_UNNUMBERED, now, why, who, Undone())] * number, *still_true])

    def refresh(self) -> tuple[Entry, ...]:
        """Read the entries that other processes have appended, without waiting for one that is writing.

        Return all that were read since the last call, here or by an `append`.

        Raises:
            GameFileError: another process has appended an unreadable entry; raised once.
        """
        with reading(self.folder / GAME_FILE), self._lock:
            wait_for_others(self._connection, patient=False)
            try:
                with suppress(sqlite3.Error), transaction(self._connection, "DEFERRED"):  # the next call tries again
                    version, self._data_version = self._data_version, data_version(self._connection)
                    if self._data_version != version:
                        self._take_in()
            finally:
                wait_for_others(self._connection, patient=not self.unkept)
            added, self._foreign = self._foreign, ()
            return added

    def _append(self, happened: Sequence[Entry]) -> Game:
        """Number and append entries; see `append`."""
        with self._lock:
            try:
                with transaction(self._connection, "IMMEDIATE"):
                    if self._take_in() and any(isinstance(entry.event, Undone) for entry in happened):
                        raise InputError(MEANWHILE)
                    entries, game = self._with(self._kept, happened)
                    _insert(self._connection, entries[len(self._kept) :])
            except sqlite3.Error as error:
                kept = self._kept
                self.entries, self.game = self._with(kept, happened)
                self.unkept = len(self.entries) - len(kept)
                wait_for_others(self._connection, patient=False)  # do not block the game again
                raise EventNotStoredError(
                    Phrase(
                        "The game cannot be saved to the disk ({reason}): make room for {folder}. "
                        "Until then it is only in memory.",
                        reason=str(error),
                        folder=str(self.folder),
                    )
                ) from error
            if self.unkept:
                wait_for_others(self._connection, patient=True)
            self.entries, self.game, self.unkept = entries, game, 0
            return game

    def copy_to(self, path: Path) -> None:
        """Copy the game to one file, without a password of a camera in an older game, or raise a `GameFileError`."""
        with writing(path), closing(sqlite3.connect(path)) as copy, self._lock:
            self._connection.backup(copy)
            if (source := without_secrets(self.source)) != self.source:
                copy.execute("UPDATE game SET source = ?", (source,))
                copy.commit()
                copy.execute("VACUUM")

    def close(self) -> None:
        """Write what is only in memory, and close the file; raise an `EventNotStoredError` if that is lost."""
        try:
            if self.unkept:
                wait_for_others(self._connection, patient=True)
                self.append((), "", "")
        except EventNotStoredError as error:
            sentence = Phrase(
                "What was only in memory is lost: it could not be saved to {folder} ({reason}).",
                folder=str(self.folder),
                reason=str(error.__cause__),
            )
            raise EventNotStoredError(sentence) from error
        finally:
            self._connection.close()
            if self._claim is not None:
                self._claim.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _kept(self) -> tuple[Entry, ...]:
        """Entries that are on the disk."""
        return self.entries[: len(self.entries) - self.unkept]

    def _take_in(self) -> bool:
        """Insert entries of other processes before those that are only in memory; return whether there were any."""
        kept = self._kept
        added = self._read_after(kept)
        if added:
            self.entries, self.game = self._with((*kept, *added), ())
            self._foreign = (*self._foreign, *added)
        return bool(added)

    def _with(self, kept: tuple[Entry, ...], happened: Iterable[Entry]) -> tuple[tuple[Entry, ...], Game]:
        """Return the kept entries followed by those in memory and the new ones, numbered, with their folded state."""
        later = (*self.entries[len(self.entries) - self.unkept :], *happened)
        entries = (*kept, *(replace(entry, number=number) for number, entry in enumerate(later, start=len(kept) + 1)))
        return entries, self._folded(entries)

    def _folded(self, entries: Sequence[Entry]) -> Game:
        return fold((entry.event for entry in entries), (entry.who for entry in entries))

    def _read_after(self, kept: tuple[Entry, ...]) -> tuple[Entry, ...]:
        rows = self._connection.execute(
            "SELECT number, time, why, who, event FROM entry WHERE number > ? LIMIT ?", (len(kept), _MOST_ENTRIES + 1)
        ).fetchall()
        if len(rows) > _MOST_ENTRIES:
            raise ValueError("it holds more entries than an evening has")
        added = [
            Entry(number, datetime.fromisoformat(time), why, who, event_from_json(event))
            for number, time, why, who, event in ((row[0], *texts_of(row[1:])) for row in sorted(rows))
        ]
        events = migrate_events(entry.event for entry in (*kept, *added)) if added else ()
        return tuple(
            replace(entry, event=event) for entry, event in zip(added, islice(events, len(kept), None), strict=True)
        )


def _insert(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    connection.executemany(
        "INSERT INTO entry VALUES (?, ?, ?, ?, ?)",
        ((entry.number, entry.time.isoformat(), entry.why, entry.who, event_to_json(entry.event)) for entry in entries),
    )
