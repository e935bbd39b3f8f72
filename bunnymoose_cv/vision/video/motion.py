"""Motion check beside a head between two frames, which outdates an earlier reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.side_net import cut_side
from bunnymoose_cv.vision.settings import MOTION

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head


CELLS: Final = 14
"""Number of cells across and down each side of a head: noise averages out in one."""


def has_moved(before: Image, head_before: Head, now: Image, head: Head) -> bool:
    """Tell if beside a head there is something else than in an earlier image, wherever the head has gone."""
    return any(
        _share_of_other_cells(_cells(before, head_before, side), _cells(now, head, side)) > MOTION.moved_share
        for side in Side
    )


def _cells(image: Image, head: Head, side: Side) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(cut_side(image, head, side, size=CELLS), cv2.COLOR_BGR2GRAY), np.float32)


def _share_of_other_cells(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> float:
    change = now - before
    return float((np.abs(change - np.median(change)) > MOTION.changed_grey).mean())
