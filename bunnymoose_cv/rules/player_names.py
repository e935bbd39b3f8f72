"""Names of players as people type them: one form for every entry, and one comparison."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import JOINERS, is_unseen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_NAME: Final = 60
"""Letters that a profile's name may have; a screen has room for fewer."""

_SAME_WITHOUT: Final = dict.fromkeys(map(ord, f"{JOINERS}\u034f\u115f\u1160\u2800\u3164\ufe0e\ufe0f\uffa0"))
"""Letters by Unicode's categories that are not seen by themselves."""


def tidied(typed: str) -> str:
    """A name in composed letters (Unicode NFC), with single spaces between its words alone."""
    letters = unicodedata.normalize("NFC", typed.strip())
    spaced = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in letters)
    return " ".join(filter(None, spaced.split(" ")))


def name_key(name: str) -> str:
    """Key that two names share where people would take them for one: capitals make no other name."""
    return unicodedata.normalize("NFC", tidied(name.translate(_SAME_WITHOUT)).casefold())


def player_names(typed: Iterable[str], longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """The names of those who will play, tidied.

    Args:
        typed: in their order; what is stored of earlier evenings is none of this function's business.
        longest: number of letters that a name may have.

    Raises:
        InputError: one is empty, too long or cannot be shown, or two are one name.
    """
    names = tuple(map(tidied, typed))
    keys = {name_key(name) for name in names}
    if len(keys) < len(names) or "" in keys:
        raise InputError(Phrase("Every player needs a name of their own: {names}.", names=", ".join(names)))
    for name in names:
        if "," in name or any(map(is_unseen, name)):
            raise InputError(
                Phrase("“{name}” is no name of a player: leave out commas and invisible signs.", name=name)
            )
        if len(name) > longest:
            raise InputError(
                Phrase(
                    "“{name}” is too long to be read on the screen: {letters} letters at most.",
                    name=name,
                    letters=longest,
                )
            )
    return names


def player_called(typed: str, players: Sequence[str]) -> str | None:
    """The player of a name: exactly so, else in other capitals; None where nobody is called so, or several are."""
    if typed in players:
        return typed
    alike = [player for player in players if name_key(player) == name_key(typed)]
    return alike[0] if len(alike) == 1 else None


def player_and_rest(text: str, players: Iterable[str]) -> tuple[str, str] | None:
    """The player whose name a text begins with, and what follows it; None where it begins with none.

    Args:
        text: as people type it, such as `Anna Maria WU CD t`.
        players: who play; of several that fit, the longest name counts.
    """
    words = tidied(text).split(" ")
    for player in sorted(players, key=len, reverse=True):
        length = len(tidied(player).split(" "))
        if name_key(" ".join(words[:length])) == name_key(player):
            return player, " ".join(words[length:])
    return None
