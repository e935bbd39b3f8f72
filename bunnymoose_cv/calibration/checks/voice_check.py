"""Check of the microphone: whether sound comes, and whether a “Bam” is louder than the room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.spectrogram import (
    AFTER,
    BEFORE,
    STEP_S,
    BandMeter,
    PoorSoundError,
    begins,
    decibels,
    level_of,
    rises,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.sound import Sound
    from bunnymoose_cv.cues.spectrogram import Samples

SAY_BAM: Final = Phrase("Say “Bam!” once, as loud as in the game.")
_SILENT: Final = 4
"""Largest sample that is only converter noise."""

_LOUDEST: Final = np.iinfo(np.int16).max - 1


@dataclass(frozen=True, slots=True)
class SoundBeginning:
    """Beginning of a sudden sound: its frame, and decibels above the median of the recording."""

    frame: int
    above_room_db: float


def beginnings(sound: Sound) -> list[SoundBeginning]:
    """Return all onsets in order; empty if the sample rate is too low."""
    try:
        powers = BandMeter(sound.rate).measure(sound.samples)
    except PoorSoundError:
        return []
    rise, room_db = rises(powers), float(np.median(decibels(powers.sum(1))))
    return [
        SoundBeginning(frame, level_of(powers, frame) - room_db)
        for frame in range(BEFORE, len(powers) - AFTER)
        if begins(rise, frame)
    ]


def check_voice(sound: Sound) -> Finding:
    """Check the sound recorded while a “Bam” was requested."""
    if sound.samples.size == 0 or int(_magnitudes(sound.samples).max()) <= _SILENT:
        sentence = Phrase("The microphone is silent.")
        remedy = Phrase(
            "Switch the microphone on, plug it in, or choose another with --microphone; a key says Bam, too."
        )
        return Finding(CheckLine.MICROPHONE, Level.WEAK, sentence, remedy, CheckCause.NO_SOUND, 0.0)
    bam = loudest_beginning(sound)
    if bam is None or bam.above_room_db < THRESHOLDS.voice_db:
        sentence = Phrase("Bam does not stand out from the noise in the room.")
        remedy = Phrase("Say it louder or nearer the microphone, and turn the music down.")
        value = None if bam is None else bam.above_room_db
        return Finding(CheckLine.MICROPHONE, Level.WEAK, sentence, remedy, CheckCause.NO_VOICE, value)
    first, end = (round(step * STEP_S * sound.rate) for step in (bam.frame, bam.frame + AFTER))
    clipped = float((_magnitudes(sound.samples[first:end]) >= _LOUDEST).mean())
    if clipped > THRESHOLDS.clipped:
        sentence = Phrase("The microphone is too loud: the Bam is clipped.")
        remedy = Phrase("Turn the microphone down in the system’s settings.")
        return Finding(CheckLine.MICROPHONE, Level.WEAK, sentence, remedy, CheckCause.TOO_LOUD, clipped)
    sentence = Phrase("The Bam is heard, {above:.0f} dB above the room.", above=bam.above_room_db)
    return good(CheckLine.MICROPHONE, sentence, bam.above_room_db)


def loudest_beginning(sound: Sound) -> SoundBeginning | None:
    """Return the loudest onset; None without one."""
    return max(beginnings(sound), key=lambda beginning: beginning.above_room_db, default=None)


def _magnitudes(samples: Samples) -> npt.NDArray[np.int32]:
    return np.abs(samples.astype(np.int32))
