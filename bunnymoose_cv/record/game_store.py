"""Folder of all kept games: begin one, find one by what people call it, delete it, export it.

Each game has a folder of its own, named by when it began; the order is by a number kept in it, never by the clock.
Nothing that people type ever becomes a part of a path: names are only compared with what lies there.
"""

from __future__ import annotations

import json
import logging
import re
import stat
import time
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from zipstream import ZIP_STORED, ZipStream

from bunnymoose_cv.core.address import without_secrets
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.core.user_folder import user_folder
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.record.folder_removal import remove_folder
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile, writing
from bunnymoose_cv.record.game_format import GameFileError
from bunnymoose_cv.record.game_order import ORDER_FILE, keep_order_number, order_number
from bunnymoose_cv.record.process_lock import GameLockedError, is_played
from bunnymoose_cv.record.readable_files import is_readable, readable_files, unread
from bunnymoose_cv.record.round_folder import ROUNDS
from bunnymoose_cv.record.rounds_csv import rounds_csv
from bunnymoose_cv.record.stored_game import StoredGame
from bunnymoose_cv.rules.events import GameStarted, PosesJudged
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bunnymoose_cv.core.user_settings import RecordSettings
    from bunnymoose_cv.record.game_file import Entry

_logger = logging.getLogger(__name__)

LAST: Final = "last"
"""Name of the newest game for people."""

_BYTES_OF_A_MEGABYTE: Final = 1_000_000


class GamesFolderError(GameFileError):
    """Error of a folder of games that cannot be looked into."""


class NoSuchGameError(InputError):
    """Error of a name that no stored game has."""


def default_games_folder() -> Path:
    """Default folder of games, in the user's data folder."""
    return user_folder() / "games"


