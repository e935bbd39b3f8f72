"""Announcements of a round in order: seats in turn, look-alikes together, the narrator's copy, catch-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.round import Cause, announcements
from bunnymoose_cv.voice.phrases import announce, announce_catch_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.rules.round import Round, Verdict


def lines_about(
    verdicts: Sequence[Verdict], narrator: str, bet: str | None, language: Language = Language.ENGLISH
) -> Iterator[str]:
    """Yield the announcements of verdicts in seat order: look-alikes together, the narrator's copy after its player.

    Args:
        verdicts: in seat order.
        narrator: who narrates.
        bet: whom the narrator bet on, if on anybody.
        language: of the announcements.
    """
    for said in announcements(verdicts):
        yield announce(said.score.species, said.score.total, said.players, language)
        if bet in said.players:
            yield announce(said.score.species, said.score.total, [narrator], language)


def catch_up_lines(closed: Round, language: Language = Language.ENGLISH) -> Iterator[str]:
    """Yield the announcements of the figures that were last, rabbits first."""
    for animal in (Animal.RABBIT, Animal.MOOSE):
        last = [
            move.figure.player for move in closed.moves if move.cause is Cause.CATCH_UP and move.figure.animal is animal
        ]
        yield announce_catch_up(animal, last, language)
