"""The open round: legality and effect of each event, and dealing of the next card."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import Card, HunterCard, Table
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Deck, Rules, wrong_players
from bunnymoose_cv.rules.events import (
    Bam,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    Event,
    GameStarted,
    IllegalEventError,
    PosesJudged,
    RoundEvent,
    TableLaid,
)
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.round import play_round

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random


def start_game(game: Game | None, event: GameStarted) -> Game:
    """Start the game; raise an `IllegalEventError` if it already has a state, or these players cannot play."""
    if game is not None:
        raise IllegalEventError(Phrase("The game has already started."))
    names = event.players
    if not FEWEST_PLAYERS <= len(names) <= MOST_PLAYERS:
        raise IllegalEventError(wrong_players(len(names)))
    if len(set(names)) < len(names) or not all(name.strip() for name in names):
        raise IllegalEventError(Phrase("Every player needs a name of their own: {names}.", names=", ".join(names)))
    if event.colours and (len(event.colours) != len(names) or len(set(event.colours)) < len(names)):
        raise IllegalEventError(Phrase("Every player needs figures of a colour of their own."))
    if not all(1 <= colour <= MOST_PLAYERS for colour in event.colours):
        raise IllegalEventError(
            Phrase("The figures have {colours} colours, numbered from 1: choose among them.", colours=MOST_PLAYERS)
        )
    return Game(names, event.rules, event.colours)


def apply_round_event(game: Game, event: RoundEvent) -> Game:
    """Apply an event of the open round, or raise an `IllegalEventError`; close the round once it is complete."""
    return closed_if_complete(_in_round(game, event))


def _in_round(game: Game, event: RoundEvent) -> Game:
    match event:
        case DeckShuffled():
            return _shuffle(game, event)
        case BetPlaced():
            return _bet(game, event)
        case CardLaid():
            return _apply_card(game, event)
        case TableLaid():
            return apply_table(game, event.cards)
        case Bam():
            _expect_before_bam(game)
            return replace(game, phase=Phase.FROZEN)
        case PosesJudged():
            return _judge(game, event)


def _shuffle(game: Game, event: DeckShuffled) -> Game:
    if game.phase is Phase.BETTING:
        return replace(game, draw=event.cards, used=())
    _expect_before_bam(game)
    if game.has_no_deck:
        return replace(game, draw=event.cards)
    if game.draw:
        raise IllegalEventError(
            Phrase("{count} cards are left to deal: shuffle when there are none.", count=len(game.draw))
        )
    if Counter(event.cards) != Counter(game.used):
        raise IllegalEventError(
            Phrase("In the middle of a deal all used cards are shuffled, and no others: count again.")
        )
    return replace(game, draw=event.cards, used=())


def _bet(game: Game, event: BetPlaced) -> Game:
    if game.phase is not Phase.BETTING:
        raise IllegalEventError(Phrase("The deal has begun: bet before the first card, or correct the bet later."))
    expect_bet_on_seat(event.player, game.seats)
    return replace(game, bet=event.player)


def expect_bet_on_seat(player: str | None, seats: tuple[str, ...]) -> None:
    """Raise an `IllegalEventError` for a bet on a player without a seat."""
    if player is not None and player not in seats:
        raise IllegalEventError(
            Phrase("Nobody can bet on “{player}” in this round: choose {names}.", player=player, names=_either(seats))
        )


def _apply_card(game: Game, event: CardLaid) -> Game:
    """Lay a card on the next pile; cards of piles still unknown at Bam may be entered after it."""
    if event.from_deck or not game.first_pass:
        _expect_before_bam(game)
    if event.from_deck:
        if game.draw[:1] != (event.card,):
            raise IllegalEventError(_not_the_top_card(game.draw, event.card))
        game = replace(game, draw=game.draw[1:])
    if isinstance(event.card, HunterCard) and not game.first_pass:
        return replace(game, phase=Phase.FROZEN, used=game.used + _cards_of_deck((event,)))
    pile = game.laid % game.rules.piles
    covered = game.piles[pile : pile + 1]
    return replace(
        game,
        phase=Phase.FROZEN if game.phase is Phase.FROZEN else Phase.DEALING,
        piles=(*game.piles[:pile], event, *game.piles[pile + 1 :]),
        laid=game.laid + 1,
        used=game.used + _cards_of_deck(covered),
    )


def _not_the_top_card(draw: Table, card: Card) -> Phrase:
    if not draw:
        return Phrase("{card} cannot be dealt: the deck has run out.", card=str(card))
    return Phrase("{card} cannot be dealt: the next card is {top}.", card=str(card), top=str(draw[0]))


def apply_table(game: Game, cards: Table) -> Game:
    """Lay a card on each pile, in place of the cards known before."""
    expect_one_card_per_pile(cards, game.rules)
    return replace(
        game,
        phase=Phase.FROZEN if game.phase is Phase.FROZEN else Phase.DEALING,
        piles=tuple(map(CardLaid, cards)),
        laid=max(game.laid, len(cards)),
        used=game.used + _cards_of_deck(game.piles),
    )


def _cards_of_deck(laid: Iterable[CardLaid]) -> Table:
    """Return the laid cards that came from the deck and will be shuffled again."""
    return tuple(event.card for event in laid if event.from_deck)


def expect_one_card_per_pile(cards: Table, rules: Rules) -> None:
    """Raise an `IllegalEventError` unless there are as many cards as piles."""
    if len(cards) != rules.piles:
        raise IllegalEventError(
            Phrase(
                "{piles} cards are on the table, one per pile, not {count}: check them.",
                piles=rules.piles,
                count=len(cards),
            )
        )


def _expect_before_bam(game: Game) -> None:
    if game.phase is Phase.FROZEN:
        raise IllegalEventError(Phrase("Bam has been said: nothing is dealt until everybody is judged."))


def _judge(game: Game, event: PosesJudged) -> Game:
    if game.phase is not Phase.FROZEN:
        raise IllegalEventError(Phrase("Nobody is judged before Bam has been said."))
    for player in event.poses:
        expect_seated(player, game.seats, game.round_number)
        if player in game.poses:
            raise IllegalEventError(
                Phrase("{player} has been judged in this round: correct it instead.", player=player)
            )
    return replace(game, poses={**game.poses, **event.poses})


def expect_seated(player: str, seats: tuple[str, ...], round_number: int) -> None:
    """Raise an `IllegalEventError` for a pose of a player without a seat in the round."""
    if player not in seats:
        raise IllegalEventError(
            Phrase(
                "“{player}” shows nothing in round {number}: choose {names}.",
                player=player,
                number=round_number,
                names=_either(seats),
            )
        )


def _either(names: tuple[str, ...]) -> Phrase:
    return Phrase("{others} or {last}", others=", ".join(names[:-1]), last=names[-1])


def closed_if_complete(game: Game) -> Game:
    """Close the round once Bam is said, every pile is known and all players are judged; then the next one begins.

    If the next round is played with other cards (the advanced half of a first game), the old deck is discarded.
    """
    if game.phase is not Phase.FROZEN or game.first_pass or len(game.poses) < len(game.seats):
        return game
    rounds = (*game.rounds, play_round(game.trail, game.open_facts))
    over = len(rounds) == game.rules.rounds(len(game.players))
    following = Game(game.players, game.rules, game.colours, rounds, Phase.OVER if over else Phase.BETTING)
    if following.round_rules != game.round_rules:
        return following
    return replace(following, draw=game.draw, used=game.used + _cards_of_deck(game.piles))


def shuffled(cards: Table, random: Random) -> Table:
    """Return the same cards in a random order."""
    order = list(cards)
    random.shuffle(order)
    return tuple(order)


def new_deck(game: Game, deck: Deck, random: Random) -> DeckShuffled:
    """Shuffle all cards of the open round's rules, except those that players have already laid on the piles."""
    cards = list(game.round_rules.cards(deck))
    for card in game.table:
        if card in cards:
            cards.remove(card)
    return DeckShuffled(shuffled(tuple(cards), random))


def deal(game: Game, deck: Deck, random: Random) -> tuple[Event, ...]:
    """Return the events of the next dealt card, preceded by a shuffling if one is due.

    All cards are shuffled before the first one is dealt and when the advanced half of the game begins. The used ones
    are shuffled when the deck has run out.

    Raises:
        InputError: no card is left to deal, because the deck has fewer cards than there are piles.
    """
    if game.has_no_deck:
        shuffling = new_deck(game, deck, random)
    elif not game.draw:
        shuffling = DeckShuffled(shuffled(game.used, random))
    else:
        return (CardLaid(game.draw[0], from_deck=True),)
    if not shuffling.cards:
        raise InputError(
            Phrase(
                "The deck “{deck}” has too few cards for {piles} piles: add some.",
                deck=deck.title,
                piles=game.rules.piles,
            )
        )
    return (shuffling, CardLaid(shuffling.cards[0], from_deck=True))
