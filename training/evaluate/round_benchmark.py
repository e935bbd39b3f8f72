"""Benchmark of rounds: clips of players around a Bam, judged as in a game, beside the best single frame.

A set is a folder with `truth.json` and its clips (fixtures/README.md). The referee that plays the game watches each
clip up to the Bam, judges it, and watches on for movers. round_figures.py counts the results.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveInt, ValidationError

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.footage import ClipFootage
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import read_text
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SetPart(Enum):
    """Part of a set: clips used for choosing parameters, and clips of other people that are only reported."""

    CHOOSE = "choose"
    REPORT = "report"


class SeatTruth(_Shape):
    """One seat of a clip.

    Attributes:
        seat: number of the seat, 1 at the left.
        person: number of the person.
        twist: deviation from the ordinary.
        pose: pose at the Bam.
        poses: each pose and the time from which it is held, in seconds of the clip.
        moved_s: times at which the pose is left after the Bam, and the next one is reached.
        eyes_px: middle of the eyes at the Bam.
        eyes_x_px: leftmost and rightmost position of that middle during the freeze.
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
        """Return the clips of one part, or all."""
        return tuple(clip for clip in self.clips if part in {None, clip.part})


def read_round_set(folder: Path) -> RoundSet:
    """Read the truth of a set.

    Raises:
        InputError: the file is missing or does not have this form.
    """
    truth = folder / "truth.json"
    try:
        return RoundSet.model_validate_json(read_text(truth))
    except FileNotFoundError as error:
        raise InputError(f"There is no {truth}: name a folder with clips of rounds") from error
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise InputError(f"{truth} is no truth of rounds: see fixtures/README.md") from error


GLANCE_S: Final = 0.13
"""Interval in seconds of frames read before the Bam, as on a loaded laptop with five players."""


STILLS: Final = 3
"""Number of frames of the window that are read as single images. The surest reading of each player is used."""

SAME_PLAYER_FACES: Final = 0.09
"""Largest distance between a player's face and the true eyes, in widths of the image."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Reading and truth of one seat.

    Attributes:
        person: number of the rendered person.
        twist: deviation of the player from the ordinary.
        truth: pose at the Bam.
        read: pose that was read; None if the player was not seen.
        moves: True if the player changed the pose after the Bam.
        found_moving: True if the referee reports a move of the player, who is not lost; None in a still.
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
        clip: name of the clip.
        seats: results of the referee.
        stills: results of the surest single frame.
        footage_s: time between the cue and the last frame that was read for the verdicts.
        work_s: processor time of reading and judging, all threads.
    """

    clip: str
    seats: tuple[SeatResult, ...]
    stills: tuple[SeatResult, ...]
    footage_s: float
    work_s: float


def judge_clip(path: Path, truth: ClipTruth, reader: Reader) -> ClipResult:
    """Play one clip as a round, and read some of its frames as single images.

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
        referee = Referee(file, tracker, reader, say=lambda _: None, keeper=None, notify=lambda _: None, asks=False)
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
        seat_result(seat, judged_seat.reading, truth, found_moving=judged_seat.movement is not None)
        for seat, judged_seat in zip(truth.players, watched.seats, strict=True)
    )
    return results, footage_s, work_s


def seat_result(
    seat: SeatTruth, reading: PlayerReading | None, truth: ClipTruth, *, found_moving: bool | None = None
) -> SeatResult:
    """Compare a seat with a reading.

    A face in another place belongs to another player, as does its move. The seat is then lost.

    Args:
        seat: truth of the seat.
        reading: reading of the player; None if no player was found.
        truth: truth of the whole clip.
        found_moving: whether the referee reports that the player moved; None in a still.
    """
    there = reading is not None and _away(reading, seat) <= SAME_PLAYER_FACES * truth.size[0]
    read = ReadPose.of(reading) if reading is not None and there else None
    found = found_moving and there
    return SeatResult(seat.person, seat.twist, Pose.parse(seat.pose), read, seat.moved_s is not None, found)


def _away(reading: PlayerReading, seat: SeatTruth) -> float:
    """Return the distance in pixels of a face from the range of the seat's eyes during the freeze."""
    across = reading.player.head.centre[0]
    leftmost, rightmost = seat.eyes_x_px
    return max(leftmost - across, across - rightmost, 0.0)


def _best_stills(clip: Clip, truth: ClipTruth, reader: Reader) -> tuple[SeatResult, ...]:
    """Return each seat by the surest of a few frames of the window, each read as a single image."""
    window = Window.around(truth.cue_s, reader.settings.freeze)
    times_s = [truth.cue_s + (window.end_s - truth.cue_s) * number / (STILLS - 1) for number in range(STILLS)]
    readings = [reader.read(clip.frame_at(min(time_s, clip.duration_s)).image) for time_s in times_s]
    results = []
    for seat in truth.players:
        nearest = [min(reading.players, key=lambda player: _away(player, seat), default=None) for reading in readings]
        seen = [result for reading in nearest if (result := seat_result(seat, reading, truth)).read is not None]
        surest = max(seen, key=lambda result: result.read.probability if result.read else 0.0, default=None)
        results.append(surest or seat_result(seat, None, truth))
    return tuple(results)
