"""Look at the waiting table: pages see what is seen, and everybody's place is known at Bam."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_words import fault_with_remedy
from bunnymoose_cv.session.new_frames import NewFrames
from bunnymoose_cv.session.quiet_check import QuietCheck
from bunnymoose_cv.session.table_cues import BEFORE_BAM
from bunnymoose_cv.session.table_state import LatestReading

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.notices import Notices
    from bunnymoose_cv.session.video_source import VideoSource

MIN_INTERVAL_S: Final = 0.066
"""Shortest time between two looks: what is spared is there for the pages that show them."""


class IdleTableReader:
    """Reader of the table between two freezes. Belongs to the session's thread.

    Args:
        notices: get the bad finding of the quiet check, while it lasts.

    Attributes:
        latest_reading: newest look; None before the first.
    """

    def __init__(self, video_source: VideoSource, referee: Referee, notices: Notices) -> None:
        self._frames, self._referee, self._notices = NewFrames(video_source), referee, notices
        self._quiet_check = QuietCheck()
        self._looked_s = float("-inf")
        self.latest_reading: LatestReading | None = None

    def look(self) -> None:
        """Read the newest frame, if the table waits for Bam and a look is due."""
        now_s = time.monotonic()
        waits = self._referee.game.phase in BEFORE_BAM or self.latest_reading is None  # no blank mirror on a restart
        if not waits or now_s < self._looked_s + MIN_INTERVAL_S:
            return
        frame = self._frames.take()
        if frame is None:
            return
        self._looked_s = now_s
        self.latest_reading = LatestReading.after(self.latest_reading, self._referee.look(frame))
        fault = self._quiet_check.see(self.latest_reading.reading)
        self._notices.keep("table", "" if fault is None else fault_with_remedy(fault))
