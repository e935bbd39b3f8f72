"""Real sounds for the Bam detector: false alarms per hour, and recall of learnt Bams over each class of background.

The list is `sounds.csv` of a folder of recordings, none of which contains a learnt Bam. Recordings of one origin are in
the same half, so that limits chosen on the first half are reported on the second.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from pydantic import Field

from bunnymoose_cv.capture.sound import LOUDEST, resampled
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.bam import BamEar, LearningError, learn
from bunnymoose_cv.cues.cue import CueGate, Maker
from training.evaluate.bams import SAME_S, read_bam_set, read_recording
from training.evaluate.datasets import ManifestError, read_list
from training.evaluate.json_shape import JsonShape
from training.evaluate.shares import Rate, Share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bunnymoose_cv.cues.bam import BamProfile, Recording

_DIGITS: Final = 3

FOLDER: Final = Path("../shared/sounds")
"""Folder of the recordings beside a checkout."""

LOUDNESS_DB: Final = (-12.0, 3.0)
"""Level in decibels, relative to the takes, of sounds without a Bam; drawn uniformly."""

BACKGROUND_DB: Final = (-20.0, -6.0)
"""Level in decibels, relative to the takes, of the background of a Bam; drawn uniformly."""

ROOM_S: Final = 3.0
ROOM_DB: Final = -42.0
"""Duration of the quiet room before a recording, and its level relative to the takes."""

FADE_S: Final = 0.3
"""Fade in and out of a recording in seconds, so that a cut is not heard as an onset."""

PIECE_S: Final = 0.1
_BAM_S: Final = 0.7
_LEAD_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class RealSound:
    """One recording.

    Attributes:
        path: path of the file.
        sort: class of the sound.
        half: 0 for choosing limits, 1 for reporting.
    """

    path: Path
    sort: str
    half: int


@dataclass(frozen=True, slots=True)
class HeardSound:
    """Cues of one narrator's detector in one recording, without a Bam and with one mixed in.

    Attributes:
        sound: the recording.
        false_alarms: number of cues without a Bam.
        hours: duration of the recording.
        heard: True if the mixed-in Bam was heard; None if none was mixed in.
    """

    sound: RealSound
    false_alarms: int
    hours: float
    heard: bool | None


@dataclass(frozen=True, slots=True)
class SortFigures:
    """Figures of one class of sounds, or of several together."""

    wrong: Rate
    heard: Share | None

    @classmethod
    def of(cls, sounds: Sequence[HeardSound]) -> SortFigures:
        """Count over at least one sound."""
        wrong = Rate(sum(sound.false_alarms for sound in sounds), sum(sound.hours for sound in sounds))
        return cls(wrong, Share.of(sound.heard for sound in sounds if sound.heard is not None))


def read_real_sounds(folder: Path) -> tuple[RealSound, ...]:
    """Read the list of real sounds.

    Raises:
        InputError: the list is missing or has another form.
    """
    path = folder / "sounds.csv"
    if not path.exists():
        raise InputError(f"There is no {path}: name a folder of recordings")
    try:
        cells = [(row["file"] or "", row["sound"] or "") for _, row in read_list(path).lines]
    except (KeyError, ManifestError) as error:
        raise InputError(f"{path} is no list of sounds") from error
    rows = [(folder / name, sound.partition(" (")[0]) for name, sound in cells]
    origins = sorted({(sort, _origin(path)) for path, sort in rows})
    halves = {origin: number % 2 for number, origin in enumerate(origins)}
    return tuple(RealSound(path, sort, halves[sort, _origin(path)]) for path, sort in rows)


def _origin(path: Path) -> str:
    """Return the recording that a file was cut from: its name without the number of the piece."""
    return re.sub(r"[_-]\w?\d*$", "", path.stem)


def listen(truth: Path, sounds: Iterable[RealSound]) -> Iterator[HeardSound]:
    """Listen to every sound for every narrator of a set, and once with a Bam of one narrator after another mixed in.

    A mixed-in Bam is a take that was left out of the learning, if one can be learnt from the others.

    Args:
        truth: the `truth.json` of recorded narrators (`fixtures/sounds`).
        sounds: other sounds to listen to.

    Raises:
        InputError: a recording cannot be read.
    """
    narrators = [
        _Narrator([read_recording(truth.parent / take) for take in each.takes])
        for each in read_bam_set(truth).narrators
    ]
    for number, sound in enumerate(sounds):
        recording = read_recording(sound.path)
        random = np.random.default_rng(number)
        for turn, narrator in enumerate(narrators):
            mixed_in = turn == number % len(narrators)
            yield narrator.listen(sound, recording, random, take=number // len(narrators) if mixed_in else None)


class _Narrator:
    """One narrator: the profile learnt from all takes, and each left-out take with the profile from the others."""

    def __init__(self, takes: Sequence[Recording]) -> None:
        self.rate = takes[0].rate
        self.profile = learn(takes)
        self.left_out = list(_left_out(takes))
        self.level = float(np.median([_loudness(take.samples) for take in takes]))

    def listen(
        self, sound: RealSound, recording: Recording, random: np.random.Generator, take: int | None
    ) -> HeardSound:
        """Listen without a Bam, and with one if a take is given."""
        rate = self.rate
        samples = LOUDEST * resampled(recording.samples, recording.rate, rate).astype(np.float64)
        alone = self._before_a_room(samples, float(random.uniform(*LOUDNESS_DB)), random)
        wrong = sum(1 for _ in _cues(alone, rate, self.profile))
        heard = None
        if take is not None:
            made, profile = self.left_out[take % len(self.left_out)]
            behind = self._before_a_room(samples, float(random.uniform(*BACKGROUND_DB)), random)
            bam, lead_s = _cut_bam(made)
            start = min(round((ROOM_S + 0.5 * len(samples) / rate) * rate), len(behind) - len(bam))
            behind[start : start + len(bam)] += bam
            cues = _cues(behind, rate, profile)
            heard = any(abs(cue_s - start / rate - lead_s) <= SAME_S for cue_s in cues)
        return HeardSound(sound, wrong, len(samples) / rate / 3600, heard)

    def _before_a_room(
        self, samples: NDArray[np.float64], louder_db: float, random: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return a quiet room, the sound in it at a level relative to the takes, and another second of the room."""
        rate = self.rate
        faded = samples.copy()
        fade = min(round(FADE_S * rate), len(samples) // 2)
        faded[:fade] *= np.linspace(0, 1, fade)
        faded[len(faded) - fade :] *= np.linspace(1, 0, fade)
        faded *= self.level * 10 ** (louder_db / 20) / max(_loudness(samples), 1.0)
        padded = np.concatenate([np.zeros(round(ROOM_S * rate)), faded, np.zeros(rate)])
        return padded + random.normal(0, self.level * 10 ** (ROOM_DB / 20), len(padded))


def _left_out(takes: Sequence[Recording]) -> Iterator[tuple[Recording, BamProfile]]:
    """Yield each take with the profile learnt from the others, unless another take would be alone of its sort."""
    for take in takes:
        with suppress(LearningError):
            yield take, learn([other for other in takes if other is not take])


def _cues(samples: NDArray[np.float64], rate: int, profile: BamProfile) -> Iterator[float]:
    """Yield the times at which Bams are heard. Two within 2 s count as one, as in a game."""
    ear, gate = BamEar(profile), CueGate()
    whole = np.clip(samples, -LOUDEST, LOUDEST).astype(np.int16)
    piece = round(rate * PIECE_S)
    for first in range(0, len(whole), piece):
        bam_s = ear.hear(whole[first : first + piece], rate, first / rate)
        if bam_s is not None and gate.make(Maker.SOUND, bam_s):
            yield bam_s


def _loudness(samples: NDArray[np.floating] | NDArray[np.int16]) -> float:
    """Return the root mean square of the loudest 50 ms or so."""
    parts = np.array_split(samples.astype(np.float64), max(1, len(samples) // 800))
    return max(float(np.sqrt(np.mean(part**2))) for part in parts if len(part))


def _cut_bam(take: Recording) -> tuple[NDArray[np.float64], float]:
    """Return the Bam of a take, faded, from a little before its loudest moment, and its onset in that piece."""
    samples = take.samples.astype(np.float64)
    step = round(0.01 * take.rate)
    levels = np.array([np.sqrt(np.mean(samples[at : at + step] ** 2)) for at in range(0, len(samples) - step, step)])
    begins = int(np.argmax(levels > 0.15 * levels.max())) * step
    start = max(0, begins - round(_LEAD_S * take.rate))
    cut = samples[start : start + round((_LEAD_S + _BAM_S) * take.rate)].copy()
    fade = min(step * 5, len(cut) // 2)
    cut[:fade] *= np.linspace(0, 1, fade)
    cut[len(cut) - fade :] *= np.linspace(1, 0, fade)
    return cut, (begins - start) / take.rate


def figures_by_sort(heard: Sequence[HeardSound]) -> dict[str, SortFigures]:
    """Return the figures of each class, then of each half, then of all."""
    sorts = sorted({result.sound.sort for result in heard})
    parts = {sort: [result for result in heard if result.sound.sort == sort] for sort in sorts}
    parts["first half"] = [result for result in heard if result.sound.half == 0]
    parts["second half"] = [result for result in heard if result.sound.half == 1]
    parts["all"] = list(heard)
    return {name: SortFigures.of(part) for name, part in parts.items() if part}


class SortShape(JsonShape):
    """One sort of real sounds: `false_alarms` in its hours, `an_hour` with its 95 % interval, and the Bams."""

    false_alarms: int
    hours: float
    an_hour: float
    low: float
    high: float
    bams: int
    heard: int

    @classmethod
    def of(cls, own: SortFigures) -> Self:
        """Convert the figures of a sort."""
        low, high = own.wrong.interval
        return cls(
            false_alarms=own.wrong.count,
            hours=round(own.wrong.hours, _DIGITS),
            an_hour=own.wrong.an_hour,
            low=low,
            high=high,
            bams=0 if own.heard is None else own.heard.total,
            heard=0 if own.heard is None else own.heard.count,
        )


class RealSoundsShape(JsonShape):
    """Real sounds, sort by sort."""

    sorts: dict[str, SortShape] = Field(alias="real sounds")

    @classmethod
    def of(cls, figures: Mapping[str, SortFigures]) -> Self:
        """Convert the figures of each sort."""
        return cls.model_validate({"real sounds": {name: SortShape.of(own) for name, own in figures.items()}})
