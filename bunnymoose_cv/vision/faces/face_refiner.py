"""Face refiner: our face network where MediaPipe's mesh is missing, misaligned or doubtful.

MediaPipe finds nearly every face of a bright room, but of
faces turned and nodded, dim, half behind hands or under 15 pixels between the eyes its mesh lies beside one in five.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.vision.detections import SeenFace
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE, Head
from bunnymoose_cv.vision.faces.mean_mesh import distance_of, fit_mean_mesh
from bunnymoose_cv.vision.geometry import Crop
from bunnymoose_cv.vision.nets.face_pose_net import SIZE
from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.nets.face_pose_net import FaceNet


WINDOW = 4.4
"""Side of the square in which a face is looked at closely, in eye distances."""

_ROOM = 1.5
"""Side of the upright square that holds the turned one, in sides of it."""


def face_in_tile(net: FaceNet, picture: Picture, centre: tuple[float, float], side: float) -> SeenFace:
    """The likeliest face in a square of a picture, in that picture's pixels."""
    crop = Crop.cut(picture, centre, side, SIZE)
    found = net.faces([crop.picture])[0]
    return SeenFace(found.eyes / crop.scale + crop.origin, found.axes, found.confidence)


def refine_face(net: FaceNet, picture: Picture, face: SeenFace, looks: int = 1) -> SeenFace:
    """The face again, looked at upright and at the size that suits the net best.

    Args:
        net: of this thread.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        face: where it is, roughly, in that picture's pixels.
        looks: how often, each time from where the last one saw it.
    """
    for _ in range(looks):
        face = _looked_at(net, picture, face)
    return face


def refine_face_by_views(net: FaceNet, picture: Picture, face: SeenFace) -> SeenFace:
    """The mean of looks from around a face that was looked at closely, a third nearer than any (models/face.md).

    What only looks like a face from near, half of one or a lens, gives way to the larger one that wide looks see.

    Args:
        net: of this thread.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        face: where it is, in that picture's pixels.
    """
    face = _mean_look(net, picture, face, AROUND)
    for _ in range(MOST_STEPS_OUT):
        wide = _mean_look(net, picture, face, WIDE)
        if distance_of(wide) < FACES.larger * distance_of(face):
            break
        face = wide
    return face


@dataclass(frozen=True, slots=True)
class FaceView:
    """Viewpoint of one look at a face.

    Attributes:
        across: how far beside the middle between the eyes the look goes, in eye distances; to the picture's right.
        down: how far below it.
        wider: as if the eyes were farther apart by this factor.
        mirrored: whether it is the mirror image that is looked at.
    """

    across: float
    down: float
    wider: float
    mirrored: bool = False


AROUND = (
    FaceView(0.3, 0.3, 1.12),
    FaceView(-0.3, 0.3, 1.12, mirrored=True),
    FaceView(-0.3, -0.3, 0.9),
    FaceView(0.3, -0.3, 0.9, mirrored=True),
)
"""The looks around a face. A mirrored picture is seen as the mirror image of what is seen in the picture itself."""


def replace_head(net: FaceNet, picture: Picture, head: Head) -> Head:
    """The mesh of a usual face where our net sees a head in the mean of looks from around it; where none, the head.

    Its eyes lie nearer to the true ones than those of MediaPipe's own mesh, which often leans a little otherwise: from
    there our nets read more of what is in doubt right, on rendered people left out and on photographs (models/face.md).

    Args:
        net: of this thread.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        head: as it was found, in that picture's pixels.
    """
    face = _mean_look(net, picture, face_of(head), AROUND)
    return replace(fit_mean_mesh(face), sure=head.sure) if face.confidence >= FACES.own_confidence else head


def is_part_of_a_face(net: FaceNet, picture: Picture, face: SeenFace) -> bool:
    """Tell if a single look from twice as far surely sees a larger face around this one, its middle elsewhere.

    Three of 303 pictures of people left out have such a mesh of MediaPipe's, in a lens or on half a face; of 177 heads
    in a third of them and of the photographs nothing else passed for one (models/face.md).

    Args:
        net: of this thread.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        face: as it was found, in that picture's pixels.
    """
    wide = _mean_look(net, picture, face, WIDE[:1])
    apart = float(np.linalg.norm(wide.eyes.mean(0) - face.eyes.mean(0))) / distance_of(face)
    larger = distance_of(wide) / distance_of(face)
    return wide.confidence >= FACES.own_confidence and larger >= FACES.larger and FACES.beside <= apart <= larger


WIDE = tuple(FaceView(*beside, 2.0) for beside in ((0.0, 0.0), (1.0, 0.6), (-1.0, 0.6), (1.0, -0.8), (-1.0, -0.8)))
"""From how far out a larger face is looked for."""


MOST_STEPS_OUT = 2


