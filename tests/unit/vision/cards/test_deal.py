"""Agreement of readings with the deal and other frames: typed cards, dealing order, and copies in the deck."""

import numpy as np

from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, PlaceReading, PlaceState
from bunnymoose_cv.vision.cards.deal import DealKnowledge, KnownCard, agreed

A, B, C = CardFaceId("MOOSE+1"), CardFaceId("MOOSE+2"), CardFaceId("HUNTER")


def _card(place: int, face: CardFaceId) -> PlaceReading:
    return PlaceReading(place, np.zeros((4, 2), np.float32), PlaceState.CARD, (CardCandidate(face, 0.99),))


def _unsure(place: int, *faces: CardFaceId) -> PlaceReading:
    candidates = tuple(CardCandidate(face, 1 / len(faces)) for face in faces)
    return PlaceReading(place, np.zeros((4, 2), np.float32), PlaceState.UNSURE, candidates)


def test_too_many_copies_of_a_card_are_unsure() -> None:
    read = agreed((_card(1, A), _card(2, A), _card(3, B)), DealKnowledge({A: 1, B: 1}))
    assert [place.state for place in read] == [PlaceState.UNSURE, PlaceState.UNSURE, PlaceState.CARD]
    assert [place.face for place in agreed((_card(1, A), _card(2, A)), DealKnowledge({A: 2}))] == [A, A]
    _, elsewhere = agreed((_card(1, A), _unsure(2, A, B)), DealKnowledge({A: 1, B: 1}))
    assert elsewhere.candidates == (CardCandidate(B, 1.0),), "a face that is used up is no candidate"
    below = DealKnowledge({A: 1, B: 1}, covered=(A,))
    assert below.possible == frozenset({B})
    assert agreed((_card(1, A),), below)[0].state is PlaceState.UNSURE


def test_typed_card_fills_a_covered_place_and_is_never_overwritten() -> None:
    deal = DealKnowledge(known={1: KnownCard(A, entered=True)})
    covered = PlaceReading(1, np.zeros((4, 2), np.float32), PlaceState.COVERED)
    assert agreed((covered,), deal)[0].face == A
    (read,) = agreed((_card(1, B),), deal)
    assert read.state is PlaceState.UNSURE
    assert [candidate.face for candidate in read.candidates] == [A, B]


def test_change_is_accepted_in_dealing_order_and_unsure_otherwise() -> None:
    known = {1: KnownCard(A), 2: KnownCard(B)}
    in_order, out_of_it = (
        agreed((_card(1, A), _card(2, C)), DealKnowledge(known=known, next_place=place)) for place in (2, 1)
    )
    assert [place.face for place in in_order] == [A, C]
    assert [place.state for place in out_of_it] == [PlaceState.CARD, PlaceState.UNSURE]
    assert {candidate.face for candidate in out_of_it[1].candidates} == {C, B}
