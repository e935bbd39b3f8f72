"""Set-up of the built-in dealer: cards, chance, a poem and its tempo."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from bunnymoose_cv.i18n.poem import load_poem
from bunnymoose_cv.rules.deck import deck_of

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.i18n.poem import PoemLine
    from bunnymoose_cv.rules.deck import Deck, Rules


@dataclass(frozen=True, slots=True)
class DealerSetup:
    """All that the built-in dealer needs.

    Attributes:
        random: all its chance.
        poem: what it recites, one line a pile.
        tempo_s: seconds from one line to the next, until people wish another.
    """

    deck: Deck
    random: Random
    poem: tuple[PoemLine, ...]
    tempo_s: float


def load_dealer_setup(
    rules: Rules, language: Language, seed: int, tempo_s: float, own: Deck | None = None
) -> DealerSetup:
    """Load the dealer's set-up for a game of these rules.

    Raises:
        InputError: there is no poem in the language.
    """
    return DealerSetup(deck_of(rules, own), Random(seed), load_poem(rules.piles, language), tempo_s)
