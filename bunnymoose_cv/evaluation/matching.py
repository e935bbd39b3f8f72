"""Matching of the people of a truth with the people found."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.evaluation.reading import ReadPeople, ReadPlayer
    from bunnymoose_cv.vision.geometry import Box

SAME_FACE = 0.5
"""A face found is the one that it shares more than this of the smaller box with."""


def match(faces: Sequence[Box | None], read: ReadPeople) -> tuple[ReadPlayer | None, ...]:
    """The reading of each person of a truth; None for who was not found.

    Args:
        faces: where the faces truly lie, from left to right; None for one of which nobody wrote that down.
        read: who was found, from left to right.

    Returns:
        One for each of `faces`. Where not all places are known, seats tell who is who, and nobody is found if more or
        fewer people were read than there are: nobody could say whose reading is whose.
    """
    places = [face for face in faces if face is not None]
    if len(places) == len(faces) and places:
        return _by_place(places, read)
    return read if len(read) == len(faces) else (None,) * len(faces)


def _by_place(faces: Sequence[Box], read: ReadPeople) -> tuple[ReadPlayer | None, ...]:
    """The best pair first, each person once."""
    pairs = sorted(
        product(range(len(faces)), range(len(read))),
        key=lambda pair: faces[pair[0]].overlap(read[pair[1]].face),
        reverse=True,
    )
    chosen: dict[int, int] = {}
    for face, found in pairs:
        if face not in chosen and found not in chosen.values() and faces[face].overlap(read[found].face) > SAME_FACE:
            chosen[face] = found
    return tuple(read[chosen[face]] if face in chosen else None for face in range(len(faces)))
