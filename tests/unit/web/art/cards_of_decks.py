"""Cards to draw: those of both decks, and all that the notation can write."""

from __future__ import annotations

from hypothesis import strategies as st

from bunnymoose_cv.rules.cards import (
    PATTERNS,
    Card,
    DoubleCard,
    Half,
    HunterCard,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    TimesTwoCard,
    TongueCard,
)
from bunnymoose_cv.rules.deck import deck_names, load_deck
from bunnymoose_cv.rules.pose import Animal, Side

DECK_CARDS = sorted(
    {card for name in deck_names() for card in load_deck(name).cards + load_deck(name).advanced}, key=str
)

_halves = st.builds(Half, st.sampled_from(PATTERNS), st.integers(-999, 999))
_species = st.sampled_from([Animal.MOOSE, Animal.RABBIT])
any_card: st.SearchStrategy[Card] = st.one_of(
    st.builds(SingleCard, st.sampled_from(Side), st.sampled_from(PATTERNS), st.integers(-999, 999)),
    st.builds(DoubleCard, _halves, _halves),
    st.builds(TongueCard, st.integers(-999, 999)),
    st.builds(SpeciesCard, _species, st.integers(-999, 999)),
    st.builds(TimesTwoCard, _species),
    st.just(ReversalCard()),
    st.just(HunterCard()),
)
