"""Sound on the clock of the images, and reading it from a file."""

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
"""Samples of one channel, shape (n,), the loudest possible −32768 and 32767."""

LOUDEST: Final = 32767


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """A stretch of sound, one channel.

    Attributes:
        samples: shape (n,).
        rate: samples per second.
        start_s: the time of the first sample.
    """

    samples: Samples
    rate: int
    start_s: float = 0.0

    @property
    def end_s(self) -> float:
        """The time just after the last sample."""
        return self.start_s + len(self.samples) / self.rate


def one_channel() -> av.AudioResampler:
    """Make a resampler from decoded sound of any kind to samples of ours, at its own rate."""
    return av.AudioResampler(format="s16", layout="mono")


def read_sound(path: Path, start_s: float = 0.0) -> Sound:
    """Read a sound file, or the sound of a clip, at its own rate; several channels become one.

    Raises:
        UnreadableError: it is missing, may not be read, is damaged, or holds no sound.
    """
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
