"""Check of the microphone: whether sound comes, and a “Bam” stands out of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckFinding, CheckLine, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.finding import State
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.loudness import BandMeter, PoorSoundError, decibels
from bunnymoose_cv.cues.onset import AFTER, BEFORE, begins, level_of, rises

if TYPE_CHECKING:
    from bunnymoose_cv.capture.sound import Sound
    from bunnymoose_cv.cues.loudness import Powers

SAY_BAM: Final = Phrase("Say “Bam!” once, as loud as in the game.")
"""The request."""

_SILENT: Final = 4
"""Samples up to here are no sound but the last bits of a converter."""


def check_voice(sound: Sound) -> CheckFinding:
    """Check what was heard while “Bam” was asked for."""
    if sound.samples.size == 0 or int(np.abs(sound.samples.astype(np.int32)).max()) <= _SILENT:
        remedy = Phrase("Switch the microphone on, plug it in, or choose another by --microphone; a key says Bam, too.")
        return CheckFinding(
            CheckLine.MICROPHONE, State.WEAK, CheckCause.NO_SOUND, Phrase("The microphone is silent."), remedy, 0.0
        )
    above_db = bam_above_room_db(sound)
    if above_db is None or above_db < THRESHOLDS.voice_db:
        sentence = Phrase("No Bam stands out of the room’s sound.")
        remedy = Phrase("Say it louder or nearer the microphone, and turn the music down.")
        return CheckFinding(CheckLine.MICROPHONE, State.WEAK, CheckCause.NO_VOICE, sentence, remedy, above_db)
    clipped = float((np.abs(sound.samples.astype(np.int32)) >= np.iinfo(np.int16).max - 1).mean())
    if clipped > THRESHOLDS.clipped:
        sentence = Phrase("The microphone is driven too hard: the Bam is cut off.")
        remedy = Phrase("Turn the microphone down in the system’s settings.")
        return CheckFinding(CheckLine.MICROPHONE, State.WEAK, CheckCause.TOO_LOUD, sentence, remedy, clipped)
    sentence = Phrase("The Bam is heard, {above:.0f} dB above the room.", above=above_db)
    return good(CheckLine.MICROPHONE, sentence, above_db)


def bam_above_room_db(sound: Sound) -> float | None:
    """By how much the loudest beginning of a sound stands above the room, decibels; None without a beginning.

    Sound of too few samples a second has none either.
    """
    try:
        powers = BandMeter(sound.rate).measure(sound.samples)
    except PoorSoundError:
        return None
    frame = _loudest_beginning(powers)
    return None if frame is None else level_of(powers, frame) - float(np.median(decibels(powers.sum(1))))


def _loudest_beginning(powers: Powers) -> int | None:
    rise = rises(powers)
    found = [frame for frame in range(BEFORE, len(powers) - AFTER) if begins(rise, frame)]
    return max(found, key=lambda frame: level_of(powers, frame), default=None)
