"""Face search: tiles, detection, mesh and acceptance of the heads of an image.

MediaPipe's detector and mesh and our face network (`face_refiner.py`) look; acceptance is decided here.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.faces.face_mesh import SeenHead, mesh_on_face, read_head
from bunnymoose_cv.vision.faces.face_refiner import face_in_tile, refine_face, same_eyes
from bunnymoose_cv.vision.faces.tiles import Tile, cover_with_tiles, detect_in_tile, same_box
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.detections import FoundFace
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.nets.worker_pool import Workers


def find_heads(image: Image, workers: Workers, settings: PeopleSettings) -> tuple[Head, ...]:
    """Find the heads from left to right; a face far smaller than the largest is no player's.

    Where nobody is surely seen, as in the dark, our own net searches.
    """
    seen = _looked_at(_search(image, workers, settings), image, workers)
    if not any(_is_somebody_else(one, settings) for one in seen):
        seen = _or_our_own(seen, image, workers)
    heads = _believed(seen, settings)
    smallest = settings.smallest_face * max((head.eye_distance for head in heads), default=0.0)
    players = (head for head in heads if head.eye_distance >= smallest)
    return tuple(sorted(players, key=lambda head: head.centre[0]))


def faces_in(image: Image, tiles: Sequence[Tile], workers: Workers) -> Iterable[FoundFace]:
    """Detect faces in tiles; begun at once, it ends when they are asked for.

    Args:
        image: shape (height, width, 3), blue-green-red, unmirrored.
        tiles: centre and side of each, pixels.
        workers: landmarkers to look with.
    """
    return chain.from_iterable(workers.begin(lambda own, tile: detect_in_tile(own, image, tile), tiles))


def find_newcomers(
    image: Image, faces: Iterable[FoundFace], known: Sequence[Head], workers: Workers, settings: PeopleSettings
) -> tuple[Head, ...]:
    """Find heads among the faces of a few tiles that are not known yet; a part of a search, for spare time.

    Args:
        image: shape (height, width, 3), blue-green-red, unmirrored.
        faces: what `faces_in` found.
        known: heads of this moment; a face far smaller than the largest is no player's.
        workers: landmarkers to look with.
        settings: thresholds of faces.
    """
    plain = [face for face in faces if face.confidence >= settings.sure_face and _is_new(face.box, known)]
    seen = _looked_at(_without_repeats(plain), image, workers)
    heads = _believed([one for one in seen if _is_somebody_else(one, settings)], settings)
    smallest = settings.smallest_face * max((head.eye_distance for head in known), default=0.0)
    return tuple(head for head in heads if head.eye_distance >= smallest and _is_new(head.box, known))


def _is_new(box: Box, known: Sequence[Head]) -> bool:
    """Tell if a box shows none of the known heads."""
    return not any(head.overlaps(box) for head in known)


def _search(image: Image, workers: Workers, settings: PeopleSettings) -> list[FoundFace]:
    """Face detections of all tiles after NMS, of a size that a player may have beside a plain one.

    Where larger tiles would show the smallest such face well, smaller tiles are not looked at.
    """
    found: list[FoundFace] = []
    smallest, larger_side = 0.0, math.inf
    for side, tiles in groupby(cover_with_tiles(image.shape[1], image.shape[0]), key=itemgetter(1)):
        if smallest >= FACES.seen_well * larger_side:
            break
        faces = workers.map(lambda own, tile: detect_in_tile(own, image, tile), tiles)
        found += (face for some in faces for face in some)
        smallest, larger_side = _smallest_beside(found, settings), side
    return _without_repeats([face for face in found if face.box.width >= max(FACES.smallest_px, smallest)])


def _smallest_beside(found: Sequence[FoundFace], settings: PeopleSettings) -> float:
    """Smallest width of a player's box beside the largest plain face, pixels; 0 where none is plain."""
    plain = max((face.box.width for face in found if face.confidence >= FACES.plain), default=0.0)
    return FACES.framed_tighter * settings.smallest_face * plain


def _looked_at(found: Sequence[FoundFace], image: Image, workers: Workers) -> list[SeenHead]:
    """Heads with the meshes of detected faces; too small ones are dropped."""
    looked_at = workers.map(lambda own, face: read_head(own, image, face), found)
    return [seen for seen in looked_at if seen is not None and seen.head.box.width >= FACES.smallest_px]


def _is_somebody_else(one: SeenHead, settings: PeopleSettings) -> bool:
    """Tell if a face is confident enough to be another player's beside a surer one."""
    confirmed = one.ours >= FACES.confirmed
    return one.confidence >= (settings.sure_face if confirmed else max(settings.sure_face, FACES.unconfirmed))


def _or_our_own(seen: list[SeenHead], image: Image, workers: Workers) -> list[SeenHead]:
    """Search the tiles by our face network; its likeliest face stands alone where it is surer of that one."""
    longer = max(image.shape[:2])
    tiles = [tile for tile in cover_with_tiles(image.shape[1], image.shape[0]) if tile[1] <= longer]
    found = workers.map(lambda own, tile: face_in_tile(own.our_faces, image, *tile), tiles)
    possible = (face for face in found if face.confidence >= FACES.possible)
    kept = suppress(possible, lambda face: face.confidence, same_eyes)
    looked_at = workers.map(lambda own, face: refine_face(own.our_faces, image, face, looks=2), kept)
    best = max(looked_at, key=lambda face: face.confidence, default=None)
    if best is None or best.confidence <= max([FACES.possible, *(one.ours for one in seen)]):
        return seen
    head = workers.map(lambda own, face: mesh_on_face(own, image, face), [best])[0]
    return [SeenHead(head, 0.0, best.confidence)]


def _without_repeats(faces: Sequence[FoundFace]) -> list[FoundFace]:
    return suppress(faces, lambda face: face.confidence, lambda face, other: same_box(face.box, other.box))


def _believed(seen: Sequence[SeenHead], settings: PeopleSettings) -> list[Head]:
    """Heads above the threshold after NMS; the likeliest alone where none is (a face that fills the image)."""
    likeliest = max(seen, key=lambda one: one.confidence, default=None)
    candidates = [one for one in seen if _is_somebody_else(one, settings)] or [one for one in [likeliest] if one]
    kept = suppress(candidates, lambda one: one.confidence, lambda one, other: one.head.overlaps(other.head.box))
    return [replace(one.head, sure=one.likelihood >= settings.sure_face) for one in kept]
