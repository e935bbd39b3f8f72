"""Live video source of a session: a watched camera, stream or file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.session.video_source import Moment, Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.camera_state import CameraState
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Samples
    from bunnymoose_cv.capture.watcher import Watcher
    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.rules.game import Game


class LiveVideoSource:
    """Live source: a camera, a stream, or a file that is played as one."""

    def __init__(self, watcher: Watcher, keep_delay: Callable[[tuple[int, int], float], bool] | None = None) -> None:
        """Prepare the source.

        Args:
            watcher: of the camera, stream or file.
            keep_delay: keeps a measured delay for a size in pixels; None if no delay is to be measured.
        """
        self._watcher = watcher
        self._keep_delay = keep_delay

    def __enter__(self) -> Self:
        self._watcher.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._watcher.__exit__()

    @property
    def camera(self) -> CameraState:
        """State of the watcher."""
        return self._watcher.state

    @property
    def problem(self) -> str:
        """Sentence of the watcher."""
        return self._watcher.problem or ""

    @property
    def has_sound(self) -> bool:
        """Tell if the microphone gives sound."""
        return self._watcher.has_sound

    @property
    def stream(self) -> Stream | None:
        """Delay of the watched stream."""
        watcher, keep = self._watcher, self._keep_delay
        if keep is None or not watcher.is_in_network:
            return None
        size = watcher.opened_size
        return Stream(watcher.delay_s or 0.0, watcher.hears_microphone, lambda delay_s: keep(size, delay_s))

    def newest(self) -> Frame | None:
        """Newest frame of the watcher."""
        return self._watcher.newest()

    def follow(self, game: Game) -> None:
        """Ignore the game: a camera shows the table in every round."""

    def moment(self, cue: Cue) -> Moment:
        """Footage of the seconds around the cue; a cue that was seen or heard in the stream is never early for it."""
        watcher = self._watcher
        in_stream = cue.maker is Maker.SCRIPT or (cue.maker is Maker.SOUND and not watcher.hears_microphone)
        return Moment(watcher, cue.time_s, may_be_late=watcher.may_be_late and not in_stream)

    def recorded(self, number: int) -> None:
        """Return no moment: a camera shows the present alone."""

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        """Register a callback for the sound of the microphone, or of the source itself."""
        self._watcher.listen_to_sound(callback)
