"""Reliability of confidence: accuracy by confidence bin, and the expected calibration error."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Final

from training.evaluate.comparison import (
    Measure,
)
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from training.evaluate.evaluated import Evaluated


BINS: Final = 10
"""Of equal width, from even (0.5) to certain (1); what is less sure than even, a kind among three, is in the first."""


_EVEN = 0.5


_MEASURES: Final[Mapping[str, frozenset[Measure]]] = {
    "kind": frozenset(
        {Measure.KIND, Measure.KIND_IN_ROWS, Measure.HAND_KIND, Measure.HEADGEAR_SIDE, Measure.NOTHING_SIDE}
    ),
    "spread": frozenset({Measure.SPREAD, Measure.SPREAD_IN_ROWS, Measure.HAND_SPREAD}),
    "direction": frozenset({Measure.DIRECTION, Measure.DIRECTION_IN_ROWS}),
    "form": frozenset({Measure.FORM, Measure.FORM_IN_ROWS, Measure.HAND_FORM}),
    "place": frozenset({Measure.PLACE, Measure.PLACE_IN_ROWS}),
    "tongue": frozenset(
        {
            Measure.TONGUE,
            Measure.TONGUE_IN_ROWS,
            Measure.TONGUE_ON_HEADS_WITH_HANDS,
            Measure.TONGUE_IN_GROUPS,
            Measure.MOUTH,
        }
    ),
}
"""Each field with the measures that compare it."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings that are about equally sure.

    Attributes:
        confidence: their mean probability.
        right: how many of them are right.
    """

    confidence: float
    right: Share


@dataclass(frozen=True, slots=True)
class Reliability:
    """One field.

    Attributes:
        field: its name.
        bins: from the least sure to the surest; empty ones do not stand here.
    """

    field: str
    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """Expected calibration error: mean distance of confidence and rate over all readings, 0 to 1."""
        total = sum(own.right.total for own in self.bins)
        return sum(own.right.total * abs(own.confidence - own.right.rate) for own in self.bins) / total


def reliability(images: Iterable[Evaluated]) -> tuple[Reliability, ...]:
    """Every field that was read at all; what lies in between two shapes is left out."""
    outcomes = [outcome for image in images for outcome in image.outcomes]
    fields = []
    for field, measures in _MEASURES.items():
        read = [(o.confidence, o.right) for o in outcomes if o.measure in measures and o.confidence is not None]
        if read:
            fields.append(Reliability(field, _bins(read)))
    return tuple(fields)


def _bins(read: Sequence[tuple[float, bool]]) -> tuple[Bin, ...]:
    members: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in read:
        members.setdefault(_bin(confidence), []).append((confidence, right))
    return tuple(
        Bin(fmean(confidence for confidence, _ in own), Share(len(own), sum(right for _, right in own)))
        for _, own in sorted(members.items())
    )


def _bin(confidence: float) -> int:
    return min(BINS - 1, max(0, int((confidence - _EVEN) / (1 - _EVEN) * BINS)))
