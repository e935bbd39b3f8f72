"""Export of a stored game as one ZIP file, with its events and rounds as text for other programs.

Each player in each round has a line in the table for spreadsheets. User input that begins like a formula is prefixed
with an apostrophe, so that a spreadsheet takes it for text.
"""

from __future__ import annotations

import csv
import errno
import json
import os
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from zipstream import ZIP_STORED, ZipStream

from bunnymoose_cv.core.atomic_files import is_part, whole_file
from bunnymoose_cv.core.errors import reason_of
from bunnymoose_cv.core.input_file import is_visible, open_regular
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.record.footage_spool import is_spool
from bunnymoose_cv.record.game_corrections import corrections
from bunnymoose_cv.record.game_file import GAME_FILE, Entry, GameFile
from bunnymoose_cv.record.game_format import GameFileError
from bunnymoose_cv.record.round_folder import ROUNDS
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.events import PoseCorrected
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.trail import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.rules.round import Round


def export_game(game: StoredGame, path: Path) -> tuple[OSError, ...]:
    """Write the ZIP file of a game, or raise a `GameFileError`; return the errors of files that cannot be read."""
    missing: list[OSError] = []
    try:
        with whole_file(path) as part, part.open("wb") as written:
            written.writelines(exported(game, missing))
    except OSError as error:
        sentence = Phrase(
            "{path} cannot be written ({reason}): name another file.",
            path=str(path),
            reason=reason_of(error),
        )
        raise GameFileError(sentence) from error
    return tuple(missing)


def exported(game: StoredGame, missing: list[OSError] | None = None, delimiter: str = ",") -> Iterator[bytes]:
    """Yield the ZIP file of a game in pieces, so that it needs no disk space; it lists unreadable files.

    The errors of unreadable files are added to `missing`; if the game cannot be read, a `GameFileError` is raised.
    """
    missing = [] if missing is None else missing
    with GameFile.open(game.folder) as file, TemporaryDirectory() as temporary:
        copy = Path(temporary) / GAME_FILE
        file.copy_to(copy)
        content: dict[str, Path | bytes] = {
            GAME_FILE: copy.read_bytes(),
            "events.jsonl": "".join(f"{_format_entry(entry)}\n" for entry in file.entries).encode(),
            # Spreadsheets recognize the encoding by the byte order mark.
            "rounds.csv": rounds_csv(file, delimiter).encode("utf-8-sig"),
        }
    if is_readable(game.highlights, missing):
        content[game.highlights.name] = game.highlights
    evidence = readable_files(game.folder / ROUNDS, missing)
    content |= {path.relative_to(game.folder).as_posix(): path for path in evidence}
    if missing:
        content["missing.txt"] = "".join(f"{unread(error)}\n" for error in missing).encode(errors="backslashreplace")
    try:
        yield from zipped(game.name, content)
    except OSError as error:
        raise GameFileError(f"The game {game.name} cannot be exported: {unread(error)}.") from error


def _format_entry(entry: Entry) -> str:
    about = {"number": entry.number, "time": entry.time.isoformat(), "why": entry.why, "who": entry.who}
    return json.dumps({**about, "event": json.loads(event_to_json(entry.event))}, ensure_ascii=False)


def zipped(folder: str, files: Mapping[str, Path | bytes]) -> Iterator[bytes]:
    """Yield a ZIP file in pieces, uncompressed like films and images; raise an `OSError` if a file cannot be read."""
    archive = ZipStream(compress_type=ZIP_STORED)
    for name, content in files.items():
        packed = as_unicode(f"{folder}/{name}")
        if isinstance(content, Path):
            archive.add_path(content, packed)
        else:
            archive.add(content, packed)
    return iter(archive)


COLUMNS: Final = (
    *("round", "narrator", "bet", "cards", "player", "seat", "pose", "animal", "species", "score"),
    *("moose on space", "rabbit on space", "put right by"),
)

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - the wide signs count too
"""Characters that a spreadsheet takes for the beginning of a formula."""


def rounds_csv(file: GameFile, delimiter: str = ",") -> str:
    """Return all finished rounds as CSV, with a heading; `score` is empty for a bush and for the narrator.

    Spreadsheets in languages with a decimal comma accept only a semicolon as the delimiter.
    """
    text = StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(COLUMNS)
    for played in file.game.rounds:
        entries = corrections(file.standing, played.facts.number)
        writer.writerows([guarded(cell) for cell in row] for row in _rows(played, entries))
    return text.getvalue()


def guarded(cell: str | int | None) -> str | int | None:
    """Return a cell that no spreadsheet takes for a formula; numbers are unchanged."""
    dangerous = isinstance(cell, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA))
    return f"'{cell}" if dangerous else cell


def _rows(played: Round, entries: Iterable[Entry]) -> Iterator[tuple[str | int | None, ...]]:
    facts = played.facts
    about = (facts.number, facts.narrator, facts.bet, format_table(facts.cards))
    for verdict in played.verdicts:
        score = verdict.score
        shown = (str(score.pose), score.pose.animal.value, score.species.value, score.total)
        righters = [
            entry.who  # corrections of cards and bet concern every line
            for entry in entries
            if not isinstance(entry.event, PoseCorrected) or entry.event.player == verdict.player
        ]
        places, by = _places(played, verdict.player), ", ".join(dict.fromkeys(righters))
        yield (*about, verdict.player, verdict.seat, *shown, *places, by)
    yield (*about, facts.narrator, None, None, None, None, None, *_places(played, facts.narrator), None)


def _places(played: Round, player: str) -> tuple[int, int]:
    places = played.trail.places
    return places[Figure(player, Animal.MOOSE)], places[Figure(player, Animal.RABBIT)]


def readable_files(folder: Path, missing: list[OSError]) -> Iterator[Path]:
    """Yield the complete files in a folder, which may be missing, and its subfolders, by name.

    The error of each unreadable file or folder is added to `missing`, with its `filename`.
    """
    refused: list[OSError] = []
    for inside, folders, names in os.walk(folder, onerror=refused.append):
        folders.sort()
        missing += (_is_link(Path(inside) / name) for name in folders if (Path(inside) / name).is_symlink())
        yield from filter(lambda path: is_readable(path, missing), (Path(inside) / name for name in sorted(names)))
    missing += (error for error in refused if not isinstance(error, FileNotFoundError))


def is_readable(path: Path, missing: list[OSError]) -> bool:
    """Return whether a complete file can be read; the error of an unreadable one or a link is added to `missing`."""
    if is_part(path) or is_spool(path):
        return False
    if path.is_symlink():
        missing.append(_is_link(path))
        return False
    try:
        with open_regular(path):
            return True
    except PermissionError as error:
        missing.append(error)
    except OSError as error:
        if is_visible(path):
            missing.append(error)
    return False


def _is_link(path: Path) -> OSError:
    """Return the error of a link, whose target is not part of a game."""
    return OSError(errno.ELOOP, "it is a link", str(path))


def unread(error: OSError) -> str:
    """Describe a file that cannot be read: `/games/party/rounds/01 cannot be read (Permission denied)`."""
    return f"{error.filename} cannot be read ({reason_of(error)})"
