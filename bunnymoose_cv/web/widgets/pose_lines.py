"""Poses in words, and the words by which the answers to a question differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Pose, Tongue
from bunnymoose_cv.web.art.art_names import headgear_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.i18n.texts import Texts


def pose_lines(pose: Pose, texts: Texts) -> tuple[str, ...]:
    """A pose in words, one line a side, and one for a tongue that is out."""
    left, right, tongue = _all_lines(pose, texts)
    return (left, right, tongue) if pose.tongue is Tongue.OUT else (left, right)


def telling_lines(poses: Sequence[Pose], texts: Texts) -> tuple[tuple[str, ...], ...]:
    """Lines of each pose that not all of them share; whole poses where there is nothing to tell apart."""
    lines = [_all_lines(pose, texts) for pose in poses]
    telling = [place for place, shared in enumerate(zip(*lines, strict=True)) if len(set(shared)) > 1]
    if not telling:
        return tuple(pose_lines(pose, texts) for pose in poses)
    return tuple(tuple(each[place] for place in telling) for each in lines)


def _all_lines(pose: Pose, texts: Texts) -> tuple[str, str, str]:
    left, right = headgear_name(pose.left, texts), headgear_name(pose.right, texts)
    return (
        texts("left: {headgear}", headgear=left),
        texts("right: {headgear}", headgear=right),
        texts("tongue out") if pose.tongue is Tongue.OUT else texts("tongue in"),
    )
