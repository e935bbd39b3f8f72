"""Layout of a game file in SQLite, and the migration of older files to it.

How it holds: every append is one transaction that is synced to the disk. The journal is a rollback journal that stays
beside the file (not a write-ahead log, which needs room even to be read), and both are given their room when the game
begins, so that an evening fits on a disk that is full by then.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.permissions import may_change
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.fold import RULES_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_OURS: Final = 0x42424D4D
"""Marks a SQLite file as one of ours (`BBMM`)."""

_STEPS: Final = (
    """
    CREATE TABLE game (title TEXT NOT NULL, rules_version INTEGER NOT NULL) STRICT;
    CREATE TABLE entry (
        number INTEGER PRIMARY KEY,
        time TEXT NOT NULL,
        why TEXT NOT NULL,
        who TEXT NOT NULL,
        event TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER entries_are_only_added BEFORE INSERT ON entry
        WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM entry)
        BEGIN SELECT RAISE(ABORT, 'entries are only added at the end'); END;
    CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entry
        BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
    CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entry
        BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
    """,
    """
    ALTER TABLE game ADD COLUMN source TEXT NOT NULL DEFAULT '';
    """,
)
"""Migrations, each to its format from the one before; the first creates the file."""

FORMAT: Final = len(_STEPS)
"""The format that this program writes."""

_RESERVE_BYTES: Final = 256 * 1024
"""Room for the entries of an evening, several times over, and as much for the journal."""

_PATIENCE_S: Final = 5.0
"""Longest wait for another program that is writing to the same file."""


class GameFileError(InputError):
    """Error of a game file that cannot be read."""


def connected(path: Path) -> sqlite3.Connection:
    """Open a file so that a commit is on the disk when it returns, and so that no room is needed for it.

    A missing file is never made: one that is removed at this moment would come back empty.

    Raises:
        sqlite3.Error: it is missing or no SQLite file, or the disk refuses.
    """
    existing = f"file:{quote(os.fsencode(path), safe='')}?mode=rw"
    connection = sqlite3.connect(existing, uri=True, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
    for setting in ("journal_mode = PERSIST", "synchronous = FULL", "temp_store = MEMORY", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def wait_for_others(connection: sqlite3.Connection, *, patient: bool) -> None:
    """Wait for other programs that write to the file, or do not."""
    connection.execute(f"PRAGMA busy_timeout = {round(1000 * _PATIENCE_S) if patient else 0}")


def data_version(connection: sqlite3.Connection) -> int:
    """Number that changes with each commit of another connection to the file.

    Raises:
        sqlite3.Error: another program is writing, or the disk refuses.
    """
    return _number(connection, "data_version")


def bring_forward(connection: sqlite3.Connection) -> None:
    """Begin a transaction, and make a file of any older format, or an empty one, a file of today's in it.

    Raises:
        sqlite3.Error: the disk refuses.
    """
    connection.execute("BEGIN IMMEDIATE")
    for step in _STEPS[_number(connection, "user_version") :]:
        for statement in _statements(step):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_OURS}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def make_current(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Refuse a file that is not ours or newer than we are; bring an older one forward and keep a copy of it.

    Returns:
        The connection; for an older file that may not be changed, one to a copy in memory that takes nothing down.

    Raises:
        GameFileError: it is none of ours, or a newer program wrote it.
        sqlite3.Error: the disk refuses.
        OSError: likewise.
    """
    if _number(connection, "application_id") != _OURS:
        raise GameFileError(f"{path} is no game file: check the name.")
    form = _number(connection, "user_version")
    tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('game', 'entry')"
    if connection.execute(tables).fetchone() != (2,):  # a view may have no end
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
    if form < FORMAT and not (may_change(path) and may_change(path.parent)):
        return _current_in_memory(connection)
    if form < FORMAT:
        older = path.with_name(f"{path.stem}-format-{form}{path.suffix}")
        with whole_file(older) as part, closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
        bring_forward(connection)
        connection.execute("COMMIT")
    return connection


def _current_in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Copy an older file into memory and bring it forward there; the connection to the file is closed."""
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with closing(connection):
        connection.backup(copy)
    bring_forward(copy)
    copy.execute("COMMIT")
    copy.execute("PRAGMA query_only = ON")
    return copy


def reserve(connection: sqlite3.Connection) -> None:
    """Write a large row and take it out again: SQLite keeps its room in the file, and as much in the journal.

    Raises:
        sqlite3.Error: there is no room.
    """
    connection.execute("CREATE TABLE reserve AS SELECT zeroblob(?) AS room", (_RESERVE_BYTES,))
    connection.execute("PRAGMA secure_delete = ON")  # so that the journal gets all that is taken out
    connection.execute("DROP TABLE reserve")


def release_reserve(connection: sqlite3.Connection) -> None:
    """Turn what a reserve takes that was interrupted in its making into room for entries.

    Raises:
        sqlite3.Error: there is not even room for that.
    """
    connection.execute("DROP TABLE IF EXISTS reserve")


def texts_of(row: tuple[object, ...] | None) -> tuple[str, ...]:
    """A row whose values have to be texts.

    Raises:
        ValueError: there is no such row, or another type stands in it.
    """
    if row is None:
        raise ValueError("a row is missing")
    texts = tuple(value for value in row if isinstance(value, str))
    if len(texts) != len(row):
        raise ValueError("a row holds what is no text")
    return texts


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (number,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(number)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would commit before it begins."""
    statement = ""
    for line in script.strip().splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
