"""Evaluation of late streams: clips of rounds, judged as if each frame arrived some time after it was taken.

`python -m training.evaluate.late_streams` prints a table by delay, with and without a measured delay. An unmeasured
delay is learnt from clip to clip, as from round to round of a game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.referee.common_delay import CommonDelay
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.round_reader import LateBam, RoundReader
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.round import RoundFacts
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.video.tracker import Tracker
from training.evaluate.round_benchmark import GLANCE_S, SeatResult, read_round_set, seat_result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from training.evaluate.round_benchmark import ClipTruth

DELAYS_S: Final = (0.0, 0.3, 0.6, 1.0, 2.0, 3.0)

MEASURED_WITHIN_S: Final = 0.15
"""Largest error of a measured delay. Here it alternates between this late and this early."""

_HELD_STEP_S: Final = 0.1


class Knowledge(Enum):
    """Knowledge about a stream's delay."""

    IGNORED = "ignored"
    UNMEASURED = "not measured"
    MEASURED = "measured"


CASES: Final = (
    *((delay_s, Knowledge.IGNORED) for delay_s in DELAYS_S),
    *((delay_s, Knowledge.UNMEASURED) for delay_s in DELAYS_S),
    (0.0, Knowledge.MEASURED),
)
"""Rows of the table. A measured delay is subtracted, so that only its error remains."""

CLIPS: Final = 10
MOST_PLAYERS: Final = 4
"""Number of judged clips, and of players in each. Every other clip has a mover among its players."""


@dataclass(frozen=True, slots=True)
class LateFootage:
    """Frames of a clip as a late stream brings them. Before the first and after the last one the players are still."""

    images: Sequence[Frame]
    delay_s: float

    @classmethod
    def of(cls, path: Path, delay_s: float) -> Self:
        """Read a clip."""
        return cls(tuple(Clip(path, path.name).frames(0.0, 60.0)), delay_s)

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Return True, since every frame is available."""
        del time_s, patience_s
        return True

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """Yield the frames that arrive from one time to another."""
        first, last = self.images[0], self.images[-1]
        time_s = 0.0
        while time_s < first.time_s + self.delay_s:
            if start_s <= time_s <= end_s:
                yield Frame(first.image, time_s)
            time_s += _HELD_STEP_S
        for frame in self.images:
            if start_s <= frame.time_s + self.delay_s <= end_s:
                yield Frame(frame.image, frame.time_s + self.delay_s)
        time_s = last.time_s + self.delay_s + _HELD_STEP_S
        while time_s <= end_s:
            if time_s >= start_s:
                yield Frame(last.image, time_s)
            time_s += _HELD_STEP_S

    def sound(self, start_s: float, end_s: float) -> None:
        """Return no sound."""

    def held(self, start_s: float, end_s: float) -> Self:
        """Return the footage unchanged."""
        del start_s, end_s
        return self


def judge_late(
    path: Path, truth: ClipTruth, delay_s: float, reader: Reader, common_delay: CommonDelay | None
) -> tuple[tuple[SeatResult, bool], ...]:
    """Judge a clip of which every frame arrives late.

    Args:
        path: path of the clip.
        truth: players in the clip.
        delay_s: seconds by which frames arrive after they were taken.
        reader: reader of the frames.
        common_delay: delay as learnt from earlier clips; None if the frames are taken to be in time.

    Returns:
        For each seat its result, and whether the referee asks about it.
    """
    footage, asking = LateFootage.of(path, delay_s), AskPolicy()
    players = tuple(f"Seat {seat.seat}" for seat in truth.players)
    facts = RoundFacts(1, "Narrator", players, None, (), {}, rules_for())
    rounds = RoundReader(Tracker(reader, len(players)), reader, {}, asking, common_delay)
    looked_s = -GLANCE_S
    for frame in footage.frames(0.0, truth.cue_s):
        if frame.time_s >= looked_s + GLANCE_S:
            looked_s = frame.time_s
            rounds.look(frame, len(players))
    late = common_delay is not None
    bam = rounds.find_bam(facts, footage, truth.cue_s) if late else LateBam(truth.cue_s)
    judged = rounds.watch(rounds.read(facts, footage, bam.cue_s, bam.earlier), footage, bam)
    return tuple(
        (
            seat_result(seat, judged_seat.reading, truth, found_moving=judged_seat.movement is not None),
            judged_seat.reading is None or not rounds.is_sure(judged_seat.reading, facts),
        )
        for seat, judged_seat in zip(truth.players, judged.seats, strict=True)
    )


def outcome(result: SeatResult, *, asked: bool) -> str:
    """Return the column of the table that a player's result counts in."""
    if result.moves:
        return "mover found" if result.found_moving else "mover asked" if asked else "mover missed"
    if result.found_moving:
        return "called a mover"
    if asked:
        return "asked"
    return "right" if result.read is not None and result.read.pose == result.truth else "wrong and sure"


COLUMNS: Final = ("right", "asked", "wrong and sure", "called a mover", "mover found", "mover asked", "mover missed")


def table(clips: Sequence[ClipTruth], folder: Path, reader: Reader) -> Iterator[str]:
    """Judge clips at every delay, and yield the lines of a table in Markdown."""
    yield f"| delay | it is | {' | '.join(COLUMNS)} |"
    yield f"|{' --- |' * (2 + len(COLUMNS))}"
    for delay_s, knowledge in CASES:
        common_delay = CommonDelay() if knowledge is Knowledge.UNMEASURED else None
        counts: Counter[str] = Counter()
        for number, truth in enumerate(clips):
            error_s = MEASURED_WITHIN_S * (-1) ** number
            shift_s = error_s if knowledge is Knowledge.MEASURED else delay_s
            for result, asked in judge_late(folder / truth.clip, truth, shift_s, reader, common_delay):
                counts[outcome(result, asked=asked)] += 1
        cells = " | ".join(str(counts[column]) for column in COLUMNS)
        shown = "any" if knowledge is Knowledge.MEASURED else f"{delay_s:g} s"
        yield f"| {shown} | {knowledge.value} | {cells} |"


def chosen_clips(clips: Sequence[ClipTruth]) -> tuple[ClipTruth, ...]:
    """Choose clips with a mover and clips without one, alternating."""
    small = [clip for clip in clips if len(clip.players) <= MOST_PLAYERS]
    moved = [clip for clip in small if any(seat.moved_s for seat in clip.players)]
    others = [clip for clip in small if clip not in moved]
    return tuple(clip for pair in zip(others, moved, strict=False) for clip in pair)[:CLIPS]


if __name__ == "__main__":
    rounds_folder = bundled("fixtures/rounds")
    with Reader(load_settings()) as shared:
        for line in table(chosen_clips(read_round_set(rounds_folder).clips), rounds_folder, shared):
            print(line, flush=True)
