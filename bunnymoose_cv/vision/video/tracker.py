"""Tracker: reads one stream, frame by frame, at a glance, or around a cue."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from bunnymoose_cv.capture.frame import check_image
from bunnymoose_cv.capture.image_geometry import fit_frame
from bunnymoose_cv.vision.effort import SCHEDULE, Effort
from bunnymoose_cv.vision.video.stream_memory import Glances, HeadFollower
from bunnymoose_cv.vision.video.window_reader import WindowReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.window import Window
    from bunnymoose_cv.vision.video.window_reader import WindowReadings


class Tracker:
    """Reader of one stream. It belongs to one thread, as its reader does."""

    def __init__(self, reader: Reader, players: int | None = None) -> None:
        """Start a tracker without known heads; `players` is the number in the row, or None if it is unknown."""
        self._reader = reader
        self._players = players
        self._pool = ThreadPoolExecutor(SCHEDULE.frames_in_parallel, "reading")
        self.forget()

    def forget(self) -> None:
        """Forget all heads and readings, before images of another clip or camera."""
        self._in_flight: deque[Future[FrameReading]] = deque()
        self._follower = HeadFollower(self._reader, self._players)
        self._glances = Glances(self._reader)

    def read(self, frame: Frame, effort: Effort = Effort.FULL) -> FrameReading:
        """Read the next frame, which is not older than the one before, with the effort `FULL` or `QUICK`."""
        (reading,) = self.read_each([frame], effort)
        return reading

    def read_each(self, frames: Iterable[Frame], effort: Effort = Effort.FULL) -> tuple[FrameReading, ...]:
        """Read frames as they arrive, several in parallel, since one frame does not keep all workers busy.

        The result does not depend on the order in which frames are finished: the players of a frame are followed from
        their places `SCHEDULE.frames_in_parallel` frames before. The first frame and one in `SCHEDULE.full_every` after
        it are read at the given effort, `FULL` or `QUICK`, the others at `QUICK`.
        """
        self._finish_glances()
        readings: list[FrameReading] = []
        pending: deque[Future[FrameReading]] = deque()

        def finish_first() -> None:
            readings.append(pending.popleft().result())
            self._follower.remember(readings[-1])

        for number, frame in enumerate(frames):
            while len(pending) == SCHEDULE.frames_in_parallel or (pending and self._follower.is_search_due(frame)):
                finish_first()
            look = self._follower.begin(frame, Effort.QUICK if number % SCHEDULE.full_every else effort)
            pending.append(self._pool.submit(look))
        while pending:
            finish_first()
        return tuple(readings)

    def read_quick(self, frame: Frame) -> FrameReading:
        """Read the next frame at a glance: all heads, and roughly the hands and mouth of a player who is due.

        Several glances are in flight. While the networks of one player keep one worker busy, the other workers begin
        the next glance.

        Returns:
            the latest finished reading, usually that of the frame before.
        """
        glance = None if self._follower.is_new(frame) else self._glances.begin(frame, self._follower.heads)
        if glance is None:
            reading = self.read(frame, Effort.QUICK)
            self._glances.note(reading)
            return reading
        self._in_flight.append(self._pool.submit(glance))
        self._finish_glances(SCHEDULE.frames_in_parallel - 1)
        assert self._glances.latest is not None  # noqa: S101 - without one no glance begins
        return self._glances.latest

    def _finish_glances(self, left: int = 0) -> None:
        """Finish the glances in flight, in order, until only `left` remain."""
        while len(self._in_flight) > left:
            reading = self._in_flight.popleft().result()
            self._follower.remember(reading)
            self._glances.note(reading)

    def read_window(
        self, frame_at: Callable[[float], Frame | None], window: Window, enough: Callable[[PlayerReading], bool]
    ) -> WindowReadings:
        """Read the frames around a cue, most informative first, until no player is in doubt (a sequential test).

        All players are read in the first frame. In each further frame only those players of the row are read whose
        verdict has not settled. A held pose that is still in doubt after a few frames is not read further, since more
        frames would say the same. Readings from before the cue count, too.

        Tracking can miss a player who turned, hid or arrived since the last search. If a player of the row is missing,
        the first frame is searched, and at the end the last one. If the number of players is unknown, three frames are
        searched. The result is empty without a frame.

        Args:
            frame_at: a function that waits for the first frame not older than a time and returns it, or None.
            enough: a predicate: whether a player's reading needs no further frame.
        """
        self._finish_glances()
        before = self._glances.before(window.cue_s, self._follower.shape)
        size = self._follower.shape[1::-1]

        def sized_frame_at(time_s: float) -> Frame | None:
            """Resize frames if the stream changes its size within the window, since places are compared in pixels."""
            nonlocal size
            frame = frame_at(time_s)
            if frame is None:
                return None
            check_image(frame.image)
            size = size or frame.size
            return fit_frame(frame, (size[0], size[1]))

        return WindowReader(self._reader, self._follower, self._players, window, enough).read(sized_frame_at, before)
