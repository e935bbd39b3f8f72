"""Checks of the picture: it shows something, comes at its rate, is in focus, and moving edges are not smeared."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.table_look import contrast_of, grey_of
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook
    from bunnymoose_cv.vision.faces.head import Head

_STILL_S: Final = 0.5
"""Time after which images that are the same to the last bit come from a camera that hangs."""

_PATCHES: Final = (32, 18)
"""Large patches: noise is averaged away in them."""


def check_image(look: TableLook) -> Finding:
    """Check the newest image, and the change from one to the next."""
    grey = look.greys[-1]
    brightest = float(np.percentile(grey, 99.5))
    if brightest < THRESHOLDS.black:
        sentence = Phrase("The picture is black.")
        remedy = Phrase("Open the shutter before the lens, take the lens cap off, and switch a lamp on.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.BLACK, brightest)
    contrast = coarse_contrast(grey)
    if contrast < THRESHOLDS.covered:
        sentence = Phrase("Something covers the lens: the picture shows nothing.")
        remedy = Phrase("Take it away, wipe the lens, or turn the camera to the players.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.COVERED, contrast)
    if is_frozen(look):
        sentence = Phrase("The picture is frozen: it does not change at all.")
        remedy = Phrase("Plug the camera in again, or start its app anew.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.FROZEN)
    return good(CheckLine.IMAGE, Phrase("The camera shows a picture."), contrast)


def coarse_contrast(grey: Grey) -> float:
    """Contrast between large patches of an image, 0 to 255."""
    return contrast_of(cv2.resize(grey, _PATCHES, interpolation=cv2.INTER_AREA).astype(np.float32, copy=False))


def is_frozen(look: TableLook) -> bool:
    """Tell if a live image stays the same to the last bit; a real camera's noise makes each another."""
    if not look.live or look.frames[-1].time_s - look.frames[0].time_s < _STILL_S:
        return False
    return all(np.array_equal(one.image, other.image) for one, other in pairwise(look.frames))


_FEWEST: Final = 5
"""Fewest frames of which a rate is told."""


def check_rate(look: TableLook) -> Finding | None:
    """Check the rate; None where too few frames came to tell."""
    rate = frames_per_s(look.times_s)
    if rate is None:
        return None
    sentence = Phrase("The camera gives {rate:.0f} frames a second.", rate=rate)
    if rate >= THRESHOLDS.weak_rate:
        return good(CheckLine.RATE, sentence, rate)
    state = Level.BAD if rate < THRESHOLDS.bad_rate else Level.WEAK
    remedy = Phrase("Switch a lamp on, plug the camera in directly, choose a smaller picture, or close other programs.")
    return Finding(CheckLine.RATE, state, sentence, remedy, CheckCause.FEW_FRAMES, rate)


def frames_per_s(times_s: Sequence[float]) -> float | None:
    """The mean rate of frames that came at these times."""
    span_s = times_s[-1] - times_s[0] if times_s else 0.0
    if len(times_s) < _FEWEST or span_s <= 0:
        return None
    return float((len(np.unique(times_s)) - 1) / span_s)


_REACH: Final = 4.0
"""Eye distances around the eyes that are looked at."""

_EYES_PX: Final = 24.0
"""Eye distance to which each head is scaled, pixels, so that near and far ones are measured alike."""

_FURTHER_PX: Final = 1.5
_PIXELS_ALONE_PX: Final = 1.7
"""Blur that comes from the image's own pixels, at most: a head far away has few of them, and is no less in focus."""

_SHARPEST: Final = 97.0
"""Percentile of the steepness from which on a pixel is an edge."""


def check_focus(look: TableLook) -> Finding | None:
    """Check the blur of the middle head, or return None if nobody is found."""
    blur = blur_of(look)
    if blur is None:
        return None
    eyes_px = float(np.median([head.eye_distance for head in look.heads]))
    if blur < THRESHOLDS.weak_blur or blur * eyes_px < _PIXELS_ALONE_PX:
        return good(CheckLine.FOCUS, Phrase("The players are in focus."), blur)
    state = Level.BAD if blur >= THRESHOLDS.bad_blur else Level.WEAK
    sentence = Phrase("The players are out of focus.")
    remedy = Phrase("Wipe the lens and turn its focus ring, or let the camera focus anew: hold a hand before it.")
    return Finding(CheckLine.FOCUS, state, sentence, remedy, CheckCause.BLURRED, blur)


def blur_of(look: TableLook) -> float | None:
    """Return the median blur of the heads (standard deviation, eye distances), or None without heads.

    An edge loses the more of its steepness by a known further blur, the sharper it was (Zhuo and Sim, 2011).
    """
    if not look.heads:
        return None
    grey = grey_of(look.image, look.image.shape[1])
    return float(np.median([_edge_blur_px(_around(grey, head)) / _EYES_PX for head in look.heads]))


