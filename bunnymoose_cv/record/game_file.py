"""Append-only file of one game's events in SQLite, each with its time, its reason and its author.

The state is always the fold of the events. An event is durable when `append` returns, so whoever announces afterwards
never says what a file does not hold.
The layout of the file is in game_format.py.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.core.address import without_secrets
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import is_visible, no_right_to_read
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.record.event_json import event_from_json, event_to_json
from bunnymoose_cv.record.game_format import (
    GameFileError,
    bring_forward,
    connected,
    data_version,
    make_current,
    release_reserve,
    reserve,
    texts_of,
    wait_for_others,
)
from bunnymoose_cv.record.process_lock import ProcessLock
from bunnymoose_cv.rules.events import Undone
from bunnymoose_cv.rules.fold import RULES_VERSION, as_of_today, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from bunnymoose_cv.rules.events import Event, GameStarted
    from bunnymoose_cv.rules.game import Game

GAME_FILE: Final = "game.sqlite"


_MOST_ENTRIES: Final = 100_000
"""No evening has as many events; what has more is no table of ours."""


_UNNUMBERED: Final = 0
"""Number of an entry that is not written down yet."""

MEANWHILE: Final = Phrase("Something was put right meanwhile: look once more.")
"""Refusal to undo what nobody has seen."""


class EventNotStoredError(InputError):
    """Error of events that could not be written; they stand in memory, and the next append writes them too."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it was written down.

    Attributes:
        number: counted from 1.
        time: when it was told, in UTC; what is written down once more keeps the time of its first telling.
        why: the reason in words, such as `the cue was the space bar` or `contested`.
        who: who said so: `referee`, `narrator`, a player's name.
    """

    number: int
    time: datetime
    why: str
    who: str
    event: Event


def standing_entries(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries that have not been undone, without the undoing."""
    standing: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, Undone):
            standing.pop()
        else:
            standing.append(entry)
    return tuple(standing)


