"""Facts, verdicts and announcements of a round as they stand, whether it is over or open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.record.correction_effects import said
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.round import RoundFacts, Verdict
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.voice.announcing import lines_about
from bunnymoose_cv.voice.phrases import ask_to_check

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.rules.game import Game


def standing_facts(game: Game, number: int) -> RoundFacts:
    """Facts of a round that is over, or of the open one.

    Of the open round the poses may be incomplete, and there are no cards until Bam is said and every pile is known.

    Args:
        number: of the round, from 1 to the open one.
    """
    if number <= len(game.rounds):
        return game.rounds[number - 1].facts
    is_known = game.phase is Phase.FROZEN and not game.first_pass
    cards = game.table if is_known else ()
    return RoundFacts(number, game.narrator, game.seats, game.bet, cards, game.poses, game.round_rules)


def standing_verdicts(facts: RoundFacts) -> tuple[Verdict, ...]:
    """Verdicts of those who are judged, in seat order; none while the cards are not known."""
    return tuple(
        Verdict(player, seat, score(facts.poses[player], facts.cards, facts.rules))
        for seat, player in enumerate(facts.seats, start=1)
        if facts.cards and player in facts.poses
    )


def standing_lines(game: Game, number: int, language: Language) -> tuple[str, ...]:
    """Announcements of a round that is over or frozen, as far as they still stand."""
    if number <= len(game.rounds):
        return said(game.rounds[number - 1], language)
    facts = standing_facts(game, number)
    lines = lines_about(standing_verdicts(facts), facts.narrator, facts.bet, language)
    unjudged = [player for player in facts.seats if player not in facts.poses]
    return (*lines, ask_to_check(unjudged, language)) if unjudged else tuple(lines)
