"""Report of one verdict: what it rests on, as JSON and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.core.input_file import is_visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence
    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import Verdict

_POINTS: Final[Mapping[str, Any]] = {"face": True, "left": {"hand"}, "right": {"hand"}}
"""Hundreds of landmarks, which are left out where people look."""


class Dispute:
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
        """The images and the film that are there."""
        frames = [self.kept.folder / frame.file for frame in self._evidence.frames] if self._evidence else []
        paths = {"picture": self.kept.still, "replay": self.kept.replay}
        paths |= {f"frame {number}": path for number, path in enumerate(frames, start=1)}
        return {name: str(path) for name, path in paths.items() if is_visible(path)}

    def shape(self) -> dict[str, Any]:
        """JSON object of the whole dispute."""
        from bunnymoose_cv.referee.json_output import ScoreShape

        verdict, reading = self._verdict, self._reading
        pose = pose_in(self._game, self._round_number, self._player)
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


def pose_in(game: Game, round_number: int, player: str) -> Pose | None:
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
    from bunnymoose_cv.rules.pose_fields import Field

    return headgear_words(parse_headgear(headgear.headgear), [Field(name) for name in headgear.unclear])
