"""Effects of a correction: announcements, figures and the ranking, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.voice.announcing import catch_up_lines, lines_about

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.ranking import Standing
    from bunnymoose_cv.rules.round import Round
    from bunnymoose_cv.rules.trail import Figure


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """Changed announcements of one round; empty where there was, or is, no such round."""

    round_number: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangedFigure:
    """A figure that stands elsewhere after a round, in spaces."""

    round_number: int
    figure: Figure
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Changes:
    """All that follows from a correction.

    Attributes:
        lines: round by round, the announcements that differ.
        figures: round by round, the figures that stand elsewhere afterwards.
    """

    lines: tuple[ChangedLines, ...]
    figures: tuple[ChangedFigure, ...]
    before: tuple[Standing, ...]
    after: tuple[Standing, ...]


def changes(before: Game, after: Game, language: Language = Language.ENGLISH) -> Changes:
    """Compare two states of one game, with the announcements in a language."""
    pairs = list(enumerate(zip_longest(before.rounds, after.rounds), start=1))
    lines = (ChangedLines(number, said(old, language), said(new, language)) for number, (old, new) in pairs)
    return Changes(
        lines=tuple(each for each in lines if each.before != each.after),
        figures=tuple(figure for number, (old, new) in pairs for figure in _moved(number, old, new)),
        before=before.ranking,
        after=after.ranking,
    )


def said(played: Round | None, language: Language = Language.ENGLISH) -> tuple[str, ...]:
    """All that is announced about a round, in a language; nothing about none."""
    if played is None:
        return ()
    facts = played.facts
    return (*lines_about(played.verdicts, facts.narrator, facts.bet, language), *catch_up_lines(played, language))


def _moved(number: int, old: Round | None, new: Round | None) -> Iterator[ChangedFigure]:
    if old is None or new is None:
        return
    for figure, place in old.trail.places.items():
        if new.trail.places[figure] != place:
            yield ChangedFigure(number, figure, place, new.trail.places[figure])
