"""Evidence of a round: from memory while it is there, else from the kept files, in one shape for both."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.jpeg_encoding import encode_jpeg
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import is_own_file, is_visible
from bunnymoose_cv.record.evidence_json import FrameEvidence
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.session.table_state import TableState

_logger = logging.getLogger(__name__)

JPEG_QUALITY: Final = 88
WIDEST_STILL: Final = 1280
"""Pixels; a tile shows no more."""

_AROUND_FACE: Final = (1.3, 0.6, 0.5)
"""Smallest view of a player: to either side of the face, above and below it, in its widths."""

_MARGIN: Final = 0.25
"""Room around hands, in widths of the face."""

_SHAPE: Final = 1.1
"""Width of a player's image for its height."""

_STILL_SHAPES: Final = (1.0, 2.6)
"""A still has room for tiles of these shapes and all between them, wherever in it the player is."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundEvidenceView:
    """Evidence of the frames around one Bam.

    Attributes:
        cue_s: when Bam was said, on the clock of the frames.
        size: of the images, width and height in pixels.
        frames: those of the window, in order of time, with players where they were read.
        moved: by seat, when it shows that a player changed after the freeze.
        image: the pixels of one of the frames, by its index; None where they cannot be read any more.
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
        """The index of the frame that stands for them all."""
        return min(range(len(self.frames)), key=lambda index: abs(self.frames[index].time_s - self.agreed.time_s))

    def reading_of(self, seat: int) -> PlayerEvidence | None:
        """Return the aggregated reading of a seat; None for somebody who was not seen."""
        return next((player for player in self.agreed.players if player.seat == seat), None)

    def reading_in(self, index: int, seat: int) -> PlayerEvidence | None:
        """Return one frame's reading of a seat: of the face nearest to the aggregated one."""
        agreed = self.reading_of(seat)
        if agreed is None:
            return None
        near = [player for player in self.frames[index].players if _apart(player, agreed) < agreed.face_px[2]]
        return min(near, key=lambda player: _apart(player, agreed), default=None)

    def player_in(self, seat: int) -> Box:
        """Crop of face and both hands, in pixels; the whole image for a player who was not seen."""
        reading = self.reading_of(seat)
        return Box(0, 0, *self.size) if reading is None else _around(reading, self.size)

    def window_of(self, seat: int) -> Box:
        """The same in the one shape of all windows."""
        box = self.player_in(seat)
        return _within(_grown(box, box.height * _SHAPE, box.width / _SHAPE), self.size)

    def still_of(self, seat: int) -> Box:
        """Crop of a player's still: the player with a margin."""
        box, (narrowest, widest) = self.player_in(seat), _STILL_SHAPES
        return _within(_grown(box, box.height * widest, box.width / narrowest), self.size)


def round_evidence_view(state: TableState, number: int) -> RoundEvidenceView | None:
    """Return the evidence of a round; None where there was no camera or nothing was kept.

    Raises:
        EvidenceError: what was kept cannot be read.
    """
    if state.judged is not None and state.judged.number == number:
        return _remembered(state.judged)
    kept = round_folder(state.folder, number)
    return _read_evidence(kept.folder, kept.json.stat().st_mtime_ns) if is_visible(kept.json) else None


def frame_jpeg(state: TableState, round_number: int, number: int) -> bytes | None:
    """One of the frames that were read around a Bam.

    Args:
        number: of the frame, counted from 1 in order of time.

    Returns:
        A JPEG, unmirrored; None where there is none.
    """
    seen = _readable(state, round_number)
    image = seen.image(number - 1) if seen is not None and 1 <= number <= len(seen.frames) else None
    return None if image is None else encode_jpeg(image, JPEG_QUALITY)


def still_jpeg(state: TableState, round_number: int, seat: int) -> bytes | None:
    """One player at Bam, with both hands.

    Returns:
        A JPEG of what `RoundEvidenceView.still_of` says, unmirrored, without drawings; None where nobody was seen.
    """
    seen = _readable(state, round_number)
    if seen is None or seen.reading_of(seat) is None:
        return None
    image = seen.image(seen.frozen)
    return None if image is None else encode_jpeg(_cut(image, seen.still_of(seat)), JPEG_QUALITY)


def _readable(state: TableState, number: int) -> RoundEvidenceView | None:
    """Return readable evidence, and None where it is damaged: a missing image shows its own message."""
    try:
        return round_evidence_view(state, number)
    except EvidenceError:
        _logger.warning("the evidence of round %d is not readable", number, exc_info=True)
        return None


@lru_cache(maxsize=2)  # of one round before and after it is known who moved; more would hold too many images
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
def _read_evidence(folder: Path, _changed: int) -> RoundEvidenceView | None:
    """Read the evidence of a round's folder; again once its file has changed."""
    shape = round_folder(folder.parent.parent, int(folder.name)).read()
    if shape is None:
        return None

    def image(index: int) -> Image | None:
        path = folder / shape.frames[index].file
        try:
            return read_image(path) if is_own_file(path) else None
        except InputError:
            _logger.warning("a still is not readable", exc_info=True)
            return None

    moved = {each.seat: each.time_s for each in shape.moved}
    return RoundEvidenceView(shape.round, shape.cue_s, shape.size, shape.frames, shape.agreed, moved, image)


def _apart(one: PlayerEvidence, other: PlayerEvidence) -> float:
    """Between the middles of two faces, pixels."""
    middles = [np.array([x + width / 2, y + height / 2]) for x, y, width, height in (one.face_px, other.face_px)]
    return float(np.linalg.norm(middles[0] - middles[1]))


def _around(reading: PlayerEvidence, size: tuple[int, int]) -> Box:
    x, y, width, height = reading.face_px
    aside, above, below = (share * width for share in _AROUND_FACE)
    corners = [(x - aside, y - above), (x + width + aside, y + height + below)]
    margin = _MARGIN * width
    for hand in (_joints(reading.left), _joints(reading.right)):
        corners += [(across + step, down + step) for across, down in hand for step in (-margin, margin)]
    return _within(Box.around(np.array(corners, np.float32)), size)


def _joints(headgear: HeadgearEvidence) -> list[tuple[float, float]]:
    return [(across, down) for across, down, _ in headgear.hand]


def _grown(box: Box, width: float, height: float) -> Box:
    """The box grown around its middle to a width and a height, where it has not as much."""
    width, height = max(box.width, width), max(box.height, height)
    return Box(box.centre[0] - width / 2, box.centre[1] - height / 2, width, height)


def _within(box: Box, size: tuple[int, int]) -> Box:
    """The box moved into the image, and no larger than it."""
    width, height = min(box.width, size[0]), min(box.height, size[1])
    return Box(min(max(box.x, 0.0), size[0] - width), min(max(box.y, 0.0), size[1] - height), width, height)


def _cut(image: Image, box: Box) -> Image:
    left, top = round(box.x), round(box.y)
    part = image[top : top + max(1, round(box.height)), left : left + max(1, round(box.width))]
    if part.shape[1] <= WIDEST_STILL:
        return part
    scale = WIDEST_STILL / part.shape[1]
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
