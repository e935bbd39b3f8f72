"""Frames, and the errors of sources that cannot give one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.errors import InputError

Image: TypeAlias = npt.NDArray[np.uint8]
"""An image: height × width × 3, blue, green, red, upright, unmirrored, origin top left."""


def check_image(image: object) -> None:
    """Check that pixels are an image before they reach OpenCV or a network.

    Raises:
        TypeError: they are not a NumPy array of `uint8`.
        ValueError: their shape is not (height, width, 3), or they are empty.
    """
    if not isinstance(image, np.ndarray):
        raise TypeError(f"An image has to be a NumPy array, not {type(image).__name__}.")
    if image.dtype != np.uint8:
        raise TypeError(f"An image has to be of uint8 (0 to 255), not of {image.dtype}.")
    if image.shape[2:] != (3,) or not image.size:
        raise ValueError(f"An image has to be of shape (height, width, 3), blue-green-red, not {image.shape}.")


class UnreadableError(InputError):
    """Error for an image, a clip or a camera that cannot be read."""

    @classmethod
    def of_file(cls, name: str, error: OSError) -> Self:
        """Make the error for a file that the system does not open."""
        if isinstance(error, FileNotFoundError):
            return cls(f"There is no {name}: check the name")
        return cls(f"{name} cannot be read: {error.strerror}")


class SourceLostError(InputError):
    """Loss of a camera or a stream that gave images; it may come back."""


class SourceEndedError(InputError):
    """End of a clip or a folder, which has been played whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """An image and its time.

    Attributes:
        image: upright and unmirrored.
        time_s: seconds. For a camera or stream `time.monotonic()` at arrival, minus its known delay; for a clip the
            time since its start.
    """

    image: Image
    time_s: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, measured on the image and not taken from its source's header."""
        return self.image.shape[1], self.image.shape[0]
