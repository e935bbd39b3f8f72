"""Spool of a round's footage on the disk until its film is written, for slow encoders and killed programs.

A spool is a ZIP file beside the round's folder, `rounds/03.1.footage.zip`: the JPEGs as they were held, uncompressed,
their times, and the sound as WAV.
"""

from __future__ import annotations

import io
import wave
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, Self, cast
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.held_footage import HeldFootage
from bunnymoose_cv.capture.images import decode_image
from bunnymoose_cv.capture.jpeg_frame import FrameRun
from bunnymoose_cv.capture.orientation import View
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import open_regular
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.round_folder import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

SUFFIX: Final = ".footage.zip"
_INDEX: Final = "index.json"
_SOUND: Final = "sound.wav"

_LARGEST_BYTES: Final = 16_000_000
"""Bound of the index, of each image and of the sound; 12 s of sound at 192 kHz have 4.6 MB."""

_MOST_FRAMES: Final = 5_000
"""Bound of the frames; 12 s at 240 frames a second have 2,880."""

_SMALLEST_PX: Final = 16
"""Bound of an image's shorter side: there are no smaller cameras, and encoders take nothing smaller."""

_HIGHEST_RATE: Final = 384_000
"""Bound of the sound's samples per second."""


class SpoolError(InputError):
    """Error of a spool that cannot be read."""


class _SpooledFrame(BaseModel):
    """One JPEG in the spool: its time in seconds, and what makes it upright."""

    model_config = ConfigDict(frozen=True)

    time_s: FiniteFloat
    rotation_degrees: int
    mirrored: bool


class _SpoolIndex(BaseModel):
    """Index of a spool; `cue_s` is on the clock of the frames, as all times are."""

    model_config = ConfigDict(frozen=True)

    cue_s: FiniteFloat
    frames: tuple[_SpooledFrame, ...] = Field(max_length=_MOST_FRAMES)
    sound_start_s: FiniteFloat | None


@dataclass(frozen=True, slots=True, eq=False)
class SpooledFootage:
    """Footage that lies in a spool; each frame is read when it is looked at."""

    path: Path
    index: _SpoolIndex

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a spool.

        Raises:
            SpoolError: it cannot be read.
        """
        with _opened(path) as archive, _reading(path):
            return cls(path, _SpoolIndex.model_validate_json(_entry(archive, _INDEX)))

    @property
    def cue_s(self) -> float:
        """Time of Bam, seconds."""
        return self.index.cue_s

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Tell without waiting: nothing more will come."""
        del patience_s
        return bool(self.index.frames) and time_s <= self.index.frames[-1].time_s

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """The frames of a stretch of time, one in memory at a time.

        Raises:
            SpoolError: the spool cannot be read.
        """
        with _opened(self.path) as archive:
            for number, each in enumerate(self.index.frames):
                if start_s <= each.time_s <= end_s:
                    with _reading(self.path):
                        frame = _read_frame(_entry(archive, _name(number)), each)
                    yield frame

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """The sound of a stretch of time; None where nothing was heard.

        Raises:
            SpoolError: the spool cannot be read.
        """
        if self.index.sound_start_s is None:
            return None
        with _opened(self.path) as archive, _reading(self.path):
            heard = _read_wave(_entry(archive, _SOUND), self.index.sound_start_s)
        return HeldFootage(FrameRun(()), heard).sound(start_s, end_s)

    def held(self, start_s: float, end_s: float) -> Self:
        """Return the footage unchanged."""
        del start_s, end_s
        return self

    def remove(self) -> None:
        """Take the spool away; a disk that refuses costs only room."""
        remove_spool(self.path)


def spool_path(game_folder: Path, round_number: int, planned: Collection[Path] = ()) -> Path:
    """A free place for a spool of a round, beside the round's folder; `planned` ones are not free."""
    taken = {*spools_of(game_folder, round_number), *planned}
    places = (game_folder / ROUNDS / f"{round_number:02d}.{number}{SUFFIX}" for number in count(1))
    return next(path for path in places if path not in taken)


