"""From a whole picture to its heads: searched for in tiles, looked at closely, believed or not; followed later.

MediaPipe's detector and mesh and our own face net (`our_faces.py`) look; what counts is decided here. Owns no hands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.vision.head import Head
from bunnymoose_cv.vision.landmarks import Box, Crop, FaceLandmarks, FoundFace
from bunnymoose_cv.vision.our_faces import (
    OURS,
    agreed_on,
    carefully,
    closely,
    face_in_tile,
    face_of,
    is_part_of_a_face,
    laid_on,
    lies_astray,
    lies_on,
    same_eyes,
    tilt_degrees,
    usually_in,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.profile import PeopleLimits
    from bunnymoose_cv.vision.face_net import SeenFace
    from bunnymoose_cv.vision.landmarks import Landmarkers
    from bunnymoose_cv.vision.workers import Workers


@dataclass(frozen=True, slots=True)
class FaceLook:
    """A square to read a face in, around a box in which one may be.

    Attributes:
        margin: its side, in sides of the box.
        smoothed: how far its pixels run into each other, as a share of its side: a dim camera's noise hides a face.
        turned: degrees by which it is turned counter-clockwise.
    """

    margin: float
    smoothed: float = 0.0
    turned: float = 0.0


FACE_CROP = 512
SMOOTHED = 0.01
PLAIN_LOOKS = (FaceLook(2.0), FaceLook(1.4), FaceLook(3.0))
SMOOTH_LOOKS = (FaceLook(2.0, SMOOTHED), FaceLook(3.0, SMOOTHED))
FACE_LOOKS = (
    *PLAIN_LOOKS,
    *SMOOTH_LOOKS,
    FaceLook(3.0, SMOOTHED, 20),
    FaceLook(3.0, SMOOTHED, -20),
    FaceLook(2.0, SMOOTHED, 20),
    FaceLook(2.0, SMOOTHED, -20),
)
"""How a found face is looked at, until the mesh finds it; nine in ten are found by the plain ones."""

PROMISING = 0.5
"""Where the detector is less sure of a face it is looked at plainly only: most of what it finds there is none."""

AGAIN_LOOKS = (FaceLook(1.8), FaceLook(1.8, SMOOTHED))
"""How it is looked at around the mesh that was found first."""

FOLLOWING_LOOKS = (FaceLook(2.0), FaceLook(2.0, SMOOTHED), FaceLook(2.0, SMOOTHED, 20), FaceLook(2.0, SMOOTHED, -20))
"""How a face is looked at where it was a moment ago: a head that leans aside stays in it."""

CONFIDENCE_MARGINS = (1.6, 2.2, 3.0)
"""In squares of these sides, in sides of a mesh's box, the detector is asked whether there is a face."""

DETECTOR_SIZE = 192
"""Pixels at which the face detector looks."""

TILE_SIZE = 2 * DETECTOR_SIZE
"""Pixels that a tile is brought to: shrinking the last half is the detector's own, smoother work."""


def find_heads(picture: Picture, workers: Workers, limits: PeopleLimits) -> tuple[Head, ...]:
    """Find the heads from left to right; a face far smaller than the largest is no player's.

    Where nobody is surely seen the search begins anew in a smoothed picture, for noise may hide a face; then our own
    net searches, and the face that most looks agree on is the only one.
    """
    seen: list[_SeenHead] = []
    promised: list[FoundFace] = []
    for smoothed in (0.0, SMOOTHED):
        found = _search(picture, workers, limits, smoothed)
        promised += found
        seen += _looked_at(found, picture, workers, limits)
        if _is_somebody_sure(seen, limits):
            break
    else:
        seen = _agreed_on(seen, _our_search(picture, promised, workers), picture, workers)
    heads = _believed(seen, limits)
    smallest = limits.smallest_face * max((head.eye_distance for head in heads), default=0.0)
    players = (head for head in heads if head.eye_distance >= smallest)
    return tuple(sorted(players, key=lambda head: head.centre[0]))


def _search(picture: Picture, workers: Workers, limits: PeopleLimits, smoothed: float) -> list[FoundFace]:
    """Whatever the detector takes for a face in any tile, smoothed so far, and may be a player's beside a plain one.

    Where larger tiles would show the smallest such face well, smaller tiles are not looked at.
    """
    found: list[FoundFace] = []
    smallest, larger_side = 0.0, math.inf
    for side, tiles in groupby(_tiles(picture.shape[1], picture.shape[0]), key=itemgetter(1)):
        if smallest >= SEEN_WELL * larger_side:
            break
        faces = workers.map(lambda own, tile: _faces_in(own, picture, tile, TILE_SIZE, smoothed), tiles)
        found += (face for some in faces for face in some)
        smallest, larger_side = _smallest_beside(found, limits), side
    return _without_repeats([face for face in found if face.box.width >= max(SMALLEST_FACE, smallest)])


