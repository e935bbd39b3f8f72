"""Legality and effect of each event of the open round."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, wrong_players
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, DeckShuffled, PosesJudged, TableLaid
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.illegal_event import IllegalEventError, Illegality
from bunnymoose_cv.rules.round import RoundFacts, play_round

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.events import GameStarted, RoundEvent


def start_game(game: Game | None, event: GameStarted) -> Game:
    """Start the game; `game` is None unless it has been started already.

    Raises:
        IllegalEventError: it has been, or these players cannot play.
    """
    if game is not None:
        raise IllegalEventError(Illegality.ALREADY_STARTED, Phrase("The game has been started already."))
    names = event.players
    if not FEWEST_PLAYERS <= len(names) <= MOST_PLAYERS:
        raise IllegalEventError(Illegality.WRONG_PLAYERS, wrong_players(len(names)))
    if len(set(names)) < len(names) or not all(name.strip() for name in names):
        raise IllegalEventError(
            Illegality.WRONG_PLAYERS,
            Phrase("Every player needs a name of their own: {names}.", names=", ".join(names)),
        )
    if event.colours and (len(event.colours) != len(names) or len(set(event.colours)) < len(names)):
        raise IllegalEventError(
            Illegality.WRONG_PLAYERS, Phrase("Every player needs figures of a colour of their own.")
        )
    if not all(1 <= colour <= MOST_PLAYERS for colour in event.colours):
        raise IllegalEventError(
            Illegality.WRONG_PLAYERS,
            Phrase("The figures have {colours} colours, numbered from 1: choose among them.", colours=MOST_PLAYERS),
        )
    return Game(names, event.rules, event.colours)


def apply_round_event(game: Game, event: RoundEvent) -> Game:
    """Apply an event of the open round, and close the round once it is complete.

    Raises:
        IllegalEventError: it cannot follow on those before it.
    """
    return closed_if_complete(_in_round(game, event))


def _in_round(game: Game, event: RoundEvent) -> Game:
    match event:
        case DeckShuffled():
            return _shuffle(game, event)
        case BetPlaced():
            return _bet(game, event)
        case CardLaid():
            return _lay(game, event)
        case TableLaid():
            return lay_all(game, event.cards)
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
            Illegality.CARDS_LEFT,
            Phrase("{count} cards are left to deal: shuffle when there are none.", count=len(game.draw)),
        )
    if Counter(event.cards) != Counter(game.used):
        raise IllegalEventError(
            Illegality.WRONG_CARDS,
            Phrase("In the middle of a deal all used cards are shuffled, and no others: count again."),
        )
    return replace(game, draw=event.cards, used=())


def _bet(game: Game, event: BetPlaced) -> Game:
    if game.phase is not Phase.BETTING:
        raise IllegalEventError(
            Illegality.BET_TOO_LATE,
            Phrase("The deal has begun: a bet is placed before the first card, or put right later."),
        )
    expect_bet_on_seat(event.player, game.seats)
    return replace(game, bet=event.player)


def expect_bet_on_seat(player: str | None, seats: tuple[str, ...]) -> None:
    """Refuse a bet on somebody who has no seat."""
    if player is not None and player not in seats:
        raise IllegalEventError(
            Illegality.NOBODY_TO_BET_ON,
            Phrase("Nobody can bet on “{player}” in this round: choose {names}.", player=player, names=_either(seats)),
        )


def _lay(game: Game, event: CardLaid) -> Game:
    """A card on the next pile; what lies on a pile still unknown at Bam may be told after it."""
    if event.from_deck or not game.first_pass:
        _expect_before_bam(game)
    if event.from_deck:
        if game.draw[:1] != (event.card,):
            raise IllegalEventError(Illegality.NOT_THE_TOP_CARD, _not_the_top_card(game.draw, event.card))
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


def lay_all(game: Game, cards: Table) -> Game:
    """Lay a card on each pile, in place of what was known of them."""
    expect_one_card_per_pile(cards, game.rules)
    return replace(
        game,
        phase=Phase.FROZEN if game.phase is Phase.FROZEN else Phase.DEALING,
        piles=tuple(map(CardLaid, cards)),
        laid=max(game.laid, len(cards)),
        used=game.used + _cards_of_deck(game.piles),
    )


def _cards_of_deck(laid: Iterable[CardLaid]) -> Table:
    """The cards among those laid that go back into the deck one day."""
    return tuple(each.card for each in laid if each.from_deck)


def expect_one_card_per_pile(cards: Table, rules: Rules) -> None:
    """Refuse another number of cards than there are piles."""
    if len(cards) != rules.piles:
        raise IllegalEventError(
            Illegality.WRONG_PILES,
            Phrase(
                "{piles} cards lie on the table, one per pile, not {count}: check them.",
                piles=rules.piles,
                count=len(cards),
            ),
        )


def _expect_before_bam(game: Game) -> None:
    if game.phase is Phase.FROZEN:
        raise IllegalEventError(
            Illegality.AFTER_BAM, Phrase("Bam has been said: the deal is over until everybody is judged.")
        )


def _judge(game: Game, event: PosesJudged) -> Game:
    if game.phase is not Phase.FROZEN:
        raise IllegalEventError(Illegality.BEFORE_BAM, Phrase("Nobody is judged before Bam has been said."))
    for player in event.poses:
        expect_seated(player, game.seats, game.round_number)
        if player in game.poses:
            raise IllegalEventError(
                Illegality.ALREADY_JUDGED,
                Phrase("{player} has been judged in this round: correct it instead.", player=player),
            )
    return replace(game, poses={**game.poses, **event.poses})


def expect_seated(player: str, seats: tuple[str, ...], round_number: int) -> None:
    """Refuse a pose of somebody who has no seat in the round."""
    if player not in seats:
        raise IllegalEventError(
            Illegality.NOT_SEATED,
            Phrase(
                "“{player}” shows nothing in round {number}: choose {names}.",
                player=player,
                number=round_number,
                names=_either(seats),
            ),
        )


def _either(names: tuple[str, ...]) -> Phrase:
    return Phrase("{others} or {last}", others=", ".join(names[:-1]), last=names[-1])


def closed_if_complete(game: Game) -> Game:
    """Close the round once Bam is said, every pile is known and everybody is judged; then the next one begins.

    Where that is played with other cards (the advanced half of a first game) the old deck is put away.
    """
    if game.phase is not Phase.FROZEN or game.first_pass or len(game.poses) < len(game.seats):
        return game
    facts = RoundFacts(
        number=game.round_number,
        narrator=game.narrator,
        seats=game.seats,
        bet=game.bet,
        cards=game.table,
        poses=game.poses,
        rules=game.round_rules,
    )
    rounds = (*game.rounds, play_round(game.trail, facts))
    over = len(rounds) == game.rules.rounds(len(game.players))
    following = Game(game.players, game.rules, game.colours, rounds, Phase.OVER if over else Phase.BETTING)
    if following.round_rules != game.round_rules:
        return following
    return replace(following, draw=game.draw, used=game.used + _cards_of_deck(game.piles))
