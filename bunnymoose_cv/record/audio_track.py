"""Spoken announcements one after the other: their start times, and one WAV file of all."""

from __future__ import annotations

import wave
from typing import TYPE_CHECKING

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.voice.player import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PAUSE_S = 0.5
"""Between two announcements, so that each figure can be moved."""


class SoundFileError(InputError):
    """Error of a sound file that cannot be written."""


def starts_s(sounds: Sequence[Path]) -> tuple[float, ...]:
    """Start times of several WAV files, seconds after the first."""
    starts, start = [], 0.0
    for sound in sounds:
        starts.append(start)
        start += seconds(sound) + PAUSE_S
    return tuple(starts)


def join_sounds(sounds: Sequence[Path], path: Path) -> None:
    """Write several WAV files of one voice as one, with pauses between them.

    Raises:
        SoundFileError: it cannot be written.
    """
    try:
        with whole_file(path) as part, part.open("wb") as file, wave.open(file) as joined:
            for number, sound in enumerate(sounds):
                with wave.open(str(sound)) as content:
                    if number == 0:
                        joined.setparams(content.getparams())
                    else:
                        silent = round(PAUSE_S * content.getframerate())
                        joined.writeframes(bytes(silent * content.getnchannels() * content.getsampwidth()))
                    joined.writeframes(content.readframes(content.getnframes()))
    except OSError as error:
        raise SoundFileError(f"The sound {path} cannot be written ({error.strerror}): name another folder") from error
