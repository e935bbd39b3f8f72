"""Images in which something was read wrong, the worst first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from training.evaluate.comparison import (
        Outcome,
    )
    from training.evaluate.evaluated import Evaluated


@dataclass(frozen=True, slots=True)
class Mistake:
    """An image in which something was read wrong.

    Attributes:
        image: what it shows and what was read.
        wrong: what was compared and is wrong, of single fields, the surest first; nothing where somebody was not found.
    """

    image: Evaluated
    wrong: tuple[Outcome, ...]

    @property
    def badness(self) -> tuple[bool, float]:
        """Sort key: sure mistakes are worst, and the surer the worse."""
        return any(outcome.sure for outcome in self.wrong), max(
            (outcome.confidence or 0.0 for outcome in self.wrong), default=0.0
        )


def mistakes(images: Iterable[Evaluated]) -> tuple[Mistake, ...]:
    """All images with a mistake, the worst first."""
    wrong = (Mistake(image, _wrong(image)) for image in images if not all(image.right.values()))
    return tuple(sorted(wrong, key=lambda mistake: mistake.badness, reverse=True))


def _wrong(image: Evaluated) -> tuple[Outcome, ...]:
    fields = [outcome for outcome in image.outcomes if not outcome.right and outcome.sure is not None]
    return tuple(sorted(fields, key=lambda outcome: (outcome.sure, outcome.confidence or 0.0), reverse=True))
