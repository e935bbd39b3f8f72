"""A size and rate that a camera offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class CameraMode:
    """One size and frame rate of a camera.

    Attributes:
        frames_per_s: the highest rate at this size; 0 where the camera does not tell.
    """

    width: int
    height: int
    frames_per_s: float

    @classmethod
    def sorted(cls, modes: Iterable[Self]) -> tuple[Self, ...]:
        """Each size once with its highest rate, the largest first."""
        highest: dict[tuple[int, int], Self] = {}
        for mode in sorted(modes, key=lambda mode: mode.frames_per_s):
            highest[mode.width, mode.height] = mode
        return tuple(sorted(highest.values(), key=lambda mode: (mode.width * mode.height, mode.width), reverse=True))

    def __str__(self) -> str:
        rate = f" at {self.frames_per_s:.3g} frames a second" if self.frames_per_s else ""
        return f"{self.width}×{self.height}{rate}"
