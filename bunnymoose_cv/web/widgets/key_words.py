"""Keys of a page and their effects, for the list that `?` opens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyWords:
    """Key and its effect, for the list that `?` opens.

    Attributes:
        keys: as they are written on the keys.
        does: in the language of the table.
    """

    keys: tuple[str, ...]
    does: str
