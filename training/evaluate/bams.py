"""Recall and false alarms of the Bam detector on labelled recordings.

A set is a folder with `truth.json` (fixtures/README.md): narrators with takes to learn from, and recordings with the
times of their Bams and of the referee's own voice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveFloat, ValidationError

from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text
from bunnymoose_cv.cues.bam import BamProfile, Recording, learn
from bunnymoose_cv.cues.listening import cues_in
from training.evaluate.shares import NORMAL_95, Share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


SAME_S: Final = 0.25
"""Tolerance of a cue's time, seconds; a Bam with a nearer cue counts as heard."""

SOFTER_DB: Final = -4.0
"""Bams that are softer than the takes by more than this are counted as soft."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RecordingTruth(_Shape):
    """One recording: each Bam with its time and how much louder than usual it is, in decibels."""

    file: str
    seconds: PositiveFloat
    bams: list[tuple[NonNegativeFloat, float]]
    own_voice: list[tuple[NonNegativeFloat, NonNegativeFloat]]


class NarratorTruth(_Shape):
    """One narrator."""

    name: str
    takes: list[str]
    recordings: Annotated[list[RecordingTruth], Field(min_length=1)]


class BamSet(_Shape):
    """A set of recordings."""

    narrators: list[NarratorTruth]


@dataclass(frozen=True, slots=True)
class HeardBam:
    """One Bam of a truth.

    Attributes:
        louder_db: how much louder than in the takes.
        late_s: how much later than it was made the cue says; None if it was not heard.
    """

    louder_db: float
    late_s: float | None


@dataclass(frozen=True, slots=True)
class NarratorFigures:
    """Detections for one narrator.

    Attributes:
        name: who.
        bams: all of them.
        false_alarms: cues without a Bam.
        hours: how long was listened.
    """

    name: str
    bams: tuple[HeardBam, ...]
    false_alarms: int
    hours: float


@dataclass(frozen=True, slots=True)
class Rate:
    """Rate of events in time.

    Attributes:
        count: how many times.
        hours: within how many hours.
    """

    count: int
    hours: float

    @property
    def an_hour(self) -> float:
        """The rate."""
        return self.count / self.hours

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the rate, 95 %: Byar's approximation of the exact Poisson limits."""
        low = (
            self.count * (1 - 1 / (9 * self.count) - NORMAL_95 / (3 * math.sqrt(self.count))) ** 3 if self.count else 0
        )
        more = self.count + 1
        high = more * (1 - 1 / (9 * more) + NORMAL_95 / (3 * math.sqrt(more))) ** 3
        return max(0.0, low) / self.hours, high / self.hours


def heard(narrators: Iterable[NarratorFigures], *, soft: bool | None = None) -> Share | None:
    """Recall of Bams: all, or only the soft ones, or only the others; None where there are none."""
    bams = (bam for narrator in narrators for bam in narrator.bams)
    return Share.of(bam.late_s is not None for bam in bams if soft is None or soft is (bam.louder_db < SOFTER_DB))


def false_alarms(narrators: Iterable[NarratorFigures]) -> Rate:
    """False alarms: cues without a Bam; at least one narrator."""
    narrators = tuple(narrators)
    return Rate(sum(own.false_alarms for own in narrators), sum(own.hours for own in narrators))


def timing_errors_s(narrators: Iterable[NarratorFigures]) -> tuple[float, float]:
    """Timing error of cues, seconds: the median and the 90th percentile; 0 where none was heard."""
    off = sorted(abs(bam.late_s) for own in narrators for bam in own.bams if bam.late_s is not None)
    return (median(off), off[int(0.9 * len(off))]) if off else (0.0, 0.0)


def evaluate_bams(truth: Path) -> Iterator[NarratorFigures]:
    """Learn each narrator's Bam from the takes and listen to the recordings.

    Raises:
        InputError: the truth or a recording cannot be read, or a Bam cannot be learnt.
    """
    for narrator in read_bam_set(truth).narrators:
        profile = learn([read_recording(truth.parent / file) for file in narrator.takes])
        listened = [_listened(read_recording(truth.parent / one.file), one, profile) for one in narrator.recordings]
        yield NarratorFigures(
            narrator.name,
            tuple(bam for bams, _ in listened for bam in bams),
            sum(wrong for _, wrong in listened),
            sum(one.seconds for one in narrator.recordings) / 3600,
        )


def read_bam_set(truth: Path) -> BamSet:
    """Read the truth of a set.

    Raises:
        InputError: there is none, or it is none.
    """
    try:
        return BamSet.model_validate_json(read_text(truth))
    except FileNotFoundError as error:
        raise InputError(f"There is no {truth}: name the truth.json of a set of recordings") from error
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise InputError(f"{truth} is no truth of recordings: see fixtures/README.md") from error


def read_recording(path: Path) -> Recording:
    """Read a sound file to learn from or to listen to.

    Raises:
        UnreadableError: it is missing, damaged, or holds no sound.
    """
    sound = read_sound(path)
    return Recording(sound.samples, sound.rate)


def _listened(recording: Recording, truth: RecordingTruth, profile: BamProfile) -> tuple[list[HeardBam], int]:
    """Every Bam of a recording, and the number of cues without one."""
    cues = [cue.time_s for cue in cues_in(recording, profile, truth.own_voice)]
    bams, used = [], set()
    for at_s, louder_db in truth.bams:
        nearest = min(cues, key=lambda cue_s: abs(cue_s - at_s), default=None)
        found = nearest is not None and abs(nearest - at_s) <= SAME_S
        bams.append(HeardBam(louder_db, nearest - at_s if nearest is not None and found else None))
        used |= {nearest} if found else set()
    return bams, len(set(cues) - used)
