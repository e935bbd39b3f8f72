"""Reports for users: the stored games, one game, a disputed verdict, and the effects of a correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.announcements.announcing import verdict_line
from bunnymoose_cv.cli.tables import ranking_grid, score_grid, show_round
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.record.game_corrections import corrections
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    Correction,
    DeckShuffled,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
)
from bunnymoose_cv.rules.pose import parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.rules.pose_words import headgear_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.record.game_corrections import Changes, Dispute
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.record.past_evening import ListedGame
    from bunnymoose_cv.rules.events import RoundEvent


def event_words(event: RoundEvent | Correction) -> str:  # noqa: PLR0911 - one case per kind
    """Describe an event: `poses judged, Blue WU CD t, Green -- --`, `pose corrected, round 1, Dana, SF SF`."""
    match event:
        case DeckShuffled(cards):
            return f"deck shuffled, {len(cards)} cards"
        case BetPlaced(player):
            return f"bet placed, {player}"
        case CardLaid(card):
            return f"card laid, {card}"
        case TableLaid(cards):
            return f"cards entered, {format_table(cards)}"
        case Bam():
            return "Bam"
        case PosesJudged(poses):
            return f"poses judged, {', '.join(f'{player} {pose}' for player, pose in poses.items())}"
        case PoseCorrected(number):
            return f"pose corrected, round {number}, {correction_words(event)}"
        case TableCorrected(number):
            return f"cards corrected, round {number}, {correction_words(event)}"
        case BetCorrected(number):
            return f"bet corrected, round {number}, {correction_words(event)}"


def correction_words(event: Correction) -> str:
    """Describe the corrected value: `Dana, SF SF`, `L.WU+1 HUNTER`, `Dana`, `no bet`."""
    match event:
        case PoseCorrected(_, player, pose):
            return f"{player}, {pose}"
        case TableCorrected(_, cards):
            return format_table(cards)
        case BetCorrected(_, player):
            return player or "no bet"


def show_games(console: Console, listed: Iterable[ListedGame]) -> None:
    """Print the list of games with players, rounds and leaders, or the reason why a game cannot be read."""
    grid = Grid("No.", "Began", "Called", "Players", "Rounds", "First", "Room")
    grid.columns[1].no_wrap = True
    for game in listed:
        about = ("", game.problem, "", "") if game.problem else _cells(game)
        grid.add_row(str(game.kept.number), game.kept.name, *map(Text, about), f"{game.kept.size_bytes / 1e6:.1f} MB")
    console.print(grid)


def _cells(game: ListedGame) -> tuple[str, str, str, str]:
    first = [standing.player for standing in game.ranking if standing.place == 1] if game.rounds else []
    rounds = f"{game.rounds}{'' if game.over else ', not over'}"
    return game.title, ", ".join(game.players), rounds, ", ".join(first)


def show_game(console: Console, kept: StoredGame, file: GameFile) -> None:
    """Print a game: each round with its corrections, and the ranking."""
    console.print(Text(f"{kept.name} {file.title}".strip(), "bold"))
    for played in file.game.rounds:
        show_round(console, played, None)
        for entry in corrections(file.standing, played.facts.number):
            if isinstance(entry.event, Correction):
                words = correction_words(entry.event)
                console.print(Text(f"Corrected by {entry.who} ({entry.why}): {words}"))
        console.print()
    console.print(ranking_grid(file.game.ranking))


def show_dispute(console: Console, dispute: Dispute) -> None:
    """Print a verdict and its evidence."""
    console.print(Text(f"Round {dispute.round_number}, seat {dispute.seat}: {dispute.player}", "bold"))
    if dispute.reading is not None:
        console.print(_reading_grid(dispute.reading))
    else:
        console.print("Nothing was seen of this player, or nothing was kept.")
    if dispute.moved_s is not None:
        console.print(f"Moved {dispute.moved_s:.1f} s after Bam.")
    for entry in dispute.corrections:
        if isinstance(entry.event, PoseCorrected):
            console.print(Text(f"Corrected by {entry.who} ({entry.why}): {entry.event.pose}"))
    if dispute.verdict is not None:
        console.print(score_grid(dispute.verdict.score))
        console.print(Text(verdict_line(dispute.verdict), "bold"))
    for name, path in dispute.files.items():
        console.print(Text(f"{name:8} {path}"), soft_wrap=True)


def _reading_grid(reading: PlayerEvidence) -> Grid:
    grid = Grid("", "Read", "Sure", "Because")
    for side, headgear in (("left", reading.left), ("right", reading.right)):
        words = headgear_words(parse_headgear(headgear.headgear), [Field(name) for name in headgear.unclear])
        grid.add_row(side, words, f"{headgear.confidence:.0%}", "; ".join(headgear.reasons))
    doubt = "?" if reading.tongue.unclear else ""
    grid.add_row("tongue", f"{'out' if reading.tongue.out else 'in'}{doubt}", f"{reading.tongue.confidence:.0%}", "")
    return grid


def show_changes(changed: Changes) -> None:
    """Print the effects of a correction for users."""
    console = Terminal()
    if changed.before == changed.after and not changed.lines and not changed.figures:
        console.print("Nothing else changes.")
        return
    for compared in changed.lines:
        console.print(Text(f"Round {compared.round_number}", "bold"))
        for sign, lines, others in (("−", compared.before, compared.after), ("+", compared.after, compared.before)):
            for line in lines:
                if line not in others:
                    console.print(Text(f"  {sign} {line}"))
    if changed.figures:
        grid = Grid("After round", "Figure", "Was on", "Is on")
        for figure in changed.figures:
            name = f"{figure.figure.player}’s {figure.figure.animal.value}"
            grid.add_row(str(figure.round_number), Text(name), str(figure.before), str(figure.after))
        console.print(grid)
    if changed.before == changed.after:
        console.print("The ranking stays as it was:")
    console.print(ranking_grid(changed.after))
