"""Watch over camera and microphone: people are told when one is lost, and when it is back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.voice.phrases import tell_camera_back, tell_camera_lost

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.table_voice import TableVoice
    from bunnymoose_cv.session.video_source import VideoSource


class CameraWatch:
    """Watch over the video source. Belongs to the session's thread."""

    def __init__(self, services: Services, video_source: VideoSource, referee: Referee, voice: TableVoice) -> None:
        self._services, self._video_source, self._referee, self._voice = services, video_source, referee, voice
        self.camera = CameraState.WATCHING

    def begin(self) -> None:
        """Take the state of the opened source, without a word."""
        self.camera = self._video_source.camera

    def watch(self) -> bool:
        """Keep the notices of camera and microphone, and announce a camera that is lost or back.

        Returns:
            Whether the state of the camera has changed.
        """
        notices, language = self._services.notices, self._services.language
        gone = Phrase("The microphone is gone: no shout is Bam until it is back.")
        notices.keep("microphone", "" if self._video_source.has_sound else gone)
        notices.keep("camera", self._video_source.problem)
        before, self.camera = self.camera, self._video_source.camera
        if self.camera is before:
            return False
        if self.camera is CameraState.LOST:
            self._voice.announce(tell_camera_lost(language))
        elif self.camera is CameraState.WATCHING:
            self._referee.reset_tracking()
            self._voice.announce(tell_camera_back(language))
        return True