class GameFile:
    """A game that is kept; made by `create` or `open`. Its methods may be called from any thread.

    Attributes:
        folder: the game's own folder: the file, and what else is kept of the game.
        source: where its images come from (a camera, a script), so that an unfinished evening is found again.
        unkept: how many of the newest entries are not on the disk.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._claim: ProcessLock | None = None
        self._lock = Lock()
        self._entries: tuple[Entry, ...] = ()
        self._came: tuple[Entry, ...] = ()  # from other programs, since the last `refresh`
        self._data_version = data_version(connection)  # read before the entries: what comes between is not missed
        self.unkept = 0
        self.title, self.source = texts_of(connection.execute("SELECT title, source FROM game").fetchone())
        self._entries = self._read_after(())
        self._game = self._folded(self._entries)

    @classmethod
    def create(cls, folder: Path, started: GameStarted, *, title: str = "", source: str = "", who: str) -> Self:
        """Begin a game.

        Args:
            folder: the game's own folder, which is made where it is missing; it holds no game yet.

        Raises:
            IllegalEventError: the players cannot play, such as two of one name.
            GameFileError: there is a game in the folder, or it cannot be written.
        """
        fold([started])
        path = folder / GAME_FILE
        if path.exists():
            raise GameFileError(f"There is a game in {folder} already: choose another folder, or go on with that game.")
        part = path.with_name(f"{GAME_FILE}.part")
        with writing(folder), _cleared(part):
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
        with suppress(sqlite3.Error), closing(connected(path)) as connection:  # a full disk: a game without a reserve
            reserve(connection)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Go on with a game, however it was left.

        Raises:
            GameFileError: there is no game, the file is none of ours or damaged, or a newer program wrote it.
        """
        path = folder / GAME_FILE
        with _reading(path):
            if not path.is_file():
                raise _missing(folder)
            connection = connected(path)
            try:
                connection = make_current(connection, path)
                with suppress(sqlite3.Error):
                    release_reserve(connection)
                return cls(folder, connection)
            except BaseException:
                connection.close()
                raise

    def claim(self) -> None:
        """Claim the game until it is closed: nobody else may play it or take it away meanwhile.

        Others may still read it and correct it.

        Raises:
            GameLockedError: somebody else plays it.
        """
        self._claim = ProcessLock(self.folder)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Entries of all that happened, the newest last."""
        return self._entries

    @property
    def standing(self) -> tuple[Entry, ...]:
        """The entries that have not been undone, without the undoing."""
        return standing_entries(self._entries)

    @property
    def game(self) -> Game:
        """The current state of the game."""
        return self._game

    def append(self, events: Event | Sequence[Event], why: str, who: str) -> Game:
        """Write down what happened; all of the events or none. When this returns, they are on the disk.

        What another program appended in the meantime comes first. Nothing is undone then: it would be what nobody here
        has seen.

        Returns:
            Where the evening stands now.

        Raises:
            IllegalEventError: an event cannot follow on those before it; then nothing has changed.
            InputError: something should be undone, and another program appended meanwhile; that stands here now.
            EventNotStoredError: the disk is full or gone. The events count in memory; the next append writes them too.
        """
        now, why, who = datetime.now(UTC), as_unicode(why), as_unicode(who)
        each_event = events if isinstance(events, tuple | list) else (events,)
        return self._append([Entry(_UNNUMBERED, now, why, who, event) for event in each_event])

    def take_back(self, number: int, still_true: Iterable[Entry], why: str, who: str) -> Game:
        """Take the newest standing events back, and write down once more what of them is still true.

        Args:
            number: how many are taken back.
            still_true: those of them that stand again, in their order; each keeps its time, its reason and its author.

        Returns:
            Where the evening stands now.

        Raises:
            IllegalEventError, InputError, EventNotStoredError: as `append`.
        """
        now, why, who = datetime.now(UTC), as_unicode(why), as_unicode(who)
        return self._append([*[Entry(_UNNUMBERED, now, why, who, Undone())] * number, *still_true])

    def refresh(self) -> tuple[Entry, ...]:
        """Take in what other programs have appended, without waiting for one that is writing just now.

        Returns:
            Entries of other programs that were taken in since the last call, here or by an `append`.

        Raises:
            GameFileError: another program has appended what cannot be read. That is told once.
        """
        with _reading(self.folder / GAME_FILE), self._lock:
            wait_for_others(self._connection, patient=False)
            try:
                with suppress(sqlite3.Error), _transaction(self._connection, "DEFERRED"):  # else the next call reads it
                    version, self._data_version = self._data_version, data_version(self._connection)
                    if self._data_version != version:
                        self._take_in()
            finally:
                wait_for_others(self._connection, patient=not self.unkept)
            came, self._came = self._came, ()
            return came

    def _append(self, happened: Sequence[Entry]) -> Game:
        """See `append`; the entries are numbered here."""
        with self._lock:
            try:
                with _transaction(self._connection, "IMMEDIATE"):
                    if self._take_in() and any(isinstance(each.event, Undone) for each in happened):
                        raise InputError(MEANWHILE)
                    entries, game = self._with(self._kept, happened)
                    _insert(self._connection, entries[len(self._kept) :])
            except sqlite3.Error as error:
                kept = self._kept
                self._entries, self._game = self._with(kept, happened)
                self.unkept = len(self._entries) - len(kept)
                wait_for_others(self._connection, patient=False)  # once was enough: the table goes on
                raise EventNotStoredError(
                    Phrase(
                        "The disk does not take down what happened ({reason}): make room for {folder}. "
                        "Until then it stands in memory only.",
                        reason=str(error),
                        folder=str(self.folder),
                    )
                ) from error
            if self.unkept:
                wait_for_others(self._connection, patient=True)
            self._entries, self._game, self.unkept = entries, game, 0
            return game

    def copy_to(self, path: Path) -> None:
        """Write the game file once more, whole, as one file; an older one may hold the password of its camera.

        Raises:
            GameFileError: it cannot be written.
        """
        with writing(path), closing(sqlite3.connect(path)) as copy, self._lock:
            self._connection.backup(copy)
            if (source := without_secrets(self.source)) != self.source:
                copy.execute("UPDATE game SET source = ?", (source,))
                copy.commit()
                copy.execute("VACUUM")

    def close(self) -> None:
        """Close the file; what stands in memory only is written once more before.

        Raises:
            EventNotStoredError: the disk does not take it down now, either, so that it is lost.
        """
        try:
            if self.unkept:
                wait_for_others(self._connection, patient=True)
                self.append((), "", "")
        except EventNotStoredError as error:
            sentence = Phrase(
                "What stood in memory only is lost: {folder} did not take it down ({reason}).",
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _kept(self) -> tuple[Entry, ...]:
        """Entries that are on the disk."""
        return self._entries[: len(self._entries) - self.unkept]

    def _take_in(self) -> bool:
        """Put what other programs have appended before what stands in memory only; tell if anything came."""
        kept = self._kept
        came = self._read_after(kept)
        if came:
            self._entries, self._game = self._with((*kept, *came), ())
            self._came = (*self._came, *came)
        return bool(came)

    def _with(self, kept: tuple[Entry, ...], happened: Iterable[Entry]) -> tuple[tuple[Entry, ...], Game]:
        """All entries, those in memory and the new ones numbered behind the kept ones, and where they lead."""
        later = (*self._entries[len(self._entries) - self.unkept :], *happened)
        entries = (*kept, *(replace(each, number=number) for number, each in enumerate(later, start=len(kept) + 1)))
        return entries, self._folded(entries)

    def _folded(self, entries: Iterable[Entry]) -> Game:
        return fold(entry.event for entry in entries)

    def _read_after(self, kept: tuple[Entry, ...]) -> tuple[Entry, ...]:
        rows = self._connection.execute(
            "SELECT number, time, why, who, event FROM entry WHERE number > ? LIMIT ?", (len(kept), _MOST_ENTRIES + 1)
        ).fetchall()
        if len(rows) > _MOST_ENTRIES:
            raise ValueError("it holds more entries than an evening has")
        came = [
            Entry(each, datetime.fromisoformat(time), why, who, event_from_json(event))
            for each, time, why, who, event in ((row[0], *texts_of(row[1:])) for row in sorted(rows))
        ]
        events = as_of_today(entry.event for entry in (*kept, *came)) if came else ()
        return tuple(
            replace(entry, event=event) for entry, event in zip(came, islice(events, len(kept), None), strict=True)
        )


def _insert(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    connection.executemany(
        "INSERT INTO entry VALUES (?, ?, ?, ?, ?)",
        ((each.number, each.time.isoformat(), each.why, each.who, event_to_json(each.event)) for each in entries),
    )


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    """All or nothing: `IMMEDIATE` to write, `DEFERRED` to read."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite has rolled back by itself where it could not write
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _cleared(part: Path) -> Iterator[None]:
    """Take away what was written of a file that did not become one, then and when it is tried again."""
    parts = (part, part.with_name(f"{part.name}-journal"))
    try:
        for each in parts:
            each.unlink(missing_ok=True)
        yield
    finally:
        for each in parts:
            with suppress(OSError):
                each.unlink()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says against a new file into a sentence."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        sentence = Phrase(
            "The game cannot be kept in {path} ({reason}): make room, or choose another.",
            path=str(path),
            reason=str(reason),
        )
        raise GameFileError(sentence) from error


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn what is wrong with a file into a sentence."""
    try:
        yield
    except GameFileError:
        raise
    except (OSError, sqlite3.Error, InputError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, sqlite3.Error) and not is_visible(path):  # it was removed just now
            raise _missing(path.parent) from error
        raise GameFileError(_unreadable(path, error)) from error


def _missing(folder: Path) -> GameFileError:
    return GameFileError(f"There is no game in {folder}: check the name.")


def _unreadable(path: Path, error: Exception) -> Phrase:
    """Sentence about a game file with a remedy that fits the cause: only a damaged one is to be replaced."""
    if isinstance(error, PermissionError):
        return no_right_to_read(path, error.strerror or str(error))
    if isinstance(error, sqlite3.Error) and _primary_code(error) in _NO_RIGHT:
        return no_right_to_read(path, str(error))
    if isinstance(error, sqlite3.Error) and _primary_code(error) in _IN_USE:
        return Phrase(
            "The game {path} cannot be read ({reason}): close the other program that uses it, then try again.",
            path=str(path),
            reason=str(error),
        )
    return Phrase(
        "The game {path} cannot be read ({reason}): take its copy, or delete it.",
        path=str(path),
        reason=error.sentence if isinstance(error, InputError) else str(error),
    )


_IN_USE: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_NO_RIGHT: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY)


def _primary_code(error: sqlite3.Error) -> int:
    """SQLite's code without its extension; 0 where Python itself raised the error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