class GameStore:
    """All games that are kept in one folder, which is made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __iter__(self) -> Iterator[StoredGame]:
        """Every kept game, the newest first."""
        oldest_first = sorted(filter(_is_game, self._paths()), key=lambda path: (order_number(path), path.name))
        return (StoredGame(number, folder) for number, folder in enumerate(reversed(oldest_first), start=1))

    def _paths(self) -> tuple[Path, ...]:
        """Paths of all that lies in the folder; none where it is not there yet.

        Raises:
            GamesFolderError: it cannot be looked into.
        """
        try:
            return tuple(self.folder.iterdir())
        except FileNotFoundError:
            return ()
        except OSError as error:
            reason = error.strerror or str(error)
            sentence = Phrase(
                "The games in {folder} cannot be listed ({reason}): name another folder.",
                folder=str(self.folder),
                reason=reason,
            )
            raise GamesFolderError(sentence) from error

    def begin(self, started: GameStarted, *, title: str = "", source: str = "", who: str) -> GameFile:
        """Begin a game that is played here and now: nobody else may play it or take it away meanwhile.

        Raises:
            IllegalEventError: the players cannot play.
            GameFileError: it cannot be written.
        """
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
        """Take a game away in which nothing happened since it began; any other stays as it is.

        Args:
            file: of a game that was played here, closed.
        """
        if all(isinstance(entry.event, GameStarted) for entry in file.entries):
            with suppress(InputError):
                self.delete(StoredGame(0, file.folder))

    def find(self, wanted: str) -> StoredGame:
        """The game that somebody means.

        Args:
            wanted: `last`, a number of the list, a name or its beginning (`2026-11-21`), or a title.

        Raises:
            NoSuchGameError: no game is called so, or several are.
        """
        games = list(self)
        if not games:
            raise NoSuchGameError(f"No game is kept in {self.folder} yet: play one, or name another folder.")
        found = _find_matches(games, wanted.strip())
        if len(found) == 1:
            return found[0]
        problem = f"Several games are called “{wanted}”" if found else f"No game is called “{wanted}”"
        names = ", ".join(f"{game.number} ({game.name})" for game in (found or games)[:_NAMED])
        raise NoSuchGameError(f"{problem}: choose “{LAST}”, or a number such as {names}.")

    def resume(self, game: StoredGame) -> GameFile:
        """Go on playing a game; nobody else may play it or take it away meanwhile.

        Raises:
            GameLockedError: it is being played already.
            GameFileError: it cannot be read.
        """
        file = GameFile.open(game.folder)
        try:
            file.claim()
        except GameLockedError:
            file.close()
            raise
        return file

    def unfinished(self, *sources: str, since: datetime | None = None) -> StoredGame | None:
        """The newest game that was left before its end and is not being played; None without one.

        Args:
            since: it began then or later.
        """
        first, places = "" if since is None else _name_of(since), set(map(as_unicode, sources))
        for game in self:
            with suppress(InputError), GameFile.open(game.folder) as file:
                if game.name < first:
                    continue
                is_there = not places.isdisjoint({file.source, without_secrets(file.source)})  # older games hold both
                if is_there and file.game.phase is not Phase.OVER and not is_played(game.folder):
                    return game
        return None

    def delete(self, game: StoredGame) -> None:
        """Take a game away with everything that was kept of it.

        The game file goes last: a game of which something is left is still listed. A game that is gone already is not
        an error: another page took it away, or it went with its end, since nothing had happened in it.

        Raises:
            GameLockedError: it is being played.
            GameFileError: it cannot be taken away; nothing is, where that shows before.
        """
        if is_played(game.folder):
            raise GameLockedError(Phrase("The game {name} is being played: end it first.", name=game.name))
        try:
            remove_folder(game.folder, last=GAME_FILE)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not game.folder.exists():
                return
            sentence = Phrase(
                "The game {name} cannot be taken away ({reason}): {path} is still there.",
                name=game.name,
                reason=error.strerror or str(error),
                path=str(error.filename or game.folder),
            )
            raise GameFileError(sentence) from error

    def export(self, game: StoredGame, path: Path) -> tuple[OSError, ...]:
        """Copy a game with all that was kept of it into one ZIP file, with its events and rounds as text beside it.

        Returns:
            The error of each file or folder that is not in it, since it cannot be read.

        Raises:
            GameFileError: it cannot be read, or the file cannot be written.
        """
        missing: list[OSError] = []
        try:
            with whole_file(path) as part, part.open("wb") as written:
                written.writelines(self.download(game, missing))
        except OSError as error:
            sentence = Phrase(
                "{path} cannot be written ({reason}): name another file.",
                path=str(path),
                reason=error.strerror or str(error),
            )
            raise GameFileError(sentence) from error
        return tuple(missing)

    def download(self, game: StoredGame, missing: list[OSError] | None = None, delimiter: str = ",") -> Iterator[bytes]:
        """The ZIP file of `export` piece by piece, so that it needs no room on the disk; it lists what it lacks.

        Args:
            missing: the error of each file or folder that cannot be read is added.
            delimiter: of the table of the rounds.

        Raises:
            GameFileError: the game cannot be read.
        """
        missing = [] if missing is None else missing
        with GameFile.open(game.folder) as file, TemporaryDirectory() as passing:
            copy = Path(passing) / GAME_FILE
            file.copy_to(copy)
            told: dict[str, Path | bytes] = {
                GAME_FILE: copy.read_bytes(),
                "events.jsonl": "".join(f"{_format_entry(entry)}\n" for entry in file.entries).encode(),
                # By its first bytes spreadsheets know the letters.
                "rounds.csv": rounds_csv(file, delimiter).encode("utf-8-sig"),
            }
        if is_readable(game.highlights, missing):
            told[game.highlights.name] = game.highlights
        evidence = readable_files(game.folder / ROUNDS, missing)
        told |= {path.relative_to(game.folder).as_posix(): path for path in evidence}
        if missing:
            told["missing.txt"] = "".join(f"{unread(each)}\n" for each in missing).encode(errors="backslashreplace")
        try:
            yield from zipped(game.name, told)
        except OSError as error:
            raise GameFileError(f"The game {game.name} cannot be exported: {unread(error)}.") from error

    def clear_out(
        self, settings: RecordSettings, tell: Callable[[str], None], just_played: Path | None = None
    ) -> tuple[StoredGame, ...]:
        """Take away the oldest evenings beyond the limits, and say so; the one that is being played always stays.

        Only evenings with a judged round count. One that cannot be read is told and stays: it may be whole.

        Args:
            settings: 0 evenings keep none.
            tell: is given each sentence about what was taken away or could not be read.
            just_played: the folder of the evening that has just ended, which stays unless none is kept.

        Returns:
            What was taken away.
        """
        gone: list[StoredGame] = []
        evenings, room = 0, settings.keep_megabytes * _BYTES_OF_A_MEGABYTE
        for game in self._just_played_first(just_played):
            try:
                with GameFile.open(game.folder) as file:
                    counts = any(isinstance(entry.event, PosesJudged) for entry in file.entries)
            except InputError as error:
                tell(error.sentence)
                continue
            full = evenings >= settings.keep_evenings
            evenings += counts
            room -= game.size_bytes
            fits = not full and (room >= 0 or evenings <= 1)
            if fits or is_played(game.folder):
                continue
            try:
                self.delete(game)
            except InputError:  # it goes another time
                _logger.warning("an old evening cannot be removed", exc_info=True)
            else:
                gone.append(game)
        if gone:
            names = ", ".join(game.name for game in gone)
            tell(Phrase("To make room, the oldest evenings were taken away: {names}.", names=names))
        return tuple(gone)

    def _just_played_first(self, just_played: Path | None) -> list[StoredGame]:
        """All games, the newest first, but before them the one that has just been played."""
        return sorted(self, key=lambda game: game.folder != just_played)

    def _remove_abandoned(self) -> None:
        """Remove folders of games that a kill ended before their first event was written."""
        for path in self._paths():
            with suppress(OSError):
                if is_abandoned(path) and time.time() - path.stat().st_mtime > ABANDONED_S:
                    rmtree(path, ignore_errors=True)

    def _free_folder(self) -> Path:
        """A folder that is not there yet, named by the local time."""
        name = _name_of(datetime.now(UTC))
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        return next(path for path in (self.folder / name for name in names) if not path.exists())


ABANDONED_S: Final = 60.0
"""A folder without a game is left alone for so long: another program may be about to begin one there."""

_OUR_NAME: Final = re.compile(r"\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(-\d+)?")

_BEGINNINGS: Final = (ORDER_FILE, f"{GAME_FILE}.part")
"""First letters of all files that lie in a folder before its game does."""


def is_abandoned(path: Path) -> bool:
    """Tell a folder in which a game was about to begin: there is no game and nothing else but its beginnings."""
    return (
        _OUR_NAME.fullmatch(path.name) is not None
        and path.is_dir()
        and not path.is_symlink()
        and not _is_game(path)
        and all(inside.name.startswith(_BEGINNINGS) for inside in path.iterdir())
    )


def _is_game(path: Path) -> bool:
    """Tell a game's folder, also one that may not be entered, from all else that lies there."""
    if path.is_symlink():
        return False
    try:
        return stat.S_ISREG((path / GAME_FILE).stat().st_mode)
    except PermissionError:
        return True
    except OSError:
        return False