def _mean_look(net: FaceNet, picture: Picture, face: SeenFace, places: Sequence[FaceView]) -> SeenFace:
    distance = float(np.linalg.norm(face.eyes[0] - face.eyes[1]))
    middle = face.eyes.mean(0)
    looks = []
    for place in places:
        beside = middle + distance * np.array([place.across, place.down]) + place.wider * (face.eyes - middle)
        looks.append(_looked_at(net, picture, replace(face, eyes=beside), mirrored=place.mirrored))
    eyes, axes = (np.mean([getattr(look, name) for look in looks], 0) for name in ("eyes", "axes"))
    return SeenFace(eyes, axes, float(np.mean([look.confidence for look in looks])))


def _looked_at(net: FaceNet, picture: Picture, face: SeenFace, *, mirrored: bool = False) -> SeenFace:
    side = WINDOW * max(distance_of(face), 1.0)
    size = round(_ROOM * SIZE)
    middle_x, middle_y = map(float, face.eyes.mean(0))
    crop = Crop.cut(picture, (middle_x, middle_y), _ROOM * side, size)
    turn = cv2.getRotationMatrix2D(((size - 1) / 2,) * 2, tilt_degrees(face), 1.0)
    turn = turn - np.array([[0, 0, (size - SIZE) / 2]] * 2)
    cut = cv2.warpAffine(crop.picture, turn, (SIZE, SIZE), borderValue=(128, 128, 128))
    found = net.faces([np.asarray(cv2.flip(cut, 1) if mirrored else cut, np.uint8)])[0]
    found = _mirrored(found) if mirrored else found
    back = np.linalg.inv(turn[:, :2]).T
    eyes = ((found.eyes - turn[:, 2]) @ back) / crop.scale + crop.origin
    return SeenFace(eyes, found.axes @ back, found.confidence)


def _mirrored(face: SeenFace) -> SeenFace:
    """The face as it is, from how it was seen in the mirror image of a cut."""
    eyes = face.eyes[::-1] * (-1, 1) + (SIZE - 1, 0)
    return SeenFace(eyes, face.axes * (-1, 1), face.confidence)


def tilt_degrees(face: SeenFace) -> float:
    """Tilt of the head in the picture, degrees; positive to the picture's right."""
    return float(np.degrees(np.arctan2(face.axes[1, 0], -face.axes[1, 1])))


def face_of(head: Head) -> SeenFace:
    """A head as our net would tell of it."""
    eyes = np.stack([head.face.points[points, :2].mean(0) for points in (LEFT_EYE, RIGHT_EYE)])
    return SeenFace(eyes.astype(np.float64), head.forward_and_up, 1.0)


def matches_face(head: Head, face: SeenFace) -> bool:
    """Tell if a mesh lies where our net sees the face, and is about as large: one on a lens is not."""
    larger = head.eye_distance / distance_of(face)
    as_large = 1 / FACES.other_size <= larger <= FACES.other_size
    return (
        _beside(head, face) <= FACES.beside
        and as_large
        and abs(head.tilt_degrees - tilt_degrees(face)) <= FACES.tilted_degrees
    )


def is_misaligned(head: Head, face: SeenFace) -> bool:
    """Tell if our net surely sees a face whose eyes are not quite where the mesh has them."""
    return face.confidence >= FACES.own_confidence and _beside(head, face) > FACES.misaligned


def _beside(head: Head, face: SeenFace) -> float:
    """Distance between the eyes of a mesh and those that our net sees, in eye distances."""
    return float(np.linalg.norm(face_of(head).eyes - face.eyes, axis=1).mean()) / distance_of(face)


def same_eyes(one: SeenFace, other: SeenFace) -> bool:
    """Tell if two looks saw one face."""
    apart = np.linalg.norm(one.eyes.mean(0) - other.eyes.mean(0))
    return bool(apart < max(distance_of(one), distance_of(other)))


def expected_face(box: Box) -> SeenFace:
    """An upright face as MediaPipe's detector usually frames it: where to begin to look."""
    eyes = np.array([[box.x + share * box.width, box.y + _EYES_DOWN * box.height] for share in _EYES_ACROSS])
    return SeenFace(eyes, np.array([[0.0, 0.0], [0.0, -1.0]]), 0.0)


_EYES_ACROSS, _EYES_DOWN = (0.7, 0.3), 0.36
"""Positions of the left and the right eye in a box of the detector's, as shares of it."""


def consensus_face(faces: Sequence[SeenFace]) -> SeenFace:
    """The face that most looks agree on, each by its log odds, its size and as its eyes lie near.

    A look at a part of a face, a lens or an eye, or at a hand often passes for a small face of its own: so large ones
    count more, and a lens speaks for the face around it, which is large against their distance, but that one does not
    speak for it.

    Args:
        faces: at least one.
    """
    eyes, sizes = np.stack([face.eyes for face in faces]), np.array([distance_of(face) for face in faces])
    apart = np.linalg.norm(eyes[:, None] - eyes, axis=3).mean(2) / sizes[:, None]
    sure = np.clip([face.confidence for face in faces], *COUNTING)
    weights = np.log(sure / (1 - sure)) * np.sqrt(sizes)
    support = np.maximum(0, 1 - apart / FACES.agreed) @ weights
    return faces[int(support.argmax())]


COUNTING = 0.51, 0.9975
"""A look that is less sure than the first counts as if it were as sure, one that is surer than the second likewise."""
