"""The evening: events in, state out. Holds legality, undo and correction; scoring.py makes the points."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, wrong_players
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    GameStarted,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.ranking import ranking
from bunnymoose_cv.rules.round import Round, RoundFacts, play_round
from bunnymoose_cv.rules.trail import Trail

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.events import Correction, Event, RoundEvent
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.ranking import Standing

RULES_VERSION = 1
"""Rises when the same events would lead to another state; kept beside every stored game."""


class Illegality(Enum):
    """Every reason why an event cannot follow on those before it."""

    NOT_STARTED = "not started"
    ALREADY_STARTED = "already started"
    WRONG_PLAYERS = "wrong players"
    GAME_OVER = "game over"
    NOTHING_TO_UNDO = "nothing to undo"
    BET_TOO_LATE = "bet too late"
    NOBODY_TO_BET_ON = "nobody to bet on"
    NOT_THE_TOP_CARD = "not the top card"
    CARDS_LEFT = "cards left"
    WRONG_CARDS = "wrong cards"
    WRONG_PILES = "wrong piles"
    NOTHING_LAID = "nothing laid"
    AFTER_BAM = "after Bam"
    BEFORE_BAM = "before Bam"
    NOT_SEATED = "not seated"
    ALREADY_JUDGED = "already judged"
    NOT_JUDGED = "not judged"
    NO_SUCH_ROUND = "no such round"


class IllegalEventError(InputError):
    """An event that cannot follow on those before it.

    Attributes:
        reason: the name of the reason.
    """

    def __init__(self, reason: Illegality, sentence: Phrase) -> None:
        self.reason = reason
        super().__init__(sentence)


class Phase(Enum):
    """Next event that the table waits for."""

    BETTING = "the bet and the first card"
    DEALING = "further cards, until Bam"
    FROZEN = "what the players show"
    OVER = "nothing"


@dataclass(frozen=True, slots=True)
class Game:
    """State of the evening.

    Attributes:
        players: round the table, from the first narrator to the narrator's left.
        rules: what the game is played by.
        colours: of everybody's figures, by number; none where nobody told.
        rounds: those that are over, with everything that followed from them.
        phase: what the table waits for.
        bet: whom the narrator bet on in the open round.
        piles: the top card of each pile, as it was laid.
        laid: how many cards the open round has laid on piles.
        poses: what was judged so far in the open round.
        draw: what is left of the shuffled deck, the next card first.
        used: the drawn cards that were covered or put aside.
    """

    players: tuple[str, ...]
    rules: Rules
    colours: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    phase: Phase = Phase.BETTING
    bet: str | None = None
    piles: tuple[CardLaid, ...] = ()
    laid: int = 0
    poses: Mapping[str, Pose] = field(default_factory=dict)
    draw: Table = ()
    used: Table = ()

    @property
    def round_number(self) -> int:
        """The open round, counted from 1; when the game is over, the last one."""
        return len(self.rounds) + (self.phase is not Phase.OVER)

    @property
    def narrator(self) -> str:
        """Narrator of the open round."""
        return self._circle[0]

    @property
    def seats(self) -> tuple[str, ...]:
        """The other players in scoring order; the first has seat 1."""
        return self._circle[1:]

    @property
    def _circle(self) -> tuple[str, ...]:
        """The players from the narrator to the left; after each round everybody moves one seat to the left."""
        turned = (self.round_number - 1) % len(self.players)
        return self.players[-turned:] + self.players[:-turned]

    @property
    def round_rules(self) -> Rules:
        """The rules of the open round."""
        return self.rules.in_round(self.round_number, len(self.players))

    @property
    def table(self) -> Table:
        """The cards that show on the piles."""
        return tuple(pile.card for pile in self.piles)

    @property
    def has_no_deck(self) -> bool:
        """Tell if no deck was shuffled for these rules yet: people have laid all cards so far."""
        return not self.draw and not self.used and not any(pile.from_deck for pile in self.piles)

    @property
    def first_pass(self) -> bool:
        """Tell if a pile is still without a card, so that a hunter is laid down like any card."""
        return len(self.piles) < self.rules.piles

    @property
    def trail(self) -> Trail:
        """Positions of the figures."""
        return self.rounds[-1].trail if self.rounds else Trail.start(self.rules.spaces, self.players)

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The players, best first."""
        return ranking(self.trail)


def fold(events: Iterable[Event]) -> Game:
    """The state that events lead to.

    Raises:
        IllegalEventError: an event cannot follow on those before it, or there is none.
    """
    standing: list[Game] = []
    for event in events:
        _step(standing, event)
    if not standing:
        raise IllegalEventError(Illegality.NOT_STARTED, Phrase("The game has not been started: say who plays."))
    return standing[-1]


def stands_already(game: Game, correction: Correction) -> bool:
    """Tell if a correction says what stands already, so that it changes nothing.

    Raises:
        IllegalEventError: it cannot follow on what happened.
    """
    return _correct(game, correction) == game


