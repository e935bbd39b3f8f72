"""Agreement of readings with the deal and with other frames: a person's word, the order, the copies of the deck."""

import numpy as np

from bunnymoose_cv.session.laid_card_detector import FrameVotes
from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, PlaceReading, PlaceState
from bunnymoose_cv.vision.cards.deal import DealKnowledge, KnownCard, agreed

A, B, C = CardFaceId("MOOSE+1"), CardFaceId("MOOSE+2"), CardFaceId("HUNTER")


def _card(place: int, face: CardFaceId) -> PlaceReading:
    return PlaceReading(place, np.zeros((4, 2), np.float32), PlaceState.CARD, (CardCandidate(face, 0.99),))


def _unsure(place: int, *faces: CardFaceId) -> PlaceReading:
    candidates = tuple(CardCandidate(face, 1 / len(faces)) for face in faces)
    return PlaceReading(place, np.zeros((4, 2), np.float32), PlaceState.UNSURE, candidates)


def test_more_copies_than_the_deck_holds_are_asked_about() -> None:
    read = agreed((_card(1, A), _card(2, A), _card(3, B)), DealKnowledge({A: 1, B: 1}))
    assert [place.state for place in read] == [PlaceState.UNSURE, PlaceState.UNSURE, PlaceState.CARD]
    assert [place.face for place in agreed((_card(1, A), _card(2, A)), DealKnowledge({A: 2}))] == [A, A]
    _, elsewhere = agreed((_card(1, A), _unsure(2, A, B)), DealKnowledge({A: 1, B: 1}))
    assert elsewhere.candidates == (CardCandidate(B, 1.0),), "a face that is used up is no candidate"
    below = DealKnowledge({A: 1, B: 1}, covered=(A,))
    assert below.possible == frozenset({B})
    assert agreed((_card(1, A),), below)[0].state is PlaceState.UNSURE


def test_a_persons_word_fills_a_covered_place_and_is_contradicted_but_not_overwritten() -> None:
    deal = DealKnowledge(known={1: KnownCard(A, told=True)})
    covered = PlaceReading(1, np.zeros((4, 2), np.float32), PlaceState.COVERED)
    assert agreed((covered,), deal)[0].face == A
    (read,) = agreed((_card(1, B),), deal)
    assert (read.state, read.contradicts) == (PlaceState.UNSURE, A)
    assert [candidate.face for candidate in read.candidates] == [A, B]


def test_a_change_counts_in_order_and_is_asked_about_out_of_it() -> None:
    known = {1: KnownCard(A), 2: KnownCard(B)}
    in_order, out_of_it = (
        agreed((_card(1, A), _card(2, C)), DealKnowledge(known=known, next_place=place)) for place in (2, 1)
    )
    assert [place.face for place in in_order] == [A, C]
    assert [place.state for place in out_of_it] == [PlaceState.CARD, PlaceState.UNSURE]
    assert {candidate.face for candidate in out_of_it[1].candidates} == {C, B}


def test_three_of_five_frames_must_agree() -> None:
    votes: FrameVotes[str] = FrameVotes()
    agreed = [votes.add({1: answer}) for answer in ("a", None, "b", "a", "a")]
    assert agreed == [{}, {}, {}, {}, {1: "a"}]
    votes.forget()
    assert votes.frames == 0
    assert votes.add({1: "a"}) == {}


def test_questions_are_voted_on_apart_and_old_frames_no_longer_count() -> None:
    votes: FrameVotes[str] = FrameVotes()
    agreed = [votes.add({1: "a", 2: answer}) for answer in "bccccc"]
    assert agreed[2] == {1: "a"}
    assert agreed[-1] == {1: "a", 2: "c"}
    assert votes.frames == 5
