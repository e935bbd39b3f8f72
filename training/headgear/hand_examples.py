"""Examples of the hand net: hands of real people by themselves, turned, laid over rendered ones at heads, shaken.

A hand by itself teaches shapes of real people; a rendered player teaches where hands stand; hands made of joints fill
in what both lack. `placed` joins them: hands are laid over rendered ones of the same truth, so that the net meets real
shapes at heads, and hands of any shape drawn off the head, which are neither.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from training.evaluate.landmark_datasets import read_landmark_file
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER, UNKNOWN, Hands, Truth, alone, values_of
from training.paths import SHARED
from training.rotations import rotated

if TYPE_CHECKING:
    import numpy.typing as npt

DIRECTION, PLACE = COLUMNS.index("direction"), COLUMNS.index("place")
IN_IMAGE = (0, 1)
"""Plane of an image: rightward, downward."""

MEASURED_ON = ("handsdataset", "digits")
"""Sources whose people are also in ../shared/real, in part in the very same images: left out, so that what
`bunnymoose evaluate` prints of those photographs is of people whom the net has not seen."""


def real_hands() -> Hands:
    """The hands of ../shared/landmarks whose label decides what they make and whose landmarks agree with it."""
    listed = read_landmark_file(SHARED / "landmarks/landmarks.npz").hands
    hands = [each for each in listed if each.row.labels["source"] not in MEASURED_ON]
    points = np.stack([each.hand.points for each in hands])
    # Mirrored to a left hand; a hand of unknown side counts as one.
    points[[each.hand.anatomical is Side.RIGHT for each in hands], :, 0] *= -1
    count = len(hands)
    truth = Truth(
        np.array([values_of(each.truth) for each in hands], np.int8),
        np.zeros((count, len(COLUMNS)), bool),
        np.array(["{source}:{subject}".format_map(each.row.labels) for each in hands]),
        np.full(count, ""),
    )
    return Hands(alone(points), truth)


def turned_at_random(hands: Hands, draw: np.random.Generator) -> Hands:
    """Hands without a head, turned at random: which way they point is then known from the turn."""
    count = len(hands)
    angle = np.where(draw.random(count) < 0.5, draw.normal(0, 0.5, count), draw.uniform(-np.pi, np.pi, count))
    points = rotated(hands.features.points, IN_IMAGE, angle)
    way = points[:, 9, :2] - points[:, 0, :2]
    steep = -way[:, 1] / np.linalg.norm(way, axis=1)
    values = hands.truth.values.copy()
    antler = values[:, 0] == ANTLER
    values[antler, DIRECTION] = np.select([steep[antler] > 0.5, steep[antler] < -0.5], [1, 0], UNKNOWN)
    return Hands(replace(hands.features, points=points), replace(hands.truth, values=values))


def placed(hands: Hands, heads: Hands, draw: np.random.Generator) -> Hands:
    """Hands by themselves laid over rendered ones at heads.

    An antler takes the place of an antler, thumb on thumb; an ear that of an ear, root on root; what is neither, any
    place. A quarter of the antlers and ears is drawn off the head: then they are neither. The others stand loosely, as
    people hold them and as a hand nearer the camera than the head looks. Direction and place are the rendered hand's,
    also where they lie between two.
    """
    kind, count = hands.truth.values[:, 0], len(hands)
    beds = np.zeros(count, np.intp)
    for one in (ANTLER, EAR, NEITHER):
        pool = np.arange(len(heads)) if one == NEITHER else np.flatnonzero(heads.truth.values[:, 0] == one)
        beds[kind == one] = pool[draw.integers(len(pool), size=int((kind == one).sum()))]
    bed = heads.take(beds)
    laid = _laid_over(hands.features.points, bed.features.at_head, kind, draw)
    off = (kind != NEITHER) & (draw.random(count) < 0.25)
    away = np.stack([draw.uniform(1.6, 4.0, count), draw.uniform(-1.5, 1.0, count)], 1)
    near = np.stack([draw.uniform(-0.2, 0.6, count), draw.normal(0, 0.2, count)], 1)
    laid[..., :2] += np.where(off[:, None], away, near)[:, None].astype(np.float32)
    values, between = hands.truth.values.copy(), hands.truth.between.copy()
    for one, column in ((ANTLER, DIRECTION), (EAR, PLACE)):
        values[:, column] = np.where(kind == one, bed.truth.values[:, column], UNKNOWN)
        between[:, column] = (kind == one) & bed.truth.between[:, column]
    values[off] = (NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    between[off] = False
    image = laid * np.array([1, -1, 1], np.float32)
    at_head = replace(bed.features, points=image, at_head=laid[..., :2])
    return Hands(at_head, replace(hands.truth, values=values, between=between))


def _laid_over(
    points: npt.NDArray[np.float32],
    beds: npt.NDArray[np.float32],
    kind: npt.NDArray[np.int8],
    draw: np.random.Generator,
) -> npt.NDArray[np.float32]:
    """Hands (images, y down) moved, turned and scaled onto hands at heads (y up); depth keeps its share."""
    hands = points * np.array([1, -1, 1], np.float32)
    mirrored = draw.random(len(hands)) < 0.3
    mirrored ^= (kind == ANTLER) & _thumb_outward(hands, beds)
    hands[mirrored, :, 0] *= -1
    way, goal = hands[:, 9, :2] - hands[:, 0, :2], beds[:, 9] - beds[:, 0]
    angle = np.arctan2(goal[:, 1], goal[:, 0]) - np.arctan2(way[:, 1], way[:, 0])
    hands = rotated(hands, IN_IMAGE, angle + draw.normal(0, 0.12, len(hands)))
    scale = np.linalg.norm(goal, axis=1) / np.linalg.norm(way, axis=1) * np.exp(draw.normal(0, 0.08, len(hands)))
    hands *= scale[:, None, None].astype(np.float32)
    joint = np.where(kind == ANTLER, 4, 5)
    shift = beds[np.arange(len(beds)), joint] - hands[np.arange(len(hands)), joint, :2]
    hands[..., :2] += shift[:, None]
    return hands


def _thumb_outward(hands: npt.NDArray[np.float32], beds: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Mask of hands whose thumb stands on the other side than the thumb of the hand they are laid over."""

    def side(joints: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        way, thumb = joints[:, 9, :2] - joints[:, 0, :2], joints[:, 4, :2] - joints[:, 0, :2]
        return np.asarray(np.sign(way[:, 0] * thumb[:, 1] - way[:, 1] * thumb[:, 0]), np.float32)

    return np.asarray(side(hands) != side(beds), bool)


def shaken(hands: HandFeatures, draw: np.random.Generator) -> HandFeatures:
    """Stances with the landmarks' noise, and now and then without depth or head."""
    count = len(hands)
    size = np.linalg.norm(hands.points[:, 9, :2] - hands.points[:, 0, :2], axis=1)
    noise = np.exp(draw.normal(-4.2, 0.6, count)).astype(np.float32)
    points = hands.points + (noise * size)[:, None, None] * draw.normal(size=hands.points.shape).astype(np.float32)
    points[draw.random(count) < 0.1, :, 2] = np.nan
    tilt = draw.normal(0, 0.08, count)
    at_head = rotated(hands.at_head, IN_IMAGE, tilt) * np.exp(draw.normal(0, 0.12, (count, 1, 1))).astype(np.float32)
    at_head += draw.normal(0, 0.15, (count, 1, 2)).astype(np.float32)
    spread = np.linalg.norm(at_head[:, 9] - at_head[:, 0], axis=1)
    at_head += (noise * spread)[:, None, None] * draw.normal(size=at_head.shape).astype(np.float32)
    temple = hands.temple + draw.normal(0, 0.05, hands.temple.shape).astype(np.float32)
    facing = hands.facing + draw.normal(0, 3, hands.facing.shape).astype(np.float32)
    headless = draw.random(count) < 0.08
    for known in (at_head, temple, facing):
        known[headless] = np.nan
    own_hand = np.where(headless, np.nan, hands.own_hand).astype(np.float32)
    return HandFeatures(points, at_head, temple, facing, own_hand)


def drawn_evenly(hands: Hands, draw: np.random.Generator, count: int) -> npt.NDArray[np.intp]:
    """Rows drawn so that antlers, ears and neither come equally often, as far as there are any."""
    pools = [np.flatnonzero(hands.truth.values[:, 0] == kind) for kind in (ANTLER, EAR, NEITHER)]
    pools = [pool for pool in pools if len(pool)]
    which = draw.integers(len(pools), size=count)
    rows = np.zeros(count, np.intp)
    for number, pool in enumerate(pools):
        mine = which == number
        rows[mine] = pool[draw.integers(len(pool), size=int(mine.sum()))]
    return rows
