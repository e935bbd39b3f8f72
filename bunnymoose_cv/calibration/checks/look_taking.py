"""Take a look at the table: read the newest frame, and search it turned where nobody sits upright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.rotation_check import upright
from bunnymoose_cv.calibration.checks.table_look import TableLook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.reader import Reader

_TURNS: Final = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def take_look(reader: Reader, frames: Sequence[Frame], times_s: Sequence[float], *, live: bool = True) -> TableLook:
    """Read the newest of the frames.

    Args:
        reader: the models.
        frames: consecutive ones; at least one.
        times_s: when each frame of the whole look came.
        live: whether a camera or a stream gives them.
    """
    picture = frames[-1].picture
    players = tuple(each.player for each in reader.read(picture, frames[-1].time_s).players)
    turned = {}
    if not upright([player.head for player in players]):
        turned = {degrees: reader.search(np.asarray(cv2.rotate(picture, turn))) for degrees, turn in _TURNS.items()}
    return TableLook(tuple(frames), tuple(times_s), players, live, turned)
