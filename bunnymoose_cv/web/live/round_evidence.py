"""View model of a round's evidence, the same from memory and from stored files."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from math import dist
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.jpeg_frame import encode_jpeg
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import is_own_file, is_visible
from bunnymoose_cv.record.evidence_json import FrameEvidence
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.session.table_state import TableState

_logger = logging.getLogger(__name__)

JPEG_QUALITY: Final = 88
WIDEST_STILL: Final = 1280
"""Width of the largest still in pixels, which is all that a tile shows."""

_AROUND_FACE: Final = (1.3, 0.6, 0.5)
"""Smallest crop of a player: margins beside, above and below the face, in widths of the face."""

_MARGIN: Final = 0.25
"""Margin around hands, in widths of the face."""

_SHAPE: Final = 1.1
"""Aspect ratio of a player's crop, width by height."""

_STILL_SHAPES: Final = (1.0, 2.6)
"""Narrowest and widest aspect ratio of the tiles that a still must fill."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundEvidenceView:
    """Evidence of the frames around one Bam.

    Attributes:
        cue_s: the time of Bam on the clock of the frames.
        size: width and height of the images in pixels.
        frames: frames of the window in order of time, with the players that were read in them.
        moved: the time at which a player visibly changed the pose after the freeze, by seat.
        image: returns the pixels of a frame by its index; None if they are not readable any more.
    """

    number: int
    cue_s: float
    size: tuple[int, int]
    frames: tuple[FrameEvidence, ...]
    agreed: FrameEvidence
    moved: Mapping[int, float]
    image: Callable[[int], Image | None]

    @property
    def frozen(self) -> int:
        """Index of the frame that is shown for the whole window."""
        return min(range(len(self.frames)), key=lambda index: abs(self.frames[index].time_s - self.agreed.time_s))

    def reading_of(self, seat: int) -> PlayerEvidence | None:
        """Return the aggregated reading of a seat; None if the player was not seen."""
        return next((player for player in self.agreed.players if player.seat == seat), None)

    def reading_in(self, index: int, seat: int) -> PlayerEvidence | None:
        """Return the reading of a seat in one frame, which is that of the face nearest to the aggregated one."""
        agreed = self.reading_of(seat)
        if agreed is None:
            return None
        near = [player for player in self.frames[index].players if _apart(player, agreed) < agreed.face_px[2]]
        return min(near, key=lambda player: _apart(player, agreed), default=None)

    def player_in(self, seat: int) -> Box:
        """Return the box of face and both hands in pixels; the whole image if the player was not seen."""
        reading = self.reading_of(seat)
        return Box(0, 0, *self.size) if reading is None else _around(reading, self.size)

    def window_of(self, seat: int) -> Box:
        """Return the same box, extended to the aspect ratio of all windows."""
        return self._extended(seat, _SHAPE, _SHAPE)

    def still_of(self, seat: int) -> Box:
        """Return the box of a player's still, which has a margin for tiles of every shape."""
        return self._extended(seat, *_STILL_SHAPES)

    def _extended(self, seat: int, narrowest: float, widest: float) -> Box:
        """Return a player's box, extended around its centre so that it fills tiles of these aspect ratios."""
        box = self.player_in(seat)
        width, height = max(box.width, box.height * widest), max(box.height, box.width / narrowest)
        return _within(Box(box.centre[0] - width / 2, box.centre[1] - height / 2, width, height), self.size)


def round_evidence_view(state: TableState, number: int) -> RoundEvidenceView | None:
    """Return the evidence of a round; None without any. Raise an `EvidenceError` if it is stored but not readable."""
    if state.judged is not None and state.judged.number == number:
        return _remembered(state.judged)
    kept = round_folder(state.folder, number)
    return _read_evidence(kept, kept.json.stat().st_mtime_ns) if is_visible(kept.json) else None