def _name_of(began: datetime) -> str:
    """Folder name of a game that began then: the names stand in order of time."""
    return f"{began.astimezone():%Y-%m-%d_%H-%M-%S}"


_NAMED: Final = 5
"""Number of games suggested where a name fits none."""


def _find_matches(games: Sequence[StoredGame], wanted: str) -> list[StoredGame]:
    """All games that somebody may mean; what says more comes first."""
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
    """Title that people gave a game; empty for one that cannot be read."""
    with suppress(InputError), GameFile.open(game.folder) as file:
        return file.title
    return ""


def _format_entry(entry: Entry) -> str:
    """An entry as one JSON object."""
    about = {"number": entry.number, "time": entry.time.isoformat(), "why": entry.why, "who": entry.who}
    return json.dumps({**about, "event": json.loads(event_to_json(entry.event))}, ensure_ascii=False)


def zipped(folder: str, files: Mapping[str, Path | bytes]) -> Iterator[bytes]:
    """A ZIP file; films and images are packed already, so nothing is packed once more.

    Args:
        folder: the folder that unpacking makes.
        files: what comes into it by name: files of the disk, or what stands in them.

    Raises:
        OSError: a file cannot be read.
    """
    archive = ZipStream(compress_type=ZIP_STORED)
    for name, content in files.items():
        packed = as_unicode(f"{folder}/{name}")
        if isinstance(content, Path):
            archive.add_path(content, packed)
        else:
            archive.add(content, packed)
    return iter(archive)
