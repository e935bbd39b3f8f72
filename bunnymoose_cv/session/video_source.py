"""Video source of a session, as a protocol: the newest frame, and at Bam the footage that shows the moment.

Sources are a camera (live_video_source.py), the clips of a script (script_video_source.py), a running game beside a
check (session_video_source.py), or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from bunnymoose_cv.capture.camera_state import CameraState

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Samples
    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.referee.script import ScriptedRound
    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class Moment:
    """Footage of a Bam.

    Attributes:
        cue_s: when it is, on the clock of the footage.
        script: what is known of the round besides; a script has another clock than what was seen before Bam.
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


class VideoSource(Protocol):
    """Thread-safe video source of a session, from `with` to its end."""

    def __enter__(self) -> Self:
        """Open the source, and wait for the first frame."""

    def __exit__(self, *_: object) -> None:
        """Close the source."""

    @property
    def camera(self) -> CameraState:
        """State of the camera."""

    @property
    def problem(self) -> str:
        """Message for people while the camera is lost or over; else empty."""

    @property
    def has_sound(self) -> bool:
        """Tell if sound comes; True where none is wanted."""

    @property
    def stream(self) -> Stream | None:
        """Delay of a camera in the network; None for every other source."""

    def newest(self) -> Frame | None:
        """Newest frame, on the clock of `time.monotonic()`; None where there is none."""

    def follow(self, game: Game) -> None:
        """Follow the game, where the image depends on its round."""

    def moment(self, cue: Cue) -> Moment | None:
        """Footage and frames of a cue; None where nothing shows it."""

    def recorded(self, number: int) -> Moment | None:
        """Cue of a round before, counted from 1, as it can still be seen; None where its footage is gone."""

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        """Register a listener for sound: samples, rate, time of the first; called on a thread of its own."""


class NoVideoSource:
    """Source without a camera: at Bam people say what everybody shows."""

    camera = CameraState.NONE
    problem = ""
    has_sound = True
    stream: Stream | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Release nothing: no source is open."""

    def newest(self) -> Frame | None:
        """Return no frame."""

    def follow(self, game: Game) -> None:
        """Ignore the game: there is no image to show."""

    def moment(self, cue: Cue) -> Moment | None:
        """Return no moment: no camera shows it."""

    def recorded(self, number: int) -> Moment | None:
        """Return no moment: no round was recorded."""

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        """Ignore the listener: there is no sound."""
