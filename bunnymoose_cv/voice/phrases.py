"""What is said, in five languages: a score becomes a sentence. Owns no sound and no points.

A sentence exists once, as it is written on the screen; `spoken` turns it into what the voice gets. Each language is one
`Wording` below. Numbers that a language bends ("o dvě pole") are spelled out, so that every voice reads them right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Animal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Language(StrEnum):
    """A language that the referee speaks, by its ISO 639-1 code."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    SPANISH = "es"
    CZECH = "cs"


NARRATOR = "Narrator"
"""How the narrator is called where the copy of a bet is announced in English."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How one language announces.

    Attributes:
        moose: how a sentence about the moose begins, as it stands after a colon.
        rabbit: likewise about the rabbit.
        ahead: what follows for a move ahead; `{spaces}` is the counted spaces.
        back: likewise for a move back.
        stays: what follows when the figure doesn't move.
        bush: the whole sentence about a bush, as it stands after a colon.
        spaces: how many spaces are counted; `{number}` is the number.
        few_spaces: the numbers that are counted otherwise.
        both: what stands between the last two names.
        check: asks people to look themselves; `{names}` are the players whose shape is unclear.
        moved: tells that a player moved after Bam; `{names}` likewise, two forms for one and for several.
        catch_up: what stands before the announcement of who was last and catches up.
        camera_lost: the camera shows nothing any more.
        camera_back: it does again.
        colon: what stands between the names and the sentence.
    """

    moose: str
    rabbit: str
    ahead: str
    back: str
    stays: str
    bush: str
    spaces: str
    both: str
    check: str
    moved: tuple[str, str]
    catch_up: str
    camera_lost: str
    camera_back: str
    colon: str = ": "
    few_spaces: Mapping[int, str] = field(default_factory=dict)


_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"

_WORDINGS: Mapping[Language, Wording] = {
    Language.ENGLISH: Wording(
        moose="moose",
        rabbit="rabbit",
        ahead="ahead {spaces}",
        back="back {spaces}",
        stays="doesn't move",
        bush="bush — both back 1",
        spaces="{number}",
        both="and",
        check="{names}, please check",
        moved=("{names} moved", "{names} moved"),
        catch_up="Catching up",
        camera_lost="The camera is gone. The game waits.",
        camera_back="The camera is back.",
    ),
    Language.GERMAN: Wording(
        moose="Elch",
        rabbit="Hase",
        ahead="{spaces} vor",
        back="{spaces} zurück",
        stays="bleibt stehen",
        bush="Busch — beide 1 zurück",
        spaces="{number}",
        both="und",
        check="{names}, bitte nachsehen",
        moved=("{names} hat sich bewegt", "{names} haben sich bewegt"),
        catch_up="Aufholen",
        camera_lost="Die Kamera ist weg. Das Spiel wartet.",
        camera_back="Die Kamera ist wieder da.",
    ),
    Language.FRENCH: Wording(
        moose="l'élan",
        rabbit="le lapin",
        ahead="avance {spaces}",
        back="recule {spaces}",
        stays="ne bouge pas",
        bush="buisson — les deux reculent d'une case",
        spaces="de {number} cases",
        few_spaces={1: "d'une case"},
        both="et",
        check="{names}, à vérifier s'il vous plaît",
        moved=("{names} a bougé", "{names} ont bougé"),
        catch_up="Rattrapage",
        camera_lost="La caméra ne répond plus. Le jeu attend.",
        camera_back="La caméra est revenue.",
        colon=f"{_NO_BREAK_SPACE}: ",
    ),
    Language.SPANISH: Wording(
        moose="el alce",
        rabbit="el conejo",
        ahead="avanza {spaces}",
        back="retrocede {spaces}",
        stays="no se mueve",
        bush="arbusto — los dos retroceden una casilla",
        spaces="{number} casillas",
        few_spaces={1: "una casilla"},
        both="y",
        check="{names}, por favor compruébenlo",
        moved=("{names} se ha movido", "{names} se han movido"),
        catch_up="Remontada",
        camera_lost="La cámara no responde. El juego espera.",
        camera_back="La cámara ha vuelto.",
    ),
    Language.CZECH: Wording(
        moose="los",
        rabbit="králík",
        ahead="{spaces} vpřed",
        back="{spaces} zpět",
        stays="zůstává stát",
        bush="keř — oba o jedno pole zpět",
        spaces="o {number} polí",
        few_spaces={1: "o jedno pole", 2: "o dvě pole", 3: "o 3 pole", 4: "o 4 pole"},
        both="a",
        check="{names}, prosím zkontrolujte",
        moved=("{names} se pohnul", "{names} se pohnuli"),
        catch_up="Dotažení",
        camera_lost="Kamera nic neukazuje. Hra čeká.",
        camera_back="Kamera je zpátky.",
    ),
}

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
        language: the language to say it in.

    Returns:
        One sentence without a full stop: `Moose ahead 3`, `Bush — both back 1`, `Red and Blue: moose ahead 3`.
    """
    wording = _WORDINGS[language]
    sentence = _bush_or_move(species, total, wording)
    if not names:
        return sentence[0].upper() + sentence[1:]
    return _listed(names, language) + wording.colon + sentence


def ask_to_check(names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Ask people to look themselves, instead of guessing: `Blue, please check`."""
    return _WORDINGS[language].check.format(names=_listed(names, language))


def tell_moved(names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Tell who moved after Bam: `Blue and Green moved`."""
    one, several = _WORDINGS[language].moved
    return (one if len(names) == 1 else several).format(names=_listed(names, language))


def announce_catch_up(animal: Animal, names: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Announce whose figure was last and moves ahead one: `Catching up — Red: rabbit ahead 1`."""
    return f"{_WORDINGS[language].catch_up} — {announce(animal, 1, names, language)}"


def tell_camera_lost(language: Language = Language.ENGLISH) -> str:
    """Tell that the camera shows nothing any more."""
    return _WORDINGS[language].camera_lost


def tell_camera_back(language: Language = Language.ENGLISH) -> str:
    """Tell that the camera shows something again."""
    return _WORDINGS[language].camera_back


def spoken(announcement: str) -> str:
    """What the voice gets: a pause where the eye has a dash (`Bush, both back 1`)."""
    return announcement.replace(" — ", ", ")


def _bush_or_move(species: Animal, total: int | None, wording: Wording) -> str:
    """The sentence as it stands after a colon."""
    if species is Animal.BUSH or total is None:
        return wording.bush
    animal = wording.moose if species is Animal.MOOSE else wording.rabbit
    if total == 0:
        return f"{animal} {wording.stays}"
    number = abs(total)
    spaces = wording.few_spaces.get(number, wording.spaces).format(number=number)
    move = wording.ahead if total > 0 else wording.back
    return f"{animal} {move.format(spaces=spaces)}"


def _listed(names: Sequence[str], language: Language) -> str:
    """The names as the language lists them: `Red`, `Red and Blue`, `Red, Blue and Green`."""
    *others, last = names
    if not others:
        return last
    both = _WORDINGS[language].both
    if language is Language.SPANISH and _SOUNDS_LIKE_Y.match(last):
        both = "e"
    return f"{', '.join(others)} {both} {last}"
