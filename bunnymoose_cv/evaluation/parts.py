"""How often we are right in each part of a set, such as each source that it was gathered from.

A part is what has the same value of a label, or of several.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.evaluation.evaluation import Figures

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.evaluation.evaluated import Evaluated


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a set.

    Attributes:
        name: the values of its labels.
        people: how many `subject`s it shows.
        figures: of these pictures alone.
    """

    name: str
    people: int
    figures: Figures


def parts(pictures: Iterable[Evaluated], *labels: str) -> tuple[Part, ...]:
    """All parts by their names; pictures that lack one of the labels belong to none."""
    members: dict[str, list[Evaluated]] = {}
    for picture in pictures:
        if all(label in picture.row.labels for label in labels):
            members.setdefault(" ".join(picture.row.labels[label] for label in labels), []).append(picture)
    return tuple(
        Part(name, len({picture.row.labels.get("subject") for picture in own}), Figures.of(own))
        for name, own in sorted(members.items())
    )
