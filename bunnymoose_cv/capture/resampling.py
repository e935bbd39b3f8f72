"""Resampling of sound by FFmpeg."""

from __future__ import annotations

from typing import TYPE_CHECKING

import av
import numpy as np

from bunnymoose_cv.capture.sound import LOUDEST

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.sound import Samples


def resampled(samples: Samples, rate: int, wanted_rate: int) -> npt.NDArray[np.float32]:
    """Resample one channel to another rate; what the new rate cannot hold is filtered out.

    Returns:
        Samples from -1 to 1, `wanted_rate` a second.
    """
    silence = np.zeros(0, np.float32)
    if not len(samples):
        return silence
    resampler = av.AudioResampler(format="flt", layout="mono", rate=wanted_rate)
    frame = av.AudioFrame.from_ndarray((samples / LOUDEST).astype(np.float32)[np.newaxis], "flt", "mono")
    frame.sample_rate = rate
    pieces = [*resampler.resample(frame), *resampler.resample(None)]
    return np.concatenate([silence, *(piece.to_ndarray()[0] for piece in pieces)])
