"""Non-maximum suppression."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bunnymoose_cv.vision.settings import FACES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.vision.geometry import Box

Item = TypeVar("Item")


def suppress(items: Iterable[Item], score: Callable[[Item], float], same: Callable[[Item, Item], bool]) -> list[Item]:
    """Suppress items that show the same thing as one of higher score (non-maximum suppression, NMS).

    Args:
        items: detections; of equal scores the earlier one is kept.
        score: higher is better.
        same: whether two items, the one of lower score first, show the same thing.

    Returns:
        The kept items, highest score first.
    """
    return keep_first(sorted(items, key=score, reverse=True), same)


def keep_first(items: Iterable[Item], same: Callable[[Item, Item], bool]) -> list[Item]:
    """Suppress items that show the same thing as an earlier one: `suppress` of what is in order already."""
    kept: list[Item] = []
    for item in items:
        if not any(same(item, other) for other in kept):
            kept.append(item)
    return kept


def same_box(one: Box, other: Box) -> bool:
    """Return whether two boxes show one thing, at one size."""
    sizes = sorted(max(box.width, box.height) for box in (one, other))
    return one.intersection_over_smaller(other) > FACES.same_overlap and sizes[1] < FACES.same_size * sizes[0]
