"""Announcements of a round in order: seats in turn, look-alikes together, the narrator's copy, the catch-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.phrases import announce, announce_catch_up, announce_copy, announce_no_bet
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.round import Cause, announcements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.rules.round import Round, RoundFacts, Verdict


@dataclass(frozen=True, slots=True)
class AnnouncedMove:
    """Announced move of a player's figure; a bush moves both figures and has no `total`."""

    species: Animal
    total: int | None


def moves_of(verdicts: Sequence[Verdict], facts: RoundFacts) -> dict[str, AnnouncedMove]:
    """Return the moves of some verdicts by player, and the narrator's copy if the bet is on one of them."""
    moves = {verdict.player: AnnouncedMove(verdict.score.species, verdict.score.total) for verdict in verdicts}
    return {**moves, facts.narrator: moves[facts.bet]} if facts.bet in moves else moves


def lines_about(
    verdicts: Sequence[Verdict],
    facts: RoundFacts,
    language: Language = Language.ENGLISH,
    before: Mapping[str, AnnouncedMove] | None = None,
) -> Iterator[str]:
    """Yield the announcements of verdicts in seat order: look-alikes together, the narrator's copy after its player.

    Moves that equal those announced before are left out.
    """
    before, narrator, bet = before or {}, facts.narrator, facts.bet
    now = moves_of(verdicts, facts)
    changed = {player for player, move in now.items() if before.get(player) != move}
    for said in announcements([verdict for verdict in verdicts if verdict.player in changed]):
        yield announce(said.score.species, said.score.total, said.players, language)
        if bet in said.players and narrator in changed:
            yield announce_copy(said.score.species, said.score.total, narrator, bet, language)
    if bet is not None and narrator in changed and bet not in changed:
        yield announce_copy(now[narrator].species, now[narrator].total, narrator, bet, language)
    if narrator in before and bet is None:
        yield announce_no_bet(narrator, language)


def verdict_line(verdict: Verdict, language: Language = Language.ENGLISH) -> str:
    """Return the announcement of one verdict."""
    return announce(verdict.score.species, verdict.score.total, [verdict.player], language)


def catch_up_lines(closed: Round, language: Language = Language.ENGLISH) -> Iterator[str]:
    """Yield the announcements of the figures that were last, rabbits first."""
    for animal in (Animal.RABBIT, Animal.MOOSE):
        last = [
            move.figure.player for move in closed.moves if move.cause is Cause.CATCH_UP and move.figure.animal is animal
        ]
        yield announce_catch_up(animal, last, language)


def round_lines(played: Round | None, language: Language = Language.ENGLISH) -> tuple[str, ...]:
    """Return all announcements about a round, in a language; empty without a round."""
    if played is None:
        return ()
    return (*lines_about(played.verdicts, played.facts, language), *catch_up_lines(played, language))
