"""Recursive estimate of the headgear that one side of a head shows around a cue.

Begins before the cue. Debounces jitter: a hand that moves begins a new hold. What was held at the cue stays, whatever
comes after it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.headgear.logit_scaling import KINDS, probabilities_of
from bunnymoose_cv.vision.logits import logit
from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.frame_evidence import LogOdds, LogOddsMean

if TYPE_CHECKING:
    from bunnymoose_cv.rules.pose import Headgear, Side
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading
    from bunnymoose_cv.vision.video.seats import Sample
    from bunnymoose_cv.vision.video.window import Window


@dataclass(frozen=True, slots=True, eq=False)
class SideHold:
    """Headgear that one side of a head has shown since its hand last moved.

    Attributes:
        until_s: time of the last reading.
        clearest: the surest reading of those that found the hand; any where none did.
        shown: headgear that was surely shown.
        until_last_sure: the hold up to its last sure reading; what comes after may be the hand on its way.
    """

    evidence: LogOddsMean
    until_s: float
    latest: PlayerReading
    clearest: PlayerReading
    shown: tuple[Headgear, ...] = ()
    until_last_sure: SideHold | None = None

    @classmethod
    def started_with(cls, sample: Sample, side: Side) -> SideHold:
        """Begin a hold with one reading."""
        time_s, reading = sample
        evidence = _side_evidence(reading.headgear[side].probabilities)
        return _extend_if_sure(cls(evidence, time_s, reading, reading), reading.headgear[side])

    def joined(self, sample: Sample, side: Side) -> SideHold:
        """Add one more reading."""
        time_s, reading = sample
        evidence = self.evidence.joined(_side_evidence(reading.headgear[side].probabilities))
        clearest = max(self.clearest, reading, key=lambda each: _clarity(each, side))
        longer = replace(self, evidence=evidence, until_s=time_s, latest=reading, clearest=clearest)
        return _extend_if_sure(longer, reading.headgear[side])

    def belongs(self, reading: PlayerReading, side: Side) -> bool:
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

    def reading(self, side: Side, reader: Reader, headgear_prior: float) -> HeadgearReading:
        """Aggregate the readings of the hold, and apply the prior if a hand was found."""
        probabilities = _side_probabilities(self.evidence.log_odds)
        if side in self.clearest.player.hands:
            probabilities = probabilities.with_headgear_odds(headgear_prior)
        return reader.headgear_reading(self.clearest.player, side, probabilities)


@dataclass(frozen=True, slots=True, eq=False)
class SideEstimate:
    """Estimate of one side of a head.

    Attributes:
        current: the present hold; None before the first reading.
        final: the headgear that outlasted the cue and has ended; nothing later replaces it.
        window_readings: all readings of the window, for a side that never settles.
    """

    window: Window
    side: Side
    current: SideHold | None = None
    final: SideHold | None = None
    window_readings: SideHold | None = None

    def updated(self, sample: Sample) -> SideEstimate:
        """Update by the next reading."""
        time_s, reading = sample
        if self.final is not None:
            return self
        counted = self
        if time_s >= self.window.start_s:
            counted = replace(self, window_readings=_extend(self.window_readings, sample, self.side))
        if self.current is None or self.current.belongs(reading, self.side):
            return replace(counted, current=_extend(self.current, sample, self.side))
        ended = self.current.until_last_sure or self.current
        if ended.has_settled(self.window.cue_s) and ended.shows_headgear:  # a bare side may have a hand on its way
            return replace(counted, final=ended)
        return replace(counted, current=SideHold.started_with(sample, self.side))

    @property
    def settled_hold(self) -> SideHold | None:
        """The hold that counts; None while the hand moves."""
        if self.final is not None:
            return self.final
        current = self.current
        return current if current is not None and current.has_settled(self.window.cue_s) else None

    def reading(self, reader: Reader) -> HeadgearReading:
        """Aggregate the readings that count."""
        return self.decisive.reading(self.side, reader, self.window.headgear_prior)

    @property
    def decisive(self) -> SideHold:
        """The hold that counts, else the last one of some length, else all that was read."""
        if self.settled_hold is not None:
            return self.settled_hold
        lasting = self.current is not None and self.current.evidence.count >= FREEZE.debounce_readings
        hold = self.current if lasting or self.window_readings is None else self.window_readings
        if hold is None:
            raise AssertionError("an estimate has at least one reading")
        return hold


def _extend_if_sure(hold: SideHold, latest: HeadgearReading) -> SideHold:
    """Extend a hold by the headgear of its last reading, if that is sure."""
    if not latest.sure:
        return hold
    certain = replace(hold, shown=(*hold.shown, latest.headgear), until_last_sure=None)
    return replace(certain, until_last_sure=certain)


def _extend(hold: SideHold | None, sample: Sample, side: Side) -> SideHold:
    return SideHold.started_with(sample, side) if hold is None else hold.joined(sample, side)


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


def _side_evidence(each: HeadgearProbabilities) -> LogOddsMean:
    """Evidence of one frame: of the kind, and of what an antler or an ear shows as far as it is one.

    An unsure frame (blurred, a hand that was missed) weighs little.
    """
    kinds = np.log(np.clip([each.antler, each.ear, each.neither], FREEZE.least_probability, 1.0))
    log_odds = np.concatenate([kinds, logit([each.wide, each.up, each.straight, each.top], FREEZE.least_probability)])
    confidence = max(each.antler, each.ear, each.neither) ** FREEZE.confidence_exponent
    shares = np.array([1, 1, 1, each.antler, each.antler, each.ear, each.ear])
    weight = confidence * np.maximum(shares, FREEZE.least_probability)
    return LogOddsMean(weight * log_odds, weight, 1)


def _side_probabilities(log_odds: LogOdds) -> HeadgearProbabilities:
    return HeadgearProbabilities(*probabilities_of(log_odds[None])[0].tolist())
