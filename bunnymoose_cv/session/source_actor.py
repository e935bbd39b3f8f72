"""Work in front of a video source on an actor thread: the base of practice, warm-up and check, and the preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, Self

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.observable import Published, State, VersionedState
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.vision.video.seats import seated
from bunnymoose_cv.vision.video.tracker import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.live_source import CameraState
    from bunnymoose_cv.capture.watcher import Watcher
    from bunnymoose_cv.rules.events import GameStarted
    from bunnymoose_cv.session.sources.video_source import VideoSource
    from bunnymoose_cv.vision.reader import Reader


class SourceActor(Generic[State]):
    """Thread-safe work in front of a video source, from `with` to its end.

    The source is opened and closed with the work; its thread, the actor, is not started yet.
    """

    def __init__(self, source: VideoSource, actor: ActorThread, first: State) -> None:
        self._source, self._actor = source, actor
        self._frames = NewFrames(source)
        self._published = Published(first)
        self._latest_reading: LatestReading | None = None

    def __enter__(self) -> Self:
        """Open the video source and start; raise an `InputError` if it cannot be opened."""
        self._source.__enter__()
        self._actor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._actor.stop()
        self._source.__exit__()
        self._actor.raise_fault()

    @property
    def state(self) -> State:
        """Newest state snapshot."""
        return self._published.state

    @property
    def camera(self) -> CameraState:
        """Return the state of the source."""
        return self._source.camera

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest look, from any thread; None before the first."""
        return self._latest_reading

    def listen(self, callback: Callable[[State], None]) -> Callable[[], None]:
        """Register a listener, called on the actor thread, which must return soon; return the unsubscribe function."""
        return self._published.listen(callback)


SAME_FRAME_S: Final = 0.001
"""Largest difference in time of two copies of one frame."""


class NewFrames:
    """New frames of a source, each taken once. Belongs to one thread."""

    def __init__(self, source: VideoSource | Watcher) -> None:
        self._source = source
        self._taken_s = float("-inf")

    def take(self) -> Frame | None:
        """Take the newest frame; None if it was taken before."""
        frame = self._source.newest()
        if frame is None or frame.time_s < self._taken_s + SAME_FRAME_S:
            return None
        self._taken_s = frame.time_s
        return frame


STEP_S: Final = 0.2
"""Interval of the preview's looks, which is enough for players who arrange chairs."""


class Preview(SourceActor[VersionedState]):
    """Preview of the row of players, without the first narrator, before a game, from `with` to its end."""

    def __init__(self, source: VideoSource, reader: Reader, started: GameStarted) -> None:
        super().__init__(source, ActorThread("preview", self._look, first_turn_s=STEP_S), VersionedState())
        self._seats = len(fold([started]).seats)
        self._tracker = Tracker(reader, self._seats)

    def _look(self) -> float:
        frame = self._frames.take()
        if frame is not None:
            reading = seated(self._tracker.read_quick(frame), self._seats)
            self._latest_reading = LatestReading.after(self._latest_reading, reading)
        return STEP_S
