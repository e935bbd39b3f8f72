"""Footage of rounds until their films are written: in memory from the cue on, then in a spool on the disk.

A spool is a ZIP file next to the folder of the round, `rounds/03.1.footage.zip`, and helps slow encoders and killed
programs. It has the JPEGs as they were held, uncompressed, their times, and the sound as WAV.
"""

from __future__ import annotations

import io
import logging
import wave
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, Self, cast
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from pydantic import BaseModel, Field, FiniteFloat

from bunnymoose_cv.capture.footage import Footage, HeldFootage
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.images import decode_image
from bunnymoose_cv.capture.jpeg_frame import FrameRun
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import open_regular
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.round_folder import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path


_logger = logging.getLogger(__name__)

FILM_BEFORE_CUE_S: Final = 8.0
FILM_AFTER_CUE_S: Final = 4.0
"""Time around the cue that the film of a round shows, seconds."""

_PATIENCE_S: Final = 10.0
"""Timeout for the seconds after the cue, in which the camera may be lost."""


class FootageHolder:
    """Buffer for the seconds around the cue of each round until they are taken; rounds are counted from 1.

    Before each frame is written it calls `pause`, which returns when the disk may be used.
    """

    def __init__(self, game_folder: Path, pause: Callable[[], object]) -> None:
        self._game_folder = game_folder
        self._pause = pause
        # Pools instead of actor threads: two jobs wait in parallel, and shutdown waits for all of them.
        self._waiting = ThreadPoolExecutor(max_workers=2, thread_name_prefix="held footage")
        self._spooling = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spooled footage")
        self._held: dict[int, Future[Footage]] = {}
        self._planned: set[Path] = set()
        self._wanted: dict[int, Path] = {}

    @property
    def rounds(self) -> tuple[int, ...]:
        """Numbers of the rounds whose footage is held and not taken yet."""
        return tuple(self._held)

    def hold(self, number: int, cue_s: float, footage: Footage) -> None:
        """Hold the seconds around a cue, given on the clock of the footage, as soon as they have arrived."""
        path = self._wanted[number] = spool_path(self._game_folder, number, self._planned)
        self._planned.add(path)
        held = self._waiting.submit(_held, footage, cue_s)
        self._held[number] = self._spooling.submit(self._spooled, number, path, held, cue_s)

    def take(self, number: int) -> Future[Footage] | None:
        """Remove and return the Future of a round's footage; None if none is held."""
        return self._held.pop(number, None)

    def forget(self, number: int) -> None:
        """Drop the footage of a round, including spools left by an earlier run."""
        self._wanted.pop(number, None)
        self._held.pop(number, None)
        for path in spools_of(self._game_folder, number):
            remove_spool(path)

    def finish(self) -> None:
        """Wait until all footage is held, and close the buffer."""
        self._waiting.shutdown()
        self._spooling.shutdown()

    def _spooled(self, number: int, path: Path, held: Future[Footage], cue_s: float) -> Footage:
        """Move held footage to the disk to free memory; if writing fails, it remains in memory."""
        footage = held.result()
        if not isinstance(footage, HeldFootage) or self._wanted.get(number) != path:
            return footage
        try:
            spooled = spool(footage, cue_s, path, self._pause)
        except OSError:
            _logger.warning("held footage stays in memory: %s", path.name, exc_info=True)
            return footage
        if self._wanted.get(number) != path:
            remove_spool(path)  # the cue was dropped while its spool was being written
        return spooled


def _held(footage: Footage, cue_s: float) -> Footage:
    """Wait for the last frame of the film, and return its footage."""
    footage.wait_for(cue_s + FILM_AFTER_CUE_S, _PATIENCE_S)
    return footage.held(cue_s - FILM_BEFORE_CUE_S, cue_s + FILM_AFTER_CUE_S)


SUFFIX: Final = ".footage.zip"
_INDEX: Final = "index.json"
_SOUND: Final = "sound.wav"

_LARGEST_BYTES: Final = 16_000_000
"""Size limit of the index, of each image and of the sound; 12 s of sound at 192 kHz have 4.6 MB."""

_MOST_FRAMES: Final = 5_000
"""Limit of the number of frames; 12 s at 240 frames a second have 2,880."""

_SMALLEST_PX: Final = 16
"""Minimum of an image's shorter side in pixels: no camera has less, and encoders refuse less."""

_HIGHEST_RATE: Final = 384_000
"""Limit of the sound's samples per second."""


class SpoolError(InputError):
    """Spool that cannot be read."""


class _SpooledFrame(BaseModel):
    time_s: FiniteFloat
    rotation_degrees: int
    mirrored: bool


