"""Steady readings: a player whose image has not changed since an earlier round keeps the reading of that round.

The noise of a camera changes probabilities from round to round, so that close to a threshold the same still scene would
lead to a question in one round and to none in the next. More frames of a round do not help, since their doubts are
alike. Nothing is learnt from answers, so that the same doubt leads to the same question.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.readings import PlayerReading

_KEPT: Final = 24
"""Number of readings that are kept, those of some rounds."""

_TILES: Final = 32
"""Number of tiles in a row, and of rows, of the mosaic in which scenes are compared."""

_NOISE: Final = 12.0
"""Largest change of a tile's colour, of 255, that is noise. Tiles of still rows with the noise of a bright and of a
dark room change by 4 and 6."""

_DIFFERENCE: Final = 0.5
"""Largest difference (total variation) between two readings of one scene. Beyond it the earlier one was a slip."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """Reading of one player with the part of the image that shows head and hands, as a small mosaic."""

    reading: PlayerReading
    size: tuple[int, ...]
    mosaic: NDArray[np.float32]

    def shows(self, reading: PlayerReading, image: Image) -> bool:
        """Return whether a reading is one of this scene, unchanged but for noise and the light as a whole."""
        if image.shape != self.size or not self.reading.player.head.overlaps(reading.face):
            return False
        change = _mosaic(image, self.reading.face) - self.mosaic
        is_same = np.abs(change - np.median(change)).max() <= _NOISE
        return bool(is_same) and _difference(self.reading.probabilities, reading.probabilities) <= _DIFFERENCE


class SteadyReadings:
    """Readings of the latest rounds of a game, each with its scene."""

    def __init__(self) -> None:
        self._scenes: deque[_Scene] = deque(maxlen=_KEPT)

    def steady(self, reading: PlayerReading, image: Image) -> PlayerReading:
        """Return the earlier reading of the same scene or, without one, this reading, which is kept."""
        scene = next((scene for scene in self._scenes if scene.shows(reading, image)), None)
        if scene is None:
            self._scenes.append(_Scene(reading, image.shape, _mosaic(image, reading.face)))
            return reading
        return replace(scene.reading, player=replace(scene.reading.player, seat=reading.seat))


def _mosaic(image: Image, face: Box) -> NDArray[np.float32]:
    """Return the mean colours of the tiles around a face, far enough for the hands beside and above it."""
    height, width = image.shape[:2]
    left, right = max(0, int(face.x - 1.2 * face.width)), min(width, int(face.x + 2.2 * face.width))
    top, bottom = max(0, int(face.y - 1.2 * face.height)), min(height, int(face.y + 1.6 * face.height))
    tiles = (_TILES, _TILES)
    return np.asarray(cv2.resize(image[top:bottom, left:right], tiles, interpolation=cv2.INTER_AREA), np.float32)


def _difference(one: PoseProbabilities, other: PoseProbabilities) -> float:
    """Return the total variation of two distributions: no move's probability differs by more."""
    poses = {**dict(one.poses()), **dict(other.poses())}
    return sum(abs(one.of(pose) - other.of(pose)) for pose in poses) / 2
