"""Checks of the picture: it is not blank, its rate suffices, it is in focus, and moving edges are not smeared.

`check_look` runs these and all other checks of a look, in the order in which faults should be corrected.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.light_checks import check_backlight, check_flicker, check_noise
from bunnymoose_cv.calibration.checks.people_checks import check_distance, check_room, check_rotation
from bunnymoose_cv.calibration.checks.table_look import contrast_of, grey_of
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook
    from bunnymoose_cv.vision.faces.head import Head


def check_look(look: TableLook) -> tuple[Finding, ...]:
    """Check a look at the table.

    A check is skipped if another fault makes it meaningless: light in a black image, distances in a turned one.
    """
    image = check_image(look)
    if image.level is Level.BAD:
        return (image,)
    rotation = check_rotation(look)
    found = [image, rotation, check_rate(look), check_noise(look), check_backlight(look), check_flicker(look)]
    if rotation is None or rotation.level is not Level.BAD:
        found += [check_focus(look), check_motion(look), check_distance(look), check_room(look)]
    return tuple(finding for finding in found if finding is not None)


_STILL_S: Final = 0.5
"""Seconds after which images that are equal to the last bit mean that the camera hangs."""

_PATCHES: Final = (32, 18)
"""Number of large patches, across and down, in which noise is averaged out."""


def check_image(look: TableLook) -> Finding:
    """Check the newest image, and the change from one to the next."""
    grey = look.greys[-1]
    brightest = float(np.percentile(grey, 99.5))
    if brightest < THRESHOLDS.black:
        sentence = Phrase("The picture is black.")
        remedy = Phrase("Open the shutter before the lens, take the lens cap off, and switch a lamp on.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.BLACK, brightest)
    patches = cv2.resize(grey, _PATCHES, interpolation=cv2.INTER_AREA).astype(np.float32, copy=False)
    contrast = contrast_of(patches)
    if contrast < THRESHOLDS.covered:
        sentence = Phrase("Something covers the lens: the picture shows nothing.")
        remedy = Phrase("Take it away, wipe the lens, or turn the camera to the players.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.COVERED, contrast)
    if is_frozen(look):
        sentence = Phrase("The picture is frozen: it does not change at all.")
        remedy = Phrase("Plug the camera in again, or restart its app.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.FROZEN)
    return good(CheckLine.IMAGE, Phrase("The camera shows a picture."), contrast)


def is_frozen(look: TableLook) -> bool:
    """Return whether a live image never changes a bit. A real camera's noise makes each image different."""
    if not look.live or look.frames[-1].time_s - look.frames[0].time_s < _STILL_S:
        return False
    return all(np.array_equal(one.image, other.image) for one, other in pairwise(look.frames))


_FEWEST: Final = 5
"""Fewest frames from which a rate can be measured."""


def check_rate(look: TableLook) -> Finding | None:
    """Check the rate, or return None if there are too few frames."""
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
    """Return the mean rate of frames with these arrival times."""
    span_s = times_s[-1] - times_s[0] if times_s else 0.0
    if len(times_s) < _FEWEST or span_s <= 0:
        return None
    return float((len(np.unique(times_s)) - 1) / span_s)


_REACH: Final = 4.0
"""Radius of the measured area around the eyes, in eye distances."""

_EYES_PX: Final = 24.0
"""Eye distance in pixels to which each head is scaled, so that near and far ones are measured alike."""

_FURTHER_PX: Final = 1.5
_PIXELS_ALONE_PX: Final = 1.7
"""Largest blur due to the image's own pixels: a head far away has few of them without being out of focus."""

_SHARPEST: Final = 97.0
"""Percentile of the steepness above which a pixel counts as an edge."""


def check_focus(look: TableLook) -> Finding | None:
    """Check the blur of the middle head, or return None if no head is found."""
    blur = blur_of(look)
    if blur is None:
        return None
    eyes_px = float(np.median([head.eye_distance for head in look.heads]))
    if blur < THRESHOLDS.weak_blur or blur * eyes_px < _PIXELS_ALONE_PX:
        return good(CheckLine.FOCUS, Phrase("The players are in focus."), blur)
    state = Level.BAD if blur >= THRESHOLDS.bad_blur else Level.WEAK
    sentence = Phrase("The players are out of focus.")
    remedy = Phrase("Wipe the lens and turn its focus ring, or let the camera refocus: hold a hand in front of it.")
    return Finding(CheckLine.FOCUS, state, sentence, remedy, CheckCause.BLURRED, blur)


def blur_of(look: TableLook) -> float | None:
    """Return the median blur of the heads (standard deviation, eye distances), or None without heads.

    When a known blur is added, sharper edges lose more of their steepness (Zhuo and Sim, 2011).
    """
    if not look.heads:
        return None
    grey = grey_of(look.image, look.image.shape[1])
    return float(np.median([_edge_blur_px(_around(grey, head)) / _EYES_PX for head in look.heads]))


def _around(grey: Grey, head: Head) -> Grey:
    """Crop the image around a head, scaled to `_EYES_PX` between the eyes."""
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
    """Return the standard deviation of the blur at the steepest places, pixels."""
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
"""Smallest movement between frames, in pixels, from which the exposure can be measured."""

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
    remedy = Phrase("Switch more lamps on, so that moving hands do not blur.")
    return Finding(CheckLine.MOTION, Level.WEAK, sentence, remedy, CheckCause.MOTION_BLUR, exposure)


def exposure_s(look: TableLook) -> float | None:
    """Return the exposure in seconds (the median over moving blocks), or None if too few move.

    The edge of an object that moves while the shutter is open becomes a ramp as long as the movement: contrast divided
    by slope.
    """
    shares = [
        share * (later.time_s - earlier.time_s)
        for (earlier, one), (later, other) in pairwise(zip(look.frames, look.greys, strict=True))
        for share in _smeared_shares(one, other)
    ]
    return float(np.median(shares)) if len(shares) >= _FEWEST_BLOCKS else None


def _smeared_shares(one: Grey, other: Grey) -> list[float]:
    """Return the smear of each moving block as a share of its way from frame to frame, 0 to 1."""
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
    """Return the median flow of each block, shape (rows, columns, 2), without blocks that the image's edge cuts."""
    rows, columns = ((length - 1) // _BLOCK_PX for length in flow.shape[:2])
    blocks = flow[: rows * _BLOCK_PX, : columns * _BLOCK_PX].reshape(rows, _BLOCK_PX, columns, _BLOCK_PX, 2)
    ways: npt.NDArray[np.float32] = np.median(blocks.swapaxes(1, 2).reshape(rows, columns, _BLOCK_PX**2, 2), axis=2)
    return ways


def _ramp_px(block: Grey, along: npt.NDArray[np.float32]) -> float | None:
    """Return by how much the steepest ramp along a direction is longer than a sharp edge; None without an edge."""
    low, high = np.percentile(block, [2, 98])
    if high - low < _LEAST_CONTRAST:
        return None
    slope = np.gradient(block, axis=1) * along[0] + np.gradient(block, axis=0) * along[1]
    return max(0.0, float((high - low) / max(np.percentile(np.abs(slope), 99), 1e-3)) - _SHARP_PX)


_SHARP_PX: Final = 3.0
"""Width of a sharp edge, pixels."""
