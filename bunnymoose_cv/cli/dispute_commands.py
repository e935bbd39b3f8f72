"""`bunnymoose contest`, `correct`, `undo`: what a verdict rests on, and putting it right."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.cli.echo import echo
from bunnymoose_cv.cli.game_commands import (
    GameArgument,
    GamesOption,
    JsonOption,
    OpenOption,
    RoundArgument,
    kept_games,
    seat_of,
    seats_of,
)
from bunnymoose_cv.cli.round_tables import ranking_grid
from bunnymoose_cv.cli.terminal import Terminal
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence
    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import Verdict

SeatArgument = Annotated[str, typer.Argument(metavar="SEAT", help="Whose: the seat, 1 at the left, or the name.")]
WhoOption = Annotated[str, typer.Option("--who", metavar="NAME", help="Who says so; it is written down.")]


def contest(
    game: GameArgument,
    round_number: RoundArgument,
    seat: SeatArgument,
    *,
    show_it: OpenOption = False,
    games: GamesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a verdict rests on: what was read and why, what every card paid, and the pictures.

    For example:

        bunnymoose contest last 3 Blue

        bunnymoose contest last 3 2 --open

        bunnymoose contest 2026-11-21 3 2 --json
    """
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.round_folder import round_folder

    kept = kept_games(games).find(game)
    with GameFile.open(kept.folder) as file:
        players = seats_of(file.game, round_number)
        number = seat_of(players, seat)
        dispute = _Dispute(file, round_number, number, players[number - 1], round_folder(kept.folder, round_number))
        if as_json:
            echo(json.dumps(dispute.shape()))
        else:
            dispute.show(Terminal())
    still = dispute.kept.still
    if show_it and (not still.is_file() or typer.launch(str(still))):
        raise InputError(f"{still} cannot be shown: look whether it is there and open it by hand.")


