"""Detection of cues in a whole recording as in a game: piece by piece, two Bams within 2 s one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.cues.bam import BamEar, BamProfile, Recording
from bunnymoose_cv.cues.cue import Cue, CueGate, Maker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PIECE_S: Final = 0.02
"""Length of the pieces, about that of a microphone's."""


def cues_in(recording: Recording, profile: BamProfile, own_voice: Iterable[tuple[float, float]] = ()) -> Iterator[Cue]:
    """The cues that a recording gives, their times counted from its beginning.

    Args:
        own_voice: from when to when the referee itself speaks.

    Raises:
        PoorSoundError: the recording has too few samples a second.
    """
    ear, gate = BamEar(profile), CueGate()
    for start_s, end_s in own_voice:
        ear.deafen(start_s, end_s)
    piece = round(recording.rate * PIECE_S)
    for first in range(0, len(recording.samples), piece):
        bam_s = ear.hear(recording.samples[first : first + piece], recording.rate, first / recording.rate)
        if bam_s is not None and (cue := gate.make(Maker.SOUND, bam_s)):
            yield cue
