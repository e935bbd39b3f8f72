"""Watches of a session between two freezes: over camera and microphone, and over the table with a quiet check.

The game goes on; the fault is shown with the other notices of the table until it is over.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.phrases import announce_camera_back, announce_camera_lost
from bunnymoose_cv.calibration.checks.check_finding import CheckCause, Level, fault_with_remedy, main_finding
from bunnymoose_cv.calibration.checks.light_checks import check_backlight, check_noise
from bunnymoose_cv.calibration.checks.people_checks import check_distance, check_room
from bunnymoose_cv.calibration.checks.picture_checks import check_focus, check_image
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.game import BEFORE_BAM
from bunnymoose_cv.session.source_actor import NewFrames
from bunnymoose_cv.session.table_state import LatestReading

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.check_finding import Finding
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.play.table_output import TableVoice
    from bunnymoose_cv.session.services import Notices, Services
    from bunnymoose_cv.session.sources.video_source import VideoSource
    from bunnymoose_cv.vision.readings import FrameReading

STEP_S: Final = 1.0
"""Interval of the judgements, each of which takes some hundredths of a second."""

LASTS_S: Final = 6.0
"""Debounce: a shorter fault may be a person who walks past."""


class QuietCheck:
    """Judge of one reading a second. Belongs to one thread."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque(maxlen=2)
        self._judged_s = float("-inf")
        self._cause = CheckCause.FINE
        self._since_s = 0.0
        self._reported: Finding | None = None

    def see(self, reading: FrameReading) -> Finding | None:
        """Judge a reading, and return a bad finding that has lasted long enough to be reported; None without one."""
        self._frames.append(Frame(reading.image, reading.time_s))
        if reading.time_s < self._judged_s + STEP_S:
            return self._reported
        self._judged_s = reading.time_s
        finding = _find_fault(
            TableLook(of_one_size(self._frames), (), tuple(player.player for player in reading.players))
        )
        cause = CheckCause.FINE if finding is None else finding.cause
        if cause is not self._cause:
            self._cause, self._since_s = cause, reading.time_s
        self._reported = finding if reading.time_s - self._since_s >= LASTS_S else None
        return self._reported


def _find_fault(look: TableLook) -> Finding | None:
    """Return the first bad finding. An empty table is not a fault, since people fetch drinks."""
    image = check_image(look)
    if image.level is Level.BAD:
        return image
    findings = [check_noise(look), check_backlight(look)]
    if look.players:
        findings += [check_focus(look), check_distance(look), check_room(look)]
    main = main_finding(tuple(finding for finding in findings if finding is not None))
    return main if main is not None and main.level is Level.BAD else None


MIN_INTERVAL_S: Final = 0.066
"""Shortest time between two looks, which leaves the computer time for the pages that show them."""


class IdleTableReader:
    """Reader of the table between two freezes, with a quiet check. Belongs to the session's thread."""

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


class CameraWatch:
    """Watch over camera and microphone, which announces when one is lost or back. Belongs to the session's thread."""

    def __init__(self, services: Services, video_source: VideoSource, referee: Referee, voice: TableVoice) -> None:
        self._services, self._video_source, self._referee, self._voice = services, video_source, referee, voice
        self.camera = CameraState.WATCHING

    def begin(self) -> None:
        """Take the state of the opened source without an announcement."""
        self.camera = self._video_source.camera

    def watch(self) -> bool:
        """Update the notices, announce a camera that is lost or back, and return whether its state has changed."""
        notices, language = self._services.notices, self._services.language
        gone = Phrase("The microphone is gone: shouts do not count as Bam until it is back.")
        notices.keep("microphone", "" if self._video_source.has_sound else gone)
        notices.keep("camera", self._video_source.problem)
        before, self.camera = self.camera, self._video_source.camera
        if self.camera is before:
            return False
        if self.camera is CameraState.LOST:
            self._voice.announce(announce_camera_lost(language))
        elif self.camera is CameraState.WATCHING:
            self._referee.reset_tracking()
            self._voice.announce(announce_camera_back(language))
        return True
