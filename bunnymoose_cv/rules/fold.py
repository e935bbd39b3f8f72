"""Fold of events into the state of a game and its provenance, with undo and corrections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.events import (
    BetCorrected,
    Correction,
    Event,
    GameStarted,
    IllegalEventError,
    PoseCorrected,
    PosesJudged,
    RoundEvent,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.open_round import (
    apply_round_event,
    apply_table,
    closed_if_complete,
    expect_bet_on_seat,
    expect_one_card_per_pile,
    expect_seated,
    start_game,
)
from bunnymoose_cv.rules.provenance import BY_CAMERA, BamMark, PoseSource, Provenance
from bunnymoose_cv.rules.round import Round, RoundFacts, play_round
from bunnymoose_cv.rules.trail import Trail

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


RULES_VERSION = 1
"""Version of the fold, stored with every game; it rises when the same events would lead to another state."""


@dataclass(frozen=True, slots=True)
class _Step:
    """Event that has not been undone, with the state after it."""

    event: Event
    author: str
    game: Game


def fold(events: Iterable[Event], authors: Iterable[str] | None = None) -> Game:
    """Fold events into the state of the game.

    Args:
        authors: the author of each event, for the provenance; None if they do not matter.

    Raises:
        IllegalEventError: an event cannot follow those before it, or `events` is empty.
    """
    steps: list[_Step] = []
    for event, author in zip(events, repeat("") if authors is None else authors, strict=False):
        _step(steps, event, author)
    if not steps:
        raise IllegalEventError(Phrase("The game has not started: say who plays."))
    return steps[-1].game


def changes_nothing(game: Game, correction: Correction) -> bool:
    """Return whether a correction agrees with the state; raise an `IllegalEventError` if it cannot follow."""
    return _apply_correction(game, correction) == game


def migrate_events(events: Iterable[Event]) -> Iterator[Event]:
    """Migrate the events of a file, which an older version may have written, to today's rules.

    An older version accepted a correction of the cards before any were laid; it becomes a laying of all cards.
    """
    steps: list[_Step] = []
    for event in events:
        known = event
        if isinstance(event, TableCorrected) and steps and _lacks_cards(steps[-1].game, event):
            known = TableLaid(event.cards)
        _step(steps, known, "")
        yield known


def _step(steps: list[_Step], event: Event, author: str) -> None:
    """Push the next event onto the undo stack, or pop one if the event is an undo."""
    if not isinstance(event, Undone):
        before = steps[-1].game if steps else None
        game = _apply(before, event)
        if before is not None:
            game = replace(game, provenance=_provenance(before, game, event, author, len(steps)))
        steps.append(_Step(event, author, game))
    elif len(steps) > 1:
        undone = steps.pop()
        if isinstance(undone.event, PosesJudged) and undone.author in BY_CAMERA:
            steps[-1] = _with_undone(steps[-1], undone.event)
    else:
        raise IllegalEventError(Phrase("There is nothing left to undo."))


def _with_undone(step: _Step, verdicts: PosesJudged) -> _Step:
    """Return a step that records the undo of verdicts after it."""
    provenance = step.game.provenance
    undone = provenance.undone_verdicts.union(verdicts.poses)
    return replace(step, game=replace(step.game, provenance=replace(provenance, undone_verdicts=undone)))


def _provenance(before: Game, after: Game, event: Event, author: str, index: int) -> Provenance:
    """Return the provenance of the state after an event, which is the one with this index in the undo stack."""
    known, number = before.provenance, before.round_number
    match event:
        case PosesJudged(poses):
            sources = {(number, player): PoseSource(index, author, author) for player in poses}
            undone = known.undone_verdicts.difference(poses)
            known = replace(known, sources={**known.sources, **sources}, undone_verdicts=undone)
        case PoseCorrected(corrected, player):
            source = replace(known.sources[corrected, player], author=author)
            known = replace(known, sources={**known.sources, (corrected, player): source})
    bam = known.dismissible_bam
    if after.phase is Phase.FROZEN and before.phase is not Phase.FROZEN:
        return replace(known, dismissible_bam=BamMark(number, index))
    if bam is not None and isinstance(event, RoundEvent) and len(before.rounds) >= bam.round_number:
        return replace(known, dismissible_bam=None)
    return known


def _apply(game: Game | None, event: GameStarted | RoundEvent | Correction) -> Game:
    if isinstance(event, GameStarted):
        return start_game(game, event)
    if game is None:
        raise IllegalEventError(Phrase("The game has not started: say who plays."))
    if isinstance(event, Correction):
        return _apply_correction(game, event)
    if game.phase is Phase.OVER:
        raise IllegalEventError(Phrase("The game is over: start a new one, or correct a round of this one."))
    return apply_round_event(game, event)


def _apply_correction(game: Game, event: Correction) -> Game:
    """Correct a round, and compute all later rounds again from their facts."""
    if game.phase is not Phase.OVER and event.round_number == game.round_number:
        return closed_if_complete(_correct_open_round(game, event))
    if not 1 <= event.round_number <= len(game.rounds):
        raise IllegalEventError(
            Phrase(
                "There is no round {wanted} yet: this is round {number}.",
                wanted=event.round_number,
                number=game.round_number,
            )
        )
    trail = Trail.start(game.rules.spaces, game.players)
    rounds: list[Round] = []
    for played in game.rounds:
        is_corrected = played.facts.number == event.round_number
        rounds.append(play_round(trail, _correct_facts(played.facts, event) if is_corrected else played.facts))
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
                    Phrase("{player} has not been judged in this round: judge, then correct.", player=player)
                )
            return replace(game, poses={**game.poses, player: pose})
        case TableCorrected(_, cards):
            if _lacks_cards(game, event):
                raise IllegalEventError(
                    Phrase("There are no cards in this round yet: lay the cards first, then correct them.")
                )
            return apply_table(game, cards)
        case BetCorrected(_, bet):
            expect_bet_on_seat(bet, game.seats)
            return replace(game, bet=bet)


def _lacks_cards(game: Game, event: Correction) -> bool:
    """Return whether a correction is about a round in which no card has been laid yet."""
    return game.phase is Phase.BETTING and event.round_number == game.round_number
