"""Gate of the cues: several makers may report the same “Bam!”, which is debounced for one consumer."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SAME_BAM_S: Final = 2.0
"""Debounce time. Cues within it are one Bam, such as a shout, a slap on the table and a key pressed at once."""


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
    """One Bam, at the time at which it was made, not handled, in seconds of the clock of frames and sound."""

    time_s: float
    maker: Maker


class CueGate:
    """Debounced hand-over of cues from several makers, each on its own thread, to one consumer.

    If several makers notice the same Bam, the first cue counts, and others with a time near it are dropped. Every
    method may be called from any thread.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, keep_for: Callable[[float], None] = lambda _: None
    ) -> None:
        """Start without a cue.

        Args:
            clock: that of frames and sound, in seconds.
            keep_for: called with the time of each cue, whose frames the consumer may need only later, and with infinity
                if the cue is dismissed.
        """
        self._clock, self._keep_for = clock, keep_for
        self._changed = threading.Condition()
        self._standing: Cue | None = None
        self._taken = True

    def make(self, maker: Maker, time_s: float | None = None) -> Cue | None:
        """Report a Bam, and return its cue; None if it is the same Bam as the last one.

        The time may be past, since a sound is recognised as a Bam only after it was heard; None is now.
        """
        with self._changed:
            made_s = self._clock() if time_s is None else time_s
            if self._standing is not None and abs(made_s - self._standing.time_s) <= SAME_BAM_S:
                return None
            self._keep_for(made_s)
            self._standing, self._taken = Cue(made_s, maker), False
            self._changed.notify_all()
            return self._standing

    def wait(self, timeout_s: float | None = None) -> Cue | None:
        """Wait for the next Bam, and return its cue; None if none came in time. A timeout of None waits forever.

        Each is returned once, and only the last of several that were not waited for.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not self._taken, timeout_s):
                return None
            self._taken = True
            return self._standing

    def dismiss(self) -> None:
        """Dismiss the last Bam, even if it has not been consumed, so that the next may follow at once."""
        with self._changed:
            self._keep_for(math.inf)
            self._standing, self._taken = None, True
