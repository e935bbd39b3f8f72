"""Splits of real people: groups of persons, or of sources, that are left out in turn."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDS: Final = 4
"""Number of folds over persons."""

SOURCES: Final = ("echo", "lsc", "frames")
"""Sources that are left out each by itself; all others together are the last group."""


@dataclass(frozen=True, slots=True)
class Split:
    """A way to leave people out in turn, group by group.

    Attributes:
        name: of the networks that have not seen a group.
        groups: number of groups.
        group_of: group of a person of a source, 0 to groups - 1.
    """

    name: str
    groups: int
    group_of: Callable[[str, str], int]


def _fold_of(person: str) -> int:
    return zlib.crc32(f"f{person}".encode()) % FOLDS


def _group_of(source: str) -> int:
    return SOURCES.index(source) if source in SOURCES else len(SOURCES)


BY_PERSON: Final = Split("fold", FOLDS, lambda person, _: _fold_of(person))
BY_SOURCE: Final = Split("source", len(SOURCES) + 1, lambda _, source: _group_of(source))
