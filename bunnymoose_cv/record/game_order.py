"""Order of games by a number that each game's folder keeps, since no clock can be trusted with it.

Folders of older programs keep no number: they count as 0, before all that have one, and stand by their names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.input_file import open_regular

if TYPE_CHECKING:
    from pathlib import Path

ORDER_FILE: Final = "order.txt"
_DIGITS: Final = 18
"""No number of ours is longer; a longer one is none of ours."""

_LARGEST: Final = 10**_DIGITS - 1
"""Largest number, which games after it share: they stand by their names."""


def order_number(folder: Path) -> int:
    """The number that a game's folder keeps; 0 where it keeps none that can be read."""
    try:
        with open_regular(folder / ORDER_FILE) as kept:
            digits = kept.read(_DIGITS + 2).strip()
    except OSError:
        return 0
    return int(digits) if digits.isdigit() and len(digits) <= _DIGITS else 0


def keep_order_number(folder: Path, number: int) -> None:
    """Keep a number in a game's folder, which is made where it is missing; one that is too large becomes the largest.

    Raises:
        OSError: the disk refuses.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with whole_file(folder / ORDER_FILE) as part:
        part.write_text(f"{min(number, _LARGEST)}\n", "ascii")
