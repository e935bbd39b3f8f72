"""From a whole picture to its players: their heads from left to right and whose hand stands on which side.

Owns the tiles that find faces, the crops that the landmarkers look at, and the giving of hands to heads. Owns no
judgement of what a hand shows.

Why crops: MediaPipe finds none of ten hands in a whole 1080p frame, and nearly all in crops of one head
(`../shared/spikes`, measured again on 300 rendered players: head crop alone 87 %, with the second looks 98 %).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.head import Head
from bunnymoose_cv.vision.landmarks import Box, Crop, FaceLandmarks, FoundFace, HandLandmarks
from bunnymoose_cv.vision.our_faces import (
    agreed_on,
    closely,
    face_in_tile,
    face_of,
    laid_on,
    lies_on,
    same_eyes,
    tilt_degrees,
    usually_in,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.profile import PeopleLimits
    from bunnymoose_cv.vision.face_net import SeenFace
    from bunnymoose_cv.vision.landmarks import Landmarkers
    from bunnymoose_cv.vision.workers import Workers


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """One player in one picture.

    Attributes:
        seat: 1 is the leftmost in the picture.
        head: the face and its axes.
        hands: the hand that stands on each side of the player's own head, where one was found.
    """

    seat: int
    head: Head
    hands: Mapping[Side, HandLandmarks] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Look:
    """A square to look for hands in, placed against a head; lengths in eye distances.

    Attributes:
        outward: how far its centre lies from the middle between the eyes towards the side that is looked at.
        upward: how far its centre lies above the eyes.
        side: its side.
        size: pixels that it is brought to.
        upside_down: whether it is turned by half a turn: hands that point down are then found more often.
    """

    outward: float
    upward: float
    side: float
    size: int
    upside_down: bool = False


WHOLE_HEAD = Look(outward=0.0, upward=0.9, side=11.0, size=512)
SECOND_LOOKS = (
    Look(outward=2.2, upward=1.1, side=6.2, size=448),
    Look(outward=1.1, upward=2.2, side=6.6, size=384),
    Look(outward=2.2, upward=1.1, side=6.2, size=448, upside_down=True),
)
"""Where to look again, closer, for a side whose hand the look at the whole head did not find."""


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


def find_players(picture: Picture, workers: Workers, limits: PeopleLimits) -> tuple[Player, ...]:
    """Find all players with the hands at their heads, seats from left to right.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
        limits: sizes and distances (profile).
    """
    return with_hands(find_heads(picture, workers, limits), picture, workers, limits)


def with_hands(  # noqa: PLR0913 - who is looked at, by whom, and how closely
    heads: tuple[Head, ...],
    picture: Picture,
    workers: Workers,
    limits: PeopleLimits,
    *,
    second_looks: int = len(SECOND_LOOKS),
    resting: Collection[Head] = (),
) -> tuple[Player, ...]:
    """The players whose heads are known, with the hands at them.

    Args:
        heads: from left to right.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        workers: who looks.
        limits: sizes and distances (profile).
        second_looks: how often to look again for a hand that was not found; each costs as much as the first look.
        resting: those of the heads that are not looked at this time, so that their players have no hands.
    """
    hands: list[HandLandmarks] = []
    for pass_number in range(1 + second_looks):
        given = give_hands(hands, heads, limits)
        places = [place for head, place in _places(heads, given, pass_number) if head not in resting]
        for found in workers.map(lambda landmarkers, place: _hands_in(landmarkers, picture, place), places):
            hands.extend(found)
        hands = without_doubles(hands)
    heads = _without_hands(heads, hands)
    given = give_hands(hands, heads, limits)
    return tuple(Player(seat, head, given[seat - 1]) for seat, head in enumerate(heads, 1))


def find_heads(picture: Picture, workers: Workers, limits: PeopleLimits) -> tuple[Head, ...]:
    """Find the heads from left to right; a face far smaller than the largest is no player's.

    Where nobody is surely seen the search begins anew in a smoothed picture, for noise may hide a face; then our own
    net searches, and the face that most looks agree on is the only one.
    """
    seen: list[_SeenHead] = []
    promised: list[FoundFace] = []
    for smoothed in (0.0, SMOOTHED):
        found = _search(picture, workers, smoothed)
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


def _search(picture: Picture, workers: Workers, smoothed: float) -> list[FoundFace]:
    """Whatever the detector takes for a face in any tile, smoothed so far."""
    tiles = _tiles(picture.shape[1], picture.shape[0])
    faces = workers.map(lambda own, tile: _faces_in(own, picture, tile, TILE_SIZE, smoothed), tiles)
    return _without_repeats([face for some in faces for face in some if face.box.width >= SMALLEST_FACE])


def _looked_at(found: Sequence[FoundFace], picture: Picture, workers: Workers, limits: PeopleLimits) -> list[_SeenHead]:
    """The heads of found faces."""
    looked_at = workers.map(lambda own, face: _head_at(own, picture, face, limits), found)
    return [seen for seen in looked_at if seen is not None and seen.head.box.width >= SMALLEST_FACE]


def _is_somebody_sure(seen: Sequence[_SeenHead], limits: PeopleLimits) -> bool:
    """Whether the detector is sure of a face; of a single one that our net sees nothing of it has to be surer."""
    sure = [one for one in seen if one.confidence >= limits.sure_face]
    return len(_believed(sure, limits)) > 1 or any(one.confidence >= SURER or one.ours >= DENIED for one in sure)


SURER, DENIED = 0.65, 0.5
"""Where our net is less sure than the second, the detector has to be surer than the first: knuckles and necks pass for
faces, while a photographed face that our net does not know was never found less surely than 0.7."""


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
    """The one head that most looks agree on, by how sure our net is at each; none where it sees none."""
    looks = [*(replace(face_of(one.head), confidence=one.ours) for one in heads if one.ours >= POSSIBLE), *faces]
    if not looks:
        return [max(heads, key=lambda one: one.likelihood)] if heads else []
    best = agreed_on(looks)
    lying = [one for one in heads if lies_on(one.head, best)]
    if lying:
        return [max(lying, key=lambda one: one.likelihood)]
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
    followed = workers.map(lambda own, head: _followed(own, picture, head, rests=head in resting and head.sure), heads)
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
        return followed if mesh is not None and lies_on(followed, face) else _mesh_on(landmarkers, picture, face)
    return None if mesh is None else followed


def give_hands(
    hands: Iterable[HandLandmarks], heads: Sequence[Head], limits: PeopleLimits
) -> list[dict[Side, HandLandmarks]]:
    """Give each hand to the head that it is nearest to, and there to the side on which it stands.

    A hand that is nearest to one head is never given to another, so a neighbour's hand is never taken; a hand farther
    than `limits.hand_reach` eye distances from every head is given to nobody.

    Returns:
        One mapping for each head, in the order of `heads`.
    """
    near: list[list[HandLandmarks]] = [[] for _ in heads]
    for hand in hands:
        distances = [head.distance_to(hand) for head in heads]
        if distances and min(distances) <= limits.hand_reach:
            near[int(np.argmin(distances))].append(hand)
    return [_by_side(own, head) for own, head in zip(near, heads, strict=True)]


def without_doubles(hands: Sequence[HandLandmarks]) -> list[HandLandmarks]:
    """Leave one of the hands that were found in several crops; two hands that touch stay two."""
    kept: list[HandLandmarks] = []
    for hand in sorted(hands, key=lambda hand: hand.confidence, reverse=True):
        if all(_apart(hand, other) > SAME_HAND for other in kept):
            kept.append(hand)
    return kept


SAME_HAND = 0.45
"""Hands whose joints lie nearer than this to each other, in palms on average, are one hand found twice."""


def _apart(hand: HandLandmarks, other: HandLandmarks) -> float:
    """Mean distance of the same joints, in palms of the larger hand."""
    palm = max(_palm(hand), _palm(other))
    return float(np.linalg.norm(hand.points[:, :2] - other.points[:, :2], axis=1).mean()) / palm


def _palm(hand: HandLandmarks) -> float:
    """The larger of the palm's length and breadth in the picture, pixels."""
    points = hand.points[:, :2]
    return max(float(np.linalg.norm(points[9] - points[0])), float(np.linalg.norm(points[5] - points[17])), 1e-6)


