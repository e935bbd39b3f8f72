"""Events, phrases and evidence as JSON: they round-trip, and invalid JSON is refused."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.event_json import event_from_json, event_to_json
from bunnymoose_cv.record.evidence_json import FrameEvidence, KeptPhrase, PlayerEvidence, RoundShape
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
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
def test_events_round_trip(event: Event) -> None:
    assert event_from_json(event_to_json(event)) == event


def test_json_of_events_is_readable() -> None:
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
        ('{"kind": "pose corrected", "round": 1, "player": "Blue", "pose": "WU WX"}', "“WX” is not a headgear"),
        ('{"kind": "table laid", "cards": "L.WU+1 JOKER"}', "“JOKER” is not a card"),
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
def test_invalid_event_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        event_from_json(text)
    assert "\n" not in str(caught.value)


KEPT: TypeAdapter[Phrase] = TypeAdapter(KeptPhrase)


def there_and_back(phrase: Phrase) -> Phrase:
    return KEPT.validate_json(KEPT.dump_json(phrase))


@given(st.floats(0, 180), st.text(), st.text())
def test_phrases_round_trip(degrees: float, name: str, plain: str) -> None:
    inner = Phrase("{degrees:.0f}° of {name}", degrees=degrees, name=name)
    for phrase in (inner, Phrase(plain), Phrase("{one}, {two}", one=inner, two=Phrase("wide antler up"))):
        read = there_and_back(phrase)
        assert (read, read.template, read.values) == (phrase, phrase.template, phrase.values)


def test_stored_phrase_can_be_translated() -> None:
    kept = there_and_back(Phrase("{shape} on the left", shape=Phrase("wide antler up")))
    assert Texts(Language.GERMAN)(kept) == "links breite Schaufel nach oben"


def test_plain_text_of_older_evidence_remains_english() -> None:
    assert KEPT.validate_json('"fingers 8° apart, touching"') == "fingers 8° apart, touching"


@pytest.mark.parametrize(
    "kept",
    [
        3,
        {"text": "{degrees}"},
        {"text": "{degrees}", "values": {"other": 1}},
        {"text": "{degrees.nothing}", "values": {"degrees": 1}},
        {"text": "{", "values": {"degrees": 1}},
        {"text": 3, "values": {}},
    ],
)
def test_invalid_phrase_is_refused(kept: object) -> None:
    with pytest.raises(ValidationError):
        KEPT.validate_json(json.dumps(kept))


@pytest.mark.parametrize("file", ["/home/anna/frame_1.jpg", "../../frame_1.jpg", "C:\\\\pictures\\\\frame_1.jpg"])
def test_evidence_cannot_name_images_in_other_folders(file: str) -> None:
    shape = FrameEvidence.model_validate_json(f'{{"file": "{file}", "time_s": 1.0, "players": []}}')
    assert shape.file == "frame_1.jpg"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("cue_s",), math.inf),
        (("moved", 0, "time_s"), math.nan),
        (("frames",), []),
        (("agreed", "players", 0, "left", "confidence"), math.inf),
        (("agreed", "players", 0, "face_px", 0), 1e308),
        (("agreed", "players", 0, "face_px", 2), -1.0),
        (("agreed", "players", 0, "face_px", 3), 0.0),
        (("agreed", "players", 0, "face", 0, 1), -1e308),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else str(value),
)
def test_evidence_with_impossible_coordinates_is_refused(
    played_games: Path, place: tuple[str | int, ...], value: object
) -> None:
    evidence = json.loads(round_folder(GameStore(played_games).find("last").folder, 1).json.read_text())
    RoundShape.model_validate(evidence)
    *way, last = place
    inner = evidence
    for each in way:
        inner = inner[each]
    inner[last] = value
    with pytest.raises(ValidationError):
        RoundShape.model_validate(evidence)


def test_reading_is_found_by_seat_number() -> None:
    third, first = (PlayerEvidence.model_construct(seat=seat) for seat in (3, 1))
    shape = RoundShape.model_construct(agreed=FrameEvidence.model_construct(players=(third, first)))
    assert [shape.reading_of(seat) for seat in (0, 1, 2, 3, 4)] == [None, first, None, third, None]