class _SpoolIndex(BaseModel):
    """Index of a spool; all times, including `cue_s`, are on the clock of the frames."""

    cue_s: FiniteFloat
    frames: tuple[_SpooledFrame, ...] = Field(max_length=_MOST_FRAMES)
    sound_start_s: FiniteFloat | None


@dataclass(frozen=True, slots=True, eq=False)
class SpooledFootage:
    """Footage in a spool; each frame is read on access."""

    path: Path
    index: _SpoolIndex

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a spool; raise a `SpoolError` if it cannot be read."""
        with _opened(path) as archive, _reading(path):
            return cls(path, _SpoolIndex.model_validate_json(_entry(archive, _INDEX)))

    @property
    def cue_s(self) -> float:
        """Time of Bam, seconds."""
        return self.index.cue_s

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Return at once whether the footage reaches a time, as no more frames will come."""
        del patience_s
        return bool(self.index.frames) and time_s <= self.index.frames[-1].time_s

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """Yield the frames of a time span, one in memory at a time; raise a `SpoolError` if one cannot be read."""
        with _opened(self.path) as archive:
            for number, packed in enumerate(self.index.frames):
                if start_s <= packed.time_s <= end_s:
                    with _reading(self.path):
                        frame = _read_frame(_entry(archive, _name(number)), packed)
                    yield frame

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound of a time span, None if none was recorded; raise a `SpoolError` if it cannot be read."""
        if self.index.sound_start_s is None:
            return None
        with _opened(self.path) as archive, _reading(self.path):
            heard = _read_wave(_entry(archive, _SOUND), self.index.sound_start_s)
        return HeldFootage(FrameRun(()), heard).sound(start_s, end_s)

    def held(self, start_s: float, end_s: float) -> Self:
        """Return the footage unchanged."""
        del start_s, end_s
        return self


def spool_path(game_folder: Path, round_number: int, planned: Collection[Path] = ()) -> Path:
    """Return a free path for a spool of a round, next to the round's folder; `planned` ones count as taken."""
    taken = {*spools_of(game_folder, round_number), *planned}
    places = (game_folder / ROUNDS / f"{round_number:02d}.{number}{SUFFIX}" for number in count(1))
    return next(path for path in places if path not in taken)


def spools_of(game_folder: Path, round_number: int) -> tuple[Path, ...]:
    """Return the existing spools of a round, oldest first."""
    return tuple(sorted((game_folder / ROUNDS).glob(f"{round_number:02d}.*{SUFFIX}")))


def spooled_rounds(game_folder: Path) -> tuple[int, ...]:
    """Return the numbers of a game's rounds that have spools."""
    names = (path.name.partition(".")[0] for path in (game_folder / ROUNDS).glob(f"*{SUFFIX}"))
    return tuple(sorted({int(name) for name in names if name.isdecimal()}))


def is_spool(path: Path) -> bool:
    """Return whether a path has the name of a spool."""
    return path.name.endswith(SUFFIX)


def remove_spool(path: Path) -> None:
    """Delete a spool, ignoring errors of the disk, which cost only space."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def spool(footage: HeldFootage, cue_s: float, path: Path, pause: Callable[[], object]) -> SpooledFootage:
    """Write held footage to a spool, which exists once it is complete; `pause` is called before each frame."""
    index = _SpoolIndex(
        cue_s=cue_s,
        frames=tuple(_SpooledFrame(time_s=packed.time_s, **asdict(packed.view)) for packed in footage.run.packed),
        sound_start_s=None if footage.heard is None else footage.heard.start_s,
    )
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with whole_file(path) as part, ZipFile(part, "w") as archive:
        for number, packed in enumerate(footage.run.packed):
            pause()
            archive.writestr(_name(number), packed.content)
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
    """Open the archive of a spool; one that cannot be read raises a `SpoolError`."""
    with _reading(path):
        file = _BoundedReader(cast("io.BufferedReader", open_regular(path)).detach())
    with file:
        with _reading(path):
            archive = ZipFile(file)
        with archive:
            yield archive


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Convert every error into a `SpoolError`, since archives, images and sounds can be damaged in countless ways."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise SpoolError(Phrase("the held pictures in {file} cannot be read", file=path.name)) from error


class _BoundedReader(io.BufferedReader):
    """File that limits each read to the size of the largest entry, regardless of the archive's directory."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read like any file; raise `BadZipFile` beyond the limit."""
        content = super().read(_LARGEST_BYTES + 1 if size is None or size < 0 else min(size, _LARGEST_BYTES + 1))
        if len(content) > _LARGEST_BYTES:
            raise BadZipFile
        return content


def _entry(archive: ZipFile, name: str) -> bytes:
    """Return the content of an entry, which must be stored uncompressed and so cannot exceed the file."""
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
