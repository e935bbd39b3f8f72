"""File of a narrator's learnt Bam: TOML in the user's data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import user_folder
from bunnymoose_cv.core.input_file import UNUSABLE, read_toml, toml_fault
from bunnymoose_cv.cues.bam import FEWEST_TAKES, BamProfile
from bunnymoose_cv.cues.spectrogram import BANDS, DEPTH_DB, SLICES

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.cues.spectrogram import Shape

FILE: Final = "bam.toml"

_Level = Annotated[float, Field(ge=-DEPTH_DB, le=0)]
_Slice = Annotated[list[_Level], Field(min_length=BANDS, max_length=BANDS)]
_Take = Annotated[list[_Slice], Field(min_length=len(SLICES), max_length=len(SLICES))]


class _Kept(BaseModel):
    """Content of the file: levels in decibels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    softest_db: Annotated[float, Field(le=10)]
    takes: Annotated[list[_Take], Field(min_length=FEWEST_TAKES)]


def default_bam_path() -> Path:
    """Return the default path of a learnt Bam."""
    return user_folder() / FILE


def save_bam(profile: BamProfile, path: Path) -> None:
    """Write a learnt Bam, replacing an existing one, or raise an `InputError` if the file cannot be written."""
    takes = ",\n".join(_written(shape) for shape in profile.shapes)
    text = (
        "# How the narrator's Bam sounds, learnt by `bunnymoose cue learn`; levels in decibels.\n"
        f"softest_db = {profile.softest_db:.1f}\n"
        f"takes = [\n{takes},\n]\n"
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            part.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}): name another file") from error


def load_bam(path: Path) -> BamProfile:
    """Read a learnt Bam, or raise an `InputError` if the file is missing or has other content."""
    try:
        kept = _Kept.model_validate(read_toml(path))
    except (*UNUSABLE, ValidationError) as error:
        raise InputError(_problem(path, error)) from error
    return BamProfile(tuple(np.array(take) for take in kept.takes), kept.softest_db)


def _problem(path: Path, error: Exception) -> str:
    """Return a sentence about a file without a learnt Bam. A file named by the user may be an unrelated one."""
    named = path != default_bam_path()
    if isinstance(error, FileNotFoundError):
        remedy = "check its name, or run bunnymoose cue learn --bam FILE" if named else "run bunnymoose cue learn"
        return f"No Bam was learnt yet at {path}: {remedy}"
    if isinstance(error, OSError):
        return f"The learnt Bam {path} {toml_fault(error)}"
    remedy = "name a file that bunnymoose cue learn wrote" if named else "run bunnymoose cue learn, which replaces it"
    return f"{path} holds no learnt Bam: {remedy}"


def _written(shape: Shape) -> str:
    rows = ",\n".join(f"    [{', '.join(f'{level:.1f}' for level in row)}]" for row in shape)
    return f"  [\n{rows},\n  ]"
