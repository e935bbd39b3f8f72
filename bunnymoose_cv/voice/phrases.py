"""Sentences of scores, in the language of the table.

A sentence exists once, as it is written on the screen; `spoken` turns it into what the voice gets. The sentences stand
here in English; the catalogue has them in the other languages, with numbers spelled out where a language bends them
("o dvě pole"), so that every voice reads them right.
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
"""Name of the narrator where the copy of a bet is announced."""

# Spanish says "e", not "y", before a name that begins with the same sound: "Rojo e Inés", but "Rojo y Hierro".
_SOUNDS_LIKE_Y = re.compile(r"h?[ií](?![aeo])", re.IGNORECASE)


def announce(
    species: Animal,
    total: int | None,
    names: Sequence[str] = (),
    language: Language = Language.ENGLISH,
) -> str:
    """Announce one score, as it is written.

    Args:
        species: the animal whose figure moves; a bush moves both.
        total: spaces that the figure moves, ahead when positive; None for a bush.
        names: the players who are announced together; none for the sentence alone.

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


def tell_no_bet(narrator: str, language: Language = Language.ENGLISH) -> str:
    """Tell that the narrator has no bet after all: `Red: bet on nobody`."""
    texts = Texts(language)
    return texts("{names}: {sentence}", names=narrator, sentence=texts("bet on nobody"))


def ask_to_check(names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Ask people to look themselves, instead of guessing: `Blue, please check`."""
    texts = Texts(language)
    return texts.counted("{names}, please check", "{names}, please check", len(names), names=listed(names, language))


def tell_moved(names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Tell who moved after Bam: `Blue and Green moved`."""
    texts = Texts(language)
    return texts.counted("{names} moved", "{names} moved", len(names), names=listed(names, language))


def announce_catch_up(animal: Animal, names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Announce whose figure was last and moves ahead one: `Catching up — Red: rabbit ahead 1`."""
    texts = Texts(language)
    return texts("Catching up — {announcement}", announcement=announce(animal, 1, names, language))


def tell_camera_lost(language: Language = Language.ENGLISH) -> str:
    """Tell that the camera shows nothing any more."""
    texts = Texts(language)
    return texts("The camera is gone. The game waits.")


def tell_camera_back(language: Language = Language.ENGLISH) -> str:
    """Tell that the camera shows something again."""
    texts = Texts(language)
    return texts("The camera is back.")


def spoken(announcement: str) -> str:
    """Text for the voice: a pause where the eye has a dash (`Bush, both back 1`)."""
    return announcement.replace(" — ", ", ")


def _moose(total: int, texts: Texts) -> str:
    """About the moose, as it stands after a colon; two has a sentence of its own, for it is bent or spelled out."""
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
    """Likewise about the rabbit."""
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
    """List names as the language does: `Red`, `Red and Blue`, `Red, Blue and Green`."""
    texts = Texts(language)
    *others, last = names
    if not others:
        return last
    if language is Language.SPANISH and _SOUNDS_LIKE_Y.match(last):
        return f"{', '.join(others)} e {last}"
    return texts("{others} and {last}", others=", ".join(others), last=last)
