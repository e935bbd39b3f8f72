"""Commands of the pages' forms: their action, the permission that they need, and their typed fields."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.web.widgets.controls import FASTEST_S, SLOWEST_S

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from concurrent.futures import Future

    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.auth.permissions import Action
    from bunnymoose_cv.web.live.host import Host


Form: TypeAlias = "Mapping[str, str]"

_MOST_DIGITS: Final = 9


class CommandFormError(InputError):
    """Refusal of a form that none of our pages sends."""

    def __init__(self) -> None:
        super().__init__(Phrase("That did not work: reload the page."))


def text_field(form: Form, name: str) -> str:
    """Return a field of a form; raise a `CommandFormError` if it is missing."""
    if name not in form:
        raise CommandFormError
    return form[name]


def number_field(form: Form, name: str, most_digits: int = _MOST_DIGITS) -> int:
    """Return a field that is a number of few digits; raise a `CommandFormError` for any other, or without it."""
    digits = text_field(form, name)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= most_digits):
        raise CommandFormError
    return int(digits)


def tempo_field(form: Form) -> float:
    """Return the field `tempo` within the range of the dealer; raise a `CommandFormError` without a finite number."""
    try:
        tempo_s = float(text_field(form, "tempo"))
    except ValueError:
        raise CommandFormError from None
    if not isfinite(tempo_s):
        raise CommandFormError
    return min(max(tempo_s, FASTEST_S), SLOWEST_S)


def card_field(form: Form) -> Card:
    """Return the field `card`; raise a `CommandFormError` without a valid card."""
    try:
        return parse_card(text_field(form, "card"))
    except NotationError:
        raise CommandFormError from None


Answer: TypeAlias = "Future[None] | Awaitable[str | None] | str | None"
"""Result of a command: None if done, a future or awaitable to wait for, or the address of a redirect."""


@dataclass(frozen=True, slots=True)
class Command:
    """Command of a form, which is checked again even if the page does not offer it.

    Attributes:
        about: the field with the player whom the permission concerns; empty if it concerns none.
    """

    needs: Action
    act: Callable[[Host, Visitor, Form], Answer]
    about: str = ""

    def __call__(self, host: Host, visitor: Visitor, form: Form) -> Answer:
        """Carry out a form, or raise an `InputError`, which is an `AccessError` if the visitor lacks the permission."""
        visitor.expect(self.needs, text_field(form, self.about) if self.about else None)
        return self.act(host, visitor, form)
