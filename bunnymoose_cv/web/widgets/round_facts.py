"""The cards and the bet of a round, and putting them right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.live.verdict_view import RoundView


def round_html(view: RoundView, texts: Texts, *, may_correct: bool) -> Markup:
    """Cards of a round, with forms for them and the bet for whoever may correct them."""
    return render(
        "contest/round",
        texts,
        number=view.number,
        faces=[drawing(card_face(card, texts)) for card in view.cards],
        cards=" ".join(map(str, view.cards)),
        seats=[each.player for each in view.verdicts],
        bet=view.bet,
        may=may_correct,
    )
