"""Typing cards in the notation: what was understood so far is shown while one types, and where it is not understood.

The same on the narrator's page and in the dialog of the table, which closes when the cards lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts

MOST_CHARACTERS: Final = 200
"""Room for more cards than any table has piles."""


def entry_html(texts: Texts, key: str = "", needs: str = "") -> Markup:
    """Text field of cards, with an empty preview.

    Args:
        key: leads to the field; none in a dialog, which has one of its own.
        needs: permission without which the field is disabled, where the page tells which there are (parts.js).
    """
    return render(
        "cards/entry", texts, key=key, needs=needs, most=MOST_CHARACTERS, understood=understood_html("", texts)
    )


def understood_html(typed: str, texts: Texts) -> Markup:
    """Typed cards as far as they are understood; without any the hint."""
    cards = normalized(typed)
    if not cards.strip():
        return render("cards/understood", texts, faces=(), mistake=None)
    try:
        faces = [drawing(card_face(card, texts)) for card in parse_table(cards)]
    except NotationError as error:
        return render("cards/understood", texts, faces=(), mistake=_mistake(error))
    return render("cards/understood", texts, faces=faces, mistake=None)


def normalized(typed: str) -> str:
    """Return typed text in the notation: small letters are meant as large ones, but for nothing that it knows."""
    return typed[:MOST_CHARACTERS].upper()


def _mistake(error: NotationError) -> Mapping[str, object]:
    """The typed text with the place marked, and the sentence."""
    end = next((at for at, sign in enumerate(error.text) if at > error.position and sign.isspace()), len(error.text))
    return {
        "before": error.text[: error.position],
        "place": error.text[error.position : end] or "\N{NO-BREAK SPACE}",
        "after": error.text[end:],
        "sentence": error.sentence,
    }
