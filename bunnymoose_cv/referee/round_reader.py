"""Reading of a round: places at the waiting table, the frames at the cue, and movements after it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.common_delay import STEP_S, CommonDelay
from bunnymoose_cv.referee.freeze_frames import FootageFrames
from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
from bunnymoose_cv.referee.steady_readings import SteadyReadings
from bunnymoose_cv.rules.exemptions import EXEMPT_SIDES, Exemption
from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.headgear.headgear_reader import reading_by
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.tongue import TongueReading
from bunnymoose_cv.vision.video.freeze import freeze
from bunnymoose_cv.vision.video.movement import movements, settlings
from bunnymoose_cv.vision.video.seats import seated
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bunnymoose_cv.capture.footage import Footage
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.referee.open_questions import AskPolicy
    from bunnymoose_cv.rules.round import RoundFacts
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading
    from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
    from bunnymoose_cv.vision.video.movement import Movement
    from bunnymoose_cv.vision.video.seats import Places
    from bunnymoose_cv.vision.video.tracker import Tracker

EFFORT_LATER: Final = Effort.QUICK
"""Effort of movement detection: hands of the first pass only, as a hand that needs a second look cannot be missed."""


_EARLIER_SHARE: Final = 0.45
"""Probability of the earlier of two readings if a late camera cannot be distinguished from a move after Bam."""


class NoReadingError(InputError):
    """Error of a cue without a frame of its moment."""


@dataclass(frozen=True, slots=True, eq=False)
class LateBam:
    """Bam as it is seen in late frames.

    Attributes:
        cue_s: the time at which Bam is seen, on the clock of the footage.
        earlier: readings before their last change of players who may have moved after Bam, by seat.
        moved: seats of players who surely moved.
        until_s: the time of the last frame considered; a player who changes later has moved.
    """

    cue_s: float
    earlier: Mapping[int, PlayerReading] = field(default_factory=dict)
    moved: frozenset[int] = frozenset()
    until_s: float = -math.inf

    def shows_move(self, movement: Movement) -> bool:
        """Return whether a change is surely a move after Bam."""
        return movement.seat in self.moved or movement.time_s > self.until_s


class RoundReader:
    """Reader of the rounds of one game; it keeps the players' places from one round to the next.

    Args:
        tracker: reads the frames; None without a camera, when nothing can be read.
        exemptions: the parts of each player that are not judged, by name.
        asking: the choice of questions; reading ends early if no player needs one.
        common_delay: the delay of the camera learnt in earlier rounds; None if it is unknown.
    """

    def __init__(
        self,
        tracker: Tracker | None,
        reader: Reader | None,
        exemptions: Mapping[str, frozenset[Exemption]],
        asking: AskPolicy,
        common_delay: CommonDelay | None = None,
    ) -> None:
        self._tracker = tracker
        self._reader = reader
        self._exemptions = exemptions
        self._asking = asking
        self._places: Places | None = None
        self._common_delay = common_delay or CommonDelay()
        self._steady_readings = SteadyReadings()

    @property
    def has_camera(self) -> bool:
        """True if there is a camera to read."""
        return self._tracker is not None

    def reset_tracking(self) -> None:
        """Forget the players' places, since images of another clip or of a camera that was lost follow."""
        if self._tracker is not None:
            self._tracker.forget()
        self._places = None
        self._common_delay = CommonDelay()
        self._steady_readings = SteadyReadings()

    def look(self, frame: Frame, seats: int) -> FrameReading:
        """Look at the waiting table: return the players that were found, each with the seat and, roughly, the pose.

        No frame is older than the previous one.
        """
        tracker, _ = self._require_camera()
        return seated(tracker.read_quick(frame), seats, self._places)

    def is_sure(self, reading: PlayerReading, facts: RoundFacts) -> bool:
        """Return whether a reading is sure enough in a round."""
        _, reader = self._require_camera()
        return self._asking.is_sure(reading, facts, reader.settings.questions.move)

    def find_bam(self, facts: RoundFacts, footage: Footage, cue_s: float) -> LateBam:
        """Find a Bam, whose frames may arrive some seconds later, by the times at which players settle."""
        tracker, reader = self._require_camera()
        settings, seats = reader.settings.freeze, len(facts.seats)
        count = math.ceil((self._common_delay.longest_s + settings.after_s) / STEP_S)
        times_s = [cue_s + number * STEP_S for number in range(-FREEZE.debounce_readings, count + 1)]
        readings = tracker.read_each(FootageFrames(footage, STEP_S).each(times_s), EFFORT_LATER)
        if not readings:
            return LateBam(cue_s)

        def frozen_at(time_s: float) -> Freeze:
            window = Window.around(time_s, settings)
            seen = [reading for reading in readings if window.start_s <= reading.time_s <= window.end_s]
            return freeze(seen or readings[-1:], window, reader, seats, self._places)

        found = settlings(readings, frozen_at(readings[-1].time_s - settings.after_s))
        row = self._common_delay.learn(found, cue_s)
        before = frozen_at(cue_s + row.before_s).players if row.in_doubt else ()
        earlier = {player.seat: player.reading for player in before if player.seat in row.in_doubt and player.reading}
        # The chosen time is late enough for the watch after it to see every move, and before the first move.
        first_moved_s = min(row.moved.values(), default=math.inf)
        before_move_s = min(self._common_delay.likely_s, first_moved_s - settings.after_s - STEP_S)
        watch_s = settings.after_s + settings.watched_s - STEP_S
        bam_s = max(row.settled_s, before_move_s)
        if row.moved:
            bam_s = max(bam_s, first_moved_s - watch_s)
        return LateBam(cue_s + bam_s, earlier, frozenset(row.moved), readings[-1].time_s - STEP_S)

    def read(
        self, facts: RoundFacts, footage: Footage, cue_s: float, earlier: Mapping[int, PlayerReading] | None = None
    ) -> JudgedRound:
        """Read the frames of a freeze as they arrive; raise a `NoReadingError` if no frame shows the freeze.

        `earlier` has alternative readings that may be those of Bam, by seat.
        """
        tracker, reader = self._require_camera()
        players = facts.seats
        window = Window.around(cue_s, reader.settings.freeze)
        enough = partial(self.is_sure, facts=facts)
        seen = tracker.read_window(FootageFrames(footage, window.step_s).at, window, enough)
        if not seen.frames:
            raise NoReadingError(
                Phrase("The camera showed nothing at Bam: say what everybody shows, or play the round again.")
            )
        frozen = freeze(seen.frames, window, reader, len(players), self._places, before=seen.before)

        def judged(player: str, seen: FrozenPlayer) -> JudgedSeat:
            reading = seen.reading and self._steady_readings.steady(seen.reading, frozen.reading.image)
            either = either_of(reading, earlier.get(seen.seat) if earlier else None, reader.settings)
            return JudgedSeat(player, seen.seat, self._apply_exemptions(player, either))

        seats = tuple(map(judged, players, frozen.players))
        frozen = replace(frozen, players=tuple(map(self._remove_exempt, players, frozen.players)))
        self._places = frozen.places
        return JudgedRound(facts.number, cue_s, frozen, seen.frames, seats, reader.settings.questions.move)

    def _apply_exemptions(self, player: str, reading: PlayerReading | None) -> PlayerReading | None:
        exempt = self._exemptions.get(player)
        if reading is None or not exempt:
            return reading
        _, reader = self._require_camera()
        return without_exempt_parts(reading, exempt, reader.settings)

    def _remove_exempt(self, player: str, seen: FrozenPlayer) -> FrozenPlayer:
        """Remove the exempt parts of a frozen player, so that they do not count as movements either."""
        exempt = self._exemptions.get(player, frozenset())
        idle = {side for exemption, side in EXEMPT_SIDES.items() if exemption in exempt}
        settled_s = {side: time_s for side, time_s in seen.settled_s.items() if side not in idle}
        tongue_s = math.inf if Exemption.TONGUE in exempt else seen.tongue_s
        return replace(seen, settled_s=settled_s, tongue_s=tongue_s)

    def watch(
        self,
        judged: JudgedRound,
        footage: Footage,
        bam: LateBam | None = None,
        between: Callable[[], None] = lambda: None,
    ) -> JudgedRound:
        """Look for players who change their shape after the freeze, and call `between` before each frame.

        A `bam` in late frames may leave open whether a change is a move; None if the frames are in time.
        """
        tracker, reader = self._require_camera()
        window = Window.around(judged.cue_s, reader.settings.freeze)
        height, width = judged.readings[0].image.shape[:2]
        footage_frames = FootageFrames(footage, window.step_s, (width, height))

        def watched() -> Iterator[Frame]:
            for frame in footage_frames.each(window.watched_s):
                between()
                yield frame

        later = tracker.read_each(watched(), EFFORT_LATER)
        first_s = later[0].time_s if later else math.inf
        earlier = [reading for reading in judged.readings if reading.time_s < first_s]
        moved = {movement.seat: movement for movement in movements(judged.frozen, (*earlier, *later))}
        seats = tuple(self._moved(seat, moved.get(seat.seat), bam) for seat in judged.seats)
        read = {reading.time_s: reading for reading in (*later, *judged.readings)}
        whole = [read.get(frame.time_s) or _wrap_unread(frame) for frame in footage_frames.each(window.read_s)]
        judged_s = {reading.time_s for reading in judged.readings}
        others = (reading for reading in whole if reading.time_s not in judged_s)
        return replace(judged, seats=seats, readings=(*judged.readings, *others))

    def _moved(self, seat: JudgedSeat, movement: Movement | None, bam: LateBam | None) -> JudgedSeat:
        """Return a seat with its movement, or with a reading in doubt if its player may only have been late."""
        if movement is None or bam is None or bam.shows_move(movement):
            return replace(seat, movement=movement)
        _, reader = self._require_camera()
        either = either_of(seat.reading, movement.reading, reader.settings)
        return replace(seat, reading=self._apply_exemptions(seat.player, either))

    def _require_camera(self) -> tuple[Tracker, Reader]:
        """Return tracker and reader of the camera, without which nothing is read."""
        if self._tracker is None or self._reader is None:
            raise AssertionError("without a camera nothing is read")
        return self._tracker, self._reader


