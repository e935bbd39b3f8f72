"""Folder of a round's evidence: paths and reading.

In a game's folder:

    rounds/03/frame_1.jpg …   the judged frames
    rounds/03/judged.jpg      the aggregated reading drawn on its image
    rounds/03/evidence.json   landmarks, readings, verdicts; written after all of the above
    rounds/03/replay.mp4      with its time table in replay.json
    rounds/03.1.footage.zip   the held seconds around Bam, until the replay is written (footage_spool.py)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import ValidationError

from bunnymoose_cv.core.errors import InputError, reason_of
from bunnymoose_cv.core.input_file import LARGEST_BYTES, no_right_to_read, read_bounded
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_json import FilmShape, RoundShape

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS: Final = "rounds"
"""Folder with the rounds' evidence, in the game's folder."""


class EvidenceError(InputError):
    """Evidence of a round that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class RoundFolder:
    """Paths of a round's evidence; each file may be missing, but is never partial."""

    folder: Path

    @property
    def json(self) -> Path:
        """Path of the landmarks, readings and verdicts."""
        return self.folder / "evidence.json"

    @property
    def still(self) -> Path:
        """Path of the judged image with the reading drawn on it."""
        return self.folder / "judged.jpg"

    def frame(self, number: int) -> Path:
        """Return the path of a frame, counted from 1 in the order in which they were stored."""
        return self.folder / f"frame_{number}.jpg"

    def frozen(self) -> Path:
        """Return the path of the image at Bam without a drawn reading, which may be corrected later."""
        shape = self.read()
        if shape is None:
            return self.still
        nearest = min(shape.frames, key=lambda frame: abs(frame.time_s - shape.agreed.time_s))
        return self.folder / nearest.file

    @property
    def replay(self) -> Path:
        """Path of the film of the round."""
        return self.folder / "replay.mp4"

    @property
    def times(self) -> Path:
        """Path of the film's time table."""
        return self.folder / "replay.json"

    @property
    def has_film(self) -> bool:
        """Return whether film and time table exist; raise an `EvidenceError` if the folder may not be accessed."""
        return is_there(self.replay) and is_there(self.times)

    def seat_film(self, seat: int) -> Path:
        """Return the path of the film of one seat, which is made on request (short_films.py)."""
        return self.folder / f"seat_{seat}.mp4"

    def read(self) -> RoundShape | None:
        """Read the evidence, None if none is stored; raise an `EvidenceError` if it cannot be read."""
        return _read(self.json, RoundShape) if is_there(self.json) else None

    def read_times(self) -> FilmShape | None:
        """Read the film's time table, None without a film; raise an `EvidenceError` if it cannot be read."""
        return _read(self.times, FilmShape) if self.has_film else None


def is_there(path: Path) -> bool:
    """Return whether a file of a round exists, without following links; raise an `EvidenceError` without access."""
    try:
        return path.is_file() and not path.is_symlink()
    except PermissionError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: PermissionError) -> EvidenceError:
    return EvidenceError(no_right_to_read(path, reason_of(error)))


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
    """Return the folder of a round's evidence, which may not exist."""
    return RoundFolder(game_folder / ROUNDS / f"{number:02d}")
