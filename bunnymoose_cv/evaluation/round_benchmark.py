"""Benchmark of rounds: clips of players around a Bam, judged as a game judges them, beside the best single frame.

A set is a folder with `truth.json` and its clips (fixtures/README.md). Each clip is watched up to Bam, judged, and
watched on for movers, by the referee that plays the game; questions are counted at tables dealt from the deck.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveInt, ValidationError

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text
from bunnymoose_cv.evaluation.shares import ClusteredShare, share_line
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.replay import ClipFootage
from bunnymoose_cv.referee.question import ReadPose, judge_move
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading

GLANCE_S: Final = 0.13
"""A frame is looked at so often before Bam: about as often as a loaded laptop manages with five players."""

TABLES: Final = 20
"""Number of dealt tables for each verdict, to count questions and wrong moves."""

STILLS: Final = 3
"""Number of frames of the window that are read as single images; the surest reading of each player stands."""

SAME_PLAYER_FACES: Final = 0.09
"""A face within this share of the image's width of the true eyes is that player's."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SetPart(Enum):
    """Part of a set: clips that are looked at while choosing, and clips of other people that are only reported."""

    CHOOSE = "choose"
    REPORT = "report"


class SeatTruth(_Shape):
    """One seat of a clip.

    Attributes:
        seat: from 1 at the left.
        person: number of the person.
        twist: deviation from the ordinary.
        pose: held at Bam.
        poses: each pose and from when it is held, seconds of the clip.
        moved_s: when the pose is left after Bam, and when the next is reached.
        eyes_px: middle of the eyes at Bam.
        eyes_x_px: leftmost and rightmost place of that middle during the freeze.
    """

    seat: PositiveInt
    person: int
    twist: str
    pose: str
    poses: list[tuple[float, str]]
    moved_s: tuple[NonNegativeFloat, NonNegativeFloat] | None
    eyes_px: tuple[float, float]
    eyes_x_px: tuple[float, float]


class ClipTruth(_Shape):
    """One clip."""

    clip: str
    part: SetPart
    cue_s: NonNegativeFloat
    frames_a_second: PositiveInt
    size: tuple[PositiveInt, PositiveInt]
    passer: bool
    players: Annotated[list[SeatTruth], Field(min_length=1)]


