"""Work before a video source on an actor thread: what preview, practice, warm-up and check have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Self

from bunnymoose_cv.core.published import Published, State
from bunnymoose_cv.session.new_frames import NewFrames

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.core.actor import ActorThread
    from bunnymoose_cv.session.table_state import LatestReading
    from bunnymoose_cv.session.video_source import VideoSource


class SourceActor(Generic[State]):
    """Thread-safe work before a video source, from `with` to its end.

    Args:
        source: shows the players; opened and closed with the work.
        actor: thread of the work, not started yet.
    """

    def __init__(self, source: VideoSource, actor: ActorThread, first: State) -> None:
        self._source, self._actor = source, actor
        self._frames = NewFrames(source)
        self._published = Published(first)
        self._latest_reading: LatestReading | None = None

    def __enter__(self) -> Self:
        """Open the video source, and begin.

        Raises:
            InputError: the source cannot be opened.
        """
        self._source.__enter__()
        self._prepare()
        self._actor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._actor.stop()
        self._source.__exit__()
        self._actor.raise_fault()

    def _prepare(self) -> None:
        """Prepare the work between the opening of the source and the start of the thread."""

    @property
    def state(self) -> State:
        """Newest state snapshot."""
        return self._published.state

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest look, from any thread; None before the first."""
        return self._latest_reading

    def listen(self, callback: Callable[[State], None]) -> Callable[[], None]:
        """Register a listener for each state, called on the actor thread, so it returns soon.

        Returns:
            Function that unregisters it.
        """
        return self._published.listen(callback)
