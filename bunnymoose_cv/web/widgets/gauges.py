"""Gauges, each one number of a reading on a bar with its limits.

The numbers are the measures that reasons mention (vision/headgear/measures.py), and the probabilities that decide what
is unclear.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.stored_readings import probability_out
from bunnymoose_cv.rules.pose_fields import Field, HeadgearField
from bunnymoose_cv.rules.pose_words import VALUE_WORDS
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND, HeadgearProbabilities, Kind, threshold_of
from bunnymoose_cv.vision.headgear.measures import LIMITS, Quantity, Zone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.core.user_settings import HeadgearSettings, TongueSettings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, TongueEvidence


@dataclass(frozen=True, slots=True)
class Gauge:
    """One number against its limits.

    Attributes:
        words: the number in words, `fingers 6° apart`.
        limits: the limits in words, `touching below 4.5°, parted above 9°`.
        marks: the limits, ascending; between the first and the last the number is ambiguous.
        ends: the values at both ends of the bar.
        sure: whether the number is outside the ambiguous range.
        ticks: the same number in the single frames.
    """

    words: str
    limits: str
    value: float
    marks: tuple[float, ...]
    ends: tuple[float, float]
    sure: bool
    ticks: tuple[float, ...] = ()


_QUANTITIES: Final[Mapping[Quantity, tuple[tuple[float, float], Phrase, Phrase]]] = {
    Quantity.THUMB: (
        (0.0, 2.0),
        Phrase("thumb tip {palms:.2f} palms from the little finger’s root"),
        Phrase("tucked in below {low}, out above {high}"),
    ),
    Quantity.PARTING: (
        (0.0, 25.0),
        Phrase("fingers {degrees:.1f}° apart"),
        Phrase("touching below {low}°, parted above {high}°"),
    ),
    Quantity.STRAIGHTNESS: (
        (0.5, 1.0),
        Phrase("fingers {share:.1%} straight"),
        Phrase("curled below {low:.0%}, straight above {high:.0%}"),
    ),
    Quantity.POINTING: (
        (0.0, 180.0),
        Phrase("fingers point {degrees:.0f}° from the head’s upright"),
        Phrase("up below {low:.0f}°, down above {high:.0f}°"),
    ),
    Quantity.TEMPLE: (
        (0.0, 3.0),
        Phrase("thumb tip {distance:.2f} eye distances from the temple"),
        Phrase("touching below {low}, well off above {high}"),
    ),
    Quantity.GAP: (
        (0.0, 3.0),
        Phrase("hand {distance:.2f} eye distances off the head"),
        Phrase("at the head below {low}, too far above {high}"),
    ),
    Quantity.HEIGHT: (
        (-3.0, 4.0),
        Phrase("hand {distance:.1f} eye distances above the eyes"),
        Phrase("low below {low}, above the head from {high}"),
    ),
}
"""Values at both ends of a quantity's bar, and words for the number and its limits."""

_UNITS: Final = ("palms", "degrees", "share", "distance")
"""Placeholders of the number in those words, each of which has one of them."""


def confidence_gauges(
    read: HeadgearEvidence, settings: HeadgearSettings, texts: Texts, frames: Sequence[HeadgearEvidence] = ()
) -> Iterator[Gauge]:
    """Yield a gauge for the confidence of each field, with the threshold below which a question is asked."""
    likely = HeadgearProbabilities(**read.probabilities)
    each_frame = [HeadgearProbabilities(**frame.probabilities) for frame in frames]
    for field in FIELDS_OF_KIND[likely.kind]:
        limit, sure = threshold_of(field, settings), likely.confidence_of(field)
        value = getattr(likely, field.value)
        name = texts(VALUE_WORDS[value.value if isinstance(value, Kind) else value])
        yield Gauge(
            words=texts("{what}: {sure:.0%} sure", what=name, sure=sure),
            limits=texts("asked below {limit:.0%}", limit=limit),
            value=sure,
            marks=(limit,),
            ends=(0.0, 1.0),
            sure=sure >= limit,
            ticks=tuple(_probability_of_agreed(field, likely, frame) for frame in each_frame),
        )


def tongue_gauge(
    read: TongueEvidence, settings: TongueSettings, texts: Texts, frames: Sequence[TongueEvidence] = ()
) -> Gauge:
    """Return the gauge for the probability of the tongue, with the thresholds between which a question is asked."""
    out = probability_out(read)
    return Gauge(
        words=texts("tongue out: {sure:.0%}", sure=out),
        limits=texts("in below {low:.0%}, out above {high:.0%}", low=settings.clear_in, high=settings.clear_out),
        value=out,
        marks=(settings.clear_in, settings.clear_out),
        ends=(0.0, 1.0),
        sure=not settings.clear_in < out < settings.clear_out,
        ticks=tuple(map(probability_out, frames)),
    )


def measure_gauges(read: HeadgearEvidence, texts: Texts, frames: Sequence[HeadgearEvidence] = ()) -> Iterator[Gauge]:
    """Yield gauges for the measures of a hand; none if no hand was found."""
    if read.measures is None:
        return
    for quantity, (ends, words, limits) in _QUANTITIES.items():
        value, (low, high) = read.measures.value(quantity), LIMITS[quantity]
        if value is None:
            continue
        in_frames = (frame.measures.value(quantity) for frame in frames if frame.measures is not None)
        yield Gauge(
            words=texts(words.template, **dict.fromkeys(_UNITS, value)),
            limits=texts(limits.template, low=low, high=high),
            value=value,
            marks=(low, high),
            ends=ends,
            sure=Zone.of(quantity, value) is not Zone.BETWEEN or quantity in {Quantity.TEMPLE, Quantity.HEIGHT},
            ticks=tuple(tick for tick in in_frames if tick is not None),
        )


def gauge_art(gauge: Gauge) -> str:
    """Draw a gauge as HTML: its words, and the bar with its limits."""
    marks = "".join(_upright("mark", _place(gauge, mark), 1, 15) for mark in gauge.marks)
    ticks = "".join(_upright("tick", _place(gauge, tick), 4, 12) for tick in gauge.ticks)
    value = f'<circle class="value" cx="{_place(gauge, gauge.value):.1f}" cy="8" r="6"/>'
    rail = f'<rect class="rail" x="0" y="5" width="{_LENGTH}" height="6" rx="3"/>'
    bar = f'<svg viewBox="-7 0 {_LENGTH + 14} 16" aria-hidden="true">{rail}{marks}{ticks}{value}</svg>'
    words = f"<p><strong>{escape(gauge.words)}</strong> <span>{escape(gauge.limits)}</span></p>"
    return f'<div class="gauge {"sure" if gauge.sure else "unsure"}">{words}{bar}</div>'


_LENGTH: Final = 240
"""Length of the bar, in units of its drawing."""


def _place(gauge: Gauge, value: float) -> float:
    low, high = gauge.ends
    return _LENGTH * min(max((value - low) / (high - low), 0.0), 1.0)


def _upright(kind: str, across: float, top: float, bottom: float) -> str:
    return f'<line class="{kind}" x1="{across:.1f}" x2="{across:.1f}" y1="{top}" y2="{bottom}"/>'


def _probability_of_agreed(field: HeadgearField, agreed: HeadgearProbabilities, frame: HeadgearProbabilities) -> float:
    """Return the probability that a single frame gives to the aggregated value."""
    if field is Field.KIND:
        return {Kind.ANTLER: frame.antler, Kind.EAR: frame.ear, Kind.NEITHER: frame.neither}[agreed.kind]
    sure = frame.confidence_of(field)
    return sure if getattr(frame, field.value) is getattr(agreed, field.value) else 1 - sure
