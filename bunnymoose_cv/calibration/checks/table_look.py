"""Input of a check of the table: a few seconds of images, and readings of some of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.capture.image_geometry import AS_IT_IS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.capture.image_geometry import View
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player

Grey: TypeAlias = npt.NDArray[np.float32]
"""Brightness, shape (height, width), 0 to 255."""

WIDTH_PX: Final = 1280
"""Largest width of images in which light is measured, so that larger ones give the same values and take no longer."""


@dataclass(frozen=True)
class TableLook:
    """A look at the table.

    Attributes:
        frames: consecutive frames of one size, in order of time; at least one.
        times_s: arrival time of each frame of the look, including those that are not kept in `frames`.
        players: all players found in the newest frame, from left to right.
        live: True if frames must differ, so that equal ones mean a frozen image.
        view: rotation and mirroring already applied to the frames.
        turned: clockwise turn of the newest frame in degrees → heads found after it.
    """

    frames: tuple[Frame, ...]
    times_s: tuple[float, ...]
    players: tuple[Player, ...] = ()
    live: bool = False
    view: View = AS_IT_IS
    turned: Mapping[int, tuple[Head, ...]] = field(default_factory=dict)

    @property
    def image(self) -> Image:
        """The newest image."""
        return self.frames[-1].image

    @cached_property
    def greys(self) -> tuple[Grey, ...]:
        """Brightness of each frame, at most `WIDTH_PX` wide."""
        return tuple(grey_of(frame.image) for frame in self.frames)

    @cached_property
    def heads(self) -> tuple[Head, ...]:
        """Heads of all players, from left to right."""
        return tuple(player.head for player in self.players)


def of_one_size(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """Return the last frames as large as the newest. A camera that was lost may come back with another mode."""
    size = frames[-1].image.shape
    return tuple(reversed([*takewhile(lambda frame: frame.image.shape == size, reversed(frames))]))


def grey_of(image: Image, width_px: int = WIDTH_PX) -> Grey:
    """Return the brightness of an image, scaled down if it is wider than a limit."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    if width > width_px:
        size = (width_px, round(height * width_px / width))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return grey.astype(np.float32)


def contrast_of(grey: Grey) -> float:
    """Return the contrast between the darkest twentieth and the brightest, 0 to 255."""
    low, high = np.percentile(grey, [5, 95])
    return float(high - low)
