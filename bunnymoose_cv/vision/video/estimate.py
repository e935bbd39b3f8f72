"""Recursive estimate of what one player shows around a cue: weighted mean of log-odds over correlated frames.

Begins before the cue. Debounces jitter: hands that move begin a new hold, a tongue out for a blink is none. What was
held at the cue stays, whatever comes after it. Frames of one freeze repeat each other's mistakes, so many are worth no
more than one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.headgear_reading import Field, HeadgearProbabilities
from bunnymoose_cv.vision.readings import PlayerReading
from bunnymoose_cv.vision.settings import FREEZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bunnymoose_cv.rules.pose import Headgear
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.video.seats import Sample
    from bunnymoose_cv.vision.video.window import Window

LogOdds: TypeAlias = npt.NDArray[np.float64]

KINDS: Final = 3
"""The first so many numbers of a side's evidence are log-probabilities of antler, ear and neither; then log-odds."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Weighted mean of log-odds over correlated frames.

    Attributes:
        total: sum of weight times log-odds.
        weight: sum of weights, of the same shape.
        count: frames.
    """

    total: LogOdds
    weight: LogOdds
    count: int

    def joined(self, other: Evidence) -> Evidence:
        """With the evidence of further frames."""
        return Evidence(self.total + other.total, self.weight + other.weight, self.count + other.count)

    @property
    def log_odds(self) -> LogOdds:
        """The mean: a camera that errs in one frame of a held pose errs in all, so more frames make nothing surer."""
        return self.total / self.weight


@dataclass(frozen=True, slots=True, eq=False)
class SideHold:
    """Headgear that one side of a head has shown since its hand last moved.

    Attributes:
        evidence: of `_side_evidence`.
        until_s: time of the last reading.
        latest: the last reading.
        clearest: the surest reading of those that found the hand; any where none did.
        shown: headgear that was surely shown.
        sure: the hold up to its last sure reading; what comes after may be the hand on its way.
    """

    evidence: Evidence
    until_s: float
    latest: PlayerReading
    clearest: PlayerReading
    shown: tuple[Headgear, ...] = ()
    sure: SideHold | None = None

    @classmethod
    def begun(cls, sample: Sample, side: Side) -> SideHold:
        """The hold of one reading."""
        time_s, reading = sample
        evidence = _side_evidence(reading.headgear[side].probabilities)
        return _with_certain(cls(evidence, time_s, reading, reading), reading.headgear[side])

    def joined(self, sample: Sample, side: Side) -> SideHold:
        """With one more reading."""
        time_s, reading = sample
        evidence = self.evidence.joined(_side_evidence(reading.headgear[side].probabilities))
        clearest = max(self.clearest, reading, key=lambda each: _clarity(each, side))
        longer = replace(self, evidence=evidence, until_s=time_s, latest=reading, clearest=clearest)
        return _with_certain(longer, reading.headgear[side])

    def goes_on(self, reading: PlayerReading, side: Side) -> bool:
        """Tell if a reading belongs to this hold: the hand is still, and nothing else is surely shown.

        What may be more than nothing belongs to no surely bare side: a hand may be on its way.
        """
        shows = reading.headgear[side]
        other = any(_is_other(shows, shown) or (shown is None and Field.KIND in shows.unclear) for shown in self.shown)
        return not other and hand_way(self.latest, reading, side) <= FREEZE.still

    @property
    def shows_headgear(self) -> bool:
        """Tell if an antler or an ear is likelier than neither."""
        *headgears, neither = self.evidence.log_odds[:KINDS].tolist()
        return bool(max(headgears) > neither)

    def has_settled(self, cue_s: float) -> bool:
        """Tell if it lasted beyond the cue."""
        return self.evidence.count >= FREEZE.debounce_readings and self.until_s > cue_s + FREEZE.after_cue_s

    def reading(self, side: Side, reader: Reader) -> HeadgearReading:
        """Put the readings of the hold together."""
        return reader.headgear_reading(self.clearest.player, side, _side_probabilities(self.evidence.log_odds))


@dataclass(frozen=True, slots=True, eq=False)
class SideEstimate:
    """Estimate of one side of a head.

    Attributes:
        window: the window around the cue.
        side: of the player's own head.
        now: the present hold; None before the first reading.
        held: the headgear that outlasted the cue and has ended; nothing later replaces it.
        all_read: all readings of the window, for a side that never settles.
    """

    window: Window
    side: Side
    now: SideHold | None = None
    held: SideHold | None = None
    all_read: SideHold | None = None

    def updated(self, sample: Sample) -> SideEstimate:
        """With the next reading."""
        time_s, reading = sample
        if self.held is not None:
            return self
        counted = self
        if time_s >= self.window.start_s:
            counted = replace(self, all_read=_longer(self.all_read, sample, self.side))
        if self.now is None or self.now.goes_on(reading, self.side):
            return replace(counted, now=_longer(self.now, sample, self.side))
        ended = self.now.sure or self.now
        if ended.has_settled(self.window.cue_s) and ended.shows_headgear:  # a bare side may have a hand on its way
            return replace(counted, held=ended)
        return replace(counted, now=SideHold.begun(sample, self.side))

    @property
    def settled(self) -> SideHold | None:
        """The hold that counts; None while the hand moves."""
        if self.held is not None:
            return self.held
        now = self.now
        return now if now is not None and now.has_settled(self.window.cue_s) else None

    @property
    def counted(self) -> SideHold:
        """The hold that counts, else the last one of some length, else all that was read."""
        if self.settled is not None:
            return self.settled
        lasting = self.now is not None and self.now.evidence.count >= FREEZE.debounce_readings
        hold = self.now if lasting or self.all_read is None else self.all_read
        if hold is None:
            raise AssertionError
        return hold


def _with_certain(hold: SideHold, latest: HeadgearReading) -> SideHold:
    """The hold with what its last reading surely shows, if it does."""
    if not latest.sure:
        return hold
    certain = replace(hold, shown=(*hold.shown, latest.headgear), sure=None)
    return replace(certain, sure=certain)


def _longer(hold: SideHold | None, sample: Sample, side: Side) -> SideHold:
    return SideHold.begun(sample, side) if hold is None else hold.joined(sample, side)


def _clarity(reading: PlayerReading, side: Side) -> tuple[bool, float]:
    return side in reading.player.hands, reading.headgear[side].confidence


def _is_other(reading: HeadgearReading, shown: Headgear) -> bool:
    """Tell if a reading surely shows another headgear; an antler that may be none, but is compact, is no wide one."""
    open_fields = {Field.KIND} if type(reading.headgear) is type(shown) else set()
    return reading.headgear != shown and open_fields.issuperset(reading.unclear)


def hand_way(before: PlayerReading, after: PlayerReading, side: Side) -> float:
    """Distance that a hand went against its head, in eye distances; 0 where it is not seen in both."""
    places = [
        reading.player.head.measure(reading.player.hands[side].points)
        for reading in (before, after)
        if side in reading.player.hands
    ]
    return float(np.linalg.norm(places[1] - places[0], axis=1).mean()) if len(places) > 1 else 0.0


def _side_evidence(each: HeadgearProbabilities) -> Evidence:
    """Evidence of one frame: of the kind, and of what an antler or an ear shows as far as it is one.

    An unsure frame (blurred, a hand that was missed) weighs little.
    """
    kinds = np.log(np.clip([each.antler, each.ear, each.neither], FREEZE.least_probability, 1.0))
    log_odds = np.concatenate([kinds, _logits([each.wide, each.up, each.straight, each.top])])
    confidence = max(each.antler, each.ear, each.neither) ** FREEZE.confidence_exponent
    shares = np.array([1, 1, 1, each.antler, each.antler, each.ear, each.ear])
    weight = confidence * np.maximum(shares, FREEZE.least_probability)
    return Evidence(weight * log_odds, weight, 1)


def _side_probabilities(log_odds: LogOdds) -> HeadgearProbabilities:
    kinds = np.exp(log_odds[:KINDS] - log_odds[:KINDS].max())
    antler, ear, neither = (kinds / kinds.sum()).tolist()
    wide, up, straight, top = _probabilities(log_odds[KINDS:]).tolist()
    return HeadgearProbabilities(antler, ear, neither, wide, up, straight, top)


def _logits(probabilities: Iterable[float]) -> LogOdds:
    least = FREEZE.least_probability
    clipped = np.clip(np.array(list(probabilities), np.float64), least, 1 - least)
    return np.asarray(np.log(clipped / (1 - clipped)))


def _probabilities(log_odds: LogOdds) -> npt.NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-log_odds)))


# The tongue.


@dataclass(frozen=True, slots=True, eq=False)
class MouthHold:
    """Stretch of time in which the tongue stayed out, or in.

    Attributes:
        out: whether it was out.
        since_s: time of its first reading.
        until_s: time of its last reading.
        evidence: log-odds of "out" of its readings.
    """

    out: bool
    since_s: float
    until_s: float
    evidence: Evidence

    @classmethod
    def begun(cls, time_s: float, out: float) -> Self:
        """The hold of one reading, by its probability that the tongue is out."""
        return cls(out > EVEN, time_s, time_s, _mouth_evidence(out))

    def joined(self, time_s: float, out: float) -> MouthHold:
        """With one more reading alike."""
        return replace(self, until_s=time_s, evidence=self.evidence.joined(_mouth_evidence(out)))

    def is_held(self, window: Window) -> bool:
        """Tell if a tongue is out for long enough and at the cue."""
        return self.out and self.length_s >= window.tongue_s and self.since_s <= window.cue_s <= self.until_s

    @property
    def length_s(self) -> float:
        """From its first reading to its last."""
        return self.until_s - self.since_s


EVEN: Final = 0.5
"""A tongue that is likelier out than this is out."""


@dataclass(frozen=True, slots=True, eq=False)
class MouthEstimate:
    """Estimate of one mouth.

    Attributes:
        window: the window around the cue.
        now: the present hold; None before the first reading.
        slip: a reading that contradicts the present hold; a second one ends the hold, any other forgets it.
        held: the hold of a tongue that was out at the cue for long enough; nothing later replaces it.
        inside: readings of the window with the tongue in.
        first_s: time of the first reading.
    """

    window: Window
    now: MouthHold | None = None
    slip: tuple[float, float] | None = None
    held: MouthHold | None = None
    inside: MouthHold | None = None
    first_s: float = 0.0

    def updated(self, time_s: float, out: float) -> MouthEstimate:
        """With the next reading, by its probability that the tongue is out."""
        if self.held is not None:
            return self
        counted = self._counted(time_s, out)
        if self.now is None:
            return replace(counted, now=MouthHold.begun(time_s, out), first_s=time_s)
        if self.now.out == (out > EVEN):
            return replace(counted, now=self.now.joined(time_s, out), slip=None)
        if self.slip is None:
            return replace(counted, slip=(time_s, out))
        held = self.now if self.now.is_held(self.window) else None
        return replace(counted, now=MouthHold.begun(*self.slip).joined(time_s, out), slip=None, held=held)

    def _counted(self, time_s: float, out: float) -> MouthEstimate:
        if time_s < self.window.start_s or out > EVEN:
            return self
        inside = MouthHold.begun(time_s, out) if self.inside is None else self.inside.joined(time_s, out)
        return replace(self, inside=inside)

    @property
    def settled(self) -> bool:
        """Tell if the tongue was out at the cue for long enough, or in from the cue until after it."""
        now = self.now
        if now is None or self.held is not None or now.is_held(self.window):
            return now is not None
        lasting = now.since_s <= self.window.cue_s < now.until_s - FREEZE.after_cue_s
        return lasting and not now.out and self.slip is None

    @property
    def counted(self) -> MouthHold:
        """The tongue that is held out, at the cue or still at the window's end; else the mouth without it."""
        now = self.now
        if now is None:
            raise AssertionError
        if self.held is not None or now.is_held(self.window):
            return self.held or now
        long_enough = now.length_s >= self.window.tongue_s or now.since_s == self.first_s
        return now if now.out and long_enough and self.slip is None else self.inside or now

    @property
    def probability_out(self) -> float:
        """Probability that the tongue counts as out."""
        return float(_probabilities(self.counted.evidence.log_odds)[0])


