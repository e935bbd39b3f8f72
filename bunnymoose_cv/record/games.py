"""The folder of all kept games: beginning one, finding one by what people call it, taking it away, copying it out.

Owns no content of a game. Each game has a folder of its own, named by when it began; nothing that people type ever
becomes a part of a path: names are only compared with what lies there.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count, takewhile
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import platformdirs

from bunnymoose_cv.errors import InputError
from bunnymoose_cv.phrase import Phrase
from bunnymoose_cv.record.claim import PlayedError, is_played
from bunnymoose_cv.record.event_shapes import event_to_json
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.game_format import GameFileError
from bunnymoose_cv.record.kept_rounds import ROUNDS
from bunnymoose_cv.record.rounds_csv import rounds_csv
from bunnymoose_cv.record.whole_files import is_part, whole_file
from bunnymoose_cv.record.zipped import zipped
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.profile import RecordLimits
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.rules.events import GameStarted

LAST: Final = "last"
"""What people call the newest game."""

_BYTES_OF_A_MEGABYTE: Final = 1_000_000


class NoSuchGameError(InputError):
    """Nothing that is kept is called so."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game that is kept.

    Attributes:
        number: 1 is the newest.
        folder: the game's own folder, named by when it began.
    """

    number: int
    folder: Path

    @property
    def name(self) -> str:
        """When it began: `2026-11-21_20-05-33`."""
        return self.folder.name

    @property
    def highlights(self) -> Path:
        """Where the film of the game's highlights stands, once somebody has asked for it."""
        return self.folder / "highlights.mp4"

    @property
    def size_bytes(self) -> int:
        """What it takes on the disk, with its evidence."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())


def usual_games_folder() -> Path:
    """Where games are kept unless people say otherwise: in the user's data folder."""
    return platformdirs.user_data_path("bunnymoose", appauthor=False) / "games"


