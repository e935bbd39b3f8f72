"""Sentences of scores, in the language of the table.

A sentence exists once, as it is written on the screen; `spoken` converts it for the voice. The sentences here are in
English. The catalogue has translations, with numbers spelled out in languages that inflect them ("o dvě pole"), so that
every voice reads them correctly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Animal

if TYPE_CHECKING:
    from collections.abc import Sequence

NARRATOR: Final = Phrase("Narrator")
"""Name of the narrator in the announcement of a bet's copy."""

# Spanish says "e", not "y", before a name that begins with the same sound: "Rojo e Inés", but "Rojo y Hierro".
_SOUNDS_LIKE_Y = re.compile(r"h?[ií](?![aeo])", re.IGNORECASE)


def announce(
    species: Animal,
    total: int | None,
    names: Sequence[str] = (),
    language: Language = Language.ENGLISH,
) -> str:
    """Return the announcement of one score, as it is written.

    Args:
        total: the spaces that the figure moves, positive ahead; None for a bush.
        names: the players who are announced together; empty for the sentence alone.

    Returns:
        One sentence without a full stop: `Moose ahead 3`, `Bush — both back 1`, `Red and Blue: moose ahead 3`.
    """
    texts = Texts(language)
    if species is Animal.BUSH or total is None:
        sentence = texts("bush — both back 1")
    elif species is Animal.MOOSE:
        sentence = _moose(total, texts)
    else:
        sentence = _rabbit(total, texts)
    if not names:
        return sentence[0].upper() + sentence[1:]
    return texts("{names}: {sentence}", names=listed(names, language), sentence=sentence)


def announce_copy(
    species: Animal, total: int | None, narrator: str, bet: str, language: Language = Language.ENGLISH
) -> str:
    """Return the announcement of the narrator's copy: `Red: moose ahead 4`, `Red follows Blue: both back 1`.

    The narrator has no pose, so the sentence does not name a bush.
    """
    texts = Texts(language)
    if species is Animal.BUSH or total is None:
        return texts("{narrator} follows {player}: both back 1", narrator=narrator, player=bet)
    return announce(species, total, [narrator], language)


def announce_no_bet(narrator: str, language: Language = Language.ENGLISH) -> str:
    """Return the announcement that a bet was removed: `Red: bet on nobody`."""
    texts = Texts(language)
    return texts("{names}: {sentence}", names=narrator, sentence=texts("bet on nobody"))


def ask_to_check(names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Return the request to check players who could not be read: `Blue, please check`."""
    texts = Texts(language)
    return texts.counted("{names}, please check", "{names}, please check", len(names), names=listed(names, language))


def announce_movement(names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Return the announcement of players who moved after Bam: `Blue and Green moved`."""
    texts = Texts(language)
    return texts.counted("{names} moved", "{names} moved", len(names), names=listed(names, language))


def announce_catch_up(animal: Animal, names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Return the announcement of the last figures, which move ahead one: `Catching up — Red: rabbit ahead 1`."""
    texts = Texts(language)
    return texts("Catching up — {announcement}", announcement=announce(animal, 1, names, language))


def announce_camera_lost(language: Language = Language.ENGLISH) -> str:
    """Return the announcement that the camera is lost."""
    texts = Texts(language)
    return texts("The camera is gone. The game waits.")


def announce_camera_back(language: Language = Language.ENGLISH) -> str:
    """Return the announcement that the camera is back."""
    texts = Texts(language)
    return texts("The camera is back.")


def spoken(announcement: str) -> str:
    """Return the text for the voice, with pauses instead of dashes (`Bush, both back 1`)."""
    return announcement.replace(" — ", ", ")


def _moose(total: int, texts: Texts) -> str:
    """Return the sentence about the moose after a colon; the number two has its own, as languages inflect it."""
    match total:
        case 0:
            return texts("moose doesn't move")
        case 2:
            return texts("moose ahead 2")
        case -2:
            return texts("moose back 2")
    if total > 0:
        return texts.counted("moose ahead {count}", "moose ahead {count}", total)
    return texts.counted("moose back {count}", "moose back {count}", -total)


def _rabbit(total: int, texts: Texts) -> str:
    match total:
        case 0:
            return texts("rabbit doesn't move")
        case 2:
            return texts("rabbit ahead 2")
        case -2:
            return texts("rabbit back 2")
    if total > 0:
        return texts.counted("rabbit ahead {count}", "rabbit ahead {count}", total)
    return texts.counted("rabbit back {count}", "rabbit back {count}", -total)


def listed(names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Join names as the language does: `Red`, `Red and Blue`, `Red, Blue and Green`."""
    texts = Texts(language)
    *others, last = names
    if not others:
        return last
    if language is Language.SPANISH and _SOUNDS_LIKE_Y.match(last):
        return f"{', '.join(others)} e {last}"
    return texts("{others} and {last}", others=", ".join(others), last=last)
