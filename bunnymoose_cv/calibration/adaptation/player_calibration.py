"""Calibration of one player from labelled takes, cross-validated: a field is kept if held-out takes get no worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from bunnymoose_cv.calibration.adaptation.map_fit import Array, PriorSpread, fit
from bunnymoose_cv.rules.pose_fields import Field

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.calibration.adaptation.labelled_take import FieldLabel, LabelledTake
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.rules.exemptions import Exemption

WORST_RISE: Final = 0.02
"""Largest rise of the mean cross entropy of held-out takes, in nats: less than a count would show."""


Priors: TypeAlias = Mapping[Field, PriorSpread]
"""Spread of every field between people."""


@dataclass(frozen=True, slots=True)
class FieldCalibration:
    """Correction of a field's log-odds: `scale * odds + offset`."""

    offset: tuple[float, ...]
    scale: float

    def corrected(self, odds: tuple[float, ...]) -> tuple[float, ...]:
        """Log-odds of the same field with the correction."""
        return tuple(self.scale * value + shift for value, shift in zip(odds, self.offset, strict=True))


@dataclass(frozen=True, slots=True)
class FieldOutcome:
    """Counts of left-out labels of one field, without and with its calibration.

    Attributes:
        wrong: labels whose likeliest value is another one, before and after.
        surely_wrong: those of them that nobody would have been asked about.
        asked: labels below the field's limit.
        kept: False where left-out takes got worse, and nothing is changed.
    """

    field: Field
    labels: int
    wrong: tuple[int, int]
    surely_wrong: tuple[int, int]
    asked: tuple[int, int]
    kept: bool

    @property
    def helped(self) -> bool:
        """Tell if errors, sure ones, or errors and questions together fall."""
        pairs = {"wrong": self.wrong, "surely_wrong": self.surely_wrong, "asked": self.asked}
        return self.kept and any(after < before for before, after in _pair_counts(pairs))


@dataclass(frozen=True, slots=True)
class PlayerCalibration:
    """Profile of one player's hands and tongue, from all takes.

    Attributes:
        fields: corrections that were kept.
    """

    fields: Mapping[Field, FieldCalibration] = field(default_factory=dict)
    exempt: frozenset[Exemption] = frozenset()
    outcomes: tuple[FieldOutcome, ...] = ()

    @property
    def changes_something(self) -> bool:
        """Tell if the player is judged otherwise than everybody."""
        return bool(self.fields or self.exempt)


def calibrate(
    takes: Sequence[LabelledTake], exempt: frozenset[Exemption], priors: Priors, settings: Settings
) -> PlayerCalibration:
    """Fit every field on all takes, and keep it if takes that were left out get no worse.

    Args:
        takes: of one player; both sides and the tongue of a take are left out together.
        priors: spread between people.
    """
    labels = [tuple(take.labels(exempt)) for take in takes]
    fields: dict[Field, FieldCalibration] = {}
    outcomes = []
    for name, prior in priors.items():
        grouped = [[label for label in take if label.field is name] for take in labels]
        grouped = [take for take in grouped if take]
        if len(grouped) < 2:  # one take leaves nothing to learn from when it is left out
            continue
        correction, outcome = _fit_field(name, grouped, prior, settings)
        outcomes.append(outcome)
        if outcome.kept:
            fields[name] = correction
    return PlayerCalibration(fields, exempt, tuple(outcomes))


def _fit_field(
    name: Field, takes: Sequence[Sequence[FieldLabel]], prior: PriorSpread, settings: Settings
) -> tuple[FieldCalibration, FieldOutcome]:
    """Fit one field on all takes, and count on each take what the others say of it."""
    all_labels = [label for take in takes for label in take]
    left_out = [_fit_correction(_others(takes, number), prior) for number in range(len(takes))]
    predicted = [
        correction.corrected(label.odds) for correction, take in zip(left_out, takes, strict=True) for label in take
    ]
    classes = [label.true_class for label in all_labels]
    before = counts_of([label.odds for label in all_labels], classes, name, settings)
    after = counts_of(predicted, classes, name, settings)
    pairs = {count: (before.of(count), after.of(count)) for count in ("wrong", "surely_wrong", "asked")}
    kept = not _is_worse(pairs) and after.entropy <= before.entropy + WORST_RISE
    return _fit_correction(all_labels, prior), FieldOutcome(name, len(classes), kept=kept, **pairs)


def _is_worse(pairs: Mapping[str, tuple[int, int]]) -> bool:
    """Tell if errors, sure ones, or errors and questions together rise; an error that is asked about got no worse."""
    return any(after > before for before, after in _pair_counts(pairs))


def _pair_counts(pairs: Mapping[str, tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Errors, sure ones, and all together, each before and after; an error counts twice, a question once."""
    before, after = (sum(pair[number] for pair in pairs.values()) for number in range(2))
    return pairs["wrong"], pairs["surely_wrong"], (before, after)


def _others(takes: Sequence[Sequence[FieldLabel]], number: int) -> list[FieldLabel]:
    return [label for other, take in enumerate(takes) if other != number for label in take]


def _fit_correction(labels: Sequence[FieldLabel], prior: PriorSpread) -> FieldCalibration:
    found = fit([label.odds for label in labels], [label.true_class for label in labels], prior)
    return FieldCalibration(found.offset, found.scale)


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """Counts of one field's labels, and their mean cross entropy in nats."""

    counts: Counter[str]
    entropy: float

    def of(self, name: str) -> int:
        """Count of `wrong`, `surely_wrong` or `asked` labels."""
        return self.counts[name]


def counts_of(
    odds: Sequence[tuple[float, ...]], classes: Iterable[int], name: Field, settings: Settings
) -> FieldCounts:
    """Count errors and questions of labels with these log-odds."""
    chances = chances_of(np.asarray(odds, np.float64))
    truth = np.asarray(list(classes))
    likeliest = chances.argmax(1)
    asked = _find_questions(chances, name, settings)
    wrong = likeliest != truth
    entropy = float(-np.log(np.maximum(chances[np.arange(len(truth)), truth], 1e-9)).mean())
    found = {"wrong": wrong, "surely_wrong": wrong & ~asked, "asked": asked}
    return FieldCounts(Counter({key: int(value.sum()) for key, value in found.items()}), entropy)


def chances_of(odds: Array) -> Array:
    """Probabilities of every class, shape (n, classes), from log-odds with three columns or one."""
    logits = odds if odds.shape[1] > 1 else np.hstack([odds, np.zeros_like(odds)])
    return np.asarray(np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)))


def _find_questions(chances: Array, name: Field, settings: Settings) -> np.typing.NDArray[np.bool_]:
    if name is Field.TONGUE:
        out = chances[:, 0]
        return np.asarray((settings.tongue.clear_in < out) & (out < settings.tongue.clear_out))
    return np.asarray(chances.max(1) < float(getattr(settings.headgear, name.value)))
