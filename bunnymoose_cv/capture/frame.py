"""Frames, and the errors of a source that gives none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.errors import InputError

Picture: TypeAlias = npt.NDArray[np.uint8]
"""A picture: height × width × 3, blue, green, red, upright, unmirrored, origin top left."""


def check_picture(picture: object) -> None:
    """Hold that pixels are a picture, before OpenCV or a network meets them.

    Raises:
        TypeError: they are no NumPy array of `uint8`.
        ValueError: their shape is not (height, width, 3), or there are none.
    """
    if not isinstance(picture, np.ndarray):
        raise TypeError(f"A picture has to be a NumPy array, not {type(picture).__name__}.")
    if picture.dtype != np.uint8:
        raise TypeError(f"A picture has to be of uint8 (0 to 255), not of {picture.dtype}.")
    if picture.shape[2:] != (3,) or not picture.size:
        raise ValueError(f"A picture has to be of shape (height, width, 3), blue-green-red, not {picture.shape}.")


class UnreadableError(InputError):
    """A picture, a clip or a camera cannot be read."""

    @classmethod
    def of_file(cls, name: str, error: OSError) -> Self:
        """The sentence for a file that the system does not open."""
        if isinstance(error, FileNotFoundError):
            return cls(f"There is no {name}: check the name")
        return cls(f"{name} cannot be read: {error.strerror}")


class SourceLostError(InputError):
    """Loss of a camera or a stream that gave pictures; it may come back."""


class SourceEndedError(InputError):
    """End of a clip or a folder, which has been played whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and its time.

    Attributes:
        picture: upright and unmirrored.
        time_s: of a camera or a stream, `time.monotonic()` when it came; of a clip, seconds from its start.
    """

    picture: Picture
    time_s: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as the picture truly is and not as its source promised."""
        return self.picture.shape[1], self.picture.shape[0]