class RoundSet(_Shape):
    """A set of clips."""

    clips: Annotated[list[ClipTruth], Field(min_length=1)]

    def of_part(self, part: SetPart | None) -> tuple[ClipTruth, ...]:
        """Clips of one part, or all."""
        return tuple(clip for clip in self.clips if part in {None, clip.part})


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Reading and truth of one seat.

    Attributes:
        person: number of the rendered person.
        twist: what the player did out of the ordinary.
        truth: the pose at Bam.
        read: None where the player was not seen.
        moves: True if the player changed the pose after Bam.
        found_moving: True if the referee says so of the player, who is not lost; None in a still, where nobody moves.
    """

    person: int
    twist: str
    truth: Pose
    read: ReadPose | None
    moves: bool
    found_moving: bool | None


@dataclass(frozen=True, slots=True)
class ClipResult:
    """One clip judged.

    Attributes:
        clip: its name.
        seats: as the referee judged them.
        stills: the same by the surest single frame.
        footage_s: from the cue to the last frame that was read for the verdicts.
        work_s: processor time of reading and judging, all threads.
    """

    clip: str
    seats: tuple[SeatResult, ...]
    stills: tuple[SeatResult, ...]
    footage_s: float
    work_s: float


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """Figures of verdicts, clustered by person; counts at tables are over `TABLES` dealt tables for each verdict."""

    pose_right: ClusteredShare | None
    seat_lost: ClusteredShare | None
    asked: ClusteredShare | None
    right_unasked: ClusteredShare | None
    confident_wrong: ClusteredShare | None
    movers_found: ClusteredShare | None
    called_movers: ClusteredShare | None

    @classmethod
    def of(cls, seats: Sequence[SeatResult], threshold: float) -> RoundFigures:
        """Count.

        Args:
            seats: of all clips.
            threshold: of a move's probability, below which a person is asked.
        """
        rules = rules_for()
        deck, random = rules.cards(load_deck(rules.edition.name)), Random(1)
        tables = [tuple(random.sample(deck, rules.piles)) for _ in range(TABLES)]
        moves = [(seat.person, *_move(seat, cards, rules, threshold)) for seat in seats for cards in tables]
        watched = [(seat.person, seat.moves, seat.found_moving) for seat in seats if seat.found_moving is not None]
        share = ClusteredShare.of_clusters
        return cls(
            pose_right=share((seat.person, seat.read is not None and seat.read.pose == seat.truth) for seat in seats),
            seat_lost=share((seat.person, seat.read is None) for seat in seats),
            asked=share((person, asked) for person, asked, _ in moves),
            right_unasked=share((person, right and not asked) for person, asked, right in moves),
            confident_wrong=share((person, not right and not asked) for person, asked, right in moves),
            movers_found=share((person, found) for person, moves, found in watched if moves),
            called_movers=share((person, found) for person, moves, found in watched if not moves),
        )

    @property
    def rows(self) -> dict[str, ClusteredShare | None]:
        """The figures by the names under which they are shown."""
        return {
            "pose right": self.pose_right,
            "seat lost": self.seat_lost,
            "question asked": self.asked,
            "right without a question": self.right_unasked,
            "confident and wrong": self.confident_wrong,
            "mover found": self.movers_found,
            "taken for a mover": self.called_movers,
        }


def _move(seat: SeatResult, cards: Table, rules: Rules, threshold: float) -> tuple[bool, bool]:
    """Tell if the verdict is asked about at a table, and if its move is right."""
    if seat.read is None:
        return True, False
    right = score(seat.read.pose, cards, rules).moves == score(seat.truth, cards, rules).moves
    return judge_move(seat.read, cards, rules, threshold).asked, right


def read_round_set(folder: Path) -> RoundSet:
    """Read the truth of a set.

    Raises:
        InputError: there is none, or it is none.
    """
    truth = folder / "truth.json"
    try:
        return RoundSet.model_validate_json(read_text(truth))
    except FileNotFoundError as error:
        raise InputError(f"There is no {truth}: name a folder with clips of rounds") from error
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise InputError(f"{truth} is no truth of rounds: see fixtures/README.md") from error


def judge_clip(path: Path, truth: ClipTruth, reader: Reader) -> ClipResult:
    """Play one clip as a round, and read some of its frames by themselves.

    Raises:
        InputError: the clip cannot be read.
    """
    clip = Clip(path, path.name)
    with tempfile.TemporaryDirectory() as folder:
        seats, footage_s, work_s = _played(clip, truth, reader, Path(folder))
    return ClipResult(truth.clip, seats, _best_stills(clip, truth, reader), footage_s, work_s)


def _played(clip: Clip, truth: ClipTruth, reader: Reader, folder: Path) -> tuple[tuple[SeatResult, ...], float, float]:
    players = ("Narrator", *(f"Seat {seat.seat}" for seat in truth.players))
    with GameFile.create(folder / "game", GameStarted(players, rules_for()), who="evaluation") as file:
        tracker = Tracker(reader, len(truth.players))
        referee = Referee(file, tracker, reader, say=lambda _: None, keeper=None, tell=lambda _: None, asks=False)
        looked_s = -GLANCE_S
        for frame in clip.frames(0.0, truth.cue_s):
            if frame.time_s >= looked_s + GLANCE_S:
                looked_s = frame.time_s
                referee.look(frame)
        referee.bam("evaluation")
        began_s = time.process_time()
        judged = referee.judge(ClipFootage(clip), truth.cue_s)
        work_s = time.process_time() - began_s
        footage_s = max(reading.time_s for reading in judged.readings) - truth.cue_s
        watched = referee.watch(ClipFootage(clip))
    results = tuple(
        _result(seat, judged_seat.reading, truth, found_moving=judged_seat.movement is not None)
        for seat, judged_seat in zip(truth.players, watched.seats, strict=True)
    )
    return results, footage_s, work_s


def _result(
    seat: SeatTruth, reading: PlayerReading | None, truth: ClipTruth, *, found_moving: bool | None = None
) -> SeatResult:
    """A face that lies elsewhere is somebody else's, as is its move, so that the seat is lost."""
    there = reading is not None and _away(reading, seat) <= SAME_PLAYER_FACES * truth.size[0]
    read = ReadPose.of(reading) if reading is not None and there else None
    found = found_moving and there
    return SeatResult(seat.person, seat.twist, Pose.parse(seat.pose), read, seat.moved_s is not None, found)


