"""Cards and what they do: every card of both decks has a name, and every score a reason, in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.drawing.pose_words import headgear_words
from bunnymoose_cv.i18n.gather import TRANSLATED, read_catalogue
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.deck import deck_names, load_deck, rules_for
from bunnymoose_cv.rules.pose import ALL_POSES, HEADGEARS
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.web.art.art_names import card_name, headgear_name, pose_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.core.phrase import Phrase
    from bunnymoose_cv.rules.cards import Card


def all_cards() -> list[Card]:
    """Each card of the decks that we bring along, once."""
    return list(dict.fromkeys(card for name in deck_names() for card in load_deck(name).cards))


@pytest.mark.parametrize("language", Language)
def test_every_card_has_a_name_of_its_own(language: Language) -> None:
    names = {card: card_name(card, Texts(language)) for card in all_cards()}
    assert len(names) > 80
    assert len(set(names.values())) == len(names)
    if language is not Language.ENGLISH:
        assert not set(names.values()) & {card_name(card, Texts()) for card in names}


@pytest.mark.parametrize("language", Language)
def test_every_pose_and_headgear_has_a_name_of_its_own(language: Language) -> None:
    texts = Texts(language)
    assert len({pose_name(pose, texts) for pose in ALL_POSES}) == len(ALL_POSES)
    assert len({headgear_name(headgear, texts) for headgear in HEADGEARS}) == len(HEADGEARS)
    assert [texts(headgear_words(each)) for each in HEADGEARS] == [headgear_name(each, texts) for each in HEADGEARS]


def templates(phrase: Phrase) -> Iterator[str]:
    """The texts that a phrase is made of."""
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
