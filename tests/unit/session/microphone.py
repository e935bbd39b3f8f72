"""A table without a camera, whose microphone hears what a test plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.session.video_source import NoVideoSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.sound import Samples, Sound


class Microphone(NoVideoSource):
    """Video source with sound alone."""

    _hear: Callable[[Samples, int, float], None]

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        """Give the sound to somebody."""
        self._hear = callback

    def play(self, sound: Sound) -> None:
        """Let a sound be heard, in pieces of a fiftieth of a second."""
        step = sound.rate // 50
        for first in range(0, len(sound.samples), step):
            self._hear(sound.samples[first : first + step], sound.rate, sound.start_s + first / sound.rate)
