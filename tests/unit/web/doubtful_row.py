"""Row of players in front of a camera, some of whom have doubtful readings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import PlayerReading
from tests.doubles import CannedCamera, CannedReader, row_reading

ROW: Final = ("WU WU", "WU WU", "TS TS", "WU WU", "TS TS")
"""Poses of five players, with look-alikes among them."""

ANY_KIND: Final = HeadgearProbabilities(0.5, 0.3, 0.2, wide=0.6, up=0.9, straight=0.6, top=0.6)
SPREAD: Final = HeadgearProbabilities(0.99, 0.005, 0.005, wide=0.6, up=0.99)
KIND: Final = HeadgearProbabilities(0.002, 0.199, 0.799, straight=0.99, top=0.99)
"""After the prior of the game an ear is 3 to 2 against nothing."""

SEAT_PX: Final = 384
_BAM_S: Final = 20.0


class DoubtfulRow(CannedReader):
    """Reader of the row, and the camera that shows it."""

    def __init__(self, poses: Sequence[str]) -> None:
        self._row = row_reading(poses, SEAT_PX)
        self.camera = CannedCamera(self._row.image, _BAM_S)
        super().__init__(self._row)

    def doubt(self, count: int) -> None:
        """Make the readings of the first players from the left doubtful, each in another way."""
        self._canned = (*map(_doubtful, self._row.players[:count]), *self._row.players[count:])


def _doubtful(player: PlayerReading) -> PlayerReading:
    match player.seat:
        case 1:
            return _with(player, {Side.LEFT: ANY_KIND})
        case 2:
            return replace(player, tongue=replace(player.tongue, probability_out=0.6, unclear=True, confidence=0.6))
        case 3:
            return _with(player, {Side.RIGHT: KIND})
        case 4:
            return _with(player, {Side.LEFT: SPREAD})
    return _with(player, dict.fromkeys(Side, ANY_KIND))


def _with(player: PlayerReading, probabilities: dict[Side, HeadgearProbabilities]) -> PlayerReading:
    headgear = {
        side: replace(player.headgear[side], probabilities=chances, unclear=chances.unclear(load_settings().headgear))
        for side, chances in probabilities.items()
    }
    return replace(player, headgear={**player.headgear, **headgear})