def spools_of(game_folder: Path, round_number: int) -> tuple[Path, ...]:
    """The spools of a round that lie there, oldest first."""
    return tuple(sorted((game_folder / ROUNDS).glob(f"{round_number:02d}.*{SUFFIX}")))


def spooled_rounds(game_folder: Path) -> tuple[int, ...]:
    """The rounds of a game of which spools lie there."""
    names = (path.name.partition(".")[0] for path in (game_folder / ROUNDS).glob(f"*{SUFFIX}"))
    return tuple(sorted({int(name) for name in names if name.isdecimal()}))


def is_spool(path: Path) -> bool:
    """Tell a spool by its name."""
    return path.name.endswith(SUFFIX)


def remove_spool(path: Path) -> None:
    """Take a spool away; a disk that refuses costs only room."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def spool(footage: HeldFootage, cue_s: float, path: Path, pause: Callable[[], object]) -> SpooledFootage:
    """Write held footage to a spool.

    Args:
        cue_s: when Bam was said, on the clock of the frames.
        path: of the spool; it appears there when it is whole.
        pause: called before each frame; returns when the disk may be used.

    Raises:
        OSError: the disk refuses.
    """
    index = _SpoolIndex(
        cue_s=cue_s,
        frames=tuple(
            _SpooledFrame(time_s=each.time_s, rotation_degrees=each.view.rotation_degrees, mirrored=each.view.mirrored)
            for each in footage.run.packed
        ),
        sound_start_s=None if footage.heard is None else footage.heard.start_s,
    )
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with whole_file(path) as part, ZipFile(part, "w") as archive:
        for number, each in enumerate(footage.run.packed):
            pause()
            archive.writestr(_name(number), each.content)
        if footage.heard is not None:
            archive.writestr(_SOUND, _wave(footage.heard))
        archive.writestr(_INDEX, index.model_dump_json())
    return SpooledFootage(path, index)


def _name(number: int) -> str:
    return f"{number:05d}.jpg"


def _wave(sound: Sound) -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(sound.rate)
        written.writeframes(sound.samples.astype("<i2").tobytes())
    return content.getvalue()


@contextmanager
def _opened(path: Path) -> Iterator[ZipFile]:
    """Open the archive of a spool.

    Raises:
        SpoolError: it cannot be read.
    """
    with _reading(path):
        file = _BoundedReader(cast("io.BufferedReader", open_regular(path)).detach())
    with file:
        with _reading(path):
            archive = ZipFile(file)
        with archive:
            yield archive


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn every fault of what is read into one error; archives, images and sounds can be damaged in countless ways.

    Raises:
        SpoolError: something cannot be read.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise SpoolError(Phrase("the held pictures in {file} cannot be read", file=path.name)) from error


class _BoundedReader(io.BufferedReader):
    """File of which no more is read at a time than the largest entry may have, whatever its directory says."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read as of any file.

        Raises:
            BadZipFile: that is too much.
        """
        content = super().read(_LARGEST_BYTES + 1 if size is None or size < 0 else min(size, _LARGEST_BYTES + 1))
        if len(content) > _LARGEST_BYTES:
            raise BadZipFile
        return content


def _entry(archive: ZipFile, name: str) -> bytes:
    """Content of an entry, which is stored as it is: nothing is unpacked to more than the file has."""
    info = archive.getinfo(name)
    if info.compress_type != ZIP_STORED:
        raise BadZipFile
    return archive.read(info)


def _read_frame(content: bytes, spooled: _SpooledFrame) -> Frame:
    image = decode_image(content, "")
    if min(image.shape[:2]) < _SMALLEST_PX:
        raise ValueError
    return Frame(View(spooled.rotation_degrees, spooled.mirrored).upright(image), spooled.time_s)


def _read_wave(content: bytes, start_s: float) -> Sound:
    with wave.open(io.BytesIO(content)) as read:
        if (read.getnchannels(), read.getsampwidth()) != (1, 2) or not 0 < read.getframerate() <= _HIGHEST_RATE:
            raise wave.Error
        samples = np.frombuffer(read.readframes(read.getnframes()), "<i2").astype(np.int16)
        return Sound(samples, read.getframerate(), start_s)
