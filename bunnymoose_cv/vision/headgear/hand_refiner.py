"""Hand refiner: MediaPipe's hand network at the joints of the side network, and our close network.

MediaPipe itself looks with that net only where its palm finder sees a hand, and one hand in five at a head is too dark,
too turned or too small for it. Our side net (`side.py`) knows where the joints lie, so nothing has to be found: OpenCV
runs MediaPipe's net right there (`models/hand.onnx`, the same weights in another form). It has learnt from hands of
thousands of real people, as our picture nets have not; what it makes of the pixels tells three fingers from two even
where its joints are off.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.bundled import bundled
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features
from bunnymoose_cv.vision.headgear.side_net import OUTWARD, UPWARD, cut_side
from bunnymoose_cv.vision.headgear.side_net import SIZE as SIDE_SIZE
from bunnymoose_cv.vision.headgear.side_net import WINDOW as SIDE_WINDOW
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.headgear.fusion import Logits


Array = npt.NDArray[np.float32]

WINDOW = 7.4
"""Side of the square that is cut out for a close look, in eye distances; its middle is that of the side net's."""

SIZE = 176
"""Side of that square in pixels. A larger one brings nothing: most players' eyes are 20 to 40 pixels apart."""

INPUT = 224
"""Side of the input of MediaPipe's net, in pixels: red-green-blue from 0 to 1 (model card "Hands", full)."""

OUTPUTS = ("joints", "presence", "right_hand", "made_of_it")
"""What it says: the joints, how sure it is of a hand, of a right one, and what it has made of the pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class RefinedHands:
    """What MediaPipe's hand net makes of n hands that it was pointed at, in the pixels of the squares cut out.

    Attributes:
        points: joints, shape (n, 21, 3), the square's pixels; outward to the right, depth counted from the wrist.
        presence: how sure it is that there is a hand, shape (n,), 0 to 1. Where our side net points there mostly is.
        right_hand: how sure that it is a right one, shape (n,), 0 to 1.
        made_of_it: its last maps' means, shape (n, 1152).
    """

    points: Array
    presence: Array
    right_hand: Array
    made_of_it: Array

    def __len__(self) -> int:
        return len(self.points)

    @classmethod
    def join(cls, parts: Sequence[RefinedHands]) -> Self:
        """All of several."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def cut_for_close_look(picture: Picture, head: Head, side: Side) -> Picture:
    """The square of a side in which a hand is looked at closely, shape (SIZE, SIZE, 3); see `cut_side`."""
    return cut_side(picture, head, side, WINDOW, SIZE)


def in_square(joints: Array) -> Array:
    """Joints that the side net points at in its cut, as they lie in the square for a close look; shape (..., 2)."""
    scale = SIZE / WINDOW * SIDE_WINDOW / SIDE_SIZE
    return np.asarray((SIZE - 1) / 2 + scale * (joints - (SIDE_SIZE - 1) / 2), np.float32)


class HandRefiner:
    """MediaPipe's hand net in OpenCV. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._net = OnnxNet(bundled("models/hand.onnx"))

    def look(self, square: Picture, around: HandFrame) -> RefinedHands:
        """Look at one hand.

        Args:
            square: shape (SIZE, SIZE, 3), blue-green-red.
            around: where the hand lies in it.
        """
        upright = around.upright()
        hand = cv2.warpAffine(square, upright, (INPUT, INPUT), flags=cv2.INTER_LINEAR)
        batch = blob([np.asarray(hand, np.uint8)], swap_red_and_blue=True)
        joints, presence, right_hand, made_of_it = (said[0] for said in self._net.run_named(batch, OUTPUTS))
        joints = joints.reshape(-1, 3)
        flat = (joints[:, :2] - upright[:, 2]) @ np.linalg.inv(upright[:, :2]).T
        points = np.column_stack([flat, joints[:, 2] * around.side / INPUT])
        return RefinedHands(
            *(np.asarray(one, np.float32) for one in (points[None], presence, right_hand, [made_of_it]))
        )


@dataclass(frozen=True, slots=True)
class HandFrame:
    """The turned square around a hand that MediaPipe's net expects, in pixels of what the hand lies in.

    Attributes:
        middle: x and y.
        side: its side.
        turn: radians from the picture's up to the hand's, clockwise.
    """

    middle: tuple[float, float]
    side: float
    turn: float

    @classmethod
    def around(cls, joints: Array) -> Self:
        """The square that MediaPipe lays around a hand that it follows, from its joints, shape (21, 2).

        Source: MediaPipe, `hand_landmarks_to_rect`: upright from the wrist to the fingers' roots, twice as large as
        wrist, roots and first joints, a tenth of them higher.
        """
        wrist, roots = joints[0], (joints[5] + 2 * joints[9] + joints[13]) / 4
        turn = float(np.arctan2(*((roots - wrist) * (1, -1))))
        axes = _turned(turn)
        held = joints[_HELD] @ axes.T
        low, high = held.min(0), held.max(0)
        middle = axes.T @ ((low + high) / 2 + (0.0, _HIGHER * (high - low)[1]))
        return cls((float(middle[0]), float(middle[1])), _LARGER * float((high - low).max()), turn)

    def upright(self) -> npt.NDArray[np.float64]:
        """From the pixels in which it lies to those of the net's input, shape (2, 3)."""
        axes = INPUT / max(self.side, 1.0) * _turned(self.turn)
        return np.column_stack([axes, INPUT / 2 - axes @ self.middle])


_HELD: Final = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
_HIGHER, _LARGER = -0.1, 2.0


def _turned(turn: float) -> npt.NDArray[np.float64]:
    return np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


def numbers_of(looks: RefinedHands) -> Array:
    """What the close net reads, shape (n, NUMBERS)."""
    surely = np.log((looks.presence + _TINY) / (1 - looks.presence + _TINY))
    return np.concatenate([features(_stances(looks)), surely[:, None], np.log1p(np.maximum(looks.made_of_it, 0))], 1)


NUMBERS = 1304
_TINY = 1e-4


def _stances(looks: RefinedHands) -> HandFeatures:
    """The hands against their heads: where they lie in the square tells, the head itself is not looked at."""
    count = len(looks)
    at_head = (looks.points[..., :2] - (SIZE - 1) / 2) * (WINDOW / SIZE) * (1, -1) + (OUTWARD, UPWARD)
    nothing = np.zeros((count, 2), np.float32)
    return HandFeatures(looks.points, np.asarray(at_head, np.float32), nothing, nothing, looks.right_hand)


class CloseNet:
    """Our close net, run by OpenCV. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._net = OnnxNet(bundled("models/close.onnx"))

    def answers(self, looks: RefinedHands) -> Logits:
        """What at least one hand makes, as log odds."""
        return self._net.run(numbers_of(looks))
