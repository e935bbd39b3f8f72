"""Names of players: one normal form for typed names, and one comparison."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import JOINERS, is_unseen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_NAME: Final = 60
"""Length limit of a profile's name in letters; a screen has room for fewer."""

_SAME_WITHOUT: Final = dict.fromkeys(map(ord, f"{JOINERS}\u034f\u115f\u1160\u2800\u3164\ufe0e\ufe0f\uffa0"))
"""Characters in Unicode's letter categories that are invisible on their own."""


def tidied(typed: str) -> str:
    """Normalize a name to composed letters (Unicode NFC), with single spaces between words only."""
    letters = unicodedata.normalize("NFC", typed.strip())
    spaced = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in letters)
    return " ".join(filter(None, spaced.split(" ")))


def name_key(name: str) -> str:
    """Return a key that is equal for names that users would consider the same, such as in other capitals."""
    return unicodedata.normalize("NFC", tidied(name.translate(_SAME_WITHOUT)).casefold())


def player_names(typed: Iterable[str], longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """Validate and tidy the names of the players of a new game.

    Raises:
        InputError: a name is empty, too long or cannot be shown, or two names are the same.
    """
    names = tuple(map(tidied, typed))
    keys = {name_key(name) for name in names}
    if len(keys) < len(names) or "" in keys:
        raise InputError(Phrase("Every player needs a name of their own: {names}.", names=", ".join(names)))
    for name in names:
        if "," in name or any(map(is_unseen, name)):
            raise InputError(
                Phrase("“{name}” cannot be a player’s name: leave out commas and invisible characters.", name=name)
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
    """Return the player with a name, exact or otherwise in other capitals; None if no or several players match."""
    if typed in players:
        return typed
    alike = [player for player in players if name_key(player) == name_key(typed)]
    return alike[0] if len(alike) == 1 else None


def player_and_rest(text: str, players: Iterable[str]) -> tuple[str, str] | None:
    """Return the longest name of a player that begins a text such as `Anna WU CD t`, and the rest; None without one."""
    words = tidied(text).split(" ")
    for player in sorted(players, key=len, reverse=True):
        length = len(tidied(player).split(" "))
        if name_key(" ".join(words[:length])) == name_key(player):
            return player, " ".join(words[length:])
    return None
