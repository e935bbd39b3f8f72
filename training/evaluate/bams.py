"""Recall and false alarms of the Bam detector on labelled recordings.

A set is a folder with `truth.json` (fixtures/README.md): narrators with takes to learn from, and recordings with the
times of their Bams and of the referee's own voice.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveFloat, ValidationError

from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import read_text
from bunnymoose_cv.cues.bam import BamProfile, Recording, learn
from bunnymoose_cv.cues.sound_cues import cues_in
from training.evaluate.json_shape import JsonShape
from training.evaluate.shares import Rate, RateShape, Share, ShareShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path


SAME_S: Final = 0.25
"""Tolerance of a cue's time in seconds. A Bam with a nearer cue counts as heard."""

SOFTER_DB: Final = -4.0
"""Bams that are softer than the takes by more than this are counted as soft."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RecordingTruth(_Shape):
    """One recording: each Bam with its time and its level relative to the takes, in decibels."""

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
        louder_db: level relative to the takes, in decibels.
        late_s: time of the cue after the true time; None if the Bam was not heard.
    """

    louder_db: float
    late_s: float | None


@dataclass(frozen=True, slots=True)
class NarratorFigures:
    """Detections for one narrator.

    Attributes:
        bams: all Bams in the recordings.
        false_alarms: number of cues without a Bam.
        hours: duration of the recordings.
    """

    name: str
    bams: tuple[HeardBam, ...]
    false_alarms: int
    hours: float


def heard(narrators: Iterable[NarratorFigures], *, soft: bool | None = None) -> Share | None:
    """Return the recall of Bams: all, only the soft ones, or only the others; None without any."""
    bams = (bam for narrator in narrators for bam in narrator.bams)
    return Share.of(bam.late_s is not None for bam in bams if soft is None or soft is (bam.louder_db < SOFTER_DB))


def false_alarms(narrators: Iterable[NarratorFigures]) -> Rate:
    """Return the rate of cues without a Bam, for at least one narrator."""
    narrators = tuple(narrators)
    return Rate(sum(own.false_alarms for own in narrators), sum(own.hours for own in narrators))


def timing_errors_s(narrators: Iterable[NarratorFigures]) -> tuple[float, float]:
    """Return the timing error of cues in seconds: median and 90th percentile; 0 if none was heard."""
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
        InputError: the file is missing or does not have this form.
    """
    try:
        return BamSet.model_validate_json(read_text(truth))
    except FileNotFoundError as error:
        raise InputError(f"There is no {truth}: name the truth.json of a set of recordings") from error
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise InputError(f"{truth} is no truth of recordings: see fixtures/README.md") from error


def read_recording(path: Path) -> Recording:
    """Read a sound file for learning or listening.

    Raises:
        UnreadableError: it is missing, damaged, or holds no sound.
    """
    sound = read_sound(path)
    return Recording(sound.samples, sound.rate)


def _listened(recording: Recording, truth: RecordingTruth, profile: BamProfile) -> tuple[list[HeardBam], int]:
    """Return every Bam of a recording, and the number of cues without one."""
    cues = [cue.time_s for cue in cues_in(recording, profile, truth.own_voice)]
    bams, used = [], set()
    for at_s, louder_db in truth.bams:
        nearest = min(cues, key=lambda cue_s: abs(cue_s - at_s), default=None)
        found = nearest is not None and abs(nearest - at_s) <= SAME_S
        bams.append(HeardBam(louder_db, nearest - at_s if nearest is not None and found else None))
        used |= {nearest} if found else set()
    return bams, len(set(cues) - used)


_DIGITS = 3


class NarratorBamsShape(JsonShape):
    """Bams of one narrator; `heard` is null without Bams."""

    narrator: str
    heard: ShareShape | None
    false_alarms: RateShape

    @classmethod
    def of(cls, narrator: NarratorFigures) -> Self:
        """Convert a narrator's figures."""
        share = heard([narrator])
        return cls(
            narrator=narrator.name,
            heard=None if share is None else ShareShape.of(share),
            false_alarms=RateShape.of(false_alarms([narrator])),
        )


class LatenessShape(JsonShape):
    """Timing error of cues in seconds: the median and the 90th percentile."""

    median: float
    slow: float


class BamsShape(JsonShape):
    """Bams of all narrators; a share of no Bams is left out."""

    heard: ShareShape | None = None
    heard_soft: ShareShape | None = None
    heard_as_loud: ShareShape | None = None
    false_alarms: RateShape
    late_s: LatenessShape

    @classmethod
    def of(cls, narrators: Sequence[NarratorFigures]) -> Self:
        """Convert the figures of one or more narrators."""
        shares = {
            "heard": heard(narrators),
            "heard_soft": heard(narrators, soft=True),
            "heard_as_loud": heard(narrators, soft=False),
        }
        median_s, slow_s = timing_errors_s(narrators)
        known: dict[str, Any] = {name: ShareShape.of(share) for name, share in shares.items() if share is not None}
        return cls(
            **known,
            false_alarms=RateShape.of(false_alarms(narrators)),
            late_s=LatenessShape(median=round(median_s, _DIGITS), slow=round(slow_s, _DIGITS)),
        )
