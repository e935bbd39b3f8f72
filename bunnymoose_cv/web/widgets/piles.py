"""The piles with their top cards, the next pile marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class Pile:
    """Content of one pile.

    Attributes:
        number: counted from 1.
        card: on top; None while nothing lies there.
        is_next: whether the next card goes there.
        laid: rises with every card that is laid there, so that the same card on itself is seen to be laid.
    """

    number: int
    card: Card | None
    is_next: bool
    laid: int


def takes_cards(game: Game) -> bool:
    """Tell if cards can be laid: before Bam, and after it while piles are unknown."""
    return game.phase in {Phase.BETTING, Phase.DEALING} or (game.phase is Phase.FROZEN and game.first_pass)


def piles_of(game: Game) -> tuple[Pile, ...]:
    """List the content of every pile."""
    count, cards = game.rules.piles, game.table
    waits = takes_cards(game)
    return tuple(
        Pile(
            number=number + 1,
            card=cards[number] if number < len(cards) else None,
            is_next=waits and number == game.laid % count,
            laid=(game.laid + count - 1 - number) // count,
        )
        for number in range(count)
    )


def pile_parts(game: Game, texts: Texts, way: str = "") -> Mapping[str, Markup]:
    """Piles, one a part, so that only a changed pile is sent anew.

    Args:
        way: the page that a press on a pile leads to, if to any.
    """
    return {pile_place(pile.number): _pile_html(pile, texts, way) for pile in piles_of(game)}


def pile_place(number: int) -> str:
    """Name of the part for a pile."""
    return f"pile-{number}"


def _pile_html(pile: Pile, texts: Texts, way: str) -> Markup:
    face = "" if pile.card is None else drawing(card_face(pile.card, texts))
    told = texts("Pile {number} is empty", number=pile.number)
    if pile.card is not None:
        told = texts("On pile {number}: {card}", number=pile.number, card=card_name(pile.card, texts))
    return render("round/pile", texts, pile=pile, face=face, told=told, way=way)
