"""Texts, cards and poems in each language: number formats, names of cards, and the rhythm of poems."""

import copy
import pickle
import re
from collections.abc import Iterator

import pytest
from catalogues import TRANSLATED, read_catalogue
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.art.art_names import card_name, headgear_name, pose_name
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.poem import PoemLine, load_poem
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import Card
from bunnymoose_cv.rules.deck import Variant, deck_names, load_deck, rules_for
from bunnymoose_cv.rules.events import GameStarted, IllegalEventError
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import ALL_POSES, HEADGEARS, NotationError, Pose
from bunnymoose_cv.rules.pose_words import headgear_words
from bunnymoose_cv.rules.scoring import score

ENGLISH, GERMAN = Texts(), Texts(Language.GERMAN)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Deal"), ("de", "Austeilen"), ("fr", "Distribuer"), ("es", "Repartir"), ("cs", "Rozdávat")],
)
def test_text_is_translated_into_each_language(language: str, said: str) -> None:
    assert Texts(Language(language))("Deal") == said


def test_text_without_a_translation_stays_english() -> None:
    assert GERMAN("Nobody wrote {this} yet", this="that") == "Nobody wrote that yet"
    assert GERMAN("") == ""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("cs", "0 kol, 1 kolo, 2 kola, 4 kola, 5 kol, 22 kol, 101 kol"),
        ("fr", "0 manche, 1 manche, 2 manches"),
        ("en", "0 rounds, 1 round, 2 rounds"),
    ],
)
def test_counted_noun_has_the_plural_form_of_the_language(language: str, said: str) -> None:
    texts = Texts(Language(language))
    for phrase in said.split(", "):
        assert texts.counted("{count} round", "{count} rounds", int(phrase.split()[0])) == phrase


@given(st.text(), st.sampled_from(Language))
def test_braces_in_a_name_are_literal(name: str, language: Language) -> None:
    texts = Texts(language)
    assert name in texts("{narrator} bets on", narrator=name)
    assert texts(name) in {name, texts(name)}
    assert name in texts(Phrase("{player} was not seen", player=name))


def test_numbers_are_formatted_for_the_language() -> None:
    phrase = Phrase("thumb tip {distance:.2f} eye distances from the temple", distance=0.441)
    assert str(phrase) == ENGLISH(phrase) == "thumb tip 0.44 eye distances from the temple"
    assert GERMAN(phrase) == "Daumenspitze 0,44 Augenabstände von der Schläfe"
    assert GERMAN("{share:.0%}", share=0.97) == "97\N{NO-BREAK SPACE}%"
    assert ENGLISH("{share:.0%}", share=0.97) == "97%"


def test_nested_phrase_is_translated() -> None:
    phrase = Phrase("{shape} on both sides", shape=Phrase("wide antler up"))
    assert phrase == "wide antler up on both sides"
    assert GERMAN(phrase) == "auf beiden Seiten breite Schaufel nach oben"


def test_phrase_survives_copying_and_pickling() -> None:
    phrase = Phrase("{shape} on both sides", shape=Phrase("wide antler up"))
    for again in (copy.deepcopy(phrase), pickle.loads(pickle.dumps(phrase))):  # noqa: S301 - our own bytes
        assert GERMAN(again) == GERMAN(phrase)


def test_errors_are_translated() -> None:
    started = GameStarted(("Anna", "Bo"), rules_for())
    with pytest.raises(IllegalEventError) as illegal:
        fold([started])
    assert str(illegal.value) == "3 to 6 people can play, not 2."
    assert GERMAN(illegal.value.sentence) == "Mitspielen können 3 bis 6, nicht 2."
    with pytest.raises(NotationError) as notation:
        Pose.parse("WU XX")
    assert str(notation.value).endswith("at character 4 of “WU XX”")
    assert GERMAN(notation.value.sentence).startswith("„XX“ gibt es am Kopf nicht")
    assert GERMAN(notation.value.sentence).endswith("(Zeichen 4 von „WU XX“)")


def test_error_without_a_phrase_is_not_formatted() -> None:
    assert GERMAN(InputError("The file {odd} is no clip").sentence) == "The file {odd} is no clip"


def all_cards() -> list[Card]:
    """Return each card of the bundled decks once."""
    return list(dict.fromkeys(card for name in deck_names() for card in load_deck(name).cards))


@pytest.mark.parametrize("language", Language)
def test_every_card_has_a_distinct_name(language: Language) -> None:
    names = {card: card_name(card, Texts(language)) for card in all_cards()}
    assert len(names) > 80
    assert len(set(names.values())) == len(names)
    if language is not Language.ENGLISH:
        assert not set(names.values()) & {card_name(card, Texts()) for card in names}


@pytest.mark.parametrize("language", Language)
def test_every_pose_and_headgear_has_a_distinct_name(language: Language) -> None:
    texts = Texts(language)
    assert len({pose_name(pose, texts) for pose in ALL_POSES}) == len(ALL_POSES)
    assert len({headgear_name(headgear, texts) for headgear in HEADGEARS}) == len(HEADGEARS)
    assert [texts(headgear_words(shown)) for shown in HEADGEARS] == [headgear_name(shown, texts) for shown in HEADGEARS]


def templates(phrase: Phrase) -> Iterator[str]:
    """Yield the texts of a phrase and of the phrases in it."""
    yield phrase.template
    for value in phrase.values.values():
        if isinstance(value, str):
            yield from templates(value)  # type: ignore[arg-type] # a reason is made of phrases alone; held right here


@pytest.mark.parametrize("edition", ["first", "second"])
def test_every_reason_of_a_score_is_in_every_catalogue(edition: str) -> None:
    cards, rules = tuple(all_cards()), rules_for(edition)
    reasons = {line.why for pose in ALL_POSES for line in score(pose, cards, rules).lines}
    texts = {text for reason in reasons for text in templates(reason)}
    for language in TRANSLATED:
        assert texts <= {message.id for message in read_catalogue(language)}
    german = Texts(Language.GERMAN)
    assert len({german(reason) for reason in reasons}) == len(reasons)


ALL_LINES = [line for language in Language for lines in (4, 6, 8) for line in load_poem(lines, language)]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("variants", [[Variant.FOUR_LINES], [], [Variant.EIGHT_LINES]])
def test_poem_has_a_line_for_each_pile(language: Language, variants: list[Variant]) -> None:
    piles = rules_for(variants=variants).piles
    poem = load_poem(piles, language)
    assert len(poem) == piles
    assert all(line.draw.strip() and line.lay.strip() for line in poem)
    assert len(set(poem)) == piles


def test_poems_share_no_line() -> None:
    assert len(set(ALL_LINES)) == len(Language) * (4 + 6 + 8)


@pytest.mark.parametrize("line", ALL_LINES, ids=lambda line: f"{line.draw} {line.lay}")
def test_poem_lines_have_a_similar_number_of_syllables(line: PoemLine) -> None:
    """Groups of vowels approximate the syllables, whose number sets the time between two cards."""
    assert 5 <= len(re.findall(r"[aeiouyáàâéèêíîóôúůûýäöüěœ]+", f"{line.draw} {line.lay}", re.IGNORECASE)) <= 10


@pytest.mark.parametrize("lines", [0, 5, 7])
def test_missing_poem_length_is_refused(lines: int) -> None:
    with pytest.raises(InputError, match=f"no poem of {lines} lines: choose one of 4, 6, 8"):
        load_poem(lines)
