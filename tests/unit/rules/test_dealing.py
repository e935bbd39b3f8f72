"""Dealing: randomly dealt evenings lose no card, and one of them is compared with a golden file.

`python tests/unit/rules/test_dealing.py` rewrites the golden file; review the difference.
"""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import HunterCard, format_table, parse_table
from bunnymoose_cv.rules.deck import Deck, Rules, Variant, load_deck, rules_for
from bunnymoose_cv.rules.events import BetPlaced, CardLaid, DeckShuffled, Event, GameStarted, PosesJudged
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.open_round import deal, new_deck, shuffled
from bunnymoose_cv.rules.pose import ALL_POSES, Animal
from bunnymoose_cv.rules.round import Round

FOUR = ("Red", "Blue", "Green", "Yellow")
ANIMALS = [pose for pose in ALL_POSES if pose.animal is not Animal.BUSH]
SHOWN = [*ANIMALS, *(pose for pose in ALL_POSES[::10] if pose.animal is Animal.BUSH)]
GOLDEN = Path(__file__).parent / "golden" / "evening.txt"


def play_evening(rules: Rules, deck: Deck, random: Random) -> tuple[list[Event], list[Game]]:
    """Return the events of a whole random evening, and the state after each step."""
    events: list[Event] = [GameStarted(FOUR, rules)]
    games = [fold(events)]
    while (game := games[-1]).phase is not Phase.OVER:
        if game.phase is Phase.FROZEN:
            events.append(PosesJudged({player: random.choice(SHOWN) for player in game.seats}))
        elif game.phase is Phase.BETTING and game.bet is None:
            events.append(BetPlaced(random.choice(game.seats)))
        else:
            events += deal(game, deck, random)
        games.append(fold(events))
    return events, games


@pytest.mark.parametrize(
    ("edition", "variants", "fewest_decks"),
    [
        ("first", (), 2),
        ("second", (Variant.FIRST_GAME,), 2),
        ("second", (Variant.EIGHT_LINES, Variant.NO_REVERSAL), 2),
        ("second", (Variant.FOUR_LINES, Variant.NO_TIMES_TWO), 1),
    ],
)
def test_dealing_loses_or_duplicates_no_card(edition: str, variants: tuple[Variant, ...], fewest_decks: int) -> None:
    rules, deck = rules_for(edition, variants=variants), load_deck(edition)
    events, games = play_evening(rules, deck, Random(5))
    for game in games:
        if game.phase in (Phase.DEALING, Phase.FROZEN):
            cards = Counter(game.draw) + Counter(game.used) + Counter(game.table)
            assert cards == Counter(game.round_rules.cards(deck))
    assert sum(isinstance(event, DeckShuffled) for event in events) >= fewest_decks


def test_used_cards_are_reshuffled_when_the_deck_runs_out() -> None:
    deck = Deck("Eleven cards", "second", reconstruction=False, cards=parse_table("L.WU+1 " * 11))
    events: list[Event] = [GameStarted(FOUR, rules_for("second")), DeckShuffled(deck.cards)]
    events += [CardLaid(card, from_deck=True) for card in deck.cards]
    game = fold(events)
    assert (len(game.table), len(game.used), len(game.draw)) == (6, 5, 0)
    shuffling, laying = deal(game, deck, Random(1))
    assert shuffling == DeckShuffled(deck.cards[:5])
    game = fold([*events, shuffling, laying])
    assert (len(game.table), len(game.used), len(game.draw)) == (6, 1, 4)


def test_deck_started_during_a_deal_lacks_the_laid_cards() -> None:
    rules, deck, random = rules_for(), load_deck("second"), Random(5)
    events: list[Event] = [GameStarted(FOUR, rules), *map(CardLaid, parse_table("L.WU+2 REVERSE"))]
    events += deal(fold(events), deck, random)
    game = fold(events)
    assert game.table[:2] == parse_table("L.WU+2 REVERSE")
    assert Counter(game.draw) + Counter(game.table) == Counter(rules.cards(deck))
    events += [CardLaid(parse_table("HUNTER")[0]), *deal(game, deck, random)]
    assert [pile.from_deck for pile in fold(events).piles] == [False, False, True, False, True]


def test_hunter_that_says_bam_covers_no_pile() -> None:
    deck = Deck("Seven cards", "second", reconstruction=False, cards=parse_table("L.WU+1 " * 6 + "HUNTER"))
    events: list[Event] = [GameStarted(FOUR, rules_for("second")), DeckShuffled(deck.cards)]
    events += [CardLaid(card, from_deck=True) for card in deck.cards]
    game = fold(events)
    assert game.phase is Phase.FROZEN
    assert game.table == deck.cards[:6]
    assert game.used == (HunterCard(),)


