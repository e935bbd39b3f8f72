"""Reader of the table between two freezes, and the quiet check of its frames, which tells a fault that lasts.

Nothing is stopped: a sentence stands with the other troubles of the table until the fault is gone.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, Level, main_finding
from bunnymoose_cv.calibration.checks.check_words import fault_with_remedy
from bunnymoose_cv.calibration.checks.light_checks import check_backlight, check_noise
from bunnymoose_cv.calibration.checks.people_checks import check_distance, check_room
from bunnymoose_cv.calibration.checks.picture_checks import check_focus, check_image
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.session.new_frames import NewFrames
from bunnymoose_cv.session.table_cues import BEFORE_BAM
from bunnymoose_cv.session.table_state import LatestReading

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.check_finding import Finding
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.notices import Notices
    from bunnymoose_cv.session.video_source import VideoSource
    from bunnymoose_cv.vision.readings import FrameReading

STEP_S: Final = 1.0
"""Time from one judgement to the next, which costs some hundredths of a second."""

LASTS_S: Final = 6.0
"""Debounce: a shorter fault is somebody who walks past."""


class QuietCheck:
    """Judge of one reading a second. Belongs to one thread."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque(maxlen=2)
        self._judged_s = float("-inf")
        self._cause = CheckCause.FINE
        self._since_s = 0.0
        self._told: Finding | None = None

    def see(self, reading: FrameReading) -> Finding | None:
        """Judge a reading.

        Returns:
            The bad finding that has lasted long enough to be told; None where there is none.
        """
        self._frames.append(Frame(reading.image, reading.time_s))
        if reading.time_s < self._judged_s + STEP_S:
            return self._told
        self._judged_s = reading.time_s
        finding = _find_fault(TableLook(of_one_size(self._frames), (), tuple(each.player for each in reading.players)))
        cause = CheckCause.FINE if finding is None else finding.cause
        if cause is not self._cause:
            self._cause, self._since_s = cause, reading.time_s
        self._told = finding if reading.time_s - self._since_s >= LASTS_S else None
        return self._told


def _find_fault(look: TableLook) -> Finding | None:
    """Find the first bad finding; nobody at the table is no fault while people fetch drinks."""
    image = check_image(look)
    if image.level is Level.BAD:
        return image
    findings = [check_noise(look), check_backlight(look)]
    if look.players:
        findings += [check_focus(look), check_distance(look), check_room(look)]
    main = main_finding(tuple(finding for finding in findings if finding is not None))
    return main if main is not None and main.level is Level.BAD else None


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
