"""Recursive estimate of one player's pose around a cue: both sides of the head, and the mouth.

The estimate begins before the cue. It is debounced: a hand that moves begins a new hold. Headgear that was held at the
cue is kept, no matter what follows. A tongue that is out only for a moment does not count, a tongue that is held out
does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.headgear.logit_scaling import KINDS, probabilities_of
from bunnymoose_cv.vision.logits import LogOddsMean, logit, sigmoid
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


@dataclass(frozen=True, slots=True, eq=False)
class SideHold:
    """Headgear that one side of a head has shown since its hand last moved.

    Attributes:
        until_s: time of the last reading.
        clearest: the surest of the readings that found the hand, or of all readings if none did.
        shown: the headgear of each sure reading.
        until_last_sure: the hold up to its last sure reading. After that the hand may already be moving.
    """

    evidence: LogOddsMean
    until_s: float
    latest: PlayerReading
    clearest: PlayerReading
    shown: tuple[Headgear, ...] = ()
    until_last_sure: SideHold | None = None

    @classmethod
    def extended(cls, hold: SideHold | None, sample: Sample, side: Side) -> SideHold:
        """Add a reading to a hold, or begin one (None) with it."""
        time_s, reading = sample
        shows = reading.headgear[side]
        longer = cls(_side_evidence(shows.probabilities), time_s, reading, reading)
        if hold is not None:
            evidence = hold.evidence.joined(longer.evidence)
            clearest = max(hold.clearest, reading, key=lambda each: _clarity(each, side))
            longer = replace(hold, evidence=evidence, until_s=time_s, latest=reading, clearest=clearest)
        if not shows.sure:
            return longer
        certain = replace(longer, shown=(*longer.shown, shows.headgear), until_last_sure=None)
        return replace(certain, until_last_sure=certain)

    def belongs(self, reading: PlayerReading, side: Side) -> bool:
        """Return whether a reading belongs to this hold: the hand is still, and no other headgear is surely shown.

        If the side was surely bare, a reading of uncertain kind does not belong to it: a hand may be on its way.
        """
        shows = reading.headgear[side]
        other = any(_is_other(shows, shown) or (shown is None and Field.KIND in shows.unclear) for shown in self.shown)
        return not other and hand_way(self.latest, reading, side) <= FREEZE.still

    @property
    def shows_headgear(self) -> bool:
        """Return whether an antler or an ear is likelier than neither."""
        *headgears, neither = self.evidence.log_odds[:KINDS].tolist()
        return bool(max(headgears) > neither)

    def has_settled(self, cue_s: float) -> bool:
        """Return whether the hold lasted beyond the cue."""
        return self.evidence.count >= FREEZE.debounce_readings and self.until_s > cue_s + FREEZE.after_cue_s

    def reading(self, side: Side, reader: Reader, headgear_prior: float) -> HeadgearReading:
        """Aggregate the readings of the hold, and apply the prior if a hand was found."""
        probabilities = HeadgearProbabilities(*probabilities_of(self.evidence.log_odds[None])[0].tolist())
        return reader.headgear_reading(self.clearest.player, side, probabilities, headgear_prior)


@dataclass(frozen=True, slots=True, eq=False)
class SideEstimate:
    """Estimate of one side of a head.

    Attributes:
        final: the headgear that outlasted the cue and has ended; nothing later replaces it.
        window_readings: all readings of the window, for a side that never settles.
    """

    window: Window
    side: Side
    current: SideHold | None = None
    final: SideHold | None = None
    window_readings: SideHold | None = None

    def updated(self, sample: Sample) -> SideEstimate:
        """Update with the next reading."""
        time_s, reading = sample
        if self.final is not None:
            return self
        counted = self
        if time_s >= self.window.start_s:
            counted = replace(self, window_readings=SideHold.extended(self.window_readings, sample, self.side))
        if self.current is None or self.current.belongs(reading, self.side):
            return replace(counted, current=SideHold.extended(self.current, sample, self.side))
        ended = self.current.until_last_sure or self.current
        if ended.has_settled(self.window.cue_s) and ended.shows_headgear:  # a bare side may have a hand on its way
            return replace(counted, final=ended)
        return replace(counted, current=SideHold.extended(None, sample, self.side))

    @property
    def settled_hold(self) -> SideHold | None:
        """Hold that counts; None while the hand moves."""
        if self.final is not None or self.current is None:
            return self.final
        return self.current if self.current.has_settled(self.window.cue_s) else None

    def reading(self, reader: Reader) -> HeadgearReading:
        """Aggregate the readings that count."""
        return self.decisive.reading(self.side, reader, self.window.headgear_prior)

    @property
    def decisive(self) -> SideHold:
        """Settled hold, or the current one if it is long enough, or otherwise all readings of the window."""
        if self.current is None:
            raise AssertionError("an estimate has at least one reading")
        lasting = self.current.evidence.count >= FREEZE.debounce_readings
        return self.settled_hold or (self.current if lasting else self.window_readings or self.current)


def _clarity(reading: PlayerReading, side: Side) -> tuple[bool, float]:
    return side in reading.player.hands, reading.headgear[side].confidence


def _is_other(reading: HeadgearReading, shown: Headgear) -> bool:
    """Return whether a reading surely shows another headgear.

    Between two kinds only the kind has to be sure. A clearly compact antler differs from a wide one even if it may not
    be an antler.
    """
    if type(reading.headgear) is not type(shown):
        return Field.KIND not in reading.unclear
    return reading.headgear != shown and {Field.KIND}.issuperset(reading.unclear)


def hand_way(before: PlayerReading, after: PlayerReading, side: Side) -> float:
    """Return how far a hand moved relative to its head, in eye distances; 0 if it is not seen in both readings."""
    players = [reading.player for reading in (before, after) if side in reading.player.hands]
    places = [player.head.measure(player.hands[side].points) for player in players]
    return float(np.linalg.norm(places[1] - places[0], axis=1).mean()) if len(places) > 1 else 0.0


def _side_evidence(each: HeadgearProbabilities) -> LogOddsMean:
    """Return the evidence of one frame for the kind of headgear, and for the fields of an antler or an ear.

    The fields are weighted by the probability of their kind. An unsure frame (blurred, a hand that was missed) has
    little weight.
    """
    kinds = np.log(np.clip([each.antler, each.ear, each.neither], _LEAST, 1.0))
    log_odds = np.concatenate([kinds, logit([each.wide, each.up, each.straight, each.top], _LEAST)])
    confidence = max(each.antler, each.ear, each.neither) ** FREEZE.confidence_exponent
    shares = np.array([1, 1, 1, each.antler, each.antler, each.ear, each.ear])
    weight = confidence * np.maximum(shares, _LEAST)
    return LogOddsMean(weight * log_odds, weight, 1)


_LEAST: Final = 0.001
"""Lower bound of the probabilities of a single frame."""

_EVEN: Final = 0.5

_SLIP_S: Final = 0.5
"""Longest time from one reading of a mouth to the next of which a contradiction may be a slip: one that contradicts it,
or one that agrees if another between them contradicts both. In a longer time a tongue is put out, or in again."""


@dataclass(frozen=True, slots=True, eq=False)
class MouthHold:
    """Stretch of time from a first to a last reading in which the tongue remained out, or in."""

    out: bool
    since_s: float
    until_s: float
    evidence: LogOddsMean

    @classmethod
    def extended(cls, hold: MouthHold | None, time_s: float, out: float) -> MouthHold:
        """Add a reading to a hold with which it agrees, or begin one (None) with it."""
        evidence = LogOddsMean(logit([out], _LEAST), np.ones(1), 1)
        if hold is None:
            return cls(out > _EVEN, time_s, time_s, evidence)
        return replace(hold, until_s=time_s, evidence=hold.evidence.joined(evidence))

    def is_held(self, window: Window) -> bool:
        """Return whether the tongue is out at the cue, and for long enough."""
        return self.out and self.length_s >= window.tongue_s and self.since_s <= window.cue_s <= self.until_s

    @property
    def length_s(self) -> float:
        """Time from the first reading to the last."""
        return self.until_s - self.since_s


@dataclass(frozen=True, slots=True, eq=False)
class MouthEstimate:
    """Estimate of one mouth.

    Attributes:
        slip: one reading that contradicts the present hold. A second one ends the hold, and so does a first one if it
            comes late. An agreeing one clears the slip if it comes at once, and otherwise ends the hold, too.
        final: the hold of a tongue that was out at the cue for long enough; nothing later replaces it.
        tongue_in: the readings of the window with the tongue in.
        first_s: time of the first reading.
    """

    window: Window
    current: MouthHold | None = None
    slip: tuple[float, float] | None = None
    final: MouthHold | None = None
    tongue_in: MouthHold | None = None
    first_s: float = 0.0

    def updated(self, time_s: float, out: float) -> MouthEstimate:
        """Update with the next reading; `out` is the probability that the tongue is out."""
        if self.final is not None:
            return self
        counted = self
        if time_s >= self.window.start_s and out <= _EVEN:
            counted = replace(self, tongue_in=MouthHold.extended(self.tongue_in, time_s, out))
        if self.current is None:
            return replace(counted, current=MouthHold.extended(None, time_s, out), first_s=time_s)
        agrees, at_once = self.current.out == (out > _EVEN), time_s - self.current.until_s <= _SLIP_S
        if agrees and (self.slip is None or at_once):
            return replace(counted, current=MouthHold.extended(self.current, time_s, out), slip=None)
        if self.slip is None and at_once:
            return replace(counted, slip=(time_s, out))
        final = self.current if self.current.is_held(self.window) else None
        first = None if agrees or self.slip is None else MouthHold.extended(None, *self.slip)
        return replace(counted, current=MouthHold.extended(first, time_s, out), slip=None, final=final)

    @property
    def is_settled(self) -> bool:
        """Return whether the tongue was out at the cue for long enough, or in from the cue until after it."""
        current = self.current
        if current is None or self.final is not None or current.is_held(self.window):
            return current is not None
        lasting = current.since_s <= self.window.cue_s < current.until_s - FREEZE.after_cue_s
        return lasting and not current.out and self.slip is None

    @property
    def decisive(self) -> MouthHold:
        """Hold that counts: a tongue held out at the cue or until the window's end, otherwise the tongue in."""
        current = self.current
        if current is None:
            raise AssertionError("an estimate has at least one reading")
        if self.final is not None or current.is_held(self.window):
            return self.final or current
        long_enough = current.length_s >= self.window.tongue_s or current.since_s == self.first_s
        return current if current.out and long_enough and self.slip is None else self.tongue_in or current

    @property
    def probability_out(self) -> float:
        """Probability that the tongue counts as out."""
        return float(sigmoid(self.decisive.evidence.log_odds)[0])