def _by_side(hands: Sequence[HandLandmarks], head: Head) -> dict[Side, HandLandmarks]:
    """The one or two hands nearest to the head, by side; of two the one farther to the player's left is the left."""
    nearest = sorted(hands, key=lambda hand: (head.size_of(hand) < SMALL_HAND, head.distance_to(hand)))[:2]
    ordered = sorted(nearest, key=head.leftwards)
    if len(ordered) == 2:  # noqa: PLR2004 - a head has two sides
        right, left = ordered
        if head.leftwards(right) < BOTH_ON_ONE_SIDE and head.leftwards(left) > -BOTH_ON_ONE_SIDE:
            return {Side.RIGHT: right, Side.LEFT: left}
    return {head.side_of(hand): hand for hand in reversed(nearest)}


SMALL_HAND = 0.75
"""A palm shorter than this, in eye distances, is seldom a hand at a head (1 in 20) and often a strand of hair: it is
looked for again, and stands back behind a larger one."""

BOTH_ON_ONE_SIDE = 0.6
"""Both hands farther than this from the head's middle, in eye distances to one side, stand on that side together."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A look laid on a picture: centre and side in its pixels."""

    centre: tuple[float, float]
    side: float
    look: Look


def _places(
    heads: Sequence[Head], given: Sequence[Mapping[Side, HandLandmarks]], pass_number: int
) -> Iterable[tuple[Head, _Place]]:
    """Where one pass looks for hands: first at every head, then at every side still without a hand of size."""
    for head, own in zip(heads, given, strict=True):
        if pass_number == 0:
            yield head, _place(head, WHOLE_HEAD, Side.LEFT)
        else:
            for side in Side:
                if side not in own or head.size_of(own[side]) < SMALL_HAND:
                    yield head, _place(head, SECOND_LOOKS[pass_number - 1], side)


