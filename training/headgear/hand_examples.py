"""Training hands of the hand network: single photographed ones, noise on joints of any source, weights."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, outline_distance, with_hair
from training.evaluate.landmark_datasets import read_landmark_file
from training.geometry import rotated
from training.headgear.examples import (
    ANTLER,
    COLUMNS,
    NEITHER,
    UNKNOWN,
    Hands,
    Shape,
    Truth,
    shape_of,
    values_of,
)
from training.paths import SHARED

if TYPE_CHECKING:
    import numpy.typing as npt

KIND, DIRECTION = COLUMNS.index("kind"), COLUMNS.index("direction")
ITERATIONS: Final = 4
"""Number of iterations that move a hand to its distance from the outline of the head."""

IN_IMAGE, ABOUT_VERTICAL, ABOUT_HORIZONTAL = (0, 1), (0, 2), (1, 2)
"""Planes of rotation of an image's axes: rightward, downward, away."""

TURN: Final = np.radians(15)
"""Standard deviation of the random rotation out of the image plane, radians."""

MEASURED_ON: Final = ("digits",)
"""Sources with the same people, and partly the same images, as ../shared/real. They are left out of training, so that
the photographs there can be used for evaluation."""


def photographs() -> Hands:
    """Return the hands of ../shared/landmarks whose labels decide their kind and whose landmarks agree with them."""
    listed = read_landmark_file(SHARED / "landmarks/landmarks.npz").hands
    hands = [hand for hand in listed if hand.row.labels["source"] not in MEASURED_ON]
    points = np.stack([hand.hand.points for hand in hands])
    # Mirrored to a left hand; a hand of unknown side counts as one.
    points[[hand.hand.anatomical is Side.RIGHT for hand in hands], :, 0] *= -1
    count = len(hands)
    truth = Truth(
        np.array([values_of(hand.truth) for hand in hands], np.int8),
        np.zeros((count, len(COLUMNS)), bool),
        np.array(["{source}:{subject}".format_map(hand.row.labels) for hand in hands]),
        np.full(count, ""),
    )
    return Hands(HandFeatures.alone(points), truth, np.array([shape_of(hand.labels) for hand in hands], np.int8))


def turned_at_random(hands: Hands, draw: np.random.Generator) -> Hands:
    """Rotate single hands at random within the image, and derive the direction of antlers from the rotation."""
    count = len(hands)
    angle = np.where(draw.random(count) < 0.5, draw.normal(0, 0.5, count), draw.uniform(-np.pi, np.pi, count))
    points = rotated(hands.features.points, IN_IMAGE, angle)
    along = points[:, 9, :2] - points[:, 0, :2]
    steep = -along[:, 1] / np.linalg.norm(along, axis=1)
    values = hands.truth.values.copy()
    antler = values[:, 0] == ANTLER
    values[antler, DIRECTION] = np.select([steep[antler] > 0.5, steep[antler] < -0.5], [1, 0], UNKNOWN)
    return replace(hands, features=replace(hands.features, points=points), truth=replace(hands.truth, values=values))


def noisy(hands: Hands, draw: np.random.Generator, *, turned: bool) -> Hands:
    """Return hands with noise on their joints, half of them mirrored, some without depth.

    Args:
        hands: hands of any source.
        draw: random generator.
        turned: True to rotate them out of the image plane, too.
    """
    count = len(hands)
    points = hands.features.points.copy()
    size = np.linalg.norm(points[:, 9, :2] - points[:, 0, :2], axis=1)
    points[draw.random(count) < 0.5, :, 0] *= -1
    if turned:
        points = _turned_out_of_image(points, draw)
    noise = np.exp(draw.normal(-4.0, 0.7, count)) * size
    points += (noise[:, None, None] * draw.normal(size=points.shape)).astype(np.float32)
    points[draw.random(count) < 0.1, :, 2] = np.nan
    return replace(hands, features=replace(hands.features, points=points))


def moved(hands: Hands, draw: np.random.Generator) -> Hands:
    """Return hands at heads with a little noise on their joints and on the position and size of the head."""
    count = len(hands)
    points, at_head = hands.features.points, hands.features.at_head
    size = np.linalg.norm(points[:, 9, :2] - points[:, 0, :2], axis=1)
    noise = np.exp(draw.normal(-4.2, 0.6, count)) * size
    shaken = points + (noise[:, None, None] * draw.normal(size=points.shape)).astype(np.float32)
    scale = np.exp(draw.normal(0, 0.06, (count, 1, 1))).astype(np.float32)
    shift = draw.normal(0, 0.08, (count, 1, 2)).astype(np.float32)
    return replace(hands, features=replace(hands.features, points=shaken, at_head=at_head * scale + shift))


