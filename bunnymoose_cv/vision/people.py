"""From a whole picture to its players: their heads from left to right and whose hand stands on which side.

Owns the tiles that find faces, the crops that the landmarkers look at, and the giving of hands to heads. Owns no
judgement of what a hand shows.

Why crops: MediaPipe finds none of ten hands in a whole 1080p frame, and nearly all in crops of one head
(`../shared/spikes`, measured again on 300 rendered players: head crop alone 87 %, with the second looks 98 %).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.head import Head
from bunnymoose_cv.vision.landmarks import Box, Crop, FoundFace, HandLandmarks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.profile import PeopleLimits
    from bunnymoose_cv.vision.landmarks import FaceLandmarks, Landmarkers
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

FACE_CROP = 512
FACE_MARGINS = (2.0, 1.4, 3.0)
"""Sides of the crops in which a found face is looked at, in sides of its box, until the mesh finds it."""

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
    """Find the heads from left to right; a face far smaller than the largest is no player's."""
    tiles = _tiles(picture.shape[1], picture.shape[0])
    found = [face for faces in workers.map(lambda own, tile: _faces_in(own, picture, tile), tiles) for face in faces]
    looked_at = workers.map(lambda own, face: _head_at(own, picture, face), _without_overlaps(found))
    heads = _believed([head for head in looked_at if head is not None], limits)
    smallest = limits.smallest_face * max((head.eye_distance for head in heads), default=0.0)
    players = (head for head in heads if head.eye_distance >= smallest)
    return tuple(sorted(players, key=lambda head: head.centre[0]))


def follow_heads(picture: Picture, heads: Sequence[Head], workers: Workers) -> tuple[Head, ...]:
    """The heads of an earlier picture where they are now; whoever is no longer there is left out, nobody is added.

    Far quicker than `find_heads`, which searches the whole picture.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        heads: where they were, at most some tenths of a second ago.
        workers: who looks.
    """
    followed = workers.map(lambda landmarkers, head: _followed(landmarkers, picture, head), heads)
    kept: list[Head] = []
    for head in followed:
        if head is not None and all(head.box.overlap(other.box) <= SAME_FACE for other in kept):
            kept.append(head)
    return tuple(sorted(kept, key=lambda head: head.centre[0]))


def _followed(landmarkers: Landmarkers, picture: Picture, head: Head) -> Head | None:
    face = _mesh(landmarkers, picture, head.box.centre, FOLLOWED_MARGIN * max(head.box.width, head.box.height))
    if face is None or Box.around(face.points).overlap(head.box) < SAME_FACE:
        return None
    return Head(face)


FOLLOWED_MARGIN = 2.0
"""Side of the crop in which a face is followed, in sides of its box: a head that leans aside stays in it."""


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
    landmarkers: Landmarkers, picture: Picture, tile: tuple[tuple[float, float], float], size: int = TILE_SIZE
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
        for face in landmarkers.find_faces(crop.picture)
    ]


SAME_FACE = 0.5
"""Boxes that share more than this of the smaller one show one face."""


def _without_overlaps(faces: Sequence[FoundFace]) -> list[FoundFace]:
    kept: list[FoundFace] = []
    for face in sorted(faces, key=lambda face: face.confidence, reverse=True):
        if all(face.box.overlap(other.box) <= SAME_FACE for other in kept):
            kept.append(face)
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class _SeenHead:
    """A head whose mesh was read, with what the detector says of the very place where the mesh lies."""

    head: Head
    confidence: float


def _head_at(landmarkers: Landmarkers, picture: Picture, found: FoundFace) -> _SeenHead | None:
    """The head of a found face, with how sure the detector is of a face right there."""
    head = head_in(landmarkers, picture, found.box)
    return None if head is None else _SeenHead(head, _confidence(landmarkers, picture, head.box))


def head_in(landmarkers: Landmarkers, picture: Picture, box: Box) -> Head | None:
    """The head whose face lies in a box: a first look around the box, a second one around what the first found.

    Args:
        landmarkers: of this thread.
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        box: around the face, roughly; pixels.
    """
    for margin in FACE_MARGINS:
        face = _mesh(landmarkers, picture, box.centre, margin * max(box.width, box.height))
        if face is None:
            continue
        seen = Box.around(face.points)
        if seen.overlap(box) > SAME_FACE:  # else it is a neighbour's
            again = _mesh(landmarkers, picture, seen.centre, 1.8 * max(seen.width, seen.height))
            return Head(again or face)
    return None


def _confidence(landmarkers: Landmarkers, picture: Picture, box: Box) -> float:
    """How sure the detector is of a face in a box when it sees it large and whole; the mesh itself never doubts."""
    side = max(box.width, box.height)
    looks = (_faces_in(landmarkers, picture, (box.centre, margin * side), DETECTOR_SIZE) for margin in (1.6, 2.2, 3.0))
    return max((face.confidence for faces in looks for face in faces if face.box.overlap(box) > SAME_FACE), default=0.0)


def _mesh(landmarkers: Landmarkers, picture: Picture, centre: tuple[float, float], side: float) -> FaceLandmarks | None:
    crop = Crop.cut(picture, centre, side, FACE_CROP)
    face = landmarkers.face(crop.picture)
    return None if face is None else type(face)(crop.to_whole(face.points))


def _believed(seen: Sequence[_SeenHead], limits: PeopleLimits) -> list[Head]:
    """One head for each face that is surely one; where none is, the likeliest alone (a face that fills the picture)."""
    kept: list[_SeenHead] = []
    for candidate in sorted(seen, key=lambda candidate: candidate.confidence, reverse=True):
        if kept and candidate.confidence < limits.sure_face:
            break
        if all(candidate.head.box.overlap(other.head.box) <= SAME_FACE for other in kept):
            kept.append(candidate)
    return [candidate.head for candidate in kept]
