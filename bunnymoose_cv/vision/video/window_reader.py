"""Window reader: a sequential test that reads the frames around a cue until no player is in doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.vision.effort import SCHEDULE, Effort
from bunnymoose_cv.vision.settings import FREEZE, SEATS
from bunnymoose_cv.vision.video.player_estimate import PlayerEstimate
from bunnymoose_cv.vision.video.seats import people_of, row_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.seats import Person, Sample
    from bunnymoose_cv.vision.video.stream_memory import HeadFollower
    from bunnymoose_cv.vision.video.window import Window


class WindowReadings(NamedTuple):
    """Readings around a cue.

    Attributes:
        frames: readings in order of time. A player who is not read in a frame has a reused reading of another frame.
        before: readings of single players while the table waited, in order of time.
    """

    frames: tuple[FrameReading, ...]
    before: tuple[Sample, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WindowReader:
    """Reader of one window, whose readings update the memory of the stream's heads. See `Tracker.read_window`."""

    reader: Reader
    follower: HeadFollower
    players: int | None
    window: Window
    enough: Callable[[PlayerReading], bool]

    def read(self, frame_at: Callable[[float], Frame | None], before: tuple[Sample, ...]) -> WindowReadings:
        """Read the frames, most informative first. Readings of single players `before` the window count, too."""
        readings = self._read_first(frame_at)
        for time_s in self.window.by_use_s:
            frame = frame_at(time_s)
            if frame is None or any(frame.time_s == reading.time_s for reading in readings):
                continue
            people = people_of(readings, before)
            row = people if self.players is None else row_of(people, self.players)
            doubtful = [person for person in row if not self._has_settled(person)]
            if not doubtful and not self._misses_somebody(readings):
                break
            effort = Effort.QUICK if len(readings) % SCHEDULE.full_every else Effort.FULL
            heads = [person.nearest(frame.time_s).player.head for person in doubtful]
            reused = [person.nearest(frame.time_s) for person in people if person not in doubtful]
            reading = self.reader.follow(frame, heads, effort, reused)
            readings = tuple(sorted((*readings, reading), key=lambda each: each.time_s))
        if len(readings) > 1 and self._misses_somebody(readings):
            readings = self._with_latecomers(readings)
        if readings:
            self.follower.remember(readings[-1])
        return WindowReadings(readings, before)

    def _has_settled(self, person: Person) -> bool:
        """Return whether a pose is known to be held, and is sure enough or has been read often enough."""
        estimate = PlayerEstimate.of(person.samples, self.window)
        if not estimate.is_settled:
            return False
        read = sum(not reading.is_reused for _, reading in person.seen)
        return read >= FREEZE.most_readings or self.enough(estimate.reading(person.seen[-1][1].player, self.reader))

    def _misses_somebody(self, readings: Sequence[FrameReading]) -> bool:
        often = [person for person in people_of(readings) if person.share >= SEATS.seen_often]
        return self.players is not None and len(often) < self.players

    def _read_first(self, frame_at: Callable[[float], Frame | None]) -> tuple[FrameReading, ...]:
        """Read the frames that show which players are there: one if their number is known, or three searched ones."""
        window = self.window
        if self.players is None:
            return self._read_searched(
                [frame_at(time_s) for time_s in (window.read_s[0], window.cue_s, window.settled_s)]
            )
        times_s = (window.settled_s if self.follower.heads else window.cue_s, *window.by_use_s)
        frame = next(filter(None, map(frame_at, times_s)), None)
        return () if frame is None else (self._read_row(frame),)

    def _read_searched(self, frames: Sequence[Frame | None]) -> tuple[FrameReading, ...]:
        """Search frames, and read in each of them the heads that were found in any."""
        unique = {frame.time_s: frame for frame in frames if frame is not None}
        readings = tuple(self.reader.read(frame.image, time_s) for time_s, frame in unique.items())
        for number in range(len(readings)):
            readings = read_latecomers(self.reader, readings, number, readings[number].heads)
        return readings

    def _read_row(self, frame: Frame) -> FrameReading:
        """Read a frame with all players of the row who can be found in it."""
        searched = self.follower.is_search_due(frame)
        readings: tuple[FrameReading, ...] = (self.follower.begin(frame, Effort.FULL)(),)
        if not searched and self._misses_somebody(readings):
            readings = self._with_latecomers(readings)
        self.follower.remember(readings[0])
        return readings[0]

    def _with_latecomers(self, readings: tuple[FrameReading, ...]) -> tuple[FrameReading, ...]:
        """Search the last frame, and read all frames again with the heads that are newly found there."""
        latecomers = _apart_from(self.reader.search(readings[-1].image), readings[-1].heads)
        return read_latecomers(self.reader, readings, len(readings) - 1, latecomers)


def read_latecomers(
    reader: Reader, readings: Sequence[FrameReading], start: int, latecomers: Sequence[Head]
) -> tuple[FrameReading, ...]:
    """Read frames, given in order of time, again with heads found in the frame of index `start`, outwards from it.

    A reading that already has the heads is kept.
    """
    merged = list(readings)
    for way in (range(start, len(readings)), range(start - 1, -1, -1)):
        heads = list(latecomers)
        for number in way:
            known = readings[number].heads
            frame = Frame(readings[number].image, readings[number].time_s)
            effort = Effort.QUICK if (number - start) % SCHEDULE.full_every else Effort.FULL
            if added := _apart_from(heads, known):
                merged[number] = reader.follow(frame, [*known, *added], effort)
            heads = [_nearest(head, merged[number].heads) for head in heads]
    return tuple(merged)


def _apart_from(heads: Sequence[Head], others: Sequence[Head]) -> list[Head]:
    """Return the heads that overlap none of the others."""
    return [head for head in heads if not any(head.overlaps(other.box) for other in others)]


def _nearest(head: Head, seen: Sequence[Head]) -> Head:
    """Return the same head in the next frame, or the head itself if it is not found."""
    same = [other for other in seen if head.overlaps(other.box)]
    return max(same, key=lambda other: head.box.intersection_over_smaller(other.box), default=head)
