"""Enrolment of a deck: photographs become proposals, people name them, and known faces are stored."""

import json
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.art.card_images import printed_card
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_card, parse_table
from bunnymoose_cv.rules.deck import face_numbers, load_deck
from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment
from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard, Enrolment
from tests.unit.web.photographs import laid_out

CARDS = parse_table("L.WU+2 B.CD+1 REVERSE R.?D+2 L.WU+2")
KNOWN = parse_table("L.WU+2 REVERSE HUNTER")


def printed() -> Enrolment:
    numbers = face_numbers(load_deck("second"))
    faces = (EnrolledCard(CardFaceId(str(card)), printed_card(card, numbers[card]), numbers[card]) for card in KNOWN)
    return Enrolment(tuple(faces))


@pytest.fixture
def enrolment(tmp_path: Path) -> DeckEnrolment:
    return DeckEnrolment(tmp_path / "deck", printed)


def test_a_deck_is_enrolled_face_by_face_and_kept(enrolment: DeckEnrolment, tmp_path: Path) -> None:
    deck = tuple(dict.fromkeys(CARDS))
    assert enrolment.missing(deck) == deck
    assert enrolment.add(laid_out(CARDS)) == 4, "equal cards are one"
    guesses = {str(proposal.guess): proposal for proposal in enrolment.proposals if proposal.guess is not None}
    assert {"L.WU+2", "REVERSE"} <= set(guesses), "what is like a known face is proposed"
    assert guesses["L.WU+2"].copies == 2
    reported: list[int] = []
    stop = enrolment.listen(lambda: reported.append(len(enrolment.proposals)))
    enrolment.confirm(guesses["REVERSE"].number, parse_card("REVERSE"))
    enrolment.confirm(guesses["L.WU+2"].number, parse_card("L.WU-1"))
    assert reported == [3, 2]
    stop()
    assert (tmp_path / "deck").stat().st_mode & 0o077 == 0, "other users of the computer see nothing of it"
    again = DeckEnrolment(tmp_path / "deck", printed)
    assert set(again.enrolment.ids) == {"REVERSE", "L.WU-1"}
    assert again.missing(deck) == parse_table("L.WU+2 B.CD+1 R.?D+2")
    assert again.proposals == (), "what has no name is kept nowhere"
    own = {face.face: face for face in again.to_play_with.faces}
    assert set(own) == {"REVERSE", "L.WU-1", "L.WU+2", "HUNTER"}
    assert not np.array_equal(own[CardFaceId("REVERSE")].crop, printed().faces[1].crop), "the own picture comes first"
    again.forget(parse_card("L.WU-1"))
    assert set(DeckEnrolment(tmp_path / "deck", printed).enrolment.ids) == {"REVERSE"}


def test_copies_in_other_photographs_are_counted_under_one_proposal(enrolment: DeckEnrolment) -> None:
    unknown = parse_table("B.CD+1 TONGUE+2 TONGUE+3")
    assert enrolment.add(laid_out(parse_table("L.WU+2 B.CD+1 TONGUE+2"))) == 3
    other_light = np.clip(laid_out(unknown) * 0.7 + (0, 6, 20), 0, 255).astype(np.uint8)
    assert enrolment.add(np.ascontiguousarray(other_light[::-1, ::-1])) == 1, "the twin is new"
    assert sorted(proposal.copies for proposal in enrolment.proposals) == [1, 1, 2, 2]
    known = next(proposal for proposal in enrolment.proposals if proposal.guess == parse_card("L.WU+2"))
    enrolment.confirm(known.number, parse_card("L.WU+2"))
    assert enrolment.add(laid_out(parse_table("L.WU+2 L.WU-1"))) == 1, "one already has a name"
    assert len(enrolment.enrolment.ids) == 1
    assert len(enrolment.missing(parse_table("L.WU+2 B.CD+1"))) == 1


def test_a_printed_card_that_is_photographed_keeps_its_marker(enrolment: DeckEnrolment) -> None:
    enrolment.add(laid_out(parse_table("REVERSE B.CD+1")))
    for proposal in enrolment.proposals:
        enrolment.confirm(proposal.number, proposal.guess or parse_card("L.WU+2"))
    markers = {face.face: face.marker for face in enrolment.enrolment.faces}
    assert markers == {"REVERSE": face_numbers(load_deck("second"))[parse_card("REVERSE")], "L.WU+2": None}


def test_a_proposal_is_turned_rejected_and_named_once(enrolment: DeckEnrolment) -> None:
    enrolment.add(laid_out(CARDS[:2]))
    first, second = enrolment.proposals
    enrolment.turn(first.number)
    turned = next(proposal for proposal in enrolment.proposals if proposal is not second)
    assert np.array_equal(turned.crop, first.crop[::-1, ::-1])
    assert enrolment.proposal(first.number) is None, "no page shows the old picture"
    enrolment.reject(second.number)
    with pytest.raises(InputError, match="already has a name"):
        enrolment.reject(second.number)
    with pytest.raises(InputError, match="already has a name"):
        enrolment.confirm(second.number, CARDS[0])
    assert len(enrolment.proposals) == 1
    assert enrolment.enrolment.ids == ()


def test_a_photograph_without_cards_is_refused(enrolment: DeckEnrolment) -> None:
    with pytest.raises(InputError, match="No card was found"):
        enrolment.add(np.full((600, 800, 3), 90, np.uint8))


@pytest.mark.parametrize("content", [b"", b"{", b'{"version": 1}', b"[]", json.dumps({"version": 9}).encode()])
def test_a_damaged_or_later_enrolment_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "enrolment.json").write_bytes(content)
    with pytest.raises(InputError):
        DeckEnrolment(tmp_path, printed)


def test_a_full_disk_is_reported_and_loses_no_face(tmp_path: Path) -> None:
    (tmp_path / "deck").write_text("a file where the folder should be")
    enrolment = DeckEnrolment(tmp_path / "deck", printed)
    enrolment.add(laid_out(CARDS[:1]))
    with pytest.raises(InputError, match=r"The deck cannot be kept in .+: make room"):
        enrolment.confirm(enrolment.proposals[0].number, CARDS[0])
    assert enrolment.enrolment.ids == ()
    assert len(enrolment.proposals) == 1
