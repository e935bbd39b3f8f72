"""Draw of wide cuts for the pool: mouths in their own faces and in others, tongues laid, things held before them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from training.tongue.holding import hold_something
from training.tongue.mouth_augmentation import graft, lay_tongue
from training.tongue.sources import IN_ROOMS, Origin

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.tongue.mouth_crops import MouthCrops

SHARE_OUT = 0.42
"""Share of tongues among the views."""

SHARE_LAID = 0.2
"""Share of tongues that are rendered and lie alone in a photographed face that keeps its own mouth."""

SHARE_PHOTOGRAPHED = {True: 0.35, False: 0.55}
"""Share of photographed mouths among the others, with tongues, few as they are, and without."""

SHARE_GRAFTED = {True: 0.45, False: 0.35}
"""Share of mouths, with tongues and without, that are seen in the face of somebody else.

With these shares two in three faces are photographed, with a tongue or without: it is no sign.
"""

SHARE_PHOTOGRAPHED_HOSTS = 0.8

SHARE_HOLDING = {True: 0.12, False: 0.22}
"""Share of mouths, with tongues and without, before which a hand holds something; poor cameras' images aside."""

SHARE_HELD_ASIDE = 0.25
"""Share of those things that end beside a mouth without a tongue, as they all do beside one with."""

LEAST_TONGUE = 60
"""Pixels of a wide cut; a smaller one is not worth laying elsewhere."""

WEIGHTS = {
    IN_ROOMS: 0.4,
    "rendered close-ups": 0.32,
    "rendered mouths": 0.14,
    "rendered players": 0.14,
    "real mouths": 0.8,
    "real faces": 0.1,
    "real heads with hands": 0.1,
}
"""Weight of a source among the rendered and among the photographed ones: the more varied ones more often."""

NOBODY = -1
"""The fold of rendered people."""


@dataclass(frozen=True, slots=True)
class DrawnView:
    """A wide cut, whether the tongue is out in it, the folds of mouth and face, whether a poor camera has made it."""

    scene: Image
    out: bool
    folds: tuple[int, int]
    by_camera: bool = False


class _Sources:
    """The chosen mouths, source by source."""

    def __init__(self, groups: npt.NDArray[np.str_], chosen: npt.NDArray[np.bool_]) -> None:
        names = sorted(set(groups[chosen].tolist()))
        weights = np.array([WEIGHTS[name] for name in names])
        self._weights = weights / weights.sum()
        self._indices = [np.flatnonzero(chosen & (groups == name)) for name in names]

    def one(self, random: np.random.Generator) -> int:
        """The index of one mouth."""
        source = random.choice(len(self._indices), p=self._weights)
        return int(random.choice(self._indices[source]))


class MouthDraw:
    """Draws mouths, with a tongue and without, from renders and photographs alike.

    So the label says nothing of where the mouth or the face around it comes from.
    """

    def __init__(self, cuts: MouthCrops, *, holding: bool) -> None:
        self._cuts, self._holding = cuts, holding
        groups = np.array([sample.group for sample in cuts.samples])
        photograph = np.array([sample.origin is Origin.PHOTOGRAPH for sample in cuts.samples])
        self._hosts = {origin: _Sources(groups, (photograph == origin) & ~cuts.out) for origin in (False, True)}
        self._mouths = {
            (label, origin): _Sources(groups, (photograph == origin) & (cuts.out == label))
            for label in (False, True)
            for origin in (False, True)
        }
        self._tongues = np.flatnonzero((cuts.covers > 127).sum((1, 2)) > LEAST_TONGUE)

    def view(self, random: np.random.Generator) -> DrawnView:
        """One view, before a camera has changed it."""
        view = self._mouth(random)
        if not self._holding or view.by_camera or random.random() >= SHARE_HOLDING[view.out]:
            return view
        other = self._cuts.images[self._hosts[False].one(random)]
        aside = view.out or random.random() < SHARE_HELD_ASIDE
        return replace(view, scene=hold_something(view.scene, other, random, aside=aside))

    def _mouth(self, random: np.random.Generator) -> DrawnView:
        """A mouth, in its own face or another."""
        out = bool(random.random() < SHARE_OUT)
        if out and len(self._tongues) and random.random() < SHARE_LAID:
            return self._laid(random)
        mouth = self._mouths[out, bool(random.random() < SHARE_PHOTOGRAPHED[out])].one(random)
        scene, folds = self._cuts.images[mouth], self._cuts.folds
        if random.random() >= SHARE_GRAFTED[out]:
            return DrawnView(scene, out, (int(folds[mouth]), NOBODY), self._cuts.samples[mouth].group == IN_ROOMS)
        host = self._hosts[bool(random.random() < SHARE_PHOTOGRAPHED_HOSTS)].one(random)
        scene = graft(scene, self._cuts.images[host], random)
        return DrawnView(scene, out, (int(folds[mouth]), int(folds[host])))

    def _laid(self, random: np.random.Generator) -> DrawnView:
        tongue, host = random.choice(self._tongues), self._hosts[True].one(random)
        images, covers = self._cuts.images, self._cuts.covers
        scene = lay_tongue(images[tongue], covers[tongue], images[host], random)
        return DrawnView(scene, True, (NOBODY, int(self._cuts.folds[host])))
