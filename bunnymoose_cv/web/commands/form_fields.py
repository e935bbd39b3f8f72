"""Fields of a form, each of a type."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.pose import NotationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.cards import Card

Form: TypeAlias = "Mapping[str, str]"

_MOST_DIGITS: Final = 9


class CommandFormError(InputError):
    """Refusal of a form that no page of ours sends."""

    def __init__(self) -> None:
        super().__init__(Phrase("That cannot be done so: load the page once more."))


def text_field(form: Form, name: str) -> str:
    """A field of a form.

    Raises:
        CommandFormError: it is not there.
    """
    if name not in form:
        raise CommandFormError
    return form[name]


def number_field(form: Form, name: str, most_digits: int = _MOST_DIGITS) -> int:
    """A field that is a number of few digits.

    Raises:
        CommandFormError: it is none, or not there.
    """
    digits = text_field(form, name)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= most_digits):
        raise CommandFormError
    return int(digits)


def decimal_field(form: Form, name: str) -> float:
    """A field that is a finite number.

    Raises:
        CommandFormError: it is none, or not there.
    """
    try:
        value = float(text_field(form, name))
    except ValueError:
        raise CommandFormError from None
    if not isfinite(value):
        raise CommandFormError
    return value


def card_field(form: Form) -> Card:
    """The field `card`.

    Raises:
        CommandFormError: it is none, or not there.
    """
    try:
        return parse_card(text_field(form, "card"))
    except NotationError:
        raise CommandFormError from None