def as_of_today(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a file that an older program may have written as today's rules know them.

    Once cards could be put right before any lay, which was laying them all.

    Raises:
        IllegalEventError: an event cannot follow on those before it.
    """
    standing: list[Game] = []
    for event in events:
        known = event
        if isinstance(event, TableCorrected) and standing and _lacks_cards(standing[-1], event):
            known = TableLaid(event.cards)
        _step(standing, known)
        yield known


def _step(standing: list[Game], event: Event) -> None:
    """Add the state after one more event to those that can be gone back to, or go back."""
    if not isinstance(event, Undone):
        standing.append(_after(standing[-1] if standing else None, event))
    elif len(standing) > 1:
        standing.pop()
    else:
        raise IllegalEventError(Illegality.NOTHING_TO_UNDO, Phrase("There is nothing left to undo."))


def _after(game: Game | None, event: GameStarted | RoundEvent | Correction) -> Game:
    """The state after one more event."""
    if isinstance(event, GameStarted):
        return _start(game, event)
    if game is None:
        raise IllegalEventError(Illegality.NOT_STARTED, Phrase("The game has not been started: say who plays."))
    if isinstance(event, PoseCorrected | TableCorrected | BetCorrected):
        return _correct(game, event)
    if game.phase is Phase.OVER:
        raise IllegalEventError(
            Illegality.GAME_OVER, Phrase("The game is over: start a new one, or correct a round of this one.")
        )
    return _closed_if_complete(_in_round(game, event))


def _in_round(game: Game, event: RoundEvent) -> Game:
    """The state after something in the open round."""
    match event:
        case DeckShuffled():
            return _shuffle(game, event)
        case BetPlaced():
            return _bet(game, event)
        case CardLaid():
            return _lay(game, event)
        case TableLaid():
            return _lay_all(game, event.cards)
        case Bam():
            _expect_before_bam(game)
            return replace(game, phase=Phase.FROZEN)
        case PosesJudged():
            return _judge(game, event)


def _start(game: Game | None, event: GameStarted) -> Game:
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
    _expect_bet_on_seat(event.player, game.seats)
    return replace(game, bet=event.player)


def _expect_bet_on_seat(player: str | None, seats: tuple[str, ...]) -> None:
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


def _lay_all(game: Game, cards: Table) -> Game:
    _expect_one_card_per_pile(cards, game.rules)
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


def _expect_one_card_per_pile(cards: Table, rules: Rules) -> None:
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
        _expect_seated(player, game.seats, game.round_number)
        if player in game.poses:
            raise IllegalEventError(
                Illegality.ALREADY_JUDGED,
                Phrase("{player} has been judged in this round: correct it instead.", player=player),
            )
    return replace(game, poses={**game.poses, **event.poses})


def _expect_seated(player: str, seats: tuple[str, ...], round_number: int) -> None:
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


def _closed_if_complete(game: Game) -> Game:
    """The round is over once Bam is said, every pile is known and everybody is judged; then the next one begins.

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


def _correct(game: Game, event: Correction) -> Game:
    """Put a round right; every later figure is made again from what people did."""
    if game.phase is not Phase.OVER and event.round_number == game.round_number:
        return _closed_if_complete(_correct_open_round(game, event))
    if not 1 <= event.round_number <= len(game.rounds):
        raise IllegalEventError(
            Illegality.NO_SUCH_ROUND,
            Phrase(
                "There is no round {wanted} yet: this is round {number}.",
                wanted=event.round_number,
                number=game.round_number,
            ),
        )
    all_facts = [each.facts for each in game.rounds]
    index = event.round_number - 1
    all_facts[index] = _corrected_facts(all_facts[index], event)
    trail = Trail.start(game.rules.spaces, game.players)
    rounds: list[Round] = []
    for facts in all_facts:
        rounds.append(play_round(trail, facts))
        trail = rounds[-1].trail
    return replace(game, rounds=tuple(rounds))


def _corrected_facts(facts: RoundFacts, event: Correction) -> RoundFacts:
    match event:
        case PoseCorrected(_, player, pose):
            _expect_seated(player, facts.seats, facts.number)
            return replace(facts, poses={**facts.poses, player: pose})
        case TableCorrected(_, cards):
            _expect_one_card_per_pile(cards, facts.rules)
            return replace(facts, cards=cards)
        case BetCorrected(_, bet):
            _expect_bet_on_seat(bet, facts.seats)
            return replace(facts, bet=bet)


def _lacks_cards(game: Game, event: Correction) -> bool:
    """Tell if a correction is about a round in which no card lies yet."""
    return game.phase is Phase.BETTING and event.round_number == game.round_number


def _correct_open_round(game: Game, event: Correction) -> Game:
    match event:
        case PoseCorrected(_, player, pose):
            _expect_seated(player, game.seats, game.round_number)
            if player not in game.poses:
                raise IllegalEventError(
                    Illegality.NOT_JUDGED,
                    Phrase("{player} has not been judged in this round: judge, then correct.", player=player),
                )
            return replace(game, poses={**game.poses, player: pose})
        case TableCorrected(_, cards):
            if _lacks_cards(game, event):
                raise IllegalEventError(
                    Illegality.NOTHING_LAID,
                    Phrase("No card lies yet in this round: lay the cards first, then put them right."),
                )
            return _lay_all(game, cards)
        case BetCorrected(_, bet):
            _expect_bet_on_seat(bet, game.seats)
            return replace(game, bet=bet)