def test_advanced_cards_are_added_after_everyone_has_narrated() -> None:
    rules = rules_for("second", variants=[Variant.FIRST_GAME])
    deck = load_deck("second")
    _, games = play_evening(rules, deck, Random(2))
    basic, full = Counter(deck.cards), Counter(deck.cards + deck.advanced)
    for game in games:
        cards = Counter(game.draw) + Counter(game.used) + Counter(game.table)
        if game.phase is Phase.DEALING:
            assert cards == (basic if game.round_number <= len(FOUR) else full)


def test_advanced_cards_are_added_even_if_players_lay_the_first_card() -> None:
    rules, deck, random = rules_for("second", variants=[Variant.FIRST_GAME]), load_deck("second"), Random(3)
    events: list[Event] = [GameStarted(FOUR, rules)]
    while len((game := fold(events)).rounds) < len(FOUR):
        poses = PosesJudged(dict.fromkeys(game.seats, SHOWN[0]))
        events += [poses] if game.phase is Phase.FROZEN else deal(game, deck, random)
    events.append(CardLaid(deck.advanced[0]))
    events += deal(fold(events), deck, random)
    game = fold(events)
    assert [pile.from_deck for pile in game.piles] == [False, True]
    assert Counter(game.draw) + Counter(game.table) == Counter(deck.cards + deck.advanced)


def test_narrator_can_shuffle_all_cards_before_a_round() -> None:
    deck = load_deck("second")
    events: list[Event] = [GameStarted(FOUR, rules_for("second", advanced=False))]
    events += deal(fold(events), deck, Random(1))
    while fold(events).phase is not Phase.FROZEN:
        events += deal(fold(events), deck, Random(1))
    events.append(PosesJudged(dict.fromkeys(fold(events).seats, SHOWN[0])))
    game = fold([*events, new_deck(fold(events), deck, Random(2))])
    assert Counter(game.draw) == Counter(deck.cards)
    assert game.used == ()


def test_deck_smaller_than_the_table_is_refused() -> None:
    deck = Deck("Five cards", "second", reconstruction=False, cards=parse_table("L.WU+1 " * 5))
    events: list[Event] = [GameStarted(FOUR, rules_for("second"))]
    for _ in range(5):
        events += deal(fold(events), deck, Random(1))
    with pytest.raises(InputError, match="“Five cards” has too few cards for 6 piles"):
        deal(fold(events), deck, Random(1))


def test_shuffling_depends_only_on_the_given_random() -> None:
    deck = load_deck("second")
    assert shuffled(deck.cards, Random(4)) == shuffled(deck.cards, Random(4))
    assert shuffled(deck.cards, Random(4)) != shuffled(deck.cards, Random(5))
    assert Counter(shuffled(deck.cards, Random(4))) == Counter(deck.cards)


def golden_text() -> str:
    events, _ = play_evening(rules_for("second"), load_deck("second"), Random(2026))
    game = fold(events)
    lines = [line for played in game.rounds for line in round_lines(played)]
    lines += [
        f"{standing.place}. {standing.player}: rear {standing.rear}, front {standing.front}"
        for standing in game.ranking
    ]
    return "\n".join(lines) + "\n"


def round_lines(played: Round) -> list[str]:
    facts = played.facts
    lines = [
        f"Round {facts.number}: {facts.narrator} narrates and bets on {facts.bet}",
        f"  {format_table(facts.cards)}",
    ]
    for verdict in played.verdicts:
        total = "both back 1" if verdict.score.total is None else f"{verdict.score.total:+d}"
        lines.append(
            f"  {verdict.seat} {verdict.player:7} {verdict.score.pose!s:8} {verdict.score.species.value:7}{total}"
        )
    lines += [
        f"    {move.figure.player}'s {move.figure.animal.value} {move.spaces:+d} to {move.place} ({move.cause.value})"
        for move in played.moves
    ]
    places = played.trail.places
    for animal in (Animal.MOOSE, Animal.RABBIT):
        row = "  ".join(f"{figure.player} {place}" for figure, place in places.items() if figure.animal is animal)
        lines.append(f"  {animal.value:7}{row}")
    return lines


def test_randomly_dealt_evening_matches_golden_file() -> None:
    assert golden_text() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
