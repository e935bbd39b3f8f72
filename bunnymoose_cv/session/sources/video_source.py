"""Video source of a session, which has the newest frame and at Bam the footage of the moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.cues.cue import Maker

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.footage import Footage
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Samples
    from bunnymoose_cv.capture.watcher import Watcher
    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.referee.script import ScriptedRound
    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class Moment:
    """Footage of a Bam.

    Attributes:
        cue_s: the time of Bam on the clock of the footage.
        script: the scripted facts of the round; with them, the footage has another clock than the newest frame.
        may_be_late: whether frames come with an unknown delay after the cue, over a network.
    """

    footage: Footage
    cue_s: float
    script: ScriptedRound | None = None
    may_be_late: bool = False


@dataclass(frozen=True, slots=True)
class Stream:
    """Delay of a camera in the network.

    Attributes:
        delay_s: seconds that are subtracted from the times of its frames, 0 if no delay is known.
        hears_microphone: whether sound comes from a microphone of this computer, without the delay.
        keep_delay: keeps a measured delay in seconds for later openings; returns False if it cannot be found again.
    """

    delay_s: float
    hears_microphone: bool
    keep_delay: Callable[[float], bool]


class VideoSource:
    """Thread-safe video source of a session, from `with` to its end. A source shows nothing that it does not define."""

    def __enter__(self) -> Self:
        """Open the source, and wait for the first frame."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the source."""

    @property
    def camera(self) -> CameraState:
        """State of the camera."""
        return CameraState.NONE

    @property
    def problem(self) -> str:
        """Message for users while the camera is lost or has ended; otherwise empty."""
        return ""

    @property
    def has_sound(self) -> bool:
        """Return whether sound arrives; True if none is wanted."""
        return True

    @property
    def stream(self) -> Stream | None:
        """Delay of a camera in the network; None for every other source."""
        return None

    def newest(self) -> Frame | None:
        """Return the newest frame, on the clock of `time.monotonic()`; None without one."""
        return None

    def follow(self, game: Game) -> None:
        """Follow the game if the image depends on its round."""

    def keep_for(self, cue_s: float) -> None:
        """Keep the footage of a cue until it has been judged; infinity releases it."""

    def moment(self, cue: Cue) -> Moment | None:
        """Return the footage of a cue; None if nothing shows it."""

    def recorded(self, number: int) -> Moment | None:
        """Return the footage of an earlier round, numbered from 1; None if it is gone."""

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        """Register a listener for sound (samples, rate, time of the first), called on a separate thread."""


class NoVideoSource(VideoSource):
    """Source without a camera: at Bam the poses are entered by hand."""


class LiveVideoSource(VideoSource):
    """Live source: a camera, a stream, or a file that is played as one."""

    def __init__(self, watcher: Watcher, keep_delay: Callable[[tuple[int, int], float], bool] | None = None) -> None:
        """Prepare the source; without `keep_delay`, which stores a delay for a size in pixels, none is measured."""
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
        """Return whether the microphone delivers sound."""
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
        """Return the newest frame of the watcher."""
        return self._watcher.newest()

    def keep_for(self, cue_s: float) -> None:
        """Keep the frames of a cue in the watcher's buffer."""
        self._watcher.keep_for(cue_s)

    def moment(self, cue: Cue) -> Moment:
        """Return the footage around the cue; a cue from the stream itself is never early for its frames."""
        watcher = self._watcher
        in_stream = cue.maker is Maker.SCRIPT or (cue.maker is Maker.SOUND and not watcher.hears_microphone)
        return Moment(watcher, cue.time_s, may_be_late=watcher.may_be_late and not in_stream)

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        """Register a callback for the sound of the microphone, or of the source itself."""
        self._watcher.listen_to_sound(callback)
