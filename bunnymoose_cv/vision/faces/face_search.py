"""Face search: tiles, detection, mesh and acceptance of the heads of an image.

MediaPipe's detector and mesh and our face network (`face_refiner.py`) look; acceptance is decided here.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.faces.face_mesh import SMOOTHED, SeenHead, mesh_on_face, read_head
from bunnymoose_cv.vision.faces.face_refiner import (
    consensus_face,
    expected_face,
    face_in_tile,
    face_of,
    refine_face,
    same_eyes,
)
from bunnymoose_cv.vision.faces.tiles import TILE_SIZE, Tile, cover_with_tiles, detect_in_tile, same_box
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.suppress import suppress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.core.profile import PeopleLimits
    from bunnymoose_cv.vision.detections import FoundFace, SeenFace
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.nets.worker_pool import Workers


def find_heads(picture: Picture, workers: Workers, limits: PeopleLimits) -> tuple[Head, ...]:
    """Find the heads from left to right; a face far smaller than the largest is no player's.

    Where nobody is surely seen the search begins anew in a smoothed picture, for noise may hide a face; then our own
    net searches, and the face that most looks agree on is the only one.
    """
    seen: list[SeenHead] = []
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


def find_newcomers(
    picture: Picture, tiles: Sequence[Tile], known: Sequence[Head], workers: Workers, limits: PeopleLimits
) -> tuple[Head, ...]:
    """Find heads in a few tiles that are not known yet; a part of a search, for spare time.

    Args:
        picture: shape (height, width, 3), blue-green-red, unmirrored.
        tiles: centre and side of each, pixels.
        known: heads of this moment; a face far smaller than the largest is no player's.
        workers: landmarkers to look with.
        limits: thresholds of the profile.
    """
    found = workers.map(lambda own, tile: detect_in_tile(own, picture, tile), tiles)
    plain = (face for some in found for face in some if face.confidence >= FACES.newcomer)
    faces = [face for face in plain if _is_new(face.box, known)]
    seen = _looked_at(_without_repeats(faces), picture, workers, limits)
    heads = _believed([one for one in seen if _is_somebody_else(one, limits)], limits)
    smallest = limits.smallest_face * max((head.eye_distance for head in known), default=0.0)
    return tuple(head for head in heads if head.eye_distance >= smallest and _is_new(head.box, known))


def _is_new(box: Box, known: Sequence[Head]) -> bool:
    """Tell if a box shows none of the known heads."""
    return all(head.box.overlap(box) <= FACES.same_overlap for head in known)


def _search(picture: Picture, workers: Workers, limits: PeopleLimits, smoothed: float) -> list[FoundFace]:
    """Whatever the detector takes for a face in any tile, smoothed so far, and may be a player's beside a plain one.

    Where larger tiles would show the smallest such face well, smaller tiles are not looked at.
    """
    found: list[FoundFace] = []
    smallest, larger_side = 0.0, math.inf
    for side, tiles in groupby(cover_with_tiles(picture.shape[1], picture.shape[0]), key=itemgetter(1)):
        if smallest >= FACES.seen_well * larger_side:
            break
        faces = workers.map(lambda own, tile: detect_in_tile(own, picture, tile, TILE_SIZE, smoothed), tiles)
        found += (face for some in faces for face in some)
        smallest, larger_side = _smallest_beside(found, limits), side
    return _without_repeats([face for face in found if face.box.width >= max(FACES.smallest_px, smallest)])


def _smallest_beside(found: Sequence[FoundFace], limits: PeopleLimits) -> float:
    """Smallest width of a player's box beside the largest plain face, pixels; 0 where none is plain."""
    plain = max((face.box.width for face in found if face.confidence >= FACES.plain), default=0.0)
    return FACES.framed_tighter * limits.smallest_face * plain


def _looked_at(found: Sequence[FoundFace], picture: Picture, workers: Workers, limits: PeopleLimits) -> list[SeenHead]:
    """The heads of found faces."""
    looked_at = workers.map(lambda own, face: read_head(own, picture, face, limits), found)
    return [seen for seen in looked_at if seen is not None and seen.head.box.width >= FACES.smallest_px]


