"""Choice of the narrator's cards: each card of the deck in at most two taps, except those on the table."""

from collections import Counter
from dataclasses import replace

import pytest

from bunnymoose_cv.art.art_names import kind_name
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import parse_card, parse_table
from bunnymoose_cv.rules.deck import Deck, edition_names, load_deck, rules_for
from bunnymoose_cv.rules.events import Bam, CardLaid, Event, TableLaid, Undone
from bunnymoose_cv.web.live.card_choices import Motif, cards_of, laid_in_round, motifs, remaining_cards
from tests.unit.web.states import ROUND, state_after

SIX = parse_table("L.WU+2 R.TS-1 B.WU+1 TONGUE+3 MOOSE*2 REVERSE")
JUDGED = ROUND[-1]


@pytest.mark.parametrize("edition", edition_names())
@pytest.mark.parametrize("advanced", [True, False])
def test_exactly_the_cards_of_the_deck_are_two_taps_away(edition: str, *, advanced: bool) -> None:
    deck = rules_for(edition, advanced=advanced).cards(load_deck(edition))
    offered = motifs(deck)
    assert {card for motif in offered for card in motif.cards} == set(deck)
    assert all(motif.cards for motif in offered)
    names = [kind_name(motif.sample, Texts()) for motif in offered]
    assert len(names) == len(set(names)), "the first tap is never in doubt"


def test_a_double_card_is_found_by_either_half_with_the_best_value_first() -> None:
    offered = {kind_name(motif.sample, Texts()): motif for motif in motifs(parse_table("B.WU+2/CD-1 L.WU-1 L.WU+2"))}
    assert offered["wide antler up"].cards == parse_table("L.WU+2 B.WU+2/CD-1 L.WU-1")
    assert offered["compact antler down"].cards == parse_table("B.WU+2/CD-1")
    assert set(offered) == {"wide antler up", "compact antler down"}


def test_only_basic_cards_are_offered_in_a_basic_game() -> None:
    basic = replace(state_after().game, rules=rules_for(advanced=False))
    assert parse_card("TONGUE+3") not in cards_of(basic)
    assert parse_card("TONGUE+3") in cards_of(replace(basic, rules=rules_for()))


def test_cards_of_an_own_deck_are_offered_in_its_edition() -> None:
    state = state_after(CardLaid(SIX[0]))
    box = Deck("Ours", "second", reconstruction=False, cards=parse_table("L.WU+2 L.WU+2 HUNTER"))
    assert cards_of(state.game, box) == box.cards
    assert remaining_cards(state, box) == Counter(parse_table("L.WU+2 HUNTER"))
    assert cards_of(state.game, replace(box, edition="first")) == cards_of(state.game)


@pytest.mark.parametrize(
    ("events", "laid"),
    [
        ([], ""),
        ([CardLaid(SIX[0]), CardLaid(SIX[5])], "L.WU+2 REVERSE"),
        ([CardLaid(SIX[0]), CardLaid(SIX[5]), Undone()], "L.WU+2"),
        ([TableLaid(SIX)], "L.WU+2 R.TS-1 B.WU+1 TONGUE+3 MOOSE*2 REVERSE"),
        ([*map(CardLaid, SIX), CardLaid(SIX[5])], "L.WU+2 R.TS-1 B.WU+1 TONGUE+3 MOOSE*2 REVERSE REVERSE"),
        ([*map(CardLaid, SIX), Bam(), JUDGED], ""),
        ([*map(CardLaid, SIX), Bam(), JUDGED, CardLaid(SIX[3])], "TONGUE+3"),
        ([CardLaid(SIX[0]), Bam(), *map(CardLaid, SIX[1:3])], "L.WU+2 R.TS-1 B.WU+1"),
    ],
)
def test_cards_laid_in_the_round_are_not_offered_again(events: list[Event], laid: str) -> None:
    state = state_after(*events)
    expected = Counter(map(parse_card, laid.split()))
    assert laid_in_round(state) == expected
    assert remaining_cards(state) + expected == Counter(cards_of(state.game))


def test_a_motif_with_one_card_needs_one_tap() -> None:
    single = [motif for motif in motifs(rules_for().cards(load_deck("second"))) if len(motif.cards) == 1]
    assert [str(motif.sample) for motif in single] == ["REVERSE", "HUNTER"]
    assert all(isinstance(motif, Motif) and motif.cards == (motif.sample,) for motif in single)
