"""Corrections: those that are in effect, the disputed verdict with its evidence, and the effects on a game."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.announcements.announcing import round_lines
from bunnymoose_cv.core.input_file import is_visible
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.events import CardLaid, Correction, Event, PoseCorrected, TableCorrected, TableLaid
from bunnymoose_cv.rules.fold import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import Verdict
    from bunnymoose_cv.rules.trail import Figure, Standing


def corrections(entries: Sequence[Entry], round_number: int) -> tuple[Entry, ...]:
    """Return the effective corrections of a round, in order; those of cards that were covered later have no effect."""
    events = [entry.event for entry in entries]
    return tuple(
        entries[place]
        for place, event in enumerate(events)
        if isinstance(event, Correction)
        and event.round_number == round_number
        and not (isinstance(event, TableCorrected) and _is_covered(event, events[: place + 1], events[place + 1 :]))
    )


def _is_covered(correction: TableCorrected, before: Sequence[Event], after: Sequence[Event]) -> bool:
    """Return whether all corrected cards were covered by others in the same round, as after a dropped Bam."""
    laid = 0
    for place, event in enumerate(after):
        laid_now = _laid_by(event)
        if laid_now and fold([*before, *after[:place]]).round_number != correction.round_number:
            return False
        laid += laid_now
        if laid >= len(correction.cards):
            return True
    return False


def _laid_by(event: Event) -> int:
    """Return the number of cards that an event lays on full piles; a hunter then only ends the deal."""
    match event:
        case TableLaid(cards):
            return len(cards)
        case CardLaid(card):
            return not isinstance(card, HunterCard)
    return 0


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """Changed announcements of one round; empty before or after if the round did or does not exist."""

    round_number: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangedFigure:
    """Figure on another space after a round."""

    round_number: int
    figure: Figure
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Changes:
    """Effects of a correction: changed announcements and figures, and the ranking before and after it."""

    lines: tuple[ChangedLines, ...]
    figures: tuple[ChangedFigure, ...]
    before: tuple[Standing, ...]
    after: tuple[Standing, ...]


def changes(before: Game, after: Game, language: Language = Language.ENGLISH) -> Changes:
    """Compare two states of one game, with announcements in a language."""
    rounds = enumerate(zip_longest(before.rounds, after.rounds), start=1)
    lines = (
        ChangedLines(number, round_lines(old, language), round_lines(new, language)) for number, (old, new) in rounds
    )
    figures = (
        ChangedFigure(number, figure, place, new.trail.places[figure])
        for number, (old, new) in enumerate(zip(before.rounds, after.rounds, strict=False), start=1)
        for figure, place in old.trail.places.items()
    )
    return Changes(
        lines=tuple(changed for changed in lines if changed.before != changed.after),
        figures=tuple(changed for changed in figures if changed.before != changed.after),
        before=before.ranking,
        after=after.ranking,
    )


@dataclass(frozen=True, slots=True)
class Dispute:
    """Disputed verdict with its evidence: corrections of the pose that have not been undone, existing images and film.

    Attributes:
        pose: the current pose; None for a player who has not been judged yet.
        reading: the stored reading; None if the player was not seen, or nothing was stored.
        verdict: the current verdict; None while the round is open.
        moved_s: the seconds after Bam at which movement showed; None for a player who held still.
    """

    round_number: int
    seat: int
    player: str
    pose: Pose | None
    reading: PlayerEvidence | None
    verdict: Verdict | None
    moved_s: float | None
    corrections: tuple[Entry, ...]
    files: Mapping[str, Path]

    @classmethod
    def of(cls, file: GameFile, round_number: int, seat: int, player: str, kept: RoundFolder) -> Self:
        """Gather a verdict and its evidence; raise an `EvidenceError` if that cannot be read."""
        evidence, rounds = kept.read(), file.game.rounds
        paths = {"picture": kept.still, "replay": kept.replay}
        moved_s: list[float] = []
        if evidence is not None:
            paths |= {f"frame {number}": kept.folder / frame.file for number, frame in enumerate(evidence.frames, 1)}
            moved_s = [move.time_s - evidence.cue_s for move in evidence.moved if move.seat == seat]
        return cls(
            round_number,
            seat,
            player,
            pose_in(file.game, round_number, player),
            None if evidence is None else evidence.reading_of(seat),
            rounds[round_number - 1].verdicts[seat - 1] if round_number <= len(rounds) else None,
            moved_s[0] if moved_s else None,
            tuple(
                entry
                for entry in file.standing
                if isinstance(entry.event, PoseCorrected)
                and (entry.event.round_number, entry.event.player) == (round_number, player)
            ),
            {name: path for name, path in paths.items() if is_visible(path)},
        )


def pose_in(game: Game, round_number: int, player: str) -> Pose | None:
    """Return a player's current pose in a round; None for a player who has not been judged yet."""
    if round_number <= len(game.rounds):
        return game.rounds[round_number - 1].facts.poses[player]
    return game.poses.get(player)