def either_of(one: PlayerReading | None, other: PlayerReading | None, settings: Settings) -> PlayerReading | None:
    """Return a reading that leaves open which of two is right, so that a question follows if that changes the move."""
    if one is None or other is None:
        return one
    headgear = {}
    for side, read in one.headgear.items():
        mixed = read.probabilities.mixed_with(other.headgear[side].probabilities, _EARLIER_SHARE)
        headgear[side] = reading_by(read.measures, mixed, settings.headgear, head_is_sure=one.player.head.sure)
    out = (1 - _EARLIER_SHARE) * one.tongue.probability_out + _EARLIER_SHARE * other.tongue.probability_out
    return replace(one, headgear=headgear, tongue=TongueReading.of(out, settings.tongue))


def without_exempt_parts(reading: PlayerReading, exempt: frozenset[Exemption], settings: Settings) -> PlayerReading:
    """Return a reading in which exempt parts count as their player declared: no question is left about them."""
    headgear = dict(reading.headgear)
    if Exemption.DOWN in exempt:
        head_is_sure = reading.player.head.sure
        for side, read in reading.headgear.items():
            upward = replace(read.probabilities, up=1.0)
            if upward != read.probabilities:
                headgear[side] = reading_by(read.measures, upward, settings.headgear, head_is_sure=head_is_sure)
    for exemption, side in EXEMPT_SIDES.items():
        if exemption in exempt:
            headgear[side] = replace(headgear[side.other], unclear=())
    tongue = TongueReading.of(0.0, settings.tongue) if Exemption.TONGUE in exempt else reading.tongue
    return replace(reading, headgear=headgear, tongue=tongue, exempt=exempt)


def _wrap_unread(frame: Frame) -> FrameReading:
    return FrameReading(frame.image, frame.time_s, ())
