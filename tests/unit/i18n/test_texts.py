"""Texts: the right language, numbers as it writes them, and names that stay what they are."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.illegal_event import IllegalEventError
from bunnymoose_cv.rules.pose import NotationError, Pose

ENGLISH, GERMAN, CZECH = Texts(), Texts(Language.GERMAN), Texts(Language.CZECH)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Deal"), ("de", "Austeilen"), ("fr", "Distribuer"), ("es", "Repartir"), ("cs", "Rozdávat")],
)
def test_a_text_in_each_language(language: str, said: str) -> None:
    assert Texts(Language(language))("Deal") == said


def test_a_text_that_no_catalogue_has_stays_english() -> None:
    assert GERMAN("Nobody wrote {this} yet", this="that") == "Nobody wrote that yet"
    assert GERMAN("") == ""


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 kol"), (1, "1 kolo"), (2, "2 kola"), (4, "4 kola"), (5, "5 kol"), (22, "22 kol"), (101, "101 kol")],
)
def test_the_czech_bend_by_three_forms(count: int, said: str) -> None:
    assert CZECH.counted("{count} round", "{count} rounds", count) == said


def test_the_french_say_zero_like_one() -> None:
    french = Texts(Language.FRENCH)
    assert [french.counted("{count} round", "{count} rounds", count) for count in (0, 1, 2)] == [
        "0 manche",
        "1 manche",
        "2 manches",
    ]


def test_english_counts_too() -> None:
    assert [ENGLISH.counted("{count} round", "{count} rounds", count) for count in (0, 1, 2)] == [
        "0 rounds",
        "1 round",
        "2 rounds",
    ]


@given(st.text(), st.sampled_from(Language))
def test_a_name_is_never_a_pattern(name: str, language: Language) -> None:
    texts = Texts(language)
    assert name in texts("{narrator} bets on", narrator=name)
    assert texts(name) in {name, texts(name)}
    assert name in texts(Phrase("{player} was not seen", player=name))


def test_numbers_are_written_as_the_language_does() -> None:
    phrase = Phrase("thumb tip {distance:.2f} eye distances from the temple", distance=0.441)
    assert str(phrase) == ENGLISH(phrase) == "thumb tip 0.44 eye distances from the temple"
    assert GERMAN(phrase) == "Daumenspitze 0,44 Augenabstände von der Schläfe"
    assert GERMAN("{share:.0%}", share=0.97) == "97\N{NO-BREAK SPACE}%"
    assert ENGLISH("{share:.0%}", share=0.97) == "97%"


def test_a_phrase_in_a_phrase_is_said_in_the_same_language() -> None:
    phrase = Phrase("{shape} on both sides", shape=Phrase("wide antler up"))
    assert phrase == "wide antler up on both sides"
    assert GERMAN(phrase) == "auf beiden Seiten breite Schaufel nach oben"


def test_a_phrase_is_copied_and_pickled_whole() -> None:
    phrase = Phrase("{shape} on both sides", shape=Phrase("wide antler up"))
    for again in (copy.deepcopy(phrase), pickle.loads(pickle.dumps(phrase))):  # noqa: S301 - our own bytes
        assert GERMAN(again) == GERMAN(phrase)


def test_a_mistake_is_told_in_the_language_of_the_table() -> None:
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


def test_a_mistake_without_a_phrase_is_told_as_it_is() -> None:
    assert GERMAN(InputError("The file {odd} is no clip").sentence) == "The file {odd} is no clip"
