"""Poems for the narrator to recite, in our own words in every language, read from TOML.

The poems are not translations, so they are in their own files and not in the catalogues.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language


@dataclass(frozen=True, slots=True)
class PoemLine:
    """Line of a poem: the card is drawn at its beginning and laid at its end."""

    draw: str
    lay: str


def load_poem(lines: int, language: Language = Language.ENGLISH) -> tuple[PoemLine, ...]:
    """Read the poem with a line for each of 4, 6 or 8 piles; raise an `InputError` for any other number."""
    poems = tomllib.loads((Path(__file__).parent / "poems" / f"{language}.toml").read_text(encoding="utf-8"))
    if str(lines) not in poems:
        raise InputError(
            Phrase(
                "There is no poem of {lines} lines: choose one of {lengths}.",
                lines=lines,
                lengths=", ".join(sorted(poems)),
            )
        )
    return tuple(PoemLine(draw, lay) for draw, lay in poems[str(lines)])
