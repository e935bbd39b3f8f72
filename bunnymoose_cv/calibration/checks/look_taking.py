"""Take a look at the table: read the newest frame, and search it turned, for heads that stand upright then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.rotation_check import likely_upright
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.capture.orientation import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.reader import Reader

_TURNS: Final = (90, 180, 270)


def take_look(reader: Reader, frames: Sequence[Frame], times_s: Sequence[float]) -> TableLook:
    """Read the newest of the frames.

    Args:
        reader: the models; its profile tells how the frames were turned.
        frames: consecutive ones; at least one.
        times_s: when each frame of the whole look came.
    """
    image = frames[-1].image
    players = tuple(each.player for each in reader.read(image, frames[-1].time_s).players)
    heads = [player.head for player in players]
    turned = search_turned(reader, image, heads)
    view = View.of(reader.settings.camera)
    return TableLook(of_one_size(frames), tuple(times_s), players, view=view, turned=turned)


def search_turned(reader: Reader, image: Image, heads: Sequence[Head]) -> dict[int, tuple[Head, ...]]:
    """Search the image upside down, and on its sides too unless everybody found surely sits upright.

    Returns:
        The clockwise turn in degrees → the heads found then.
    """
    turns = (180,) if heads and likely_upright(heads) == len(heads) else _TURNS
    return {turn: reader.search(View(turn).upright(image)) for turn in turns}
