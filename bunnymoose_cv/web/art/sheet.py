"""All faces of our decks on one sheet: `python -m bunnymoose_cv.web.art.sheet > docs/cards.svg`."""

from __future__ import annotations

import sys

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import Card, DoubleCard, SingleCard
from bunnymoose_cv.rules.deck import deck_names, load_deck
from bunnymoose_cv.rules.deck_check import CARD_KINDS
from bunnymoose_cv.web.art.card_art import SIZE, card_face
from bunnymoose_cv.web.art.headgear_art import is_antler

_COLUMNS = 12
_GAP = 16.0


def sheet(cards: list[Card], texts: Texts) -> str:
    """Faces in rows, as one SVG."""
    step = SIZE[0] + _GAP, SIZE[1] + _GAP
    rows = -(-len(cards) // _COLUMNS)
    faces = "".join(
        card_face(card, texts).replace(
            "<svg ",
            f'<svg x="{_GAP + index % _COLUMNS * step[0]:g}" y="{_GAP + index // _COLUMNS * step[1]:g}"'
            f' width="{SIZE[0]:g}" height="{SIZE[1]:g}" ',
            1,
        )
        for index, card in enumerate(cards)
    )
    box = f"0 0 {_GAP + _COLUMNS * step[0]:g} {_GAP + rows * step[1]:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{faces}</svg>\n'


def faces_of_all_decks() -> list[Card]:
    """Every face that a deck of ours holds, once, by kind."""
    decks = [load_deck(name) for name in deck_names()]
    return sorted({card for deck in decks for card in deck.cards + deck.advanced}, key=_order)


def _order(card: Card) -> tuple[int, bool, str]:
    first = card.left if isinstance(card, DoubleCard) else card if isinstance(card, SingleCard) else None
    return list(CARD_KINDS).index(type(card)), first is not None and not is_antler(first.pattern), str(card)


if __name__ == "__main__":
    sys.stdout.write(sheet(faces_of_all_decks(), Texts()))
