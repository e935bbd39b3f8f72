"""Clock of a stream's sound: the sender's stamps on the clock of the images."""

from __future__ import annotations

from typing import Final

_BACK_S: Final = 1.0
"""Sound that is stamped so much earlier than expected begins anew."""

_DRIFT: Final = 0.001
"""Most that a sender's clock loses: more than any does, and a stall of some seconds moves the sound by little."""


class SoundClock:
    """Offset between the clock of a sender's stamps and ours; stamps stay even where the network stalls."""

    def __init__(self) -> None:
        self._offset_s = float("inf")
        self._expected_s = float("-inf")

    def start_s(self, stamped_s: float, lasting_s: float, came_s: float) -> float:
        """Time of a piece's first sample; the piece that was least delayed tells how far the clocks are apart."""
        if stamped_s < self._expected_s - _BACK_S:
            self._offset_s = float("inf")
        self._expected_s = stamped_s + lasting_s
        self._offset_s = min(self._offset_s + _DRIFT * lasting_s, came_s - self._expected_s)
        return stamped_s + self._offset_s
