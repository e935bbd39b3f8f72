"""Choices of what is not judged of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.question import EXEMPT_WORDS
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.web.widgets.check_box import check

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.element import Element

    from bunnymoose_cv.i18n.texts import Texts

_WORDS = {
    Exemption.LEFT_HAND: Phrase("The left hand has something else to do: it counts as the right one"),
    Exemption.RIGHT_HAND: Phrase("The right hand has something else to do: it counts as the left one"),
    Exemption.TONGUE: Phrase("No tongue: it counts as in"),
    Exemption.DOWN: Phrase("Cannot point down: an antler counts as up"),
}


class ExemptionChoices:
    """One player's, behind a line that tells them; built where it is made.

    Args:
        player: by name.
        exempt: what is not judged so far.
        texts: in the language of the table.
        choose: is told each change.
    """

    def __init__(
        self,
        player: str,
        exempt: frozenset[Exemption],
        texts: Texts,
        choose: Callable[[frozenset[Exemption]], object],
    ) -> None:
        self._player, self._exempt, self._texts, self._choose = player, exempt, texts, choose
        with html.details().classes("exemptions"):
            self._told: Element = html.summary(self._summary)
            with html.div().classes("stack tight"):
                for part, words in _WORDS.items():
                    check(texts(words), part in exempt, lambda left_out, part=part: self._change(part, left_out))  # type: ignore[misc]

    @property
    def _summary(self) -> str:
        if not self._exempt:
            return self._texts("Everything of {player} is judged", player=self._player)
        parts = (self._texts(words) for part, words in EXEMPT_WORDS.items() if part in self._exempt)
        return f"{self._player}: {', '.join(parts)}"

    def _change(self, part: Exemption, left_out: bool) -> None:  # noqa: FBT001 - what the box shows
        self._exempt = self._exempt | {part} if left_out else self._exempt - {part}
        self._told.clear()
        with self._told:
            html.span(self._summary)
        self._choose(self._exempt)
