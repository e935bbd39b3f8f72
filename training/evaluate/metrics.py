"""Figures of a labelled set, and of its parts: a part has the same value of a label, or of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.evaluate.comparison import (
    APART,
    Measure,
)
from training.evaluate.confusion import Confusion, confusions
from training.evaluate.groups import Group, groups
from training.evaluate.reliability import Reliability, reliability
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from training.evaluate.evaluated import Evaluated


@dataclass(frozen=True, slots=True)
class Figures:
    """Metrics over all images; fields in between two shapes, and heads shrunk, stand apart from the others.

    Attributes:
        right: how often each measure is right; measures that no image has do not stand here.
        sure_wrong: of the fields that were sure enough to stand alone, how many are wrong; None if there were none.
        unclear: of all fields that were read, how many a person would be asked about; None if there were none.
        unclear_between: the same of the fields in between two shapes; None if there were none.
        people_left_out: how many people's tongues were read by nets that have not seen them (reading.py).
        confusions: what was read instead of what is shown.
        groups: how often each group of players is right.
        reliability: whether confidence means what it says.
    """

    right: Mapping[Measure, Share]
    sure_wrong: Share | None
    unclear: Share | None
    unclear_between: Share | None
    people_left_out: int
    confusions: tuple[Confusion, ...]
    groups: tuple[Group, ...]
    reliability: tuple[Reliability, ...]

    @classmethod
    def of(cls, images: Iterable[Evaluated]) -> Figures:
        """Add up."""
        images = tuple(images)
        outcomes = [outcome for image in images for outcome in image.outcomes]
        shares = {m: Share.of(outcome.right for outcome in outcomes if outcome.measure is m) for m in Measure}
        read = [outcome for outcome in outcomes if outcome.sure is not None]
        plain = [outcome for outcome in read if outcome.measure not in APART]
        return cls(
            {measure: share for measure, share in shares.items() if share is not None},
            Share.of(not outcome.right for outcome in plain if outcome.sure),
            Share.of(not outcome.sure for outcome in plain),
            Share.of(not outcome.sure for outcome in read if outcome.measure is Measure.BETWEEN),
            len({image.left_out for image in images} - {None}),
            confusions(images),
            groups(images),
            reliability(images),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a set.

    Attributes:
        name: the values of its labels.
        people: how many `subject`s its images name.
        figures: of these images alone.
    """

    name: str
    people: int
    figures: Figures


def parts(images: Iterable[Evaluated], *labels: str) -> tuple[Part, ...]:
    """All parts by their names; images that lack one of the labels belong to none."""
    members: dict[str, list[Evaluated]] = {}
    for image in images:
        if all(label in image.row.labels for label in labels):
            members.setdefault(" ".join(image.row.labels[label] for label in labels), []).append(image)
    return tuple(
        Part(name, len({image.row.labels.get("subject") for image in own} - {None}), Figures.of(own))
        for name, own in sorted(members.items())
    )
