"""Agreement of readings with the deal and with other frames: a person's word, the order, the copies of the deck."""

from __future__ import annotations

import numpy as np

from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, PlaceReading, PlaceState
from bunnymoose_cv.vision.cards.deal import DealKnowledge, KnownCard, agreed
from bunnymoose_cv.vision.cards.frame_votes import FrameVotes

A, B, C = CardFaceId("MOOSE+1"), CardFaceId("MOOSE+2"), CardFaceId("HUNTER")


def _card(place: int, face: CardFaceId) -> PlaceReading:
    return PlaceReading(place, np.zeros((4, 2), np.float32), PlaceState.CARD, (CardCandidate(face, 0.99),))


def _unsure(place: int, *faces: CardFaceId) -> PlaceReading:
    candidates = tuple(CardCandidate(face, 1 / len(faces)) for face in faces)
    return PlaceReading(place, np.zeros((4, 2), np.float32), PlaceState.UNSURE, candidates)


def test_more_copies_than_the_deck_holds_are_asked_about() -> None:
    read = agreed((_card(1, A), _card(2, A), _card(3, B)), DealKnowledge({A: 1, B: 1}))
    assert [place.state for place in read] == [PlaceState.UNSURE, PlaceState.UNSURE, PlaceState.CARD]


def test_as_many_copies_as_the_deck_holds_stand() -> None:
    read = agreed((_card(1, A), _card(2, A)), DealKnowledge({A: 2}))
    assert [place.face for place in read] == [A, A]


def test_a_copy_that_lies_below_is_used_up() -> None:
    deal = DealKnowledge({A: 1, B: 1}, covered=(A,))
    assert deal.possible == frozenset({B})
    assert agreed((_card(1, A),), deal)[0].state is PlaceState.UNSURE


def test_a_used_up_face_is_no_candidate_elsewhere() -> None:
    read = agreed((_card(1, A), _unsure(2, A, B)), DealKnowledge({A: 1, B: 1}))
    assert read[1].candidates == (CardCandidate(B, 1.0),)


def test_a_persons_word_fills_a_covered_place() -> None:
    covered = PlaceReading(1, np.zeros((4, 2), np.float32), PlaceState.COVERED)
    assert agreed((covered,), DealKnowledge(known={1: KnownCard(A, told=True)}))[0].face == A


def test_a_persons_word_is_contradicted_aloud_and_not_overwritten() -> None:
    read = agreed((_card(1, B),), DealKnowledge(known={1: KnownCard(A, told=True)}))[0]
    assert (read.state, read.contradicts) == (PlaceState.UNSURE, A)
    assert [candidate.face for candidate in read.candidates] == [A, B]


def test_a_change_out_of_order_is_asked_about() -> None:
    known = {1: KnownCard(A), 2: KnownCard(B)}
    read = agreed((_card(1, A), _card(2, C)), DealKnowledge(known=known, next_place=1))
    assert [place.state for place in read] == [PlaceState.CARD, PlaceState.UNSURE]
    assert {candidate.face for candidate in read[1].candidates} == {C, B}


def test_a_change_in_order_counts() -> None:
    known = {1: KnownCard(A), 2: KnownCard(B)}
    read = agreed((_card(1, A), _card(2, C)), DealKnowledge(known=known, next_place=2))
    assert [place.face for place in read] == [A, C]


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
