"""What capture hands on, and the error for a source that gives nothing. Owns no reading of anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.errors import InputError

Picture: TypeAlias = npt.NDArray[np.uint8]
"""A picture: height × width × 3, blue, green, red, upright, unmirrored, origin top left."""


class UnreadableError(InputError):
    """A picture or a clip cannot be read."""

    @classmethod
    def of_file(cls, name: str, error: OSError) -> Self:
        """The sentence for a file that the system does not open."""
        if isinstance(error, FileNotFoundError):
            return cls(f"There is no {name}: check the name")
        return cls(f"{name} cannot be read: {error.strerror}")


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and its time in seconds from the start of its clip."""

    picture: Picture
    time_s: float
