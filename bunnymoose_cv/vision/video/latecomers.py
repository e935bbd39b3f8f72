"""Latecomers: heads that a search finds in one frame, read in the frames around it, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.vision.effort import SCHEDULE, Effort

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading


def search_latecomers(reader: Reader, reading: FrameReading) -> list[Head]:
    """Search a frame that was read for heads that its reading lacks."""
    return _apart_from(reader.search(reading.image), reading.heads)


def read_latecomers(
    reader: Reader, readings: Sequence[FrameReading], start: int, latecomers: Sequence[Head]
) -> tuple[FrameReading, ...]:
    """Read frames again with heads that were found in one of them, outwards from it.

    Args:
        readings: of the frames, in order of time.
        start: index of the frame in which the heads were found.
        latecomers: the heads; where a frame's reading has them already it is kept.
    """
    merged = list(readings)
    for way in (range(start, len(readings)), range(start - 1, -1, -1)):
        heads = list(latecomers)
        for number in way:
            known = readings[number].heads
            frame = Frame(readings[number].image, readings[number].time_s)
            effort = Effort.QUICK if (number - start) % SCHEDULE.full_every else Effort.FULL
            if added := _apart_from(heads, known):
                merged[number] = reader.follow(frame, [*known, *added], effort)
            heads = [_nearest(head, merged[number].heads) for head in heads]
    return tuple(merged)


def _apart_from(heads: Sequence[Head], others: Sequence[Head]) -> list[Head]:
    """Heads that are none of the others."""
    return [head for head in heads if not any(head.overlaps(other.box) for other in others)]


def _nearest(head: Head, seen: Sequence[Head]) -> Head:
    """The same head in the next frame, or where it was."""
    same = [other for other in seen if head.overlaps(other.box)]
    return max(same, key=lambda other: head.box.intersection_over_smaller(other.box), default=head)