def _smallest_beside(found: Sequence[FoundFace], limits: PeopleLimits) -> float:
    """How wide the box of a player is at least beside the largest plain face, pixels; 0 where none is plain."""
    plain = max((face.box.width for face in found if face.confidence >= PLAIN), default=0.0)
    return FRAMED_TIGHTER * limits.smallest_face * plain


PLAIN = 0.8
"""Where the detector is surer than this, it is a face."""

SEEN_WELL = 0.075
"""A face of this share of a tile's side is seen well in it: `_tiles` shows every face that large in one."""

FRAMED_TIGHTER = 0.6
"""One face may be framed so much tighter by the detector than another. Of 505 pictures (rendered players, people left
out, photographs) no head is lost so; with 0.8 one far back in a photographed crowd of 14 was."""


def _looked_at(found: Sequence[FoundFace], picture: Picture, workers: Workers, limits: PeopleLimits) -> list[_SeenHead]:
    """The heads of found faces."""
    looked_at = workers.map(lambda own, face: _head_at(own, picture, face, limits), found)
    return [seen for seen in looked_at if seen is not None and seen.head.box.width >= SMALLEST_FACE]


def _is_somebody_sure(seen: Sequence[_SeenHead], limits: PeopleLimits) -> bool:
    """Whether the detector is sure of a face; of a single one that our net does not confirm it has to be surer."""
    sure = [one for one in seen if one.confidence >= limits.sure_face]
    return len(_believed(sure, limits)) > 1 or any(one.confidence >= SURER or _is_confirmed(one, seen) for one in sure)


def _is_confirmed(one: _SeenHead, seen: Sequence[_SeenHead]) -> bool:
    """Whether our net is sure of a face, too, and not surer of a larger one elsewhere."""
    elsewhere = (other for other in seen if other.head.box.overlap(one.head.box) <= SAME_FACE)
    larger = (other for other in elsewhere if other.head.eye_distance > one.head.eye_distance)
    return one.ours >= CONFIRMED and all(other.ours <= one.ours for other in larger)


def _is_somebody_else(one: _SeenHead, limits: PeopleLimits) -> bool:
    """Whether a face is sure enough to be another's beside a surer one."""
    needed = limits.sure_face if one.ours >= CONFIRMED else max(limits.sure_face, SURER)
    return one.confidence >= needed


SURER, CONFIRMED = 0.65, 0.9
"""Where our net is less sure than the second, the detector has to be surer than the first: knuckles, curled hands and
necks pass for faces, while a photographed face that our net does not know was never found less surely than 0.7. Of
faces beside others (48 photographed ones) our net is sure of every one that the detector doubts so."""


def _our_search(picture: Picture, promised: Sequence[FoundFace], workers: Workers) -> list[SeenFace]:
    """Whatever our net takes for a face in any tile, or where the detector promised one, looked at again closely."""
    longer = max(picture.shape[:2])
    tiles = [tile for tile in _tiles(picture.shape[1], picture.shape[0]) if tile[1] <= longer]
    found = workers.map(lambda own, tile: face_in_tile(own.our_faces, picture, *tile), tiles)
    kept: list[SeenFace] = []
    for face in sorted(found, key=lambda face: face.confidence, reverse=True):
        if face.confidence >= POSSIBLE and not any(same_eyes(face, other) for other in kept):
            kept.append(face)
    kept += [usually_in(face.box) for face in promised]
    looked_at = workers.map(lambda own, face: closely(own.our_faces, picture, face, looks=2), kept)
    return [face for face in looked_at if face.confidence >= POSSIBLE]


def _agreed_on(
    heads: Sequence[_SeenHead], faces: Sequence[SeenFace], picture: Picture, workers: Workers
) -> list[_SeenHead]:
    """The one head that most looks agree on, by how sure our net is; where it sees none, the detector's surest."""
    looks = [*(replace(face_of(one.head), confidence=one.ours) for one in heads if one.ours >= POSSIBLE), *faces]
    if not looks:
        return [max(heads, key=lambda one: one.likelihood)] if heads else []
    best = agreed_on(looks)
    head = workers.map(lambda own, face: _mesh_on(own, picture, face), [best])[0]
    return [_SeenHead(head, 0.0, best.confidence)]


POSSIBLE = 0.3
"""Where our net is surer of a face than this, it looks again."""

SMALLEST_FACE = 12
"""A face narrower than this, in pixels, shows nothing that could be read; noise looks like many of them."""