class Games:
    """All games that are kept in one folder, which is made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __iter__(self) -> Iterator[KeptGame]:
        """Every kept game, the newest first."""
        names = (path for path in self.folder.iterdir()) if self.folder.is_dir() else ()
        folders = (path for path in names if not path.is_symlink() and (path / GAME_FILE).is_file())
        newest_first = sorted(folders, key=lambda path: path.name, reverse=True)
        return (KeptGame(number, folder) for number, folder in enumerate(newest_first, start=1))

    def begin(self, started: GameStarted, *, title: str = "", source: str = "", who: str) -> GameFile:
        """Begin a game that is played here and now: nobody else may play it or take it away meanwhile.

        Args:
            started: who plays by what rules.
            title: what people call it.
            source: where its pictures come from.
            who: who begins it.

        Raises:
            IllegalEventError: the players cannot play.
            GameFileError: it cannot be written.
        """
        game = GameFile.create(self._free_folder(), started, title=title, source=source, who=who)
        game.claim()
        return game

    def find(self, wanted: str) -> KeptGame:
        """The game that somebody means.

        Args:
            wanted: `last`, a number of the list, a name or its beginning (`2026-11-21`), or a title.

        Raises:
            NoSuchGameError: no game is called so, or several are.
        """
        games = list(self)
        if not games:
            raise NoSuchGameError(f"No game is kept in {self.folder} yet: play one, or name another folder.")
        found = _meant(games, wanted.strip())
        if len(found) == 1:
            return found[0]
        problem = f"Several games are called “{wanted}”" if found else f"No game is called “{wanted}”"
        names = ", ".join(f"{game.number} ({game.name})" for game in (found or games)[:_NAMED])
        raise NoSuchGameError(f"{problem}: choose “{LAST}”, or a number such as {names}.")

    def resume(self, game: KeptGame) -> GameFile:
        """Go on playing a game; nobody else may play it or take it away meanwhile.

        Raises:
            PlayedError: it is being played already.
            GameFileError: it cannot be read.
        """
        file = GameFile.open(game.folder)
        try:
            file.claim()
        except PlayedError:
            file.close()
            raise
        return file

    def unfinished(self, *sources: str, since: datetime | None = None) -> KeptGame | None:
        """The newest game that was left before its end and is not being played; None without one.

        Args:
            sources: one of which it is from.
            since: it began then or later.
        """
        first = "" if since is None else _name_of(since)
        for game in takewhile(lambda each: each.name >= first, self):
            with suppress(InputError), GameFile.open(game.folder) as file:
                if file.source in sources and file.game.phase is not Phase.OVER and not is_played(game.folder):
                    return game
        return None

    def delete(self, game: KeptGame) -> None:
        """Take a game away with everything that was kept of it.

        Raises:
            PlayedError: it is being played.
            GameFileError: it cannot be taken away.
        """
        if is_played(game.folder):
            raise PlayedError(Phrase("The game {name} is being played: end it first.", name=game.name))
        try:
            rmtree(game.folder / ROUNDS, ignore_errors=True)  # while the game is there, it can be found and taken away
            rmtree(game.folder)
        except OSError as error:
            sentence = Phrase(
                "The game {name} cannot be taken away ({reason}).", name=game.name, reason=error.strerror or str(error)
            )
            raise GameFileError(sentence) from error

    def export(self, game: KeptGame, path: Path) -> None:
        """Copy a game with all that was kept of it into one ZIP file, with its events and rounds as text beside it.

        Raises:
            GameFileError: it cannot be read, or the file cannot be written.
        """
        try:
            with whole_file(path) as part, part.open("wb") as written:
                written.writelines(self.download(game))
        except OSError as error:
            sentence = Phrase(
                "{path} cannot be written ({reason}): name another file.",
                path=str(path),
                reason=error.strerror or str(error),
            )
            raise GameFileError(sentence) from error

    def download(self, game: KeptGame) -> Iterator[bytes]:
        """The ZIP file of `export` piece by piece, so that it needs no room on the disk.

        Raises:
            GameFileError: the game cannot be read.
        """
        with GameFile.open(game.folder) as file, TemporaryDirectory() as passing:
            copy = Path(passing) / GAME_FILE
            file.copy_to(copy)
            told: dict[str, Path | bytes] = {
                GAME_FILE: copy.read_bytes(),
                "events.jsonl": "".join(f"{_line(entry)}\n" for entry in file.entries).encode(),
                "rounds.csv": rounds_csv(file).encode("utf-8-sig"),  # by its first bytes spreadsheets know the letters
            }
        kept = [game.highlights, *sorted((game.folder / ROUNDS).rglob("*"))]
        whole = (path for path in kept if path.is_file() and not is_part(path))
        yield from zipped(game.name, told | {path.relative_to(game.folder).as_posix(): path for path in whole})

    def clear_out(self, limits: RecordLimits) -> tuple[KeptGame, ...]:
        """Take away the oldest games beyond the limits; the one that is being played always stays.

        Returns:
            What was taken away.
        """
        gone, room = [], limits.keep_megabytes * _BYTES_OF_A_MEGABYTE
        for game in list(self):
            room -= game.size_bytes
            newest = game.number == 1 and limits.keep_evenings >= 1
            if newest or (game.number <= limits.keep_evenings and room >= 0) or is_played(game.folder):
                continue
            with suppress(InputError):  # one that cannot be taken away now goes another time
                self.delete(game)
                gone.append(game)
        return tuple(gone)

    def _free_folder(self) -> Path:
        """A folder that is not there yet, named by the local time."""
        name = _name_of(datetime.now(UTC))
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        return next(path for path in (self.folder / name for name in names) if not path.exists())


def _name_of(began: datetime) -> str:
    """What the folder of a game is called that began then: the names stand in order of time."""
    return f"{began.astimezone():%Y-%m-%d_%H-%M-%S}"


_NAMED: Final = 5
"""So many games are named to somebody who meant none of them."""


def _meant(games: Sequence[KeptGame], wanted: str) -> list[KeptGame]:
    """All games that somebody may mean; what says more comes first."""
    if wanted == LAST:
        return [games[0]]
    for fits in (
        lambda game: wanted in (str(game.number), game.name),
        lambda game: bool(wanted) and game.name.startswith(wanted),
        lambda game: bool(wanted) and wanted.casefold() == _title(game).casefold(),
    ):
        found = [game for game in games if fits(game)]
        if found:
            return found
    return []


def _title(game: KeptGame) -> str:
    """What people called a game; nothing for one that cannot be read."""
    with suppress(InputError), GameFile.open(game.folder) as file:
        return file.title
    return ""


def _line(entry: Entry) -> str:
    """An entry as one JSON object."""
    about = {"number": entry.number, "time": entry.time.isoformat(), "why": entry.why, "who": entry.who}
    return json.dumps({**about, "event": json.loads(event_to_json(entry.event))}, ensure_ascii=False)
