"""Synthetic heads and hands with exact points, for tests of geometry."""

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import FACE_POINTS, FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.faces import head as mesh
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE, Head
from bunnymoose_cv.vision.geometry import Points
from bunnymoose_cv.vision.headgear.hand_features import DIRECTIONS, PIXEL_LOGITS, HandFeatures


def rotation(turn: float, nod: float, tilt: float) -> npt.NDArray[np.float64]:
    """Return a rotation by degrees: turn to the player's left, nod up, tilt to the image's right.

    The axes are x right, y down, z away.
    """
    turn, nod, tilt = np.radians([turn, nod, tilt])
    around_y = np.array([[np.cos(turn), 0, -np.sin(turn)], [0, 1, 0], [np.sin(turn), 0, np.cos(turn)]])
    around_x = np.array([[1, 0, 0], [0, np.cos(nod), np.sin(nod)], [0, -np.sin(nod), np.cos(nod)]])
    around_z = np.array([[np.cos(tilt), -np.sin(tilt), 0], [np.sin(tilt), np.cos(tilt), 0], [0, 0, 1]])
    return np.asarray(around_z @ around_x @ around_y)


def make_head(x: float = 300, *, eyes: float = 50, turn: float = 0, nod: float = 0, tilt: float = 0) -> Head:
    """Make a head with the middle of its eyes at (x, 300) and `eyes` pixels between them."""
    points = np.random.default_rng(1).uniform(-0.8, 0.8, (FACE_POINTS, 3)) * [1, 1.2, 0.2]
    around = np.linspace(0, 2 * np.pi, len(mesh.FACE_OUTLINE), endpoint=False)
    points[mesh.FACE_OUTLINE] = np.transpose([1.2 * np.sin(around), 0.3 - 1.4 * np.cos(around), 0 * around])
    points[mesh.NOSE], points[mesh.LIPS] = [0, 0.5, -0.3], [0, 0.9, 0]
    points[RIGHT_EYE], points[LEFT_EYE] = [[-0.75, 0, 0], [-0.25, 0, 0]], [[0.25, 0, 0], [0.75, 0, 0]]
    points[mesh.FOREHEAD], points[mesh.CHIN] = [0, -1.1, 0], [0, 1.7, 0]
    points[mesh.RIGHT_TEMPLE], points[mesh.LEFT_TEMPLE] = [-1.2, -0.2, 0.5], [1.2, -0.2, 0.5]
    placed = points @ rotation(turn, nod, tilt).T * eyes
    middle = placed[RIGHT_EYE + LEFT_EYE].mean(0)
    return Head(FaceLandmarks((placed - middle + [x, 300, 0]).astype(np.float32)))


OPEN_HAND: Points = np.array(
    [[0, 0], [0.3, 0.3], [0.5, 0.55], [0.65, 0.75], [0.8, 0.95]]
    + [[x, 1 + step * 0.33] for x in (0.3, 0.1, -0.1, -0.3) for step in range(4)],
    np.float32,
)
"""Joints of a flat hand with straight fingers up and thumb to the right, in palms from the wrist."""


def make_hand(
    x: float, y: float, palm: float = 60, anatomical: Side = Side.LEFT, confidence: float = 0.9
) -> HandLandmarks:
    """Make an open hand with fingers up and its wrist at a place of the image."""
    flat = OPEN_HAND * [1, -1] * palm
    points = np.column_stack([flat + np.array([x, y]), np.zeros(len(flat))]).astype(np.float32)
    world = np.column_stack([flat / palm * 0.09, np.zeros(len(flat))]).astype(np.float32)
    return HandLandmarks(points, world, anatomical, confidence)


def at_round_heads(points: Points, at_head: Points) -> HandFeatures:
    """Make features of hands at heads whose outlines are circles of 1.2 eye distances around the eyes."""
    count = len(points)
    face = np.array([[0.5, 0], [-0.5, 0], [0, -0.5], [0, -0.9]], np.float32)
    outline = np.full((count, DIRECTIONS), 1.2, np.float32)
    unknown = np.full((count, PIXEL_LOGITS), np.nan, np.float32)
    return HandFeatures(points, at_head, outline, np.tile(face, (count, 1, 1)), unknown)
