"""The poems that the narrator recites: our own words, read from TOML. Owns no tempo and no voice."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from bunnymoose_cv.errors import InputError
from bunnymoose_cv.rules.deck import DATA


@dataclass(frozen=True, slots=True)
class PoemLine:
    """One line: the card is drawn at its beginning and laid at its end."""

    draw: str
    lay: str


def poem_languages() -> tuple[str, ...]:
    """The languages that have poems."""
    return tuple(sorted(path.stem for path in (DATA / "poems").glob("*.toml")))


def load_poem(lines: int, language: str = "en") -> tuple[PoemLine, ...]:
    """The poem with so many lines, one for each pile.

    Args:
        lines: 4, 6 or 8.
        language: `en` or `de`.

    Raises:
        InputError: there is no poem in this language or of this length.
    """
    if language not in poem_languages():
        raise InputError(f"There is no poem in “{language}”: choose one of {', '.join(poem_languages())}.")
    poems = tomllib.loads((DATA / "poems" / f"{language}.toml").read_text(encoding="utf-8"))
    if str(lines) not in poems:
        raise InputError(f"There is no poem of {lines} lines: choose one of {', '.join(sorted(poems))}.")
    return tuple(PoemLine(draw, lay) for draw, lay in poems[str(lines)])
