"""Face search: tiles, detection, mesh and acceptance of the heads of an image.

MediaPipe's detector and mesh and our face network (`face_refiner.py`) look; acceptance is decided here.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.faces.face_mesh import HeadCandidate, mesh_on_face, read_head
from bunnymoose_cv.vision.faces.face_refiner import face_in_tile, refine_face, same_eyes
from bunnymoose_cv.vision.faces.tiles import Tile, cover_with_tiles, detect_in_tile, same_box
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.vision.detections import FaceDetection
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.nets.worker_pool import Workers


def find_heads(image: Image, workers: Workers, settings: PeopleSettings) -> tuple[Head, ...]:
    """Find the heads from left to right; a face far smaller than the largest is no player's.

    Where nobody is surely seen, as in the dark, our own net searches.
    """
    candidates = _fit_meshes(_search(image, workers, settings), image, workers)
    if not any(_is_confident(candidate, settings) for candidate in candidates):
        candidates = _fall_back_to_face_net(candidates, image, workers)
    heads = _accept(candidates, settings)
    smallest = settings.smallest_face * max((head.eye_distance for head in heads), default=0.0)
    players = (head for head in heads if head.eye_distance >= smallest)
    return tuple(sorted(players, key=lambda head: head.centre[0]))


def faces_in(image: Image, tiles: Sequence[Tile], workers: Workers) -> Iterable[FaceDetection]:
    """Detect faces in tiles; begun at once, it ends when they are asked for.

    Args:
        tiles: centre and side of each, pixels.
    """
    return chain.from_iterable(workers.begin(lambda own, tile: detect_in_tile(own, image, tile), tiles))


def find_newcomers(
    image: Image, faces: Iterable[FaceDetection], known: Sequence[Head], workers: Workers, settings: PeopleSettings
) -> tuple[Head, ...]:
    """Find heads among the faces of a few tiles that are not known yet; a part of a search, for spare time.

    Args:
        known: heads of this moment; a face far smaller than the largest is no player's.
    """
    plain = [face for face in faces if face.confidence >= settings.sure_face and _shows_unknown_head(face.box, known)]
    candidates = _fit_meshes(_suppress_duplicates(plain), image, workers)
    heads = _accept([candidate for candidate in candidates if _is_confident(candidate, settings)], settings)
    smallest = settings.smallest_face * max((head.eye_distance for head in known), default=0.0)
    return tuple(head for head in heads if head.eye_distance >= smallest and _shows_unknown_head(head.box, known))


def _shows_unknown_head(box: Box, known: Sequence[Head]) -> bool:
    """Tell if a box shows none of the known heads."""
    return not any(head.overlaps(box) for head in known)


def _search(image: Image, workers: Workers, settings: PeopleSettings) -> list[FaceDetection]:
    """Face detections of all tiles after NMS, of a size that a player may have beside a plain one.

    Where larger tiles would show the smallest such face well, smaller tiles are not looked at.
    """
    found: list[FaceDetection] = []
    smallest, larger_side = 0.0, math.inf
    for side, tiles in groupby(cover_with_tiles(image.shape[1], image.shape[0]), key=itemgetter(1)):
        if smallest >= FACES.seen_well * larger_side:
            break
        faces = workers.map(lambda own, tile: detect_in_tile(own, image, tile), tiles)
        found += (face for some in faces for face in some)
        smallest, larger_side = _min_face_width(found, settings), side
    return _suppress_duplicates([face for face in found if face.box.width >= max(FACES.smallest_px, smallest)])


def _min_face_width(found: Sequence[FaceDetection], settings: PeopleSettings) -> float:
    """Smallest width of a player's box beside the largest plain face, pixels; 0 where none is plain."""
    plain = max((face.box.width for face in found if face.confidence >= FACES.plain), default=0.0)
    return FACES.framed_tighter * settings.smallest_face * plain


def _fit_meshes(found: Sequence[FaceDetection], image: Image, workers: Workers) -> list[HeadCandidate]:
    """Heads with the meshes of detected faces; too small ones are dropped."""
    fitted = workers.map(lambda own, face: read_head(own, image, face), found)
    return [each for each in fitted if each is not None and each.head.box.width >= FACES.smallest_px]


def _is_confident(candidate: HeadCandidate, settings: PeopleSettings) -> bool:
    """Tell if a face is confident enough to be another player's beside a surer one."""
    confirmed = candidate.face_net_confidence >= FACES.confirmed
    least = settings.sure_face if confirmed else max(settings.sure_face, FACES.unconfirmed)
    return candidate.detector_confidence >= least


def _fall_back_to_face_net(candidates: list[HeadCandidate], image: Image, workers: Workers) -> list[HeadCandidate]:
    """Search the tiles by our face network; its likeliest face stands alone where it is surer of that one."""
    longer = max(image.shape[:2])
    tiles = [tile for tile in cover_with_tiles(image.shape[1], image.shape[0]) if tile[1] <= longer]
    found = workers.map(lambda own, tile: face_in_tile(own.face_net, image, *tile), tiles)
    possible = (face for face in found if face.confidence >= FACES.possible)
    kept = suppress(possible, lambda face: face.confidence, same_eyes)
    refined = workers.map(lambda own, face: refine_face(own.face_net, image, face, looks=2), kept)
    best = max(refined, key=lambda face: face.confidence, default=None)
    if best is None or best.confidence <= max([FACES.possible, *(each.face_net_confidence for each in candidates)]):
        return candidates
    head = workers.map(lambda own, face: mesh_on_face(own, image, face), [best])[0]
    return [HeadCandidate(head, 0.0, best.confidence)]


def _suppress_duplicates(faces: Sequence[FaceDetection]) -> list[FaceDetection]:
    return suppress(faces, lambda face: face.confidence, lambda face, other: same_box(face.box, other.box))


def _accept(candidates: Sequence[HeadCandidate], settings: PeopleSettings) -> list[Head]:
    """Heads above the threshold after NMS; the likeliest alone where none is (a face that fills the image)."""
    likeliest = max(candidates, key=lambda each: each.detector_confidence, default=None)
    confident = [each for each in candidates if _is_confident(each, settings)] or [each for each in [likeliest] if each]
    kept = suppress(
        confident, lambda each: each.detector_confidence, lambda each, other: each.head.overlaps(other.head.box)
    )
    return [replace(each.head, sure=each.likelihood >= settings.sure_face) for each in kept]
