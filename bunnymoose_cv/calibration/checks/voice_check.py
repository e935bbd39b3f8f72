"""Check of the microphone: whether sound comes, and a “Bam” stands out of the room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.loudness import STEP_S, BandMeter, PoorSoundError, decibels
from bunnymoose_cv.cues.onset import AFTER, BEFORE, begins, level_of, rises

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.sound import Sound
    from bunnymoose_cv.cues.loudness import Samples

SAY_BAM: Final = Phrase("Say “Bam!” once, as loud as in the game.")
"""The request."""

_SILENT: Final = 4
"""Largest sample that is no sound but the last bits of a converter."""

_LOUDEST: Final = np.iinfo(np.int16).max - 1


@dataclass(frozen=True, slots=True)
class SoundBeginning:
    """Beginning of a sudden sound.

    Attributes:
        above_room_db: its level above the median of all that is heard, decibels.
        clipped_share: share of its samples that are as loud as samples can be.
    """

    above_room_db: float
    clipped_share: float


def check_voice(sound: Sound) -> Finding:
    """Check what was heard while “Bam” was asked for."""
    if sound.samples.size == 0 or int(_magnitudes(sound.samples).max()) <= _SILENT:
        remedy = Phrase("Switch the microphone on, plug it in, or choose another by --microphone; a key says Bam, too.")
        return Finding(
            CheckLine.MICROPHONE, Level.WEAK, Phrase("The microphone is silent."), remedy, CheckCause.NO_SOUND, 0.0
        )
    bam = loudest_beginning(sound)
    if bam is None or bam.above_room_db < THRESHOLDS.voice_db:
        sentence = Phrase("No Bam stands out of the room’s sound.")
        remedy = Phrase("Say it louder or nearer the microphone, and turn the music down.")
        value = None if bam is None else bam.above_room_db
        return Finding(CheckLine.MICROPHONE, Level.WEAK, sentence, remedy, CheckCause.NO_VOICE, value)
    if bam.clipped_share > THRESHOLDS.clipped:
        sentence = Phrase("The microphone is driven too hard: the Bam is cut off.")
        remedy = Phrase("Turn the microphone down in the system’s settings.")
        return Finding(CheckLine.MICROPHONE, Level.WEAK, sentence, remedy, CheckCause.TOO_LOUD, bam.clipped_share)
    sentence = Phrase("The Bam is heard, {above:.0f} dB above the room.", above=bam.above_room_db)
    return good(CheckLine.MICROPHONE, sentence, bam.above_room_db)


def loudest_beginning(sound: Sound) -> SoundBeginning | None:
    """The loudest sound that begins; None where none does, and of too few samples a second."""
    try:
        powers = BandMeter(sound.rate).measure(sound.samples)
    except PoorSoundError:
        return None
    rise = rises(powers)
    frames = [frame for frame in range(BEFORE, len(powers) - AFTER) if begins(rise, frame)]
    if not frames:
        return None
    frame = max(frames, key=lambda each: level_of(powers, each))
    first, end = (round(each * STEP_S * sound.rate) for each in (frame, frame + AFTER))
    above_db = level_of(powers, frame) - float(np.median(decibels(powers.sum(1))))
    return SoundBeginning(above_db, float((_magnitudes(sound.samples[first:end]) >= _LOUDEST).mean()))


def _magnitudes(samples: Samples) -> npt.NDArray[np.int32]:
    return np.abs(samples.astype(np.int32))
