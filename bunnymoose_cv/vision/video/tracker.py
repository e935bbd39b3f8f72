"""Tracker: one stream of frames, read one by one, at a glance, or around a cue."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from bunnymoose_cv.capture.dimensions import fit_frame
from bunnymoose_cv.capture.frame import check_image
from bunnymoose_cv.vision.effort import SCHEDULE, Effort
from bunnymoose_cv.vision.video.glances import Glances
from bunnymoose_cv.vision.video.head_follower import HeadFollower
from bunnymoose_cv.vision.video.window_reader import WindowReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.window import Window
    from bunnymoose_cv.vision.video.window_reader import WindowReadings


class Tracker:
    """Reader of one stream. Belongs to one thread, as its reader does."""

    def __init__(self, reader: Reader, players: int | None = None) -> None:
        """Start a tracker that has seen nobody.

        Args:
            players: how many sit in the row, where that is known.
        """
        self._reader = reader
        self._players = players
        self._pool = ThreadPoolExecutor(SCHEDULE.frames_in_parallel, "reading")
        self.forget()

    def forget(self) -> None:
        """Begin again with images of another clip or camera, in which nobody's place is known."""
        self._in_flight: deque[Future[FrameReading]] = deque()
        self._follower = HeadFollower(self._reader, self._players)
        self._glances = Glances(self._reader)

    def read(self, frame: Frame, effort: Effort = Effort.FULL) -> FrameReading:
        """Read the next frame.

        Args:
            frame: not older than the one before.
            effort: `FULL` or `QUICK`.
        """
        (reading,) = self.read_each([frame], effort)
        return reading

    def read_each(self, frames: Iterable[Frame], effort: Effort = Effort.FULL) -> tuple[FrameReading, ...]:
        """Read frames as they come, some side by side, since one alone does not keep all workers busy.

        What is read does not depend on which is finished first: a frame's players are looked for where they were
        `SCHEDULE.frames_in_parallel` frames before. The first frame and one in `SCHEDULE.full_every` after it are
        read at the effort.

        Args:
            frames: in order of time.
            effort: of those frames, `FULL` or `QUICK`; the others are `QUICK`.
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
        """Read the next frame at a glance: everybody's place, one player's hands and mouth in turn, roughly.

        Several glances are in flight: while the networks of one player keep one worker busy, the others begin the next
        glance.

        Args:
            frame: not older than the one before.

        Returns:
            The latest finished reading, which is mostly that of the frame before.
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
        """Finish the glances in flight, in their order, until so many are left."""
        while len(self._in_flight) > left:
            reading = self._in_flight.popleft().result()
            self._follower.remember(reading)
            self._glances.note(reading)

    def read_window(
        self, frame_at: Callable[[float], Frame | None], window: Window, enough: Callable[[PlayerReading], bool]
    ) -> WindowReadings:
        """Read the frames around a cue, those that tell most first, until nobody is in doubt (a sequential test).

        The first frame shows everybody; in each further one only players of the row are read whose verdict has not
        settled. A held pose that a few frames leave in doubt is not read on: more of them say the same.
        Readings from before the cue count, too. Tracks can miss who turned, hid or came since the last search: where
        somebody of the row is missing the first frame is searched, and at last the last; where the number of players is
        not known three are.

        Args:
            frame_at: the first frame that is not older than a time, waited for; None where there is none.
            enough: tells if a player's reading needs no further frame.

        Returns:
            nothing where there is no frame.
        """
        self._finish_glances()
        before = self._glances.before(window.cue_s, self._follower.shape)
        size = self._follower.shape[1::-1]

        def sized_frame_at(time_s: float) -> Frame | None:
            """Fit frames of a stream that changes its size in the window, since places are compared in pixels."""
            nonlocal size
            frame = frame_at(time_s)
            if frame is None:
                return None
            check_image(frame.image)
            size = size or frame.size
            return fit_frame(frame, (size[0], size[1]))

        return WindowReader(self._reader, self._follower, self._players, window, enough).read(sized_frame_at, before)