def correct(
    game: GameArgument,
    round_number: RoundArgument,
    seat: SeatArgument,
    pose: Annotated[str, typer.Argument(metavar="POSE", help="What it was: left, right, t for the tongue: “WU CD t”.")],
    *,
    who: WhoOption = "people",
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason; it is written down.")] = "put right",
    games: GamesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put right what a player showed, in any round; everything that follows is made again, and what changed is said.

    What a player was judged by already is no correction: nothing is written down.

    For example:

        bunnymoose correct last 3 Blue "WU CD t"

        bunnymoose correct last 3 2 "-- SS" --who Anna --why "the hand was off the head" --json
    """
    from bunnymoose_cv.record.correction_effects import changes
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.rules.events import PoseCorrected
    from bunnymoose_cv.rules.fold import stands_already
    from bunnymoose_cv.rules.pose import Pose

    shown = Pose.parse(pose)
    kept = kept_games(games).find(game)
    with closing(GameFile.open(kept.folder)) as file:
        players = seats_of(file.game, round_number)
        player = players[seat_of(players, seat) - 1]
        before, was = file.game, _pose_in(file.game, round_number, player)
        correction = PoseCorrected(round_number, player, shown)
        stands = stands_already(before, correction)
        after = before if stands else file.append(correction, why, who)
    changed = changes(before, after)
    if as_json:
        facts = {"round": round_number, "player": player, "before": str(was), "after": pose, "who": who, "why": why}
        echo(json.dumps({"game": kept.name, **facts, "written": not stands, **_changes_shape(changed)}))
    elif stands:
        echo(f"Round {round_number}: {player} was judged by {shown} already: nothing is written down.")
    else:
        echo(f"Round {round_number}: {player} showed {shown}, not {was}.")
        _show_changes(changed)


def undo(
    game: GameArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Take back more than corrections: verdicts, cards, Bam.")] = False,
    who: WhoOption = "people",
    games: GamesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back the newest correction, or with --yes the newest thing that still stands; say what changed.

    For example:

        bunnymoose undo last

        bunnymoose undo last --who Anna --json
    """
    from bunnymoose_cv.cli.event_words import event_words
    from bunnymoose_cv.record.correction_effects import changes
    from bunnymoose_cv.record.event_json import event_to_json
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.rules.events import Correction, GameStarted, Undone

    kept = kept_games(games).find(game)
    with closing(GameFile.open(kept.folder)) as file:
        before, newest = file.game, file.standing[-1]
        event = newest.event
        if isinstance(event, GameStarted | Undone):
            raise InputError("There is nothing left to undo: the game has only begun.")
        words = event_words(event)
        if not (yes or isinstance(event, Correction)):
            raise InputError(f"No correction is left to undo; the newest event is “{words}”: take that back with --yes")
        after = file.append(Undone(), "undone", who)
    changed = changes(before, after)
    if as_json:
        taken_back = json.loads(event_to_json(event))
        echo(json.dumps({"game": kept.name, "undone": taken_back, "who": who, **_changes_shape(changed)}))
    else:
        echo(f"Taken back, as {newest.who} had said: {words}.")
        _show_changes(changed)


_POINTS: Final[Mapping[str, Any]] = {"face": True, "left": {"hand"}, "right": {"hand"}}
"""Hundreds of landmarks, which are left out where people look."""


class _Dispute:
    """One verdict with all that is known about it.

    Args:
        file: the game.
        round_number: which round.
        seat: whose.
        player: who sits there.
        kept: where the evidence lies.

    Raises:
        EvidenceError: the evidence cannot be read.
    """

    def __init__(self, file: GameFile, round_number: int, seat: int, player: str, kept: RoundFolder) -> None:
        self.kept = kept
        self._game, self._round_number, self._seat, self._player = file.game, round_number, seat, player
        self._evidence = kept.read()
        self._corrections = tuple(_corrections_of(file, round_number, player))

    @property
    def _reading(self) -> PlayerEvidence | None:
        return self._evidence.reading_of(self._seat) if self._evidence else None

    @property
    def _verdict(self) -> Verdict | None:
        """The standing verdict; None while the round is open."""
        if self._round_number > len(self._game.rounds):
            return None
        return self._game.rounds[self._round_number - 1].verdicts[self._seat - 1]

    @property
    def _files(self) -> dict[str, str]:
        """The pictures and the film that are there."""
        frames = [self.kept.folder / frame.file for frame in self._evidence.frames] if self._evidence else []
        paths = {"picture": self.kept.still, "replay": self.kept.replay}
        paths |= {f"frame {number}": path for number, path in enumerate(frames, start=1)}
        return {name: str(path) for name, path in paths.items() if path.is_file()}

    def shape(self) -> dict[str, Any]:
        """JSON object of the whole dispute."""
        from bunnymoose_cv.referee.json_output import ScoreShape

        verdict, reading = self._verdict, self._reading
        pose = _pose_in(self._game, self._round_number, self._player)
        return {
            "round": self._round_number,
            "seat": self._seat,
            "player": self._player,
            "pose": None if pose is None else str(pose),
            "read": None if reading is None else reading.model_dump(mode="json", exclude=dict(_POINTS)),
            "score": None if verdict is None else ScoreShape.of(verdict.score).model_dump(mode="json"),
            "moved_s": self._moved_s,
            "corrections": [
                {"time": each.time.isoformat(), "who": each.who, "why": each.why, "pose": _corrected_pose(each)}
                for each in self._corrections
            ],
            "files": self._files,
        }

    @property
    def _moved_s(self) -> float | None:
        """Seconds after Bam at which movement showed; None for a player who held still."""
        evidence = self._evidence
        if evidence is None:
            return None
        return next((move.time_s - evidence.cue_s for move in evidence.moved if move.seat == self._seat), None)

    def show(self, console: Console) -> None:
        """Print it for people."""
        from bunnymoose_cv.cli.score_commands import score_grid

        console.print(Text(f"Round {self._round_number}, seat {self._seat}: {self._player}", "bold"))
        if self._reading is not None:
            console.print(_reading_grid(self._reading))
        else:
            console.print("Nothing was seen of this player, or nothing was kept.")
        if self._moved_s is not None:
            console.print(f"Moved {self._moved_s:.1f} s after Bam.")
        for each in self._corrections:
            console.print(Text(f"Put right by {each.who} ({each.why}): {_corrected_pose(each)}"))
        if self._verdict is not None:
            console.print(score_grid(self._verdict.score))
            console.print(Text(_announced(self._verdict), "bold"))
        for name, path in self._files.items():
            console.print(Text(f"{name:8} {path}"), soft_wrap=True)


def _pose_in(game: Game, round_number: int, player: str) -> Pose | None:
    """Return a player's standing pose in a round; None for one who has not been judged yet."""
    if round_number <= len(game.rounds):
        return game.rounds[round_number - 1].facts.poses[player]
    return game.poses.get(player)


def _corrections_of(file: GameFile, round_number: int, player: str) -> Iterator[Entry]:
    from bunnymoose_cv.rules.events import PoseCorrected

    for entry in file.standing:
        event = entry.event
        if isinstance(event, PoseCorrected) and (event.round_number, event.player) == (round_number, player):
            yield entry


def _corrected_pose(entry: Entry) -> str:
    return str(getattr(entry.event, "pose", ""))


def _announced(verdict: Verdict) -> str:
    from bunnymoose_cv.voice.phrases import announce

    return announce(verdict.score.species, verdict.score.total, [verdict.player])


def _reading_grid(reading: PlayerEvidence) -> Grid:
    grid = Grid("", "Read", "Sure", "Because")
    for side, headgear in (("left", reading.left), ("right", reading.right)):
        grid.add_row(side, _headgear_words(headgear), f"{headgear.confidence:.0%}", "; ".join(headgear.reasons))
    doubt = "?" if reading.tongue.unclear else ""
    grid.add_row("tongue", f"{'out' if reading.tongue.out else 'in'}{doubt}", f"{reading.tongue.confidence:.0%}", "")
    return grid


def _headgear_words(headgear: HeadgearEvidence) -> str:
    from bunnymoose_cv.drawing.pose_words import headgear_words
    from bunnymoose_cv.rules.pose import parse_headgear
    from bunnymoose_cv.vision.headgear.headgear_reading import Field

    return headgear_words(parse_headgear(headgear.headgear), [Field(name) for name in headgear.unclear])


def _changes_shape(changed: Changes) -> dict[str, Any]:
    from bunnymoose_cv.referee.json_output import RankingShape

    return {
        "say": [{"round": each.round_number, "before": each.before, "after": each.after} for each in changed.lines],
        "figures": [
            {
                "round": each.round_number,
                "player": each.figure.player,
                "animal": each.figure.animal.value,
                "before": each.before,
                "after": each.after,
            }
            for each in changed.figures
        ],
        "ranking": {
            "before": RankingShape.of(changed.before).model_dump(mode="json")["ranking"],
            "after": RankingShape.of(changed.after).model_dump(mode="json")["ranking"],
        },
    }


def _show_changes(changed: Changes) -> None:
    console = Terminal()
    if changed.before == changed.after and not changed.lines and not changed.figures:
        console.print("Nothing else changes.")
        return
    for each in changed.lines:
        console.print(Text(f"Round {each.round_number}", "bold"))
        for sign, lines, others in (("−", each.before, each.after), ("+", each.after, each.before)):
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