def _around(grey: Grey, head: Head) -> Grey:
    """The image around a head, with `_EYES_PX` between the eyes."""
    x, y = head.centre
    reach = _REACH * head.eye_distance
    height, width = grey.shape
    top, bottom = round(max(0.0, y - reach)), round(min(float(height), y + reach))
    left, right = round(max(0.0, x - reach)), round(min(float(width), x + reach))
    scale = _EYES_PX / head.eye_distance
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    part = cv2.resize(grey[top:bottom, left:right], None, fx=scale, fy=scale, interpolation=how)
    return part.astype(np.float32, copy=False)


def _edge_blur_px(grey: Grey) -> float:
    """Standard deviation of the blur at the steepest places, pixels."""
    steep = _steepness(grey)
    further = _steepness(cv2.GaussianBlur(grey, (0, 0), _FURTHER_PX).astype(np.float32, copy=False))
    edges = steep >= np.percentile(steep, _SHARPEST)
    ratio = float(np.median(steep[edges] / np.maximum(further[edges], 1e-3)))
    return _FURTHER_PX / float(np.sqrt(max(ratio**2 - 1, 1e-2)))


def _steepness(grey: Grey) -> Grey:
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32)


_BLOCK_PX: Final = 24
_LEAST_WAY_PX: Final = 5.0
"""Smallest movement between frames from which the exposure can be told."""

_LEAST_CONTRAST: Final = 40.0
_FEWEST_BLOCKS: Final = 4


def check_motion(look: TableLook) -> Finding | None:
    """Check the smear of moving parts, or return None if nothing moves fast enough."""
    exposure = exposure_s(look)
    if exposure is None:
        return None
    sentence = Phrase("A picture is exposed for about {exposure:.0f} ms.", exposure=1000 * exposure)
    if exposure < THRESHOLDS.weak_smear_s:
        return good(CheckLine.MOTION, sentence, exposure)
    remedy = Phrase("Switch more lamps on, so that moving hands are no smear.")
    return Finding(CheckLine.MOTION, Level.WEAK, sentence, remedy, CheckCause.MOTION_BLUR, exposure)


def exposure_s(look: TableLook) -> float | None:
    """The exposure in seconds, the median over moving blocks; None where too few move.

    An edge that moves by a way while the shutter is open becomes a ramp of that length: contrast divided by slope.
    """
    shares = [
        share * (later.time_s - earlier.time_s)
        for (earlier, one), (later, other) in pairwise(zip(look.frames, look.greys, strict=True))
        for share in _smeared_shares(one, other)
    ]
    return float(np.median(shares)) if len(shares) >= _FEWEST_BLOCKS else None


def _smeared_shares(one: Grey, other: Grey) -> list[float]:
    """Smear of each moving block as a share of its way from frame to frame, 0 to 1."""
    flow = cv2.calcOpticalFlowFarneback(
        one.astype(np.uint8), other.astype(np.uint8), np.zeros((*one.shape, 2), np.float32), 0.5, 4, 21, 3, 7, 1.5, 0
    )
    shares = []
    ways = _block_ways(np.asarray(flow, np.float32))
    for row, column in np.argwhere(np.hypot(ways[..., 0], ways[..., 1]) >= _LEAST_WAY_PX):
        top, left = row * _BLOCK_PX, column * _BLOCK_PX
        way = ways[row, column]
        length = float(np.hypot(*way))
        smear = _ramp_px(other[top : top + _BLOCK_PX, left : left + _BLOCK_PX], way / length)
        if smear is not None:
            shares.append(min(1.0, smear / length))
    return shares


def _block_ways(flow: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Median flow of each block, shape (rows, columns, 2); a block that ends at the edge of the image is left out."""
    rows, columns = ((length - 1) // _BLOCK_PX for length in flow.shape[:2])
    blocks = flow[: rows * _BLOCK_PX, : columns * _BLOCK_PX].reshape(rows, _BLOCK_PX, columns, _BLOCK_PX, 2)
    ways: npt.NDArray[np.float32] = np.median(blocks.swapaxes(1, 2).reshape(rows, columns, _BLOCK_PX**2, 2), axis=2)
    return ways


def _ramp_px(block: Grey, along: npt.NDArray[np.float32]) -> float | None:
    """The length of the steepest ramp along a direction, beyond that of a sharp edge; None without an edge."""
    low, high = np.percentile(block, [2, 98])
    if high - low < _LEAST_CONTRAST:
        return None
    slope = np.gradient(block, axis=1) * along[0] + np.gradient(block, axis=0) * along[1]
    return max(0.0, float((high - low) / max(np.percentile(np.abs(slope), 99), 1e-3)) - _SHARP_PX)


_SHARP_PX: Final = 3.0
"""Width of a sharp edge, pixels."""
