"""Splits of real people into groups of persons, or of sources, each left out in turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

    from training.evaluate.people import PersonRow

FOLDS: Final = 5
"""Number of folds over persons."""

SOURCES: Final = ("echo", "lsc", "rth", "h3")
"""Prefixes of the sources that are left out one by one; all others together are the last group."""


@dataclass(frozen=True, slots=True)
class Split:
    """A way to leave groups of people out in turn.

    Attributes:
        name: part of the names of networks that have not seen a group.
        groups: number of groups.
        group_of: group of a person of a source, 0 to groups - 1; one person may be in several groups.
    """

    name: str
    groups: int
    group_of: Callable[[str, str], int]

    def persons_in(self, group: int, crops: Iterable[PersonRow]) -> frozenset[str]:
        """Return the persons with any of the crops in a group."""
        return frozenset(crop.person for crop in crops if self.group_of(crop.person, crop.source) == group)

    def rows_without(
        self, group: int, crops: Iterable[PersonRow], persons: Sequence[str] | npt.NDArray[np.str_]
    ) -> npt.NDArray[np.intp]:
        """Return the rows for training without a group: no rows of its people, from any source.

        Args:
            group: group that is left out.
            crops: all crops that are measured.
            persons: person on each row; "" without a real person.
        """
        unseen = self.persons_in(group, crops)
        return np.flatnonzero([person not in unseen for person in persons])


def by_person(rows: Iterable[PersonRow]) -> Split:
    """Split people into folds of persons, stratified by headgear.

    Persons with the most headgear are dealt first, each to the fold with the least. The count is the root of the
    number, since images of one person are alike.
    """
    headgear: Counter[str] = Counter()
    for row in rows:
        headgear[row.person] += sum(side.holds_headgear for side in row.sides.values())
    fold_of: dict[str, int] = {}
    loads = [(0.0, 0, fold) for fold in range(FOLDS)]
    for person, count in sorted(headgear.items(), key=lambda item: (-item[1], item[0])):
        load, persons, fold = min(loads)
        fold_of[person] = fold
        loads[loads.index((load, persons, fold))] = (load + count**0.5, persons + 1, fold)
    return Split("fold", FOLDS, lambda person, _: fold_of[person])


def _group_of(source: str) -> int:
    return next((group for group, name in enumerate(SOURCES) if source.startswith(name)), len(SOURCES))


BY_SOURCE: Final = Split("source", len(SOURCES) + 1, lambda _, source: _group_of(source))
