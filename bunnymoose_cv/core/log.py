"""Log of an evening: one bounded file in the user's data folder, for diagnosing problems later.

Each module logs to `logging.getLogger(__name__)` when it swallows an exception or continues without something. The
file has no names of players, no images and no addresses: arguments of a message are numbers and words of the program.
Errors are logged with their class and the lines that raised them, never with their text.
"""

from __future__ import annotations

import logging
import os
import traceback
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES: Final = 500_000
"""Size at which a file is rotated; one earlier part is kept."""

KEPT_EVENINGS: Final = 10

ROOT: Final = "bunnymoose_cv"
"""Name of the program's logger. Libraries log elsewhere: their messages may contain addresses and are not written."""

_MORNING: Final = timedelta(hours=12)
"""Time of day at which an evening's log begins; it lasts from noon to noon."""

for _name in (ROOT, "libav"):  # keeps FFmpeg's lines off stderr: they contain passwords
    logging.getLogger(_name).addHandler(logging.NullHandler())


def default_log_folder() -> Path:
    """Return the default folder of logs, in the user's data folder."""
    return user_folder() / "logs"


@contextmanager
def evening_log(folder: Path | None = None) -> Iterator[None]:
    """Write the program's log messages to the evening's file within `with`; the first line creates the file."""
    handler = _EveningFile(folder or default_log_folder())
    logger = logging.getLogger(ROOT)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _places(error: BaseException) -> str:
    """Format the innermost lines that raised an error, without their folders."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames)) or "an unknown line"


class _EveningFile(logging.Handler):
    """Handler that opens the evening's file for each line: lines are few, and several processes may write at once."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def format(self, record: logging.LogRecord) -> str:
        """Format a line, in UTC; errors, with their causes, are without their texts, which may quote users."""
        time = datetime.fromtimestamp(record.created, UTC)
        line = f"{time:%Y-%m-%dT%H:%M:%SZ} {record.levelname} {record.name}: {record.getMessage()}"
        error = record.exc_info[1] if record.exc_info else None
        while error is not None:
            line += f"\n    {type(error).__name__} at {_places(error)}"
            error = error.__cause__ or error.__context__
        return line

    def emit(self, record: logging.LogRecord) -> None:
        """Append a record; errors of the disk are ignored."""
        with suppress(Exception):  # an error of the log itself cannot be reported anywhere
            self._append(f"{self.format(record)}\n".encode())

    def _append(self, line: bytes) -> None:
        path = self._folder / f"{datetime.now().astimezone() - _MORNING:%Y-%m-%d}.log"
        if not path.exists():
            self._begin()
        elif path.stat().st_size + len(line) > MOST_BYTES:
            path.replace(path.with_suffix(".earlier.log"))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "ab") as file:
            file.write(line)

    def _begin(self) -> None:
        """Create the folder, and remove the oldest logs."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        evenings = sorted({path.name[:10] for path in self._folder.glob("*.log")}, reverse=True)
        for gone in evenings[KEPT_EVENINGS - 1 :]:
            for path in self._folder.glob(f"{gone}*.log"):
                path.unlink(missing_ok=True)
