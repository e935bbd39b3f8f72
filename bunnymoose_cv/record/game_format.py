"""Layout of a game file in SQLite, and the migration of older files to it.

Durability: every append is one transaction that is synced to the disk. The journal is a persistent rollback journal
(not a write-ahead log, which needs space even for reading). Space for file and journal is reserved when the game
begins, so an evening can be written to a disk that has since become full.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from bunnymoose_cv.core.atomic_files import may_change, whole_file
from bunnymoose_cv.core.errors import InputError, reason_of
from bunnymoose_cv.core.input_file import is_visible, no_right_to_read
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.fold import RULES_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_OURS: Final = 0x42424D4D
"""SQLite application id of the program's game files (`BBMM`)."""

_STEPS: Final = (
    (
        "CREATE TABLE game (title TEXT NOT NULL, rules_version INTEGER NOT NULL) STRICT",
        """CREATE TABLE entry (
        number INTEGER PRIMARY KEY,
        time TEXT NOT NULL,
        why TEXT NOT NULL,
        who TEXT NOT NULL,
        event TEXT NOT NULL
    ) STRICT""",
        """CREATE TRIGGER entries_are_only_added BEFORE INSERT ON entry
        WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM entry)
        BEGIN SELECT RAISE(ABORT, 'entries are only added at the end'); END""",
        """CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entry
        BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END""",
        """CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entry
        BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END""",
    ),
    ("ALTER TABLE game ADD COLUMN source TEXT NOT NULL DEFAULT ''",),
)
"""Statements that migrate each format to the next; the first ones create the file."""

FORMAT: Final = len(_STEPS)
"""Version of the format that this program writes."""

_RESERVE_BYTES: Final = 256 * 1024
"""Reserved space: several times the entries of an evening, and as much for the journal."""

_PATIENCE_S: Final = 5.0
"""Timeout of waiting for another process that is writing to the same file."""


class GameFileError(InputError):
    """Game file that cannot be read or written."""


def connected(path: Path) -> sqlite3.Connection:
    """Open a file with durable commits that need no additional space.

    A missing file is never created: one that is being deleted would reappear empty.
    """
    existing = f"file:{quote(os.fsencode(path), safe='')}?mode=rw"
    connection = sqlite3.connect(existing, uri=True, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
    for setting in ("journal_mode = PERSIST", "synchronous = FULL", "temp_store = MEMORY", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def wait_for_others(connection: sqlite3.Connection, *, patient: bool) -> None:
    """Set whether commands wait for other processes that are writing to the file."""
    connection.execute(f"PRAGMA busy_timeout = {round(1000 * _PATIENCE_S) if patient else 0}")


def data_version(connection: sqlite3.Connection) -> int:
    """Return a number that changes with each commit of another connection to the file."""
    return _number(connection, "data_version")


def bring_forward(connection: sqlite3.Connection) -> None:
    """Begin a transaction, and migrate an empty file or one of any older format to the current format in it."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in chain.from_iterable(_STEPS[_number(connection, "user_version") :]):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_OURS}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def make_current(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Refuse a foreign or newer file with a `GameFileError`; migrate an older one and keep a copy of it.

    Return the connection; for an older file that may not be changed, one to a read-only copy in memory.
    """
    if _number(connection, "application_id") != _OURS:
        raise GameFileError(f"{path} is no game file: check the name.")
    form = _number(connection, "user_version")
    tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('game', 'entry')"
    if connection.execute(tables).fetchone() != (2,):  # views are refused: a query of one may never end
        raise ValueError("its tables are none of ours")
    row = connection.execute("SELECT rules_version FROM game").fetchone()
    if row is None or not isinstance(row[0], int):
        raise ValueError("it does not say by which rules it was played")
    (rules_version,) = row
    if form > FORMAT or rules_version > RULES_VERSION:
        raise GameFileError(
            Phrase(
                "{path} was written by a newer version of this program: update the program, then open it again.",
                path=str(path),
            )
        )
    if form < FORMAT:
        if not (may_change(path) and may_change(path.parent)):
            return _current_in_memory(connection)
        older = path.with_name(f"{path.stem}-format-{form}{path.suffix}")
        with whole_file(older) as part, closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
        bring_forward(connection)
        connection.execute("COMMIT")
    return connection


def _current_in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Copy an older file into memory and migrate it there; the connection to the file is closed."""
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with closing(connection):
        connection.backup(copy)
    bring_forward(copy)
    copy.execute("COMMIT")
    copy.execute("PRAGMA query_only = ON")
    return copy


def reserve(connection: sqlite3.Connection) -> None:
    """Write and delete a large row: SQLite keeps its space in the file, and as much in the journal."""
    connection.execute("CREATE TABLE reserve AS SELECT zeroblob(?) AS room", (_RESERVE_BYTES,))
    connection.execute("PRAGMA secure_delete = ON")  # so that the journal gets all deleted pages
    connection.execute("DROP TABLE reserve")


def texts_of(row: tuple[object, ...] | None) -> tuple[str, ...]:
    """Return a row; raise a `ValueError` if it is missing, or has a value that is not a text."""
    if row is None:
        raise ValueError("a row is missing")
    texts = tuple(value for value in row if isinstance(value, str))
    if len(texts) != len(row):
        raise ValueError("a row holds what is no text")
    return texts


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (number,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(number)


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    """Run a transaction within `with`: `IMMEDIATE` to write, `DEFERRED` to read."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # after a failed write, SQLite has already rolled back
            connection.execute("ROLLBACK")
        raise


@contextmanager
def cleared(part: Path) -> Iterator[None]:
    """Remove the partial file and its journal, both before a new attempt and after a failed one."""
    parts = (part, part.with_name(f"{part.name}-journal"))
    try:
        for file in parts:
            file.unlink(missing_ok=True)
        yield
    finally:
        for file in parts:
            with suppress(OSError):
                file.unlink()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors while writing a game file into a `GameFileError`."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        sentence = Phrase(
            "The game cannot be kept in {path} ({reason}): make room, or choose another.",
            path=str(path),
            reason=reason_of(error),
        )
        raise GameFileError(sentence) from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Convert errors while reading a game file into a `GameFileError`."""
    try:
        yield
    except GameFileError:
        raise
    except (OSError, sqlite3.Error, InputError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, sqlite3.Error) and not is_visible(path):  # it has just been removed
            raise missing_game(path.parent) from error
        raise GameFileError(_unreadable(path, error)) from error


def missing_game(folder: Path) -> GameFileError:
    """Return the error of a folder without a game."""
    return GameFileError(f"There is no game in {folder}: check the name.")


def _unreadable(path: Path, error: Exception) -> Phrase:
    """Return the sentence about an unreadable game file, with a remedy that fits; only a damaged one is replaced."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # SQLite's primary error code
    if isinstance(error, PermissionError) or code in _NO_RIGHT:
        return no_right_to_read(path, reason_of(error))
    if code in _IN_USE:
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
