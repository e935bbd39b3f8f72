"""Command of a page's form: what it does, and the permission that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.web.commands.form_fields import text_field

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from concurrent.futures import Future

    from bunnymoose_cv.web.auth.access import Action, Visitor
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host

Answer: TypeAlias = "Future[None] | Awaitable[str | None] | str | None"
"""A command is done when it returns, or with what it returns to be waited for; a path of ours is where its page goes on
to."""


@dataclass(frozen=True, slots=True)
class Command:
    """Command of a form, whatever the page lets people press.

    Attributes:
        needs: permission of whoever sends it.
        about: field with the player whom the permission is about; empty where it is about nobody.
    """

    needs: Action
    act: Callable[[Host, Visitor, Form], Answer]
    about: str = ""

    def __call__(self, host: Host, visitor: Visitor, form: Form) -> Answer:
        """Do what a form says.

        Raises:
            AccessError: the visitor may not.
            InputError: it cannot be done.
        """
        visitor.expect(self.needs, text_field(form, self.about) if self.about else None)
        return self.act(host, visitor, form)
