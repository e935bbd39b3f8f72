"""Splits of real people: groups of persons, or of sources, that are left out in turn."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

FOLDS: Final = 4
"""Number of folds over persons."""

SOURCES: Final = ("echo", "lsc", "frames")
"""Sources that are left out each by itself; all others together are the last group."""


class PersonImage(Protocol):
    """Image of a person, of a source."""

    @property
    def person(self) -> str:
        """Person id."""

    @property
    def source(self) -> str:
        """Source repository."""


@dataclass(frozen=True, slots=True)
class Split:
    """A way to leave people out in turn, group by group.

    Attributes:
        name: of the networks that have not seen a group.
        groups: number of groups.
        group_of: group of a person of a source, 0 to groups - 1; one person may be in several groups.
    """

    name: str
    groups: int
    group_of: Callable[[str, str], int]

    def persons_in(self, group: int, crops: Iterable[PersonImage]) -> frozenset[str]:
        """Persons of whom any of the crops is in a group."""
        return frozenset(crop.person for crop in crops if self.group_of(crop.person, crop.source) == group)

    def rows_without(
        self, group: int, crops: Iterable[PersonImage], persons: Sequence[str] | npt.NDArray[np.str_]
    ) -> npt.NDArray[np.intp]:
        """Rows to learn from when a group is left out: nothing of anybody in it, of whatever source.

        Args:
            group: the one that is left out.
            crops: all that are measured.
            persons: whom each row shows; "" where nobody real.
        """
        unseen = self.persons_in(group, crops)
        return np.flatnonzero([person not in unseen for person in persons])


def _fold_of(person: str) -> int:
    return zlib.crc32(f"f{person}".encode()) % FOLDS


def _group_of(source: str) -> int:
    return SOURCES.index(source) if source in SOURCES else len(SOURCES)


BY_PERSON: Final = Split("fold", FOLDS, lambda person, _: _fold_of(person))
BY_SOURCE: Final = Split("source", len(SOURCES) + 1, lambda _, source: _group_of(source))
