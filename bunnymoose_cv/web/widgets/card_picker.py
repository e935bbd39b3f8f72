"""Picking a card in two taps at most: what it is about, then its side and value.

The second choice opens in a dialog, whose faces cards.js fetches; a card that is the only one about its motif is sent
by the first tap.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import Card, SingleCard
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.web.art.art_names import kind_name
from bunnymoose_cv.web.art.card_art import card_face, motif_art
from bunnymoose_cv.web.live.card_choices import CardGroup, motifs
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.web.live.card_choices import Motif

SCRIPT: Final = "cards"
"""Script, and style sheet, of pages with a picker or a field to type cards in."""

_GROUPS: Final = {
    CardGroup.ANTLERS: Phrase("Antlers"),
    CardGroup.EARS: Phrase("Ears"),
    CardGroup.OTHERS: Phrase("Animals, tongue, reversal, hunter"),
}
_PLACES: Final = {Side.LEFT: "at-left", Side.RIGHT: "at-right"}


@dataclass(frozen=True, slots=True)
class PickerForm:
    """Form that sends the card.

    Attributes:
        action: address of its command.
        name: of the card in it.
        faces: address of the faces about a motif.
        needs: permission that it needs, where the page tells which there are (parts.js).
        hidden: further fields.
    """

    action: str
    name: str
    faces: str
    needs: str = ""
    hidden: Mapping[str, str] = field(default_factory=dict)


def motifs_html(deck: Table, form: PickerForm, texts: Texts) -> Markup:
    """The motifs of a deck."""
    shown = motifs(deck)
    groups = [
        {
            "name": texts(name),
            "kind": group.value,
            "tiles": [_tile(each, texts) for each in shown if each.group is group],
        }
        for group, name in _GROUPS.items()
    ]
    return render(
        "cards/picker",
        texts,
        action=form.action,
        field=form.name,
        faces=form.faces,
        needs=form.needs,
        hidden=form.hidden,
        groups=[each for each in groups if each["tiles"]],
    )


def choices_html(form: PickerForm, texts: Texts) -> Markup:
    """The dialog of the second tap."""
    return render("cards/choices", texts, action=form.action, hidden=form.hidden)


def faces_html(motif: Motif, remaining: Mapping[Card, int], name: str, texts: Texts) -> Markup:
    """The faces in that dialog.

    Args:
        motif: that was tapped.
        remaining: how many of each card can still come.
        name: of the card in the form.
    """
    faces = [
        {
            "card": str(card),
            "place": _place(card) if isinstance(motif.sample, SingleCard) else "",
            "art": drawing(card_face(card, texts)),
            "copies": remaining.get(card, 0),
        }
        for card in motif.cards
    ]
    return render("cards/faces", texts, faces=faces, field=name)


def _tile(motif: Motif, texts: Texts) -> Mapping[str, object]:
    return {
        "sample": str(motif.sample),
        "name": kind_name(motif.sample, texts),
        "art": drawing(motif_art(motif.sample)),
        "only": str(motif.cards[0]) if len(motif.cards) == 1 else "",
    }


def _place(card: Card) -> str:
    """Column of a face: the player's left at the left, as in a mirror."""
    return _PLACES[card.side] if isinstance(card, SingleCard) else "at-both"
