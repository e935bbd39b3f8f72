"""Announcements of a round in order: seats in turn, look-alikes together, the narrator's copy, catch-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.round import Cause, announcements
from bunnymoose_cv.voice.phrases import announce, announce_catch_up, tell_no_bet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.rules.round import Round, Verdict
    from bunnymoose_cv.rules.scoring import Score


@dataclass(frozen=True, slots=True)
class AnnouncedMove:
    """Move of a player's figures, as far as it is announced.

    Attributes:
        species: the animal whose figure moves; a bush moves both.
        total: spaces; None for a bush.
    """

    species: Animal
    total: int | None


def moves_of(verdicts: Sequence[Verdict], narrator: str, bet: str | None) -> dict[str, AnnouncedMove]:
    """Moves of the players of some verdicts and, where the bet is on one of them, the narrator's copy; by player."""
    moves = {verdict.player: _move(verdict.score) for verdict in verdicts}
    return {**moves, narrator: moves[bet]} if bet in moves else moves


def lines_about(
    verdicts: Sequence[Verdict],
    narrator: str,
    bet: str | None,
    language: Language = Language.ENGLISH,
    before: Mapping[str, AnnouncedMove] | None = None,
) -> Iterator[str]:
    """Yield the announcements of verdicts in seat order: look-alikes together, the narrator's copy after its player.

    Args:
        verdicts: in seat order.
        bet: whom the narrator bet on, if on anybody.
        before: moves that have been announced by now; of them only those are announced that are others.
    """
    before = before or {}
    now = moves_of(verdicts, narrator, bet)
    changed = {player for player, move in now.items() if before.get(player) != move}
    for said in announcements([verdict for verdict in verdicts if verdict.player in changed]):
        yield announce(said.score.species, said.score.total, said.players, language)
        if bet in said.players and narrator in changed:
            yield announce(said.score.species, said.score.total, [narrator], language)
    if narrator in changed and bet not in changed:
        yield announce(now[narrator].species, now[narrator].total, [narrator], language)
    if narrator in before and bet is None:
        yield tell_no_bet(narrator, language)


def catch_up_lines(closed: Round, language: Language = Language.ENGLISH) -> Iterator[str]:
    """Yield the announcements of the figures that were last, rabbits first."""
    for animal in (Animal.RABBIT, Animal.MOOSE):
        last = [
            move.figure.player for move in closed.moves if move.cause is Cause.CATCH_UP and move.figure.animal is animal
        ]
        yield announce_catch_up(animal, last, language)


def _move(score: Score) -> AnnouncedMove:
    return AnnouncedMove(score.species, score.total)
