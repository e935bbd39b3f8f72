"""Folder of all stored games, in which a game can be begun, found by a name and deleted.

Each game has its own folder, named by its start time. Games are ordered by a number stored in them, not by the clock.
User input never becomes part of a path: typed names are only compared with existing folders.
"""

from __future__ import annotations

import logging
import re
import stat
import time
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, count
from shutil import rmtree
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.address import without_secrets
from bunnymoose_cv.core.errors import InputError, reason_of
from bunnymoose_cv.core.folders import user_folder
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.game_folders import (
    ORDER_FILE,
    GameLockedError,
    StoredGame,
    is_played,
    keep_order_number,
    order_number,
    remove_folder,
)
from bunnymoose_cv.record.game_format import GameFileError, writing
from bunnymoose_cv.rules.events import GameStarted, PosesJudged
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.core.user_settings import RecordSettings

_logger = logging.getLogger(__name__)

LAST: Final = "last"


class GamesFolderError(GameFileError):
    """Folder of games that cannot be listed."""


def default_games_folder() -> Path:
    """Return the default folder of games, in the user's data folder."""
    return user_folder() / "games"


class GameStore:
    """Stored games of one folder, which is created with the first game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __iter__(self) -> Iterator[StoredGame]:
        """Yield every stored game, the newest first."""
        oldest_first = sorted(filter(_is_game, self._paths()), key=lambda path: (order_number(path), path.name))
        return (StoredGame(number, folder) for number, folder in enumerate(reversed(oldest_first), start=1))

    def _paths(self) -> tuple[Path, ...]:
        """Return the paths in the folder, none if it does not exist; raise `GamesFolderError` if it is unreadable."""
        try:
            return tuple(self.folder.iterdir())
        except FileNotFoundError:
            return ()
        except OSError as error:
            sentence = Phrase(
                "The games in {folder} cannot be listed ({reason}): name another folder.",
                folder=str(self.folder),
                reason=reason_of(error),
            )
            raise GamesFolderError(sentence) from error

    def begin(self, started: GameStarted, *, title: str = "", source: str = "", who: str) -> GameFile:
        """Create and lock a game; raise an `IllegalEventError` or a `GameFileError` if it cannot begin."""
        fold([started])
        self._remove_abandoned()
        folder = self._free_folder()
        with writing(folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            keep_order_number(folder, 1 + max(map(order_number, filter(_is_game, self._paths())), default=0))
        try:
            game = GameFile.create(folder, started, title=title, source=source, who=who)
        except BaseException:
            rmtree(folder, ignore_errors=True)
            raise
        game.claim()
        return game

    def leave(self, file: GameFile) -> None:
        """Delete a closed game in which nothing has happened since it began; any other is kept."""
        if all(isinstance(entry.event, GameStarted) for entry in file.entries):
            with suppress(InputError):
                self.delete(StoredGame(0, file.folder))

    def find(self, wanted: str) -> StoredGame:
        """Find a game by `last`, its number in the list, its name or the beginning (`2026-11-21`), or its title.

        Raises:
            InputError: no game matches, or several do.
        """
        games = list(self)
        if not games:
            raise InputError(f"No game is kept in {self.folder} yet: play one, or name another folder.")
        found = _find_matches(games, wanted.strip())
        if len(found) == 1:
            return found[0]
        problem = f"Several games are called “{wanted}”" if found else f"No game is called “{wanted}”"
        names = ", ".join(f"{game.number} ({game.name})" for game in (found or games)[:5])
        raise InputError(f"{problem}: choose “{LAST}”, or a number such as {names}.")

    def resume(self, game: StoredGame) -> GameFile:
        """Open and lock a game to go on playing it; raise a `GameLockedError` if it is being played already."""
        file = GameFile.open(game.folder)
        try:
            file.claim()
        except GameLockedError:
            file.close()
            raise
        return file

    def unfinished(self, *sources: str, since: datetime | None = None) -> StoredGame | None:
        """Return the newest unfinished game that is not being played and did not begin before `since`, or None."""
        first, places = "" if since is None else _name_of(since), set(map(as_unicode, sources))
        for game in self:
            with suppress(InputError), GameFile.open(game.folder) as file:
                if game.name < first:
                    continue
                is_there = not places.isdisjoint({file.source, without_secrets(file.source)})  # older games have either
                if is_there and file.game.phase is not Phase.OVER and not is_played(game.folder):
                    return game
        return None

    def delete(self, game: StoredGame) -> None:
        """Delete a game with all its files.

        The game file is deleted last, so that a partially deleted game is still listed. It is not an error if the game
        does not exist any more: another page has deleted it, or nothing happened in it and it was deleted at its end.

        Raises:
            GameLockedError: the game is being played.
            GameFileError: the game cannot be deleted; if that is known in advance, nothing of it is deleted.
        """
        if is_played(game.folder):
            raise GameLockedError(Phrase("The game {name} is being played: end it first.", name=game.name))
        try:
            remove_folder(game.folder, last=GAME_FILE)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not game.folder.exists():
                return
            sentence = Phrase(
                "The game {name} cannot be removed ({reason}): {path} is still there.",
                name=game.name,
                reason=reason_of(error),
                path=str(error.filename or game.folder),
            )
            raise GameFileError(sentence) from error

    def clear_out(
        self, settings: RecordSettings, report: Callable[[str], None], just_played: Path | None = None
    ) -> tuple[StoredGame, ...]:
        """Delete the oldest evenings beyond the limits, and report it; a game that is being played is always kept.

        Only evenings with a judged round count. An unreadable one is reported and kept, as it may be intact. Of all
        others, the evening that has just ended is deleted last.
        """
        gone: list[StoredGame] = []
        evenings, room = 0, settings.keep_megabytes * 1_000_000
        for game in sorted(self, key=lambda game: game.folder != just_played):  # then the newest first
            try:
                with GameFile.open(game.folder) as file:
                    counts = any(isinstance(entry.event, PosesJudged) for entry in file.entries)
            except InputError as error:
                report(error.sentence)
                continue
            full = evenings >= settings.keep_evenings
            evenings += counts
            room -= game.size_bytes
            fits = not full and (room >= 0 or evenings <= 1)
            if fits or is_played(game.folder):
                continue
            try:
                self.delete(game)
            except InputError:  # the next run tries again
                _logger.warning("an old evening cannot be removed", exc_info=True)
            else:
                gone.append(game)
        if gone:
            names = ", ".join(game.name for game in gone)
            report(Phrase("The oldest evenings were deleted to make room: {names}.", names=names))
        return tuple(gone)

    def _remove_abandoned(self) -> None:
        """Remove folders of games that were interrupted before their first event was written."""
        for path in self._paths():
            with suppress(OSError):
                if is_abandoned(path) and time.time() - path.stat().st_mtime > ABANDONED_S:
                    rmtree(path, ignore_errors=True)

    def _free_folder(self) -> Path:
        """Return a folder that does not exist yet, named by the local time."""
        name = _name_of(datetime.now(UTC))
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        return next(path for path in (self.folder / name for name in names) if not path.exists())


ABANDONED_S: Final = 60.0
"""Age in seconds up to which a folder without a game is kept: another process may be creating a game in it."""

_OUR_NAME: Final = re.compile(r"\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(-\d+)?")

_BEGINNINGS: Final = (ORDER_FILE, f"{GAME_FILE}.part")
"""Prefixes of all files that are in a folder before its game."""


def is_abandoned(path: Path) -> bool:
    """Return whether a folder has the beginnings of a game, but neither a game nor any other files."""
    return (
        _OUR_NAME.fullmatch(path.name) is not None
        and path.is_dir()
        and not path.is_symlink()
        and not _is_game(path)
        and all(inside.name.startswith(_BEGINNINGS) for inside in path.iterdir())
    )


def _is_game(path: Path) -> bool:
    """Return whether a path is a game's folder, which may be inaccessible."""
    if path.is_symlink():
        return False
    try:
        return stat.S_ISREG((path / GAME_FILE).stat().st_mode)
    except PermissionError:
        return True
    except OSError:
        return False


def _name_of(began: datetime) -> str:
    """Return the folder name of a game by its start time; the names sort by time."""
    return f"{began.astimezone():%Y-%m-%d_%H-%M-%S}"


def _find_matches(games: Sequence[StoredGame], wanted: str) -> list[StoredGame]:
    """Return all games that match user input, by the most specific kind of match."""
    if wanted == LAST:
        return [games[0]]
    for fits in (
        lambda game: wanted in (str(game.number), game.name),
        lambda game: bool(wanted) and game.name.startswith(wanted),
        lambda game: bool(wanted) and as_unicode(wanted).casefold() == _title(game).casefold(),
    ):
        found = [game for game in games if fits(game)]
        if found:
            return found
    return []


def _title(game: StoredGame) -> str:
    """Return the title of a game; empty for an unreadable one."""
    with suppress(InputError), GameFile.open(game.folder) as file:
        return file.title
    return ""
