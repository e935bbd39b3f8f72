"""Refusals of requests: a status, and one sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.web.auth.access import AccessError
from bunnymoose_cv.web.commands.form_fields import CommandFormError

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts


class TooFastError(InputError):
    """Refusal of a visitor who sends more than people press."""

    def __init__(self) -> None:
        super().__init__(Phrase("Wait a moment and try once more."))


class TooSlowError(InputError):
    """Time-out of a form that does not arrive."""

    def __init__(self) -> None:
        super().__init__(Phrase("The table does not answer: try once more."))


_STATUSES: Final[tuple[tuple[type[InputError], int], ...]] = (
    (CommandFormError, 400),
    (NotationError, 400),
    (AccessError, 403),
    (TooSlowError, 408),
    (TooFastError, 429),
    (InputError, 409),
)
"""The first that fits an error."""


def refusal(error: InputError, texts: Texts) -> PlainTextResponse:
    """Answer to a request that ended with an error."""
    status = next(status for kind, status in _STATUSES if isinstance(error, kind))
    return PlainTextResponse(as_unicode(texts(error.sentence)), status_code=status)
