"""One verdict with all that is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.core.input_file import is_visible
from bunnymoose_cv.rules.events import PoseCorrected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from bunnymoose_cv.record.evidence_json import PlayerEvidence, RoundShape
    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import Verdict


@dataclass(frozen=True, slots=True)
class PoseCorrection:
    """A correction of the disputed pose, with its author and reason."""

    time: datetime
    who: str
    why: str
    pose: Pose


@dataclass(frozen=True, slots=True)
class Dispute:
    """One verdict with all that is known about it.

    Attributes:
        pose: the standing pose; None for a player who has not been judged yet.
        reading: what was read; None where nothing was seen, or nothing was kept.
        verdict: the standing verdict; None while the round is open.
        moved_s: seconds after Bam at which movement showed; None for a player who held still.
        corrections: of the pose, those that still stand.
        files: the images and the film that are there, by name.
    """

    round_number: int
    seat: int
    player: str
    pose: Pose | None
    reading: PlayerEvidence | None
    verdict: Verdict | None
    moved_s: float | None
    corrections: tuple[PoseCorrection, ...]
    files: Mapping[str, Path]

    @classmethod
    def of(cls, file: GameFile, round_number: int, seat: int, player: str, kept: RoundFolder) -> Self:
        """Gather what is known.

        Raises:
            EvidenceError: the evidence cannot be read.
        """
        evidence = kept.read()
        return cls(
            round_number,
            seat,
            player,
            pose_in(file.game, round_number, player),
            None if evidence is None else evidence.reading_of(seat),
            _verdict(file.game, round_number, seat),
            None if evidence is None else _moved_s(evidence, seat),
            tuple(_corrections(file.standing, round_number, player)),
            _files(kept, evidence),
        )


def pose_in(game: Game, round_number: int, player: str) -> Pose | None:
    """Return a player's standing pose in a round; None for one who has not been judged yet."""
    if round_number <= len(game.rounds):
        return game.rounds[round_number - 1].facts.poses[player]
    return game.poses.get(player)


def _verdict(game: Game, round_number: int, seat: int) -> Verdict | None:
    if round_number > len(game.rounds):
        return None
    return game.rounds[round_number - 1].verdicts[seat - 1]


def _moved_s(evidence: RoundShape, seat: int) -> float | None:
    return next((move.time_s - evidence.cue_s for move in evidence.moved if move.seat == seat), None)


def _corrections(entries: Iterable[Entry], round_number: int, player: str) -> Iterator[PoseCorrection]:
    for entry in entries:
        event = entry.event
        if isinstance(event, PoseCorrected) and (event.round_number, event.player) == (round_number, player):
            yield PoseCorrection(entry.time, entry.who, entry.why, event.pose)


def _files(kept: RoundFolder, evidence: RoundShape | None) -> dict[str, Path]:
    frames = [] if evidence is None else [kept.folder / frame.file for frame in evidence.frames]
    paths = {"picture": kept.still, "replay": kept.replay}
    paths |= {f"frame {number}": path for number, path in enumerate(frames, start=1)}
    return {name: path for name, path in paths.items() if is_visible(path)}
