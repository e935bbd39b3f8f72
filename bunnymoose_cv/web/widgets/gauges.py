"""Gauges: one number of a reading on a bar with the limits that it is read against.

The numbers are those that the reasons tell (vision/headgear/measures.py), and the probabilities that
decide what is unclear.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import Direction, Form, Place, Spread
from bunnymoose_cv.rules.pose_fields import Field, HeadgearField
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND, HeadgearProbabilities, Kind
from bunnymoose_cv.vision.headgear.measures import LIMITS, Quantity, Zone
from bunnymoose_cv.web.live.likely_poses import probability_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.core.user_settings import HeadgearSettings, TongueSettings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, TongueEvidence


@dataclass(frozen=True, slots=True)
class Gauge:
    """One number against its limits.

    Attributes:
        words: the number in words: `fingers 6° apart`.
        limits: its limits in words: `touching below 4.5°, parted above 9°`.
        marks: the limits; the first below which one thing holds, the last above which another does.
        ends: of the bar.
        sure: whether the number lies where nothing needs to be asked, beyond a limit.
        ticks: the same number in the single frames.
    """

    words: str
    limits: str
    value: float
    marks: tuple[float, ...]
    ends: tuple[float, float]
    sure: bool
    ticks: tuple[float, ...] = ()


ENDS: Final[Mapping[Quantity, tuple[float, float]]] = {
    Quantity.THUMB: (0.0, 2.0),
    Quantity.PARTING: (0.0, 25.0),
    Quantity.STRAIGHTNESS: (0.5, 1.0),
    Quantity.POINTING: (0.0, 180.0),
    Quantity.TEMPLE: (0.0, 3.0),
    Quantity.GAP: (0.0, 3.0),
    Quantity.HEIGHT: (-3.0, 4.0),
}
"""From where to where the bars reach; what lies beyond stands at their end."""


def confidence_gauges(
    read: HeadgearEvidence, settings: HeadgearSettings, texts: Texts, frames: Sequence[HeadgearEvidence] = ()
) -> Iterator[Gauge]:
    """Confidence of each field of a headgear, against the threshold below which people are asked."""
    likely = HeadgearProbabilities(**read.probabilities)
    each_frame = [HeadgearProbabilities(**frame.probabilities) for frame in frames]
    for field in FIELDS_OF_KIND[likely.kind]:
        limit, sure = float(getattr(settings, field.value)), likely.confidence_of(field)
        yield Gauge(
            words=texts("{what}: {sure:.0%} sure", what=_name_value(field, likely, texts), sure=sure),
            limits=texts("asked below {limit:.0%}", limit=limit),
            value=sure,
            marks=(limit,),
            ends=(0.0, 1.0),
            sure=sure >= limit,
            ticks=tuple(same_box(field, likely, frame) for frame in each_frame),
        )


def tongue_gauge(
    read: TongueEvidence, settings: TongueSettings, texts: Texts, frames: Sequence[TongueEvidence] = ()
) -> Gauge:
    """Probability of the tongue, against the thresholds between which people are asked."""
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
    """Measures of a hand; nothing where no hand was found."""
    if read.measures is None:
        return
    for quantity in Quantity:
        value = read.measures.value(quantity)
        if value is None:
            continue
        in_frames = (frame.measures.value(quantity) for frame in frames if frame.measures is not None)
        words, limits = _words(quantity, value, texts)
        yield Gauge(
            words=words,
            limits=limits,
            value=value,
            marks=LIMITS[quantity],
            ends=ENDS[quantity],
            sure=Zone.of(quantity, value) is not Zone.BETWEEN or quantity in {Quantity.TEMPLE, Quantity.HEIGHT},
            ticks=tuple(each for each in in_frames if each is not None),
        )


def gauge_art(gauge: Gauge) -> str:
    """A gauge as HTML: its words, and the bar with its limits."""
    marks = "".join(_upright("mark", _place(gauge, mark), 1, 15) for mark in gauge.marks)
    ticks = "".join(_upright("tick", _place(gauge, tick), 4, 12) for tick in gauge.ticks)
    value = f'<circle class="value" cx="{_place(gauge, gauge.value):.1f}" cy="8" r="6"/>'
    rail = f'<rect class="rail" x="0" y="5" width="{_LENGTH}" height="6" rx="3"/>'
    bar = f'<svg viewBox="-7 0 {_LENGTH + 14} 16" aria-hidden="true">{rail}{marks}{ticks}{value}</svg>'
    words = f"<p><strong>{escape(gauge.words)}</strong> <span>{escape(gauge.limits)}</span></p>"
    return f'<div class="gauge {"sure" if gauge.sure else "unsure"}">{words}{bar}</div>'


_LENGTH: Final = 240
"""Of the bar, in units of its drawing."""


def _place(gauge: Gauge, value: float) -> float:
    """Position of a value on the bar."""
    low, high = gauge.ends
    return _LENGTH * min(max((value - low) / (high - low), 0.0), 1.0)


def _upright(kind: str, across: float, top: float, bottom: float) -> str:
    return f'<line class="{kind}" x1="{across:.1f}" x2="{across:.1f}" y1="{top}" y2="{bottom}"/>'


def _words(quantity: Quantity, value: float, texts: Texts) -> tuple[str, str]:
    """A measured number in words, and what its limits mean."""
    low, high = LIMITS[quantity]
    match quantity:
        case Quantity.THUMB:
            said = (
                texts("thumb tip {palms:.2f} palms from the little finger’s root", palms=value),
                texts("tucked in below {low}, out above {high}", low=low, high=high),
            )
        case Quantity.PARTING:
            said = (
                texts("fingers {degrees:.1f}° apart", degrees=value),
                texts("touching below {low}°, parted above {high}°", low=low, high=high),
            )
        case Quantity.STRAIGHTNESS:
            said = (
                texts("fingers {share:.1%} straight", share=value),
                texts("curled below {low:.0%}, straight above {high:.0%}", low=low, high=high),
            )
        case Quantity.POINTING:
            said = (
                texts("fingers point {degrees:.0f}° from the head’s upright", degrees=value),
                texts("up below {low:.0f}°, down above {high:.0f}°", low=low, high=high),
            )
        case Quantity.TEMPLE:
            said = (
                texts("thumb tip {distance:.2f} eye distances from the temple", distance=value),
                texts("touching below {low}, well off above {high}", low=low, high=high),
            )
        case Quantity.GAP:
            said = (
                texts("hand {distance:.2f} eye distances off the head", distance=value),
                texts("at the head below {low}, too far above {high}", low=low, high=high),
            )
        case Quantity.HEIGHT:
            said = (
                texts("hand {distance:.1f} eye distances above the eyes", distance=value),
                texts("low below {low}, above the head from {high}", low=low, high=high),
            )
    return said


def _name_value(field: HeadgearField, likely: HeadgearProbabilities, texts: Texts) -> str:
    """The likeliest value of a field."""
    return {
        Kind.ANTLER: texts("antler"),
        Kind.EAR: texts("ear"),
        Kind.NEITHER: texts("neither antler nor ear"),
        Spread.WIDE: texts("wide"),
        Spread.COMPACT: texts("compact"),
        Direction.UP: texts("up"),
        Direction.DOWN: texts("down"),
        Form.STRAIGHT: texts("straight"),
        Form.FLOPPY: texts("floppy"),
        Place.TOP: texts("on top"),
        Place.SIDE: texts("at the side"),
    }[getattr(likely, field.value)]


def same_box(field: HeadgearField, agreed: HeadgearProbabilities, frame: HeadgearProbabilities) -> float:
    """Probability that a frame by itself gives the aggregated value."""
    match field:
        case Field.KIND:
            return {Kind.ANTLER: frame.antler, Kind.EAR: frame.ear, Kind.NEITHER: frame.neither}[agreed.kind]
        case Field.SPREAD:
            return frame.wide if agreed.spread is Spread.WIDE else 1 - frame.wide
        case Field.DIRECTION:
            return frame.up if agreed.direction is Direction.UP else 1 - frame.up
        case Field.FORM:
            return frame.straight if agreed.form is Form.STRAIGHT else 1 - frame.straight
        case Field.PLACE:
            return frame.top if agreed.place is Place.TOP else 1 - frame.top