HEAD_CENTRE: Final = np.array([0.0, 0.35], np.float32)
"""Centre of head and hair in the head's axes, eye distances."""

OFF_THE_HEAD: Final = (1.4, 3.0)
"""Range of distances to which hands are moved off the head, in eye distances; up to 1 a hand counts."""


def off_the_head(hands: Hands, draw: np.random.Generator) -> Hands:
    """Move hands away from the head until they no longer count, as examples of neither antler nor ear."""
    at_head = hands.features.at_head
    outline = with_hair(hands.features.outline)
    outward = at_head.mean(1) - HEAD_CENTRE
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    wanted = draw.uniform(*OFF_THE_HEAD, len(hands)).astype(np.float32)
    away = at_head
    for _ in range(ITERATIONS):
        missing = wanted - outline_distance(away, outline).min(1)
        away = away + (outward * missing[:, None])[:, None]
    values = np.full_like(hands.truth.values, UNKNOWN)
    values[:, KIND] = NEITHER
    truth = replace(hands.truth, values=values, between=np.zeros_like(hands.truth.between))
    return replace(hands, features=replace(hands.features, at_head=away), truth=truth)


def _turned_out_of_image(points: npt.NDArray[np.float32], draw: np.random.Generator) -> npt.NDArray[np.float32]:
    """Rotate hands of known depth about both axes of the image."""
    deep = np.flatnonzero(np.isfinite(points[..., 2]).all(1))
    turned = points.copy()
    for plane in (ABOUT_VERTICAL, ABOUT_HORIZONTAL):
        turned[deep] = rotated(turned[deep], plane, draw.normal(0, TURN, len(deep)))
    return turned


def rows_by_weight(draw: np.random.Generator, weights: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.intp]:
    """Draw rows with probabilities proportional to their weights."""
    return draw.choice(len(weights), count, p=weights / weights.sum())


def with_known_shape(hands: Hands) -> Hands:
    """Return the hands whose shape is known and not between two."""
    return hands.take(np.flatnonzero((hands.shape != UNKNOWN) & ~hands.truth.between[:, 0]))


def directions_of(photographs: Hands) -> Hands:
    """Return single hands with only their direction as label."""
    values = photographs.truth.values.copy()
    values[:, [0, 1, 3, 4]] = UNKNOWN
    return replace(photographs, truth=replace(photographs.truth, values=values))


SHAPE_SHARES: Final = {Shape.OPEN: 1.0, Shape.TWO: 1.0, Shape.FOUR: 0.7, Shape.OTHER: 1.5}


def shape_weights(photographs: Hands) -> npt.NDArray[np.float64]:
    """Weight each shape by its share, and each person within it by the square root of their number of hands."""
    weights = np.zeros(len(photographs))
    for shape, share in SHAPE_SHARES.items():
        rows = np.flatnonzero(photographs.shape == shape)
        weights[rows] = share * balanced_weights(photographs.truth.person[rows])
    return weights


def field_weights(renders: Hands) -> npt.NDArray[np.float64]:
    """Weight each combination of shape and fields nearly equally."""
    names = [" ".join(map(str, row)) for row in np.column_stack([renders.shape, renders.truth.values])]
    return balanced_weights(np.array(names), 0.7)


RENDERED_NEITHER: Final = 0.5
"""Share of rendered hands without headgear in the place part. With fewer of them, real ones pass for headgear."""


def place_weights(renders: Hands) -> npt.NDArray[np.float64]:
    """Weight hands without headgear by `RENDERED_NEITHER`, each alike, and the others as `field_weights` does."""
    is_neither = renders.truth.values[:, KIND] == NEITHER
    neither, headgear = np.flatnonzero(is_neither), np.flatnonzero(~is_neither)
    weights = np.full(len(renders), RENDERED_NEITHER / max(1, len(neither)))
    weights[headgear] = (1 - RENDERED_NEITHER) * field_weights(renders.take(headgear))
    return weights


def balanced_weights(names: npt.NDArray[np.str_], exponent: float = 0.5) -> npt.NDArray[np.float64]:
    """Return weights that add up to 1, such that a name that occurs n times has weight n ** (1 - exponent) in all."""
    _, which, counts = np.unique(names, return_inverse=True, return_counts=True)
    weights = counts[which] ** -exponent
    return np.asarray(weights / weights.sum(), np.float64)
