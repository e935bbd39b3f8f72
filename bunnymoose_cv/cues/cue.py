"""Gate of the cues: several makers of one “Bam!”, debounced, and one consumer."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SAME_BAM_S: Final = 2.0
"""Debounce time: cues made within it are one Bam, such as a shout with a slap on the table, the key pressed to it."""


class Maker(Enum):
    """Origin of a cue."""

    KEY = "key"
    CLICKER = "clicker"
    BUTTON = "button"
    DEALER = "dealer"
    SCRIPT = "script"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Cue:
    """One Bam.

    Attributes:
        time_s: when it was made, not when it was handled, in seconds of the clock that frames and sound carry.
    """

    time_s: float
    maker: Maker


class CueGate:
    """Debounced hand-over of cues from makers, each on a thread of its own, to the one consumer.

    Several makers notice the same Bam; the first to come through stands, whatever comes with a time near it is the
    same one. Every method may be called from any thread.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start without a cue; `clock` tells the time of frames and sound, in seconds."""
        self._clock = clock
        self._changed = threading.Condition()
        self._standing: Cue | None = None
        self._taken = True

    def make(self, maker: Maker, time_s: float | None = None) -> Cue | None:
        """Say Bam.

        Args:
            time_s: when it was said, where that is not now: a sound is known for a Bam only after it was heard.

        Returns:
            the cue; None if it is the same Bam as the one that stands.
        """
        with self._changed:
            made_s = self._clock() if time_s is None else time_s
            if self._standing is not None and abs(made_s - self._standing.time_s) <= SAME_BAM_S:
                return None
            self._standing, self._taken = Cue(made_s, maker), False
            self._changed.notify_all()
            return self._standing

    def wait(self, timeout_s: float | None = None) -> Cue | None:
        """Wait for the next Bam; each is handed out once, and of several that nobody waited for the last.

        Args:
            timeout_s: for so long at most, in seconds; for ever without one.

        Returns:
            the cue; None if none came in time.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not self._taken, timeout_s):
                return None
            self._taken = True
            return self._standing

    def dismiss(self) -> None:
        """Dismiss the last Bam, also if nobody has taken it yet, so that the next may come at once."""
        with self._changed:
            self._standing, self._taken = None, True
