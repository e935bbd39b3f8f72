"""Events as JSON: every event comes back as it was, and what is none is one sentence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.record.event_json import EventShapeError, event_from_json, event_to_json
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, load_deck, rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    Event,
    GameStarted,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.pose import ALL_POSES

NAMES = st.text(min_size=1, max_size=12)
POSES = st.sampled_from(ALL_POSES)
CARD = st.sampled_from(load_deck("second").cards + load_deck("second").advanced + load_deck("first").cards)
TABLES = st.lists(CARD, max_size=8).map(tuple)
ROUNDS = st.integers(1, 12)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    edition = draw(st.sampled_from(["first", "second"]))
    advanced = draw(st.booleans())
    variants = draw(st.sets(st.sampled_from(sorted(Variant, key=str))))
    if edition == "first" or not advanced:
        variants -= {Variant.FIRST_GAME}
    if Variant.EIGHT_LINES in variants:
        variants -= {Variant.FOUR_LINES}
    return rules_for(edition, advanced=advanced, variants=variants)


EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        GameStarted,
        st.lists(NAMES, min_size=3, max_size=6).map(tuple),
        rules(),
        st.lists(st.integers(1, 6), max_size=6).map(tuple),
    ),
    st.builds(DeckShuffled, TABLES),
    st.builds(BetPlaced, NAMES),
    st.builds(CardLaid, CARD, st.booleans()),
    st.builds(TableLaid, TABLES),
    st.just(Bam()),
    st.builds(PosesJudged, st.dictionaries(NAMES, POSES)),
    st.builds(PoseCorrected, ROUNDS, NAMES, POSES),
    st.builds(TableCorrected, ROUNDS, TABLES),
    st.builds(BetCorrected, ROUNDS, st.none() | NAMES),
    st.just(Undone()),
)


@given(EVENTS)
def test_an_event_comes_back_as_it_was(event: Event) -> None:
    assert event_from_json(event_to_json(event)) == event


def test_a_person_can_read_it() -> None:
    assert json.loads(event_to_json(TableCorrected(2, parse_table("L.WU+1 B.CD+1/-1 REVERSE")))) == {
        "kind": "table corrected",
        "round": 2,
        "cards": "L.WU+1 B.CD+1/-1 REVERSE",
    }


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "its text is no JSON"),
        ("[]", "its text has to be a table"),
        ('{"kind": "bets placed", "player": "Blue"}', "its text is of an unknown kind, “bets placed”"),
        ('{"player": "Blue"}', "its text lacks 'kind'"),
        (f'{{"kind": "bet placed", "player": {9**500}}}', "player has to be a text$"),
        ('{"kind": "bet placed"}', "player is missing"),
        ('{"kind": "bet placed", "player": 7}', "player has to be a text, not 7"),
        ('{"kind": "bet placed", "player": "Blue", "odds": 2}', "odds is nothing that belongs there"),
        ('{"kind": "pose corrected", "round": 1, "player": "Blue", "pose": "WU WX"}', "“WX” is no headgear"),
        ('{"kind": "table laid", "cards": "L.WU+1 JOKER"}', "“JOKER” is no card"),
        (
            '{"kind": "game started", "players": [], "edition": "third", "advanced": true, "variants": []}',
            "no edition “third”",
        ),
        (
            '{"kind": "game started", "players": [], "edition": "first", "advanced": true, "variants": ["poker"]}',
            "no variant “poker”",
        ),
    ],
)
def test_what_is_no_event_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(EventShapeError, match=sentence) as caught:
        event_from_json(text)
    assert "\n" not in str(caught.value)