def frame_jpeg(state: TableState, round_number: int, number: int) -> bytes | None:
    """Return one of the frames around a Bam, numbered from 1, as an unmirrored JPEG; None if it is missing."""
    seen = _readable(state, round_number)
    image = seen.image(number - 1) if seen is not None and 1 <= number <= len(seen.frames) else None
    return None if image is None else encode_jpeg(image, JPEG_QUALITY)


def still_jpeg(state: TableState, round_number: int, seat: int) -> bytes | None:
    """Return the still of a player at Bam as an unmirrored JPEG without drawings; None if the player was not seen."""
    seen = _readable(state, round_number)
    if seen is None or seen.reading_of(seat) is None:
        return None
    image = seen.image(seen.frozen)
    return None if image is None else encode_jpeg(_cut(image, seen.still_of(seat)), JPEG_QUALITY)


def _readable(state: TableState, number: int) -> RoundEvidenceView | None:
    """Return the evidence of a round; None if it is damaged, since pages show a message for a missing image."""
    try:
        return round_evidence_view(state, number)
    except EvidenceError:
        _logger.warning("the evidence of round %d is not readable", number, exc_info=True)
        return None


@lru_cache(maxsize=2)  # one round before and after the check of movements; more would hold too many images
def _remembered(judged: JudgedRound) -> RoundEvidenceView:
    readings = sorted(judged.readings, key=lambda reading: reading.time_s)
    images = [reading.image for reading in readings]
    height, width = judged.frozen.reading.image.shape[:2]
    return RoundEvidenceView(
        number=judged.number,
        cue_s=judged.cue_s,
        size=(width, height),
        frames=tuple(FrameEvidence.of("", reading) for reading in readings),
        agreed=FrameEvidence.of("", judged.agreed),
        moved={seat.seat: seat.movement.time_s for seat in judged.seats if seat.movement is not None},
        image=images.__getitem__,
    )


@lru_cache(maxsize=8)
def _read_evidence(kept: RoundFolder, _changed: int) -> RoundEvidenceView | None:
    """Read the evidence in a round's folder, cached until its file changes."""
    shape = kept.read()
    if shape is None:
        return None

    def image(index: int) -> Image | None:
        path = kept.folder / shape.frames[index].file
        try:
            return read_image(path) if is_own_file(path) else None
        except InputError:
            _logger.warning("a still is not readable", exc_info=True)
            return None

    moved = {movement.seat: movement.time_s for movement in shape.moved}
    return RoundEvidenceView(shape.round, shape.cue_s, shape.size, shape.frames, shape.agreed, moved, image)


def _apart(one: PlayerEvidence, other: PlayerEvidence) -> float:
    """Return the distance between the centres of two faces in pixels."""
    return dist(Box(*one.face_px).centre, Box(*other.face_px).centre)


def _around(reading: PlayerEvidence, size: tuple[int, int]) -> Box:
    x, y, width, height = reading.face_px
    aside, above, below = (share * width for share in _AROUND_FACE)
    corners = [(x - aside, y - above), (x + width + aside, y + height + below)]
    margin = _MARGIN * width
    for across, down, _ in (*reading.left.hand, *reading.right.hand):
        corners += [(across + step, down + step) for step in (-margin, margin)]
    return _within(Box.around(np.array(corners, np.float32)), size)


def _within(box: Box, size: tuple[int, int]) -> Box:
    """Return the box moved into the image, and limited to its size."""
    width, height = min(box.width, size[0]), min(box.height, size[1])
    return Box(min(max(box.x, 0.0), size[0] - width), min(max(box.y, 0.0), size[1] - height), width, height)


def _cut(image: Image, box: Box) -> Image:
    left, top = round(box.x), round(box.y)
    part = image[top : top + max(1, round(box.height)), left : left + max(1, round(box.width))]
    if part.shape[1] <= WIDEST_STILL:
        return part
    scale = WIDEST_STILL / part.shape[1]
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
