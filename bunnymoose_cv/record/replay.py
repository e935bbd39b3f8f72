"""The replay of a round: the clip up to the freeze, the judged still while the announcements are heard, then the rest.

Owns no drawing, no words and no film format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.record.film import with_still, write_film
from bunnymoose_cv.record.sounds import seconds, starts_s

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Frame, Picture

BEFORE_S, AFTER_S = 0.6, 1.2
"""How long the still is seen before the first announcement and after the last."""

SILENT_S = 4.0
"""How long it is seen where nothing is heard."""


def write_replay(
    path: Path, frames: Iterable[Frame], still: Picture, freeze_s: float, announcements: Sequence[Path]
) -> None:
    """Write a replay.

    Args:
        path: the MP4 file.
        frames: the clip.
        still: the judged picture, of the clip's size.
        freeze_s: when the clip stops for it, on the clock of the frames.
        announcements: WAV files, heard one after the other; none where there is no voice.

    Raises:
        FilmError: it cannot be written.
        UnreadableError: an announcement cannot be read.
    """
    starts = [BEFORE_S + start for start in starts_s(announcements)]
    hold_s = starts[-1] + seconds(announcements[-1]) + AFTER_S if starts else SILENT_S
    heard = [read_sound(sound, freeze_s + start) for sound, start in zip(announcements, starts, strict=True)]
    write_film(path, with_still(frames, still, freeze_s, hold_s), heard)
