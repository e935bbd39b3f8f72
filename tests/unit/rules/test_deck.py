"""Editions, variants and decks: content, checks, and errors of deck files."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import (
    Card,
    DoubleCard,
    HunterCard,
    ReversalCard,
    TimesTwoCard,
    parse_card,
    parse_table,
)
from bunnymoose_cv.rules.deck import (
    Deck,
    DeckError,
    Rules,
    TongueMeaning,
    Variant,
    deck_names,
    edition_names,
    load_deck,
    load_edition,
    read_deck,
    rules_for,
)
from bunnymoose_cv.rules.deck_check import CARD_KINDS, check_deck


@pytest.mark.parametrize(
    ("name", "spaces", "narrations"),
    [("first", 15, {3: 3, 4: 3, 5: 2, 6: 2}), ("second", 18, {3: 2, 4: 2, 5: 2, 6: 2})],
)
def test_edition_has_the_numbers_of_the_rulebook(name: str, spaces: int, narrations: dict[int, int]) -> None:
    rules = rules_for(name)
    assert rules.spaces == spaces
    assert {players: rules.rounds(players) // players for players in narrations} == narrations
    assert all(rules.rounds(players) % players == 0 for players in narrations)
    assert load_edition(name).cards_in_box == 111


@pytest.mark.parametrize("players", [-1, 0, 2, 7])
def test_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(InputError, match=f"3 to 6 people can play, not {players}"):
        rules_for().rounds(players)


@pytest.mark.parametrize(
    ("edition", "advanced", "variants", "tongue"),
    [
        ("first", True, [], TongueMeaning.SPECIES),
        ("first", False, [], TongueMeaning.SPECIES),
        ("first", True, [Variant.NO_SPECIES_CHANGE], TongueMeaning.CARDS),
        ("second", True, [], TongueMeaning.SPECIES),
        ("second", False, [], TongueMeaning.NOTHING),
        ("second", True, [Variant.NO_SPECIES_CHANGE], TongueMeaning.CARDS),
        ("second", False, [Variant.NO_SPECIES_CHANGE], TongueMeaning.NOTHING),
    ],
)
def test_meaning_of_the_tongue_depends_on_the_rules(
    edition: str, *, advanced: bool, variants: list[Variant], tongue: TongueMeaning
) -> None:
    assert rules_for(edition, advanced=advanced, variants=variants).tongue is tongue


@pytest.mark.parametrize("edition", ["first", "second"])
def test_variant_removes_its_cards(edition: str) -> None:
    deck = load_deck(edition)
    plain = Counter(rules_for(edition).cards(deck))
    without = Counter(rules_for(edition, variants=[Variant.NO_TIMES_TWO, Variant.NO_REVERSAL]).cards(deck))
    assert plain.total() == 111
    left_out = plain - without
    assert without <= plain
    assert {type(card) for card in left_out} == {TimesTwoCard, ReversalCard}
    assert not {TimesTwoCard, ReversalCard} & {type(card) for card in without}


def test_first_game_adds_advanced_cards_after_everyone_has_narrated() -> None:
    rules = rules_for(variants=[Variant.FIRST_GAME, Variant.EIGHT_LINES])
    deck = load_deck("second")
    lots = [len(rules.in_round(number, 4).cards(deck)) for number in range(1, 9)]
    assert lots == [72] * 4 + [111] * 4
    assert rules.in_round(4, 4).tongue is TongueMeaning.NOTHING
    assert rules.in_round(5, 4).tongue is TongueMeaning.SPECIES
    assert rules.in_round(5, 4).piles == 8


@pytest.mark.parametrize(
    ("edition", "advanced", "variants", "sentence"),
    [
        ("third", True, [], "There is no edition “third”: choose one of first, second."),
        ("../decks/first", True, [], "There is no edition"),
        ("second", True, [Variant.FOUR_LINES, Variant.EIGHT_LINES], "four lines or eight"),
        ("second", False, [Variant.FIRST_GAME], "A first game adds the advanced cards"),
        ("first", True, [Variant.FIRST_GAME], "A first game adds the advanced cards"),
    ],
)
def test_contradictory_rules_are_refused(
    edition: str, *, advanced: bool, variants: list[Variant], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence.replace(".", r"\.")):
        rules_for(edition, advanced=advanced, variants=variants)


def test_first_edition_has_no_basic_game() -> None:
    assert rules_for("first", advanced=False) == rules_for("first")


@pytest.mark.parametrize(("name", "lots"), [("first", (111, 0)), ("second", (72, 39))])
def test_bundled_decks_match_the_box(name: str, lots: tuple[int, int]) -> None:
    deck = load_deck(name)
    assert deck.reconstruction
    assert deck.edition == name
    assert (len(deck.cards), len(deck.advanced)) == lots
    assert {type(card) for card in deck.cards + deck.advanced} == set(CARD_KINDS)
    assert (deck.cards + deck.advanced).count(HunterCard()) == 10
    for lot in (deck.cards, deck.advanced):
        assert lot.count(parse_card("MOOSE*2")) == lot.count(parse_card("RABBIT*2"))


def test_basic_cards_of_the_second_edition_have_basic_patterns() -> None:
    """Cards with open spread or form are basic; tongues, ×2, open direction and open place are advanced."""
    deck = load_deck("second")
    basic = " ".join(map(str, deck.cards))
    assert not any(text in basic for text in ("TONGUE", "*2", "W?", "C?", "?S", "?F"))
    advanced = " ".join(map(str, deck.advanced))
    assert not any(text in advanced for text in ("?U", "?D", "T?", "S?"))


def test_double_card_of_the_first_edition_has_one_value() -> None:
    doubles = [card for card in load_deck("first").cards if isinstance(card, DoubleCard)]
    assert doubles
    assert all(card.left == card.right for card in doubles)


HEAD = 'title = "Our box"\nedition = "second"\n'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "“edition” is missing or wrong: it has to be text in quotes"),
        (b"\xff\xfe", "is no text"),
        (b"cards = [", "is no valid TOML"),
        (b'edition = "third"', "there is no edition “third”: write one of first, second"),
        (b'edition = "second"\ncards = ["HUNTER"]', "“title” is missing or wrong"),
        (HEAD.encode(), "“cards” is missing or wrong: it has to be a list of rows in quotes"),
        (f'{HEAD}cards = "HUNTER"'.encode(), "“cards” is missing or wrong"),
        (f"{HEAD}cards = []".encode(), "“cards” holds no cards"),
        (f'{HEAD}cards = ["HUNTER", 3]'.encode(), "row 2 of “cards” is no text"),
        (f'{HEAD}cards = ["HUNTER", "L.WU+1 L.WX+1"]'.encode(), "row 2 of “cards”: “WX” is not a card’s headgear"),
        (f'{HEAD}cards = ["HUNTER", "L.WU+1 L.WX+1"]'.encode(), "at character 10 of “L.WU+1 L.WX+1”"),
        (f'{HEAD}cards = ["HUNTER"]\nadvanced = ["L.WU+"]'.encode(), "row 1 of “advanced”: a value is missing"),
        (f'{HEAD}cards = ["HUNTER"]\ncolour = "red"'.encode(), "“colour” is nothing that a deck has"),
        (f"{HEAD}cards = {['HUNTER'] * 1001}".encode(), "“cards” holds more than 1000 cards"),
        (f'{HEAD}reconstruction = "yes"\ncards = ["HUNTER"]'.encode(), "“reconstruction” is missing or wrong"),
    ],
)
def test_error_in_a_deck_file_names_problem_and_place(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(content)
    with pytest.raises(DeckError) as caught:
        read_deck(path)
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)


def test_missing_deck_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="cannot be read"):
        read_deck(tmp_path / "nothing.toml")
    with pytest.raises(DeckError, match="cannot be read"):
        read_deck(tmp_path)
    with pytest.raises(InputError, match="There is no deck “third”: choose one of first, second"):
        load_deck("third")


def test_custom_deck_is_read(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text(f'{HEAD}cards = ["L.WU+1 L.WU+1", "R.TS+2"]\nadvanced = ["HUNTER"]', encoding="utf-8")
    deck = read_deck(path)
    assert [str(card) for card in deck.cards] == ["L.WU+1", "L.WU+1", "R.TS+2"]
    assert not deck.reconstruction


def test_every_edition_has_a_deck() -> None:
    assert edition_names() == deck_names() == ("first", "second")
    assert all(isinstance(rules_for(name), Rules) for name in edition_names())


SECOND = load_deck("second")


def faults(deck: Deck) -> list[str]:
    return [finding.sentence for finding in check_deck(deck) if not finding.holds]


@pytest.mark.parametrize("name", ["first", "second"])
def test_bundled_decks_pass_the_check(name: str) -> None:
    assert faults(load_deck(name)) == []


def test_check_of_a_small_deck_lists_everything_missing() -> None:
    deck = replace(SECOND, cards=parse_table("L.WU+1 L.WU+1 R.TS+2"), advanced=parse_table("HUNTER"))
    assert faults(deck) == [
        "4 cards, the box holds 111",
        "1 of them advanced, the box holds 39",
        "0 hunters among the cards always played, so that every deal ends",
        "no double, no tongue, no rabbit or moose, no ×2, no ± card",
        "left and right alike",
        "antlers and ears alike in number and values",
    ]


@pytest.mark.parametrize(
    ("old", "new", "problems"),
    [
        ("L.WU+2", "R.WU+2", ["left and right alike"]),
        ("L.WU+2 R.WU+2", "L.TS+2 R.TS+2", ["antlers and ears alike in number and values"]),
        ("L.WU+2 R.WU+2", "L.WU+3 R.WU+3", ["antlers and ears alike in number and values"]),
    ],
)
def test_check_reports_exchanged_cards(old: str, new: str, problems: list[str]) -> None:
    cards = list(SECOND.cards)
    for taken in parse_table(old):
        cards.remove(taken)
    assert faults(replace(SECOND, cards=(*cards, *parse_table(new)))) == problems


def test_every_kind_of_card_has_a_name() -> None:
    assert set(CARD_KINDS) == set(get_args(Card))
