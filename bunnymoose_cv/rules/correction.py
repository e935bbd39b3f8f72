"""Legality and effect of a correction: every later figure is computed again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.illegal_event import IllegalEventError, Illegality
from bunnymoose_cv.rules.open_round import (
    closed_if_complete,
    expect_bet_on_seat,
    expect_one_card_per_pile,
    expect_seated,
    lay_all,
)
from bunnymoose_cv.rules.round import Round, RoundFacts, play_round
from bunnymoose_cv.rules.trail import Trail

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Correction


def apply_correction(game: Game, event: Correction) -> Game:
    """Put a round right; every later figure is made again from what people did."""
    if game.phase is not Phase.OVER and event.round_number == game.round_number:
        return closed_if_complete(_correct_open_round(game, event))
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
    all_facts[index] = _correct_facts(all_facts[index], event)
    trail = Trail.start(game.rules.spaces, game.players)
    rounds: list[Round] = []
    for facts in all_facts:
        rounds.append(play_round(trail, facts))
        trail = rounds[-1].trail
    return replace(game, rounds=tuple(rounds))


def _correct_facts(facts: RoundFacts, event: Correction) -> RoundFacts:
    match event:
        case PoseCorrected(_, player, pose):
            expect_seated(player, facts.seats, facts.number)
            return replace(facts, poses={**facts.poses, player: pose})
        case TableCorrected(_, cards):
            expect_one_card_per_pile(cards, facts.rules)
            return replace(facts, cards=cards)
        case BetCorrected(_, bet):
            expect_bet_on_seat(bet, facts.seats)
            return replace(facts, bet=bet)


def _correct_open_round(game: Game, event: Correction) -> Game:
    match event:
        case PoseCorrected(_, player, pose):
            expect_seated(player, game.seats, game.round_number)
            if player not in game.poses:
                raise IllegalEventError(
                    Illegality.NOT_JUDGED,
                    Phrase("{player} has not been judged in this round: judge, then correct.", player=player),
                )
            return replace(game, poses={**game.poses, player: pose})
        case TableCorrected(_, cards):
            if lacks_cards(game, event):
                raise IllegalEventError(
                    Illegality.NOTHING_LAID,
                    Phrase("No card lies yet in this round: lay the cards first, then put them right."),
                )
            return lay_all(game, cards)
        case BetCorrected(_, bet):
            expect_bet_on_seat(bet, game.seats)
            return replace(game, bet=bet)


def lacks_cards(game: Game, event: Correction) -> bool:
    """Tell if a correction is about a round in which no card lies yet."""
    return game.phase is Phase.BETTING and event.round_number == game.round_number
