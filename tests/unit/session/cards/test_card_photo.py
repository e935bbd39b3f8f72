"""Photographed and entered cards: piles, questions, and the priority of entered cards."""

import numpy as np
import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import parse_card, parse_table
from bunnymoose_cv.rules.events import TableCorrected, TableLaid
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.cards.card_photo import CardPhoto, seen_piles
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, CardsReading, PlaceReading, PlaceState
from tests.unit.session.playing import CARDS, PHONE, done, play_by_hand, show_to_the_table

PILES = "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2"


def place(
    number: int, *faces: str, at: tuple[float, float] | None = None, state: PlaceState | None = None
) -> PlaceReading:
    """Return a place with a card or with candidates, in a row unless another position is given."""
    x, y = at or (100.0 * number, 300.0)
    corners = np.array([[x, y], [x + 60, y], [x + 60, y + 90], [x, y + 90]], np.float32)
    state = state or (PlaceState.CARD if len(faces) == 1 else PlaceState.UNSURE if faces else PlaceState.EMPTY)
    return PlaceReading(number, corners, state, tuple(CardCandidate(CardFaceId(face), 0.5) for face in faces))


def photo_of(*places: PlaceReading, mat_found: bool = True, number: int = 1) -> CardPhoto:
    piles, found = seen_piles(CardsReading(places, (1000, 600), mat_found=mat_found), 6)
    return CardPhoto(number, 1, b"", (1000, 600), piles, found)


def row(cards: str, **changed: tuple[str, ...]) -> list[PlaceReading]:
    """Return six places with cards, except for those that are given as `p3=(…)`."""
    return [place(number, *changed.get(f"p{number}", (card,))) for number, card in enumerate(cards.split(), 1)]


def test_sure_piles_become_the_table() -> None:
    photo = photo_of(*row(PILES))
    assert photo.complete
    assert photo.cards == parse_table(PILES)
    assert photo.piles[0].corners[0] == (0.1, 0.5)


def test_an_unsure_pile_offers_the_two_likeliest_cards_until_a_tap() -> None:
    photo = photo_of(*row(PILES, p3=("REVERSE", "HUNTER", "MOOSE+2")))
    assert photo.cards is None
    assert [pile.asked for pile in photo.piles] == [False, False, True, False, False, False]
    assert photo.piles[2].answers == parse_table("REVERSE HUNTER")
    settled = photo.settled(3, parse_card("HUNTER"))
    assert settled.cards == parse_table(PILES.replace("REVERSE", "HUNTER"))
    assert settled.piles[2].entered


@pytest.mark.parametrize("state", [PlaceState.EMPTY, PlaceState.COVERED])
def test_on_the_mat_an_empty_or_covered_pile_is_asked_with_no_candidates(state: PlaceState) -> None:
    photo = photo_of(*row(PILES)[:5], place(6, state=state))
    assert photo.complete
    assert photo.cards is None
    assert (photo.piles[5].asked, photo.piles[5].answers) == (True, ())


def test_five_cards_without_a_mat_identify_no_piles() -> None:
    photo = photo_of(*row(PILES)[:5], mat_found=False)
    assert (photo.complete, photo.found, photo.cards) == (False, 5, None)


def test_the_hunter_apart_from_the_row_covers_no_pile() -> None:
    hunter = place(7, "HUNTER", at=(330, 60))
    cards = row(PILES.replace("R.?F-1", "HUNTER"))
    photo = photo_of(*cards[:3], hunter, *cards[3:], mat_found=False)
    assert photo.cards == parse_table(PILES.replace("R.?F-1", "HUNTER"))


def test_known_cards_are_asked_about_and_never_overwritten() -> None:
    seen = photo_of(*row(PILES, p2=("HUNTER", "REVERSE")))
    beside = seen.beside(parse_table("L.WU+2 TONGUE+1"))
    assert beside.piles[0].card == parse_card("L.WU+2")
    assert beside.piles[0].answers == parse_table("L.WU+2 L.WU+1")
    assert (beside.piles[1].card, beside.piles[1].asked) == (parse_card("TONGUE+1"), False)
    assert beside.piles[2:] == seen.piles[2:]
    assert beside.cards is None
    assert seen.beside(parse_table(PILES)).cards == parse_table(PILES)


@pytest.fixture
def frozen(session: Session) -> Session:
    """Return a session after Bam with unknown cards."""
    done(session.bam(Maker.BUTTON, "screen"))
    return session


def test_poses_are_judged_before_the_cards_and_scored_after_them(frozen: Session) -> None:
    for player in frozen.state.game.seats:
        done(frozen.correct_pose(player, Pose.parse("WU WU"), "screen"))
    assert frozen.state.game.phase is Phase.FROZEN
    before = len(frozen.state.said)
    done(frozen.see_cards(photo_of(*row(PILES, p1=("L.WU+1", "L.WU+2"))), "Red's phone"))
    assert frozen.state.game.first_pass
    done(frozen.settle_card(1, parse_card("L.WU+2"), "Red's phone"))
    (played,) = frozen.state.game.rounds
    assert played.facts.cards == parse_table(PILES.replace("L.WU+1", "L.WU+2"))
    assert len(frozen.state.said) > before
    laid = [entry for entry in frozen.state.entries if isinstance(entry.event, TableLaid)]
    assert [(entry.who, str(entry.why)) for entry in laid] == [("Red's phone", "seen on a photograph")]
    with pytest.raises(InputError, match="The round is over"):
        done(frozen.settle_card(1, parse_card("L.WU+1"), "Red's phone"))
    done(frozen.bet(frozen.state.game.seats[0], "screen"))
    assert frozen.state.photo is None


def test_a_second_photograph_changes_only_confirmed_cards(frozen: Session) -> None:
    done(frozen.see_cards(photo_of(*row(PILES)), "screen"))
    done(frozen.see_cards(photo_of(*row(PILES, p6=("RABBIT*2",)), number=2), "screen"))
    assert frozen.state.game.table == parse_table(PILES)
    photo = frozen.state.photo
    assert photo is not None
    assert [pile.number for pile in photo.piles if pile.asked] == [6]
    done(frozen.settle_card(6, parse_card("RABBIT*2"), "screen"))
    assert frozen.state.game.table == parse_table(PILES.replace("MOOSE*2", "RABBIT*2"))
    assert isinstance(frozen.state.entries[-1].event, TableCorrected)


def test_a_photograph_before_bam_is_refused(session: Session) -> None:
    with pytest.raises(InputError, match="once Bam has been said"):
        done(session.see_cards(photo_of(*row(PILES)), "screen"))
    assert session.state.photo is None


def test_cards_that_are_missing_at_bam_are_waited_for(session: Session) -> None:
    for card in CARDS[:2]:
        done(session.submit_cards((card,), PHONE))
    done(session.bam(Maker.KEY, "screen"))
    show_to_the_table(session)
    assert session.state.game.first_pass
    assert not session.state.game.rounds
    done(session.submit_cards(CARDS[2:3], PHONE))
    assert len(session.state.game.piles) == 3
    done(session.submit_cards(CARDS, PHONE))
    assert len(session.state.game.rounds) == 1
    assert session.state.game.rounds[0].facts.cards == CARDS
    play_by_hand(session)
    assert len(session.state.game.rounds) == 2