def _mouth_evidence(out: float) -> Evidence:
    return Evidence(_logits([out]), np.ones(1), 1)


# The player.


@dataclass(frozen=True, slots=True, eq=False)
class PlayerEstimate:
    """Estimate of one player: two sides and a mouth.

    Attributes:
        sides: of the player's own head.
        mouth: the tongue.
        until_s: time of the last reading.
    """

    sides: Mapping[Side, SideEstimate]
    mouth: MouthEstimate
    until_s: float

    @classmethod
    def of(cls, samples: Iterable[Sample], window: Window) -> PlayerEstimate:
        """Estimate from one person's readings.

        Args:
            samples: at least one, in order of time; those that stand for an earlier frame are left out.
            window: the window around the cue; readings before it count where nothing has changed since.
        """
        samples = list(samples)
        samples = [sample for sample in samples if not sample[1].carried] or samples
        counted = [sample for sample in samples if sample[0] < window.end_s + window.step_s] or samples
        start = cls({side: SideEstimate(window, side) for side in Side}, MouthEstimate(window), counted[-1][0])
        return reduce(cls.updated, counted, start)

    def updated(self, sample: Sample) -> PlayerEstimate:
        """With the next reading."""
        time_s, reading = sample
        sides = {side: estimate.updated(sample) for side, estimate in self.sides.items()}
        return PlayerEstimate(sides, self.mouth.updated(time_s, reading.tongue.probability_out), time_s)

    @property
    def settled(self) -> bool:
        """Tell if hands and tongue are known to have been held at the cue."""
        return self.mouth.settled and all(side.settled is not None for side in self.sides.values())

    def reading(self, player: Player, reader: Reader) -> PlayerReading:
        """Put it together.

        Args:
            player: to show: the seat, head and hands of one frame.
            reader: whose thresholds decide what is unclear.
        """
        headgear = {side: estimate.counted.reading(side, reader) for side, estimate in self.sides.items()}
        return PlayerReading(player, headgear, reader.tongue_reading(player.head, self.mouth.probability_out))
