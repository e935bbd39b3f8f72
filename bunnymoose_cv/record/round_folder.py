"""Folder of a round's evidence: paths and reading.

In a game's folder:

    rounds/03/frame_1.jpg …   the judged frames
    rounds/03/judged.jpg      the agreed reading drawn on its image
    rounds/03/evidence.json   landmarks, readings, verdicts; there when all of the above is
    rounds/03/replay.mp4      with replay.json: what happens when in it
    rounds/03.1.footage.zip   the held seconds around Bam, until the replay is written (footage_spool.py)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import ValidationError

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import no_right_to_read, read_bounded
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.text_file import LARGEST_BYTES
from bunnymoose_cv.record.evidence_json import FilmShape, RoundShape

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS: Final = "rounds"
"""The folder in a game's own that the rounds' evidence stands in."""


class EvidenceError(InputError):
    """Evidence of a round that cannot be read, or cannot be written."""


@dataclass(frozen=True, slots=True)
class RoundFolder:
    """Paths of a round's evidence; each may be missing, and none of them is ever half a file."""

    folder: Path

    @property
    def json(self) -> Path:
        """Landmarks, readings and verdicts."""
        return self.folder / "evidence.json"

    @property
    def still(self) -> Path:
        """The judged image with the reading drawn on it."""
        return self.folder / "judged.jpg"

    def frame(self, number: int) -> Path:
        """A frame, counted from 1 in the order in which they were kept."""
        return self.folder / f"frame_{number}.jpg"

    @property
    def replay(self) -> Path:
        """The film of the round."""
        return self.folder / "replay.mp4"

    @property
    def times(self) -> Path:
        """Path of the film's time table."""
        return self.folder / "replay.json"

    @property
    def has_film(self) -> bool:
        """True if the film and its times stand there.

        Raises:
            EvidenceError: the folder may not be looked into.
        """
        return is_there(self.replay) and is_there(self.times)

    def seat_film(self, seat: int) -> Path:
        """The film of one seat, made when somebody asks for it."""
        return self.folder / f"seat_{seat}.mp4"

    def read(self) -> RoundShape | None:
        """Read the evidence; None where nothing was kept.

        Raises:
            EvidenceError: it cannot be read.
        """
        return _read(self.json, RoundShape) if is_there(self.json) else None

    def read_times(self) -> FilmShape | None:
        """Read the film's time table; None where there is no film.

        Raises:
            EvidenceError: it cannot be read.
        """
        return _read(self.times, FilmShape) if self.has_film else None


def is_there(path: Path) -> bool:
    """Return whether a file of a round is there; a link is none, since it may point anywhere.

    Raises:
        EvidenceError: its folder may not be looked into.
    """
    try:
        return path.is_file() and not path.is_symlink()
    except PermissionError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: PermissionError) -> EvidenceError:
    return EvidenceError(no_right_to_read(path, error.strerror or str(error)))


def _read(path: Path, shape: type[_Shape]) -> _Shape:
    try:
        return shape.model_validate_json(read_bounded(path, LARGEST_BYTES))
    except PermissionError as error:
        raise _refused(path, error) from error
    except (OSError, ValidationError) as error:
        raise EvidenceError(
            Phrase("{path} cannot be read: it is damaged, or a newer program wrote it.", path=str(path))
        ) from error


_Shape = TypeVar("_Shape", RoundShape, FilmShape)


def round_folder(game_folder: Path, number: int) -> RoundFolder:
    """Return the folder of a round's evidence, whether anything was kept or not."""
    return RoundFolder(game_folder / ROUNDS / f"{number:02d}")
