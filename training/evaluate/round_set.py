"""Labelled clips of rounds: the truth of a set (fixtures/README.md)."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveInt, ValidationError

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text

if TYPE_CHECKING:
    from pathlib import Path


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
