"""The demo clip at 1080p at any length, rows of its players, and the game played on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, takewhile
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.record.video_file import write_film

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Frame, Image

FULL_HD: Final = (1920, 1080)
"""Width and height in pixels."""

IN_CLIP: Final = 5
"""Number of players in the clip, each in a column of equal width."""

PLAYERS: Final = ("Narrator", "Ari", "Bo", "Cleo", "Dana", "Eli")
CARDS: Final = "L.WU+1 B.CU+1/+2 R.?F-1 RABBIT*2 TONGUE+3 L.T?+2"
DEMO_S: Final = 5.0
CUE_S: Final = 3.5
"""Time of the Bam in the clip, seconds."""

FRAMES_PER_S: Final = 10
HELD: Final = 3
"""Number of times each frame of the demo clip is shown, since a camera gives 30 a second."""


def full_hd_clip(folder: Path, length_s: float) -> Path:
    """Write the demo clip at 1080p, repeated up to a length."""
    path = folder / "demo_1080p.mp4"
    write_film(path, takewhile(lambda frame: frame.time_s < length_s, _full_hd_frames()))
    return path


def row_clip(folder: Path, players: int, length_s: float) -> Path:
    """The first players of that clip alone."""
    path = folder / f"demo_row{players}.mp4"
    width = FULL_HD[0] * players // IN_CLIP
    frames = (replace(frame, image=np.ascontiguousarray(frame.image[:, :width])) for frame in _full_hd_frames())
    write_film(path, takewhile(lambda frame: frame.time_s < length_s, frames))
    return path


def row_image(players: int) -> Image:
    """Compose a row of players from the freeze of the demo clip; with five it is the freeze itself.

    The image is as wide as the row needs. Every player keeps the size that five have at 1080p. A crop of one
    player thus shows the same pixels in every row, and costs differ only by the number of players.
    """
    clip = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    freeze = cv2.resize(clip.frame_at(clip.duration_s - 0.5).image, FULL_HD)
    columns = np.split(freeze, IN_CLIP, axis=1)
    return np.asarray(np.hstack([columns[seat % IN_CLIP] for seat in range(players)]), np.uint8)


def _full_hd_frames() -> Iterator[Frame]:
    demo = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    for began_s in count(0.0, DEMO_S):
        for frame in demo:
            large = np.asarray(cv2.resize(frame.image, FULL_HD), np.uint8)
            for held in range(HELD):
                yield replace(frame, image=large, time_s=began_s + frame.time_s + held / HELD / FRAMES_PER_S)