def follow_heads(
    picture: Picture, heads: Sequence[Head], workers: Workers, resting: Collection[Head] = ()
) -> tuple[Head, ...]:
    """The heads of an earlier picture where they are now; whoever is no longer there is left out, nobody is added.

    Far quicker than `find_heads`, which searches the whole picture.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        heads: where they were, at most some tenths of a second ago.
        workers: who looks.
        resting: those of the heads at which MediaPipe's mesh is taken at its word this time, if there is one.
    """
    rests = {head for head in resting if head.sure and not head.usual}
    followed = workers.map(lambda own, head: _followed(own, picture, head, rests=head in rests), heads)
    kept: list[Head] = []
    for head in followed:
        if head is not None and all(head.box.overlap(other.box) <= SAME_FACE for other in kept):
            kept.append(head)
    return tuple(sorted(kept, key=lambda head: head.centre[0]))


def _followed(landmarkers: Landmarkers, picture: Picture, head: Head, *, rests: bool) -> Head | None:
    mesh = _face_at(landmarkers, picture, head.box, FOLLOWING_LOOKS)
    followed = head if mesh is None else replace(head, face=mesh)
    if rests and mesh is not None:
        return followed
    face = closely(landmarkers.our_faces, picture, face_of(followed))
    if face.confidence >= OURS:
        own = mesh is not None and lies_on(followed, face)
        if own:
            return replace(followed, usual=False, astray=lies_astray(followed, face))
        return _mesh_on(landmarkers, picture, face)
    return None if mesh is None else followed


def _tiles(width: int, height: int) -> list[tuple[tuple[float, float], float]]:
    """Centres and sides of overlapping squares: wide margins (for a face that fills the picture) down to quarters."""
    longer, shorter = max(width, height), min(width, height)
    sides = sorted(
        {2.5 * longer, 1.6 * longer, float(longer), max(float(shorter), longer / 20), longer / 2, longer / 4},
        reverse=True,
    )
    return [((x, y), side) for side in sides for x in _steps(width, side) for y in _steps(height, side)]


TILE_STEP = 0.6
"""Of a tile's side: neighbours overlap by the rest, so that a face of two fifths of a tile stands whole in one."""


def _steps(length: float, side: float) -> list[float]:
    """Centres of tiles along one edge of the picture."""
    if side >= length:
        return [length / 2]
    count = int(np.ceil((length - side) / (TILE_STEP * side))) + 1
    return [float(centre) for centre in np.linspace(side / 2, length - side / 2, count)]


def _faces_in(
    landmarkers: Landmarkers,
    picture: Picture,
    tile: tuple[tuple[float, float], float],
    size: int = TILE_SIZE,
    smoothed: float = 0.0,
) -> list[FoundFace]:
    centre, side = tile
    crop = Crop.cut(picture, centre, side, size)
    return [
        FoundFace(
            Box(
                face.box.x / crop.scale + crop.origin[0],
                face.box.y / crop.scale + crop.origin[1],
                face.box.width / crop.scale,
                face.box.height / crop.scale,
            ),
            face.confidence,
        )
        for face in landmarkers.find_faces(_smooth(crop.picture, smoothed))
    ]


def _smooth(picture: Picture, share: float) -> Picture:
    """A square picture whose pixels run into each other by a share of its side."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), share * len(picture)), np.uint8) if share else picture


SAME_FACE = 0.5
"""Boxes that share more than this of the smaller one show one face."""

SAME_SIZE = 2.0
"""A box that is larger than another by this factor shows something else: the lens of glasses is no face."""


def _same(one: Box, other: Box) -> bool:
    """Whether two boxes show one thing, at one size."""
    sizes = sorted(max(box.width, box.height) for box in (one, other))
    return one.overlap(other) > SAME_FACE and sizes[1] < SAME_SIZE * sizes[0]


def _without_repeats(faces: Sequence[FoundFace]) -> list[FoundFace]:
    kept: list[FoundFace] = []
    for face in sorted(faces, key=lambda face: face.confidence, reverse=True):
        if not any(_same(face.box, other.box) for other in kept):
            kept.append(face)
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class _SeenHead:
    """A head whose mesh was read.

    Attributes:
        head: where the mesh lies.
        confidence: how sure MediaPipe's detector is of a face at that very place; 0 where it was not asked.
        ours: how sure our own net is.
    """

    head: Head
    confidence: float
    ours: float

    @property
    def likelihood(self) -> float:
        """How likely it is a face, by whichever is surer."""
        return max(self.confidence, self.ours)


def _head_at(landmarkers: Landmarkers, picture: Picture, found: FoundFace, limits: PeopleLimits) -> _SeenHead | None:
    """The head of a found face, with how sure the detector is of a face right there."""
    looks = FACE_LOOKS if found.confidence >= PROMISING else PLAIN_LOOKS
    head = head_in(landmarkers, picture, found.box, looks)
    if head is None:
        return None
    confidence = _confidence(landmarkers, picture, head.box, limits.sure_face)
    face = closely(landmarkers.our_faces, picture, face_of(head))
    if face.confidence >= OURS and not _is_whole_face(landmarkers, picture, head, face):
        head = _mesh_on(landmarkers, picture, face)
    else:
        head = replace(head, astray=lies_astray(head, face))
    return _SeenHead(head, confidence, face.confidence)


def _is_whole_face(landmarkers: Landmarkers, picture: Picture, head: Head, face: SeenFace) -> bool:
    """Whether a mesh lies on the face that our net sees there from near, and on no larger one."""
    return lies_on(head, face) and not is_part_of_a_face(landmarkers.our_faces, picture, face_of(head))


def _mesh_on(landmarkers: Landmarkers, picture: Picture, face: SeenFace) -> Head:
    """The head of a face that our net sees: MediaPipe's mesh where it lies on the eyes, else the usual one."""
    face = carefully(landmarkers.our_faces, picture, face)
    usual = laid_on(face)
    for look in PLAIN_LOOKS + SMOOTH_LOOKS:
        mesh = _mesh(landmarkers, picture, usual.box, replace(look, turned=tilt_degrees(face)))
        if mesh is not None and lies_on(head := Head(mesh), face):
            return replace(head, astray=lies_astray(head, face))
    return usual


