"""Spoken questions about poses: one short sentence per player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.phrases import listed
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Place, Side, Spread
from bunnymoose_cv.rules.pose_fields import Field, field_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.pose_fields import FieldValue

_ABOUT_A_HAND: Final[Mapping[tuple[Side, FieldValue], Phrase]] = {
    (Side.LEFT, Antler): Phrase("is your left an antler?"),
    (Side.LEFT, Ear): Phrase("is your left an ear?"),
    (Side.LEFT, Spread.WIDE): Phrase("is your left antler wide?"),
    (Side.LEFT, Spread.COMPACT): Phrase("is your left antler compact?"),
    (Side.LEFT, Direction.UP): Phrase("does your left antler point up?"),
    (Side.LEFT, Direction.DOWN): Phrase("does your left antler point down?"),
    (Side.LEFT, Form.STRAIGHT): Phrase("is your left ear straight?"),
    (Side.LEFT, Form.FLOPPY): Phrase("is your left ear floppy?"),
    (Side.LEFT, Place.TOP): Phrase("is your left ear on top?"),
    (Side.LEFT, Place.SIDE): Phrase("is your left ear at the side?"),
    (Side.RIGHT, Antler): Phrase("is your right an antler?"),
    (Side.RIGHT, Ear): Phrase("is your right an ear?"),
    (Side.RIGHT, Spread.WIDE): Phrase("is your right antler wide?"),
    (Side.RIGHT, Spread.COMPACT): Phrase("is your right antler compact?"),
    (Side.RIGHT, Direction.UP): Phrase("does your right antler point up?"),
    (Side.RIGHT, Direction.DOWN): Phrase("does your right antler point down?"),
    (Side.RIGHT, Form.STRAIGHT): Phrase("is your right ear straight?"),
    (Side.RIGHT, Form.FLOPPY): Phrase("is your right ear floppy?"),
    (Side.RIGHT, Place.TOP): Phrase("is your right ear on top?"),
    (Side.RIGHT, Place.SIDE): Phrase("is your right ear at the side?"),
}
"""Questions about one field of one hand, by the player's own side and the value that is asked for."""

_ABOUT_THE_TONGUE: Final = Phrase("is your tongue out?")
_ABOUT_ALL: Final = Phrase("what do you show?")


def ask_about(player: str, answers: Sequence[Pose], language: Language = Language.ENGLISH) -> str:
    """Return `Blue: is your left an ear?` if two answers differ in one field, otherwise `Blue: what do you show?`."""
    texts = Texts(language)
    sentence = _about_difference(*answers) if len(answers) == 2 else _ABOUT_ALL
    return texts("{names}: {sentence}", names=player, sentence=texts(sentence))


def remind(players: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Return the reminder of open questions: `Blue and Green: the answers are missing`."""
    texts = Texts(language)
    names = listed(players, language)
    return texts.counted(
        "{names}: the answer is missing", "{names}: the answers are missing", len(players), names=names
    )


def announce_unanswered(players: Sequence[str], language: Language = Language.ENGLISH) -> str:
    """Return the announcement that the likeliest answers count: `No answer, so the likeliest counts: Blue`."""
    texts = Texts(language)
    return texts("No answer, so the likeliest counts: {names}", names=listed(players, language))


def _about_difference(likeliest: Pose, other: Pose) -> Phrase:
    sides = [side for side in Side if likeliest.headgear(side) != other.headgear(side)]
    if not sides:
        return _ABOUT_THE_TONGUE
    if len(sides) > 1 or likeliest.tongue is not other.tongue:
        return _ABOUT_ALL
    (side,) = sides
    value = _differing_value(field_values(likeliest.headgear(side)), field_values(other.headgear(side)))
    return _ABOUT_ALL if value is None else _ABOUT_A_HAND[side, value]


def _differing_value(likeliest: Mapping[Field, FieldValue], other: Mapping[Field, FieldValue]) -> FieldValue | None:
    """Return the value to ask for if two headgears differ in one field: the likeliest one that is not "no headgear"."""
    if likeliest[Field.KIND] is not other[Field.KIND]:
        kind = likeliest[Field.KIND]
        return other[Field.KIND] if kind is type(None) else kind
    fields = [field for field, value in likeliest.items() if value is not other[field]]
    return likeliest[fields[0]] if len(fields) == 1 else None
