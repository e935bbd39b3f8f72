"""Tracker: search of the image when due, otherwise heads followed from frame to frame."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.vision.effort import SCHEDULE, Effort
from bunnymoose_cv.vision.faces.tiles import cover_with_tiles
from bunnymoose_cv.vision.settings import FACES, FREEZE, SEATS, TRACKER
from bunnymoose_cv.vision.video.player_estimate import PlayerEstimate
from bunnymoose_cv.vision.video.seats import people_of, row_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.faces.tiles import Tile
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.seats import Person, Sample
    from bunnymoose_cv.vision.video.window import Window


@dataclass(frozen=True, slots=True, eq=False)
class WindowReadings:
    """Readings around a cue.

    Attributes:
        frames: in order of time; a player who is not looked at in a frame has the reading of another.
        before: readings of single players while the table waited, in order of time.
    """

    frames: tuple[FrameReading, ...]
    before: tuple[Sample, ...]


class Tracker:
    """Reads one frame after the other. Belongs to one thread, as its reader does."""

    def __init__(self, reader: Reader, players: int | None = None) -> None:
        """Start a tracker that has seen nobody.

        Args:
            reader: reads each frame.
            players: how many sit in the row, where that is known.
        """
        self._reader = reader
        self._players = players
        self._seen: list[tuple[float, Head]] = []
        self._shape: tuple[int, ...] = ()  # of the picture in which they were seen
        self._latest_s = -np.inf
        self._searched_s = -np.inf
        self._glanced: FrameReading | None = None
        self._turn = 0  # the seat whose hands were looked at by the last glance
        self._tiled = 0.0  # so many tiles of the image, and a share of one, are searched
        self._glances: deque[Sample] = deque()

    def forget(self) -> None:
        """Other pictures come, of another clip or camera: nobody's place is known any more."""
        self._seen, self._glanced, self._searched_s = [], None, -np.inf
        self._glances.clear()

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
        looked at patiently.

        Args:
            frames: in order of time.
            effort: of the frames looked at patiently, `FULL` or `QUICK`; the others are `QUICK`.
        """
        readings: list[FrameReading] = []
        pending: deque[Future[FrameReading]] = deque()

        def finish_first() -> None:
            readings.append(pending.popleft().result())
            self._remember(readings[-1])

        with ThreadPoolExecutor(SCHEDULE.frames_in_parallel, "reading") as pool:
            for number, frame in enumerate(frames):
                while len(pending) == SCHEDULE.frames_in_parallel or (pending and self._search_is_due(frame)):
                    finish_first()
                pending.append(
                    pool.submit(self._look_for(frame, Effort.QUICK if number % SCHEDULE.full_every else effort))
                )
            while pending:
                finish_first()
        return tuple(readings)

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
            window: the times that may be read.
            enough: tells if a player's reading needs no further frame.

        Returns:
            nothing where there is no frame.
        """
        before = tuple(sample for sample in self._glances if sample[0] > window.cue_s - TRACKER.glances_s)
        readings = self._read_first(frame_at, window)
        for time_s in window.by_use_s:
            frame = frame_at(time_s)
            if frame is None or any(frame.time_s == reading.time_s for reading in readings):
                continue
            people = people_of(readings, before)
            row = people if self._players is None else row_of(people, self._players)
            doubtful = [person for person in row if not self._has_settled(person, window, enough)]
            if not doubtful and not self._misses_somebody(readings):
                break
            effort = Effort.QUICK if len(readings) % SCHEDULE.full_every else Effort.FULL
            heads = [person.nearest(frame.time_s).player.head for person in doubtful]
            standing = [person.nearest(frame.time_s) for person in people if person not in doubtful]
            reading = self._reader.follow(frame, heads, effort, standing)
            readings = tuple(sorted((*readings, reading), key=lambda each: each.time_s))
        return WindowReadings(self._with_latecomers(readings), before)

    def _has_settled(self, person: Person, window: Window, enough: Callable[[PlayerReading], bool]) -> bool:
        """Tell if a pose is known to be held, and is sure enough or has been read often enough."""
        estimate = PlayerEstimate.of(person.samples, window)
        if not estimate.settled:
            return False
        read = sum(not reading.carried for _, reading in person.seen)
        return read >= FREEZE.most_readings or enough(estimate.reading(person.seen[-1][1].player, self._reader))

    def _read_first(self, frame_at: Callable[[float], Frame | None], window: Window) -> tuple[FrameReading, ...]:
        """Read the frames that show who is there: one for a row that is known, else three, each of them searched."""
        if self._players is None:
            return self._read_searched([frame_at(each) for each in (window.read_s[0], window.cue_s, window.settled_s)])
        times_s = (window.settled_s if self._seen else window.cue_s, *window.by_use_s)
        frame = next(filter(None, map(frame_at, times_s)), None)
        return () if frame is None else (self._read_row(frame),)

    def _read_searched(self, frames: Iterable[Frame | None]) -> tuple[FrameReading, ...]:
        """Search frames, and read in each of them who was found in any."""
        unique = {frame.time_s: frame for frame in frames if frame is not None}
        readings = tuple(self._reader.read(frame.picture, time_s) for time_s, frame in unique.items())
        for number in range(len(readings)):
            heads = [player.player.head for player in readings[number].players]
            readings = self._read_with(readings, number, heads)
        return readings

    def _read_row(self, frame: Frame) -> FrameReading:
        """Read a frame with everybody of a row who can be found in it."""
        searched = self._search_is_due(frame)
        reading = self._look_for(frame, Effort.FULL)()
        if not searched and self._misses_somebody([reading]):
            there = [player.player.head for player in reading.players]
            newcomers = _apart_from(self._reader.search(frame.picture), there)
            if newcomers:
                reading = self._reader.follow(frame, [*there, *newcomers])
        self._remember(reading)
        return reading

    def _with_latecomers(self, readings: tuple[FrameReading, ...]) -> tuple[FrameReading, ...]:
        """Search the last frame where somebody is missing still, and read all frames with who is found there."""
        if len(readings) > 1 and self._players is not None and self._misses_somebody(readings):
            there = [player.player.head for player in readings[-1].players]
            newcomers = _apart_from(self._reader.search(readings[-1].picture), there)
            if newcomers:
                readings = self._read_with(readings, len(readings) - 1, newcomers)
        if readings:
            self._remember(readings[-1])
        return readings

    def _misses_somebody(self, readings: Sequence[FrameReading]) -> bool:
        often = [person for person in people_of(readings) if person.share >= SEATS.seen_often]
        return self._players is not None and len(often) < self._players

    def _read_with(
        self, readings: Sequence[FrameReading], start: int, newcomers: Sequence[Head]
    ) -> tuple[FrameReading, ...]:
        """Read frames again with heads that were found in one of them, outwards from it."""
        merged = list(readings)
        for way in (range(start, len(readings)), range(start - 1, -1, -1)):
            heads = list(newcomers)
            for number in way:
                known = [player.player.head for player in readings[number].players]
                frame = Frame(readings[number].picture, readings[number].time_s)
                added = _apart_from(heads, known)
                turn = Effort.QUICK if (number - start) % SCHEDULE.full_every else Effort.FULL
                if added:
                    merged[number] = self._reader.follow(frame, [*known, *added], turn)
                seen = [player.player.head for player in merged[number].players]
                heads = [_nearest(head, seen) for head in heads]
        return tuple(merged)

    def _look_for(self, frame: Frame, effort: Effort) -> Callable[[], FrameReading]:
        """Choose the reading of a frame: a search of all of it, or looks at everybody's last place."""
        if self._search_is_due(frame):
            self._searched_s = frame.time_s
            return lambda: self._reader.read(frame.picture, frame.time_s)
        heads = [head for _, head in self._seen]
        return lambda: self._reader.follow(frame, heads, effort)

    def read_quick(self, frame: Frame) -> FrameReading:
        """Read the next frame as quickly as it goes: everybody's place, one player's hands and mouth in turn, roughly.

        Args:
            frame: not older than the one before.
        """
        if self._glanced is None or self._is_new_to(frame):
            reading = self.read(frame, Effort.QUICK)
        else:
            self._turn = self._turn % max(1, len(self._glanced.players)) + 1
            resting = [player for player in self._glanced.players if player.seat != self._turn]
            earlier = replace(self._glanced, players=tuple(resting))
            known = [head for _, head in self._seen]
            still = [player.seat for player in resting if player.seat != self._halfway]
            tiles = self._next_tiles(frame, frame.time_s - earlier.time_s)
            reading = self._reader.read_quick(frame, known, earlier, still, tiles)
            self._remember(reading)
        self._glanced = reading
        self._note_glance(reading)
        return reading

    @property
    def _halfway(self) -> int:
        """The seat whose turn was half a row ago: its head alone is looked for again, the other ones stay put."""
        players = 0 if self._glanced is None else len(self._glanced.players)
        return (self._turn - 1 + players // 2) % max(1, players) + 1

    def _note_glance(self, reading: FrameReading) -> None:
        """Keep what was read anew, for a cue that may come soon."""
        self._glances.extend((reading.time_s, player) for player in reading.players if not player.carried)
        while self._glances and not 0 <= reading.time_s - self._glances[0][0] < TRACKER.glances_s:
            self._glances.popleft()

    def _next_tiles(self, frame: Frame, since_s: float) -> list[Tile]:
        """Tiles whose turn it is, so long after the last glance."""
        height, width = frame.picture.shape[:2]
        tiles = cover_with_tiles(width, height)
        begin = self._tiled % len(tiles)
        self._tiled = begin + len(tiles) * min(since_s / SCHEDULE.covered_s, 1)
        return [tiles[number % len(tiles)] for number in range(int(begin), int(self._tiled))]

    def _is_new_to(self, frame: Frame) -> bool:
        """Tell if nobody is known in pictures like this one, or the last search was long ago."""
        recently = 0 <= frame.time_s - self._searched_s < TRACKER.newcomers_s
        return not self._seen or frame.picture.shape != self._shape or not recently

    def _search_is_due(self, frame: Frame) -> bool:
        since_s = frame.time_s - self._searched_s
        if not self._seen or since_s < 0 or frame.picture.shape != self._shape:
            return True
        missing = self._players is not None and len(self._now) < self._players
        return since_s >= (TRACKER.search_again_s if missing else TRACKER.newcomers_s)

    @property
    def _now(self) -> list[Head]:
        """The heads that were seen in the last frame."""
        return [head for time_s, head in self._seen if time_s == self._latest_s]

    def _remember(self, reading: FrameReading) -> None:
        """Keep the heads of this frame, and those lost a short while ago where nobody else is now."""
        if reading.picture.shape != self._shape:
            self._seen, self._shape = [], reading.picture.shape
            self._glances.clear()
        heads = [player.player.head for player in reading.players]
        lost = [
            (time_s, head)
            for time_s, head in self._seen
            if 0 <= reading.time_s - time_s < TRACKER.gone_s
            and all(head.box.overlap(other.box) <= FACES.same_overlap for other in heads)
        ]
        self._seen = [*((reading.time_s, head) for head in heads), *lost]
        self._latest_s = reading.time_s


def _apart_from(heads: Iterable[Head], others: Sequence[Head]) -> list[Head]:
    """Heads that are none of the others."""
    return [head for head in heads if all(head.box.overlap(other.box) <= FACES.same_overlap for other in others)]


def _nearest(head: Head, seen: Sequence[Head]) -> Head:
    """The same head in the next frame, or where it was."""
    same = [other for other in seen if head.box.overlap(other.box) > FACES.same_overlap]
    return max(same, key=lambda other: head.box.overlap(other.box), default=head)