def _place(head: Head, look: Look, side: Side) -> _Place:
    outward = look.outward if side is Side.LEFT else -look.outward
    return _Place(head.at(outward, look.upward), look.side * head.eye_distance, look)


def _hands_in(landmarkers: Landmarkers, picture: Picture, place: _Place) -> list[HandLandmarks]:
    crop = Crop.cut(picture, place.centre, place.side, place.look.size)
    if not place.look.upside_down:
        return [replace(hand, points=crop.to_whole(hand.points)) for hand in landmarkers.hands(crop.picture)]
    turned = np.ascontiguousarray(crop.picture[::-1, ::-1])
    around = np.array([place.look.size, place.look.size, 0], np.float32)
    half_turn = np.array([-1, -1, 1], np.float32)
    return [
        replace(hand, points=crop.to_whole(around + half_turn * hand.points), world=half_turn * hand.world)
        for hand in landmarkers.hands(turned)
    ]


def _without_hands(heads: Sequence[Head], hands: Sequence[HandLandmarks]) -> tuple[Head, ...]:
    """Heads less the fists and curled fingers that the face mesh took for one: there a hand fills the face."""
    boxes = [Box.around(hand.points) for hand in hands]
    return tuple(head for head in heads if len(heads) == 1 or not any(_fills(box, head.box) for box in boxes))


FILLED = 0.5
"""A hand that covers this share of a face's box, and lies by four fifths in it, is what the mesh took for a face."""


def _fills(hand: Box, face: Box) -> bool:
    size = hand.width * hand.height
    return size >= FILLED * face.width * face.height and hand.overlap(face) >= 0.8  # noqa: PLR2004 - see FILLED


def _tiles(width: int, height: int) -> list[tuple[tuple[float, float], float]]:
    """Centres and sides of overlapping squares: wide margins (for a face that fills the picture) down to quarters."""
    longer, shorter = max(width, height), min(width, height)
    sides = sorted({2.5 * longer, 1.6 * longer, float(longer), float(shorter), longer / 2, longer / 4}, reverse=True)
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
    if face.confidence >= OURS and not lies_on(head, face):
        head = _mesh_on(landmarkers, picture, face)
    return _SeenHead(head, confidence, face.confidence)


OURS = 0.6
"""Where our net is surer of a face than this, its word on where the eyes are counts more than the mesh's."""


def _mesh_on(landmarkers: Landmarkers, picture: Picture, face: SeenFace) -> Head:
    """The head of a face that our net sees: MediaPipe's mesh where it lies on the eyes, else the usual one."""
    usual = laid_on(face)
    for look in PLAIN_LOOKS + SMOOTH_LOOKS:
        mesh = _mesh(landmarkers, picture, usual.box, replace(look, turned=tilt_degrees(face)))
        if mesh is not None and lies_on(head := Head(mesh), face):
            return head
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
        if kept and candidate.confidence < limits.sure_face:
            break
        if all(candidate.head.box.overlap(other.head.box) <= SAME_FACE for other in kept):
            kept.append(candidate)
    return [replace(one.head, sure=one.head.sure and one.likelihood >= limits.sure_face) for one in kept]
