"""A stretch of images and sound that stays when its ring has moved on."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.capture.jpeg_frame import FrameRun
from bunnymoose_cv.capture.ring_buffer import SoundRing

if TYPE_CHECKING:
    from bunnymoose_cv.capture.sound import Sound


@dataclass(frozen=True, slots=True)
class HeldFootage:
    """Some seconds of a source, as it would have given them itself.

    Attributes:
        run: the images, packed.
        heard: the sound of the same time; None where nobody listened.
    """

    run: FrameRun
    heard: Sound | None

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Tell without waiting: nothing more will come."""
        del patience_s
        return bool(self.run) and time_s <= self.run.times_s[-1]

    def frames(self, start_s: float, end_s: float) -> FrameRun:
        """The images from one time to another, both included, each unpacked when it is looked at."""
        return FrameRun([packed for packed in self.run.packed if start_s <= packed.time_s <= end_s])

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound from one time to another; None without any."""
        if self.heard is None:
            return None
        ring = SoundRing(before_s=inf, after_s=0.0)
        ring.add(self.heard)
        return ring.sound(start_s, end_s)

    def held(self, start_s: float, end_s: float) -> Self:
        """Return the footage unchanged."""
        del start_s, end_s
        return self
