"""Fields of a command's form, and the permission of whoever sends it."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.web.auth.access import AccessError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from concurrent.futures import Future

    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.web.auth.access import Action, Visitor
    from bunnymoose_cv.web.live.host import Host

Form: TypeAlias = "Mapping[str, str]"
Answer: TypeAlias = "Future[None] | Awaitable[str | None] | str | None"
"""A command is done when it returns, or with what it returns to be waited for; a path of ours is where its page goes on
to."""
Command: TypeAlias = "Callable[[Host, Visitor, Form], Answer]"

_MOST_DIGITS: Final = 9


class CommandFormError(InputError):
    """A form that no page of ours sends."""

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


def expect(visitor: Visitor, action: Action, about: str | None = None) -> None:
    """Expect a permission.

    Args:
        visitor: whose.
        action: what for.
        about: whom it is about, where it is about one player.

    Raises:
        AccessError: the visitor has not got it.
    """
    if not visitor.may(action, about):
        raise AccessError(Phrase("That is not for this phone to do just now."))