def head_in(
    landmarkers: Landmarkers, picture: Picture, box: Box, looks: Sequence[FaceLook] = FACE_LOOKS
) -> Head | None:
    """The head whose face lies in a box: a first look around the box, a second one around what the first found.

    Args:
        landmarkers: of this thread.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        box: around the face, roughly; pixels.
        looks: how to look, until it is found.
    """
    face = _face_at(landmarkers, picture, box, looks)
    if face is None:
        return None
    return Head(_face_at(landmarkers, picture, Box.around(face.points), AGAIN_LOOKS) or face)


def _face_at(landmarkers: Landmarkers, picture: Picture, box: Box, looks: Sequence[FaceLook]) -> FaceLandmarks | None:
    """The first mesh that any of the looks finds at a box; one elsewhere is a neighbour's, a small one a lens."""
    for look in looks:
        face = _mesh(landmarkers, picture, box, look)
        if face is not None and _same(Box.around(face.points), box):
            return face
    return None


def _confidence(landmarkers: Landmarkers, picture: Picture, box: Box, sure: float) -> float:
    """How sure the detector is of a face in a box when it sees it large and whole; the mesh itself never doubts.

    It looks thrice and the middle look counts, since an elbow may pass once; where it is not sure it looks at a
    smoothed picture, too.
    """
    return sorted(_surest(landmarkers, picture, box, margin, sure) for margin in CONFIDENCE_MARGINS)[1]


def _surest(landmarkers: Landmarkers, picture: Picture, box: Box, margin: float, sure: float) -> float:
    tile = box.centre, margin * max(box.width, box.height)
    surest = 0.0
    for smoothed in (0.0, SMOOTHED):
        faces = _faces_in(landmarkers, picture, tile, DETECTOR_SIZE, smoothed)
        surest = max([surest, *(face.confidence for face in faces if _same(face.box, box))])
        if surest >= sure:
            break
    return surest


def _mesh(landmarkers: Landmarkers, picture: Picture, box: Box, look: FaceLook) -> FaceLandmarks | None:
    crop = Crop.cut(picture, box.centre, look.margin * max(box.width, box.height), FACE_CROP)
    turn = cv2.getRotationMatrix2D(((FACE_CROP - 1) / 2,) * 2, look.turned, 1.0)
    turned = cv2.warpAffine(crop.picture, turn, (FACE_CROP,) * 2, borderValue=GREY) if look.turned else crop.picture
    face = landmarkers.face(_smooth(np.asarray(turned, np.uint8), look.smoothed))
    if face is None:
        return None
    points = face.points.copy()
    points[:, :2] = (points[:, :2] - turn[:, 2]) @ np.linalg.inv(turn[:, :2]).T
    return FaceLandmarks(crop.to_whole(points))


GREY = (128, 128, 128)


def _believed(seen: Sequence[_SeenHead], limits: PeopleLimits) -> list[Head]:
    """One head for each face that is surely one; where none is, the likeliest alone (a face that fills the picture)."""
    kept: list[_SeenHead] = []
    for candidate in sorted(seen, key=lambda candidate: candidate.confidence, reverse=True):
        if kept and not _is_somebody_else(candidate, limits):
            continue
        if all(candidate.head.box.overlap(other.head.box) <= SAME_FACE for other in kept):
            kept.append(candidate)
    return [replace(one.head, sure=one.likelihood >= limits.sure_face) for one in kept]
