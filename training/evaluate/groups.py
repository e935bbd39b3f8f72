"""Figures of groups of players: by labels of the manifest, and by the size of the face."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from training.evaluate.comparison import (
    APART,
    Measure,
    Outcome,
    compare_player,
)
from training.evaluate.group_labels import LABELS, label_values
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from training.evaluate.evaluated import Evaluated
    from training.evaluate.reading import ReadPlayer
    from training.evaluate.truth import PlayerTruth


FACE_HEIGHTS_PX: Final = (0, 50, 80, 120, 180)
"""Lower bounds of the bands of face height, in pixels of the image."""


MEASURES: Final = (Measure.POSE, Measure.ANIMAL, Measure.HEADGEAR, Measure.TONGUE)
"""Metrics of a group, single players and rows together."""


@dataclass(frozen=True, slots=True)
class Group:
    """One group of players.

    Attributes:
        label: by what they are told apart, one of `LABELS` or `face`.
        value: what these have in common.
        people: how many they are.
        right: how often each of `MEASURES` is right; those that nobody of the group has do not stand here.
        sure_wrong: of the fields that were sure, how many are wrong; None if there were none.
    """

    label: str
    value: str
    people: int
    right: Mapping[Measure, Share]
    sure_wrong: Share | None


def groups(images: Iterable[Evaluated]) -> tuple[Group, ...]:
    """All groups of two people and more, in the order of `LABELS`, the size of the face last."""
    members: dict[tuple[str, str], list[tuple[Outcome, ...]]] = {}
    for image in images:
        for seat, (truth, read) in enumerate(image.players):
            outcomes = tuple(compare_player(truth, read, image.row.kind))
            for name in _names(image, seat, truth, read):
                members.setdefault(name, []).append(outcomes)
    order = [*LABELS, _FACE]
    named = sorted(members.items(), key=lambda item: (order.index(item[0][0]), _sort_key(item[0][1])))
    return tuple(_group(label, value, people) for (label, value), people in named if len(people) > 1)


_FACE = "face"


def _names(image: Evaluated, seat: int, truth: PlayerTruth, read: ReadPlayer | None) -> Iterator[tuple[str, str]]:
    """The groups to which a player belongs."""
    for label in LABELS:
        if label in image.row.labels:
            yield label, label_values(image.row, label, len(image.players))[seat]
    face = truth.face or (None if read is None else read.face)
    if face is not None:
        yield _FACE, _band(face.height)


def _band(height: float) -> str:
    for low, high in pairwise(FACE_HEIGHTS_PX):
        if height < high:
            return f"{low} to {high} px"
    return f"{FACE_HEIGHTS_PX[-1]} px and more"


def _sort_key(value: str) -> tuple[int, str]:
    """Numbers by their size."""
    first = value.split(maxsplit=1)[0] if value else ""
    return (int(first), value) if first.isdecimal() else (-1, value)


def _group(label: str, value: str, people: list[tuple[Outcome, ...]]) -> Group:
    outcomes = [outcome for own in people for outcome in own]
    shares = {m: Share.of(outcome.right for outcome in outcomes if outcome.measure is m) for m in MEASURES}
    sure = [outcome for outcome in outcomes if outcome.sure and outcome.measure not in APART]
    return Group(
        label,
        value,
        len(people),
        {measure: share for measure, share in shares.items() if share is not None},
        Share.of(not outcome.right for outcome in sure),
    )
