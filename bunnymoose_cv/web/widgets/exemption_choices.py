"""Choices of what is not judged of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.question import EXEMPT_WORDS
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts

_WORDS = {
    Exemption.LEFT_HAND: Phrase("The left hand has something else to do: it counts as the right one"),
    Exemption.RIGHT_HAND: Phrase("The right hand has something else to do: it counts as the left one"),
    Exemption.TONGUE: Phrase("No tongue: it counts as in"),
    Exemption.DOWN: Phrase("Cannot point down: an antler counts as up"),
}


def exemption_choices_html(player: str, exempt: frozenset[Exemption], texts: Texts) -> Markup:
    """Exemptions of one player, behind a summary line."""
    choices = [(part, texts(words), part in exempt) for part, words in _WORDS.items()]
    summary = _summary(player, exempt, texts)
    return render("warm_up/exemptions", texts, player=player, summary=summary, choices=choices)


def _summary(player: str, exempt: frozenset[Exemption], texts: Texts) -> str:
    if not exempt:
        return texts("Everything of {player} is judged", player=player)
    parts = (texts(words) for part, words in EXEMPT_WORDS.items() if part in exempt)
    return f"{player}: {', '.join(parts)}"