@dataclass(frozen=True, slots=True, eq=False)
class PlayerEstimate:
    """Estimate of one player, two sides and a mouth, up to the time of the last reading."""

    sides: Mapping[Side, SideEstimate]
    mouth: MouthEstimate
    until_s: float

    @classmethod
    def of(cls, samples: Iterable[Sample], window: Window) -> PlayerEstimate:
        """Estimate from one person's readings, one or more, in order of time.

        Readings reused from an earlier frame are ignored. Those before the window count if nothing has changed since.
        """
        samples = list(samples)
        samples = [sample for sample in samples if not sample[1].is_reused] or samples
        counted = [sample for sample in samples if sample[0] < window.end_s + window.step_s] or samples
        start = cls({side: SideEstimate(window, side) for side in Side}, MouthEstimate(window), counted[-1][0])
        return reduce(cls.updated, counted, start)

    def updated(self, sample: Sample) -> PlayerEstimate:
        """Update with the next reading."""
        time_s, reading = sample
        sides = {side: estimate.updated(sample) for side, estimate in self.sides.items()}
        return PlayerEstimate(sides, self.mouth.updated(time_s, reading.tongue.probability_out), time_s)

    @property
    def is_settled(self) -> bool:
        """Return whether hands and tongue are known to have been held at the cue."""
        return self.mouth.is_settled and all(side.settled_hold is not None for side in self.sides.values())

    def reading(self, player: Player, reader: Reader) -> PlayerReading:
        """Return the reading that all samples support, with the seat, head and hands of a player from one frame."""
        headgear = {side: estimate.reading(reader) for side, estimate in self.sides.items()}
        return PlayerReading(player, headgear, reader.tongue_reading(player.head, self.mouth.probability_out))