def _is_somebody_sure(seen: Sequence[SeenHead], limits: PeopleLimits) -> bool:
    """Tell if the detector is sure of a face; an unconfirmed single one needs more."""
    sure = [one for one in seen if one.confidence >= limits.sure_face]
    return len(_believed(sure, limits)) > 1 or any(one.confidence >= SURER or _is_confirmed(one, seen) for one in sure)


def _is_confirmed(one: SeenHead, seen: Sequence[SeenHead]) -> bool:
    """Tell if our network confirms a face and is no surer of a larger one elsewhere."""
    elsewhere = (other for other in seen if other.head.box.overlap(one.head.box) <= FACES.same_overlap)
    larger = (other for other in elsewhere if other.head.eye_distance > one.head.eye_distance)
    return one.ours >= CONFIRMED and all(other.ours <= one.ours for other in larger)


def _is_somebody_else(one: SeenHead, limits: PeopleLimits) -> bool:
    """Tell if a face is confident enough to be another player's beside a surer one."""
    needed = limits.sure_face if one.ours >= CONFIRMED else max(limits.sure_face, SURER)
    return one.confidence >= needed


SURER, CONFIRMED = 0.65, 0.9
"""Detector confidence asked for where our net is below the second: knuckles, curled hands and
necks pass for faces, while a photographed face that our net does not know was never found less surely than 0.7. Of
faces beside others (48 photographed ones) our net is sure of every one that the detector doubts so."""


def _our_search(picture: Picture, promised: Sequence[FoundFace], workers: Workers) -> list[SeenFace]:
    """Whatever our net takes for a face in any tile, or where the detector promised one, looked at again closely."""
    longer = max(picture.shape[:2])
    tiles = [tile for tile in cover_with_tiles(picture.shape[1], picture.shape[0]) if tile[1] <= longer]
    found = workers.map(lambda own, tile: face_in_tile(own.our_faces, picture, *tile), tiles)
    possible = (face for face in found if face.confidence >= FACES.possible)
    kept = suppress(possible, lambda face: face.confidence, same_eyes)
    kept += [expected_face(face.box) for face in promised]
    looked_at = workers.map(lambda own, face: refine_face(own.our_faces, picture, face, looks=2), kept)
    return [face for face in looked_at if face.confidence >= FACES.possible]


def _agreed_on(
    heads: Sequence[SeenHead], faces: Sequence[SeenFace], picture: Picture, workers: Workers
) -> list[SeenHead]:
    """The one head that most looks agree on, by how sure our net is; where it sees none, the detector's surest."""
    looks = [*(replace(face_of(one.head), confidence=one.ours) for one in heads if one.ours >= FACES.possible), *faces]
    if not looks:
        return [max(heads, key=lambda one: one.likelihood)] if heads else []
    best = consensus_face(looks)
    head = workers.map(lambda own, face: mesh_on_face(own, picture, face), [best])[0]
    return [SeenHead(head, 0.0, best.confidence)]


def _without_repeats(faces: Sequence[FoundFace]) -> list[FoundFace]:
    return suppress(faces, lambda face: face.confidence, lambda face, other: same_box(face.box, other.box))


def _believed(seen: Sequence[SeenHead], limits: PeopleLimits) -> list[Head]:
    """One head for each face that is surely one; where none is, the likeliest alone (a face that fills the picture)."""
    ordered = sorted(seen, key=lambda one: one.confidence, reverse=True)
    candidates = [*ordered[:1], *(one for one in ordered[1:] if _is_somebody_else(one, limits))]
    kept = suppress(
        candidates,
        lambda one: one.confidence,
        lambda one, other: one.head.box.overlap(other.head.box) > FACES.same_overlap,
    )
    return [replace(one.head, sure=one.likelihood >= limits.sure_face) for one in kept]