def _away(reading: PlayerReading, seat: SeatTruth) -> float:
    """Distance of a face from where the seat's eyes are during the freeze, pixels."""
    across = reading.player.head.centre[0]
    leftmost, rightmost = seat.eyes_x_px
    return max(leftmost - across, across - rightmost, 0.0)


def _best_stills(clip: Clip, truth: ClipTruth, reader: Reader) -> tuple[SeatResult, ...]:
    """Each seat by the surest of a few frames of the window, each read as an image by itself."""
    window = Window.around(truth.cue_s, reader.profile.freeze)
    times_s = [truth.cue_s + (window.end_s - truth.cue_s) * number / (STILLS - 1) for number in range(STILLS)]
    readings = [reader.read(clip.frame_at(min(time_s, clip.duration_s)).picture) for time_s in times_s]
    results = []
    for seat in truth.players:
        nearest = [min(each.players, key=lambda player: _away(player, seat), default=None) for each in readings]
        seen = [result for each in nearest if (result := _result(seat, each, truth)).read is not None]
        surest = max(seen, key=lambda result: result.read.probability if result.read else 0.0, default=None)
        results.append(surest or _result(seat, None, truth))
    return tuple(results)


def seats_of(results: Iterable[ClipResult]) -> tuple[SeatResult, ...]:
    """All seats as the referee judged them."""
    return tuple(seat for result in results for seat in result.seats)


def stills_of(results: Iterable[ClipResult]) -> tuple[SeatResult, ...]:
    """All seats by the best single frame."""
    return tuple(seat for result in results for seat in result.stills)


def times_s(results: Iterable[ClipResult]) -> tuple[float, float]:
    """Medians over clips: footage from the cue, and processor time of the judging."""
    results = tuple(results)
    return median(each.footage_s for each in results), median(each.work_s for each in results)


Line: TypeAlias = dict[str, Any]


def clip_line(result: ClipResult) -> Line:
    """One clip as JSON."""
    return {
        "id": result.clip,
        "from_cue_s": round(result.footage_s, 3),
        "seats": [_seat_line(seat) for seat in result.seats],
        "stills": [_seat_line(seat) for seat in result.stills],
    }


def _seat_line(seat: SeatResult) -> Line:
    read = seat.read
    return {
        "person": seat.person,
        "twist": seat.twist,
        "truth": str(seat.truth),
        "read": None if read is None else str(read.pose),
        "probability": None if read is None else round(read.probability, 4),
        "unclear": [] if read is None else list(read.unclear),
        "moves": seat.moves,
        "found_moving": seat.found_moving,
    }


def _figures_line(figures: RoundFigures) -> dict[str, Line | None]:
    return {row: None if share is None else share_line(share) for row, share in figures.rows.items()}


def rounds_line(results: Sequence[ClipResult], threshold: float) -> Line:
    """The figures as JSON."""
    footage_s, work_s = times_s(results)
    return {
        "rounds": len(results),
        "figures": {
            name: _figures_line(RoundFigures.of(seats, threshold))
            for name, seats in (("round", seats_of(results)), ("best single frame", stills_of(results)))
        },
        "from_cue_s": round(footage_s, 3),
        "work_s": round(work_s, 3),
    }
