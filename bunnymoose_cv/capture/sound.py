"""Sound on the clock of the images, reading of sound files, and resampling."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

import av
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.core.input_file import open_regular

if TYPE_CHECKING:
    from pathlib import Path


Samples: TypeAlias = npt.NDArray[np.int16]
"""Samples of one channel, shape (n,), from −32768 to 32767."""

LOUDEST: Final = 32767


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """A stretch of sound, one channel.

    Attributes:
        rate: samples per second.
        start_s: time of the first sample.
    """

    samples: Samples
    rate: int
    start_s: float = 0.0

    @property
    def end_s(self) -> float:
        """The time just after the last sample."""
        return self.start_s + len(self.samples) / self.rate


def one_channel() -> av.AudioResampler:
    """Make a resampler that converts decoded sound of any kind to one channel of `Samples`, at its own rate."""
    return av.AudioResampler(format="s16", layout="mono")


def read_sound(path: Path, start_s: float = 0.0) -> Sound:
    """Read a sound file, or the sound of a clip, at its own rate. Raise an `UnreadableError` if that fails."""
    try:
        open_regular(path).close()
        with av.open(path, metadata_errors="replace") as container:
            rate = container.streams.audio[0].rate
            mixer = one_channel()
            pieces = [mixer.resample(frame) for frame in chain(container.decode(audio=0), [None])]
    except (av.FFmpegError, IndexError) as error:
        raise UnreadableError(f"The sound {path} cannot be read: it is damaged or holds no sound") from error
    except OSError as error:
        raise UnreadableError.of_file(str(path), error) from error
    silence = np.zeros(0, np.int16)
    samples = np.concatenate([silence, *(piece.to_ndarray()[0] for piece in chain.from_iterable(pieces))])
    return Sound(samples, rate, start_s)


def resampled(samples: Samples, rate: int, wanted_rate: int) -> npt.NDArray[np.float32]:
    """Resample one channel to another rate, from -1 to 1, with a filter against aliasing."""
    silence = np.zeros(0, np.float32)
    if not len(samples):
        return silence
    resampler = av.AudioResampler(format="flt", layout="mono", rate=wanted_rate)
    frame = av.AudioFrame.from_ndarray((samples / LOUDEST).astype(np.float32)[np.newaxis], "flt", "mono")
    frame.sample_rate = rate
    pieces = [*resampler.resample(frame), *resampler.resample(None)]
    return np.concatenate([silence, *(piece.to_ndarray()[0] for piece in pieces)])
