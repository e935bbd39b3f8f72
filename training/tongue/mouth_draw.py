"""Training views of the tongue network: mouths in their own or other faces, pasted tongues, and held objects.

Mouths with and without a tongue come from renders and photographs alike. The label thus depends neither on the origin
of mouth and face nor on a seam between them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from training.augmentation import POOR_CAMERA, sometimes
from training.tongue.mouth_composites import add_held_object, graft, paste_tongue
from training.tongue.mouth_crops import EYE, MASKED, PEOPLE, WHOLE, WIDE_SIZE, Mouth, at_distance, window
from training.tongue.sources import IN_ROOMS, NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Image
    from training.trunk import Batch

WEIGHTS: Final = {
    IN_ROOMS: 0.4,
    "rendered close-ups": 0.32,
    "rendered mouths": 0.14,
    "rendered players": 0.14,
    "real mouths": 0.8,
    "real faces": 0.1,
    "real heads with hands": 0.1,
}
"""Weight of each source among the rendered or the photographed ones. More varied sources have more weight."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnView:
    """A wide crop, whether its tongue is out, the folds of mouth and face, and whether a poor camera was simulated."""

    scene: Image
    out: bool
    folds: tuple[int, int]
    by_camera: bool = False


class _Sources:
    """Sampler of mouths that first draws a source by its weight."""

    def __init__(self, mouths: Sequence[Mouth], weights: Mapping[str, float]) -> None:
        groups = {name: [mouth for mouth in mouths if mouth.group == name] for name in weights}
        self._groups = [group for group in groups.values() if group]
        chosen = np.array([weights[name] for name, group in groups.items() if group])
        self._weights = chosen / chosen.sum()

    def one(self, random: np.random.Generator) -> Mouth:
        """Draw one mouth."""
        return _one(self._groups[int(random.choice(len(self._groups), p=self._weights))], random)


def _one(mouths: Sequence[Mouth], random: np.random.Generator) -> Mouth:
    return mouths[int(random.integers(len(mouths)))]


def _own(mouth: Mouth) -> DrawnView:
    """Show a mouth in its own face."""
    return DrawnView(mouth.image, mouth.out, (mouth.fold, mouth.fold), mouth.group == IN_ROOMS)


def _grafted(mouth: Mouth, host: Mouth, random: np.random.Generator) -> DrawnView:
    """Show a mouth in another person's face."""
    return DrawnView(graft(mouth.image, host.image, random), mouth.out, (mouth.fold, host.fold))


SHARE_OUT: Final = 0.42
"""Share of tongues among the views."""

SHARE_PASTED: Final = 0.2
"""Share of tongues that are rendered and pasted without their mouth into a photographed face."""

SHARE_PHOTOGRAPHED: Final = {True: 0.35, False: 0.55}
"""Share of photographed mouths among the others, with a tongue and without."""

SHARE_GRAFTED: Final = {True: 0.45, False: 0.35}
"""Share of mouths, with a tongue and without, that are grafted into another person's face.

With these shares two in three faces are photographed, whether there is a tongue or not.
"""

SHARE_PHOTOGRAPHED_HOSTS: Final = 0.8

SHARE_HOLDING: Final = {True: 0.12, False: 0.22}
"""Share of mouths, with a tongue and without, with an object held before them, apart from images of poor cameras."""

SHARE_HELD_ASIDE: Final = 0.25
"""Share of held objects that end beside a mouth without a tongue. If there is a tongue, all of them do."""

LEAST_TONGUE: Final = 60
"""Minimum area of a pasted tongue, in pixels of a wide crop."""


class MouthDraw:
    """Sampler of rendered and photographed mouths, optionally with objects held before them."""

    def __init__(self, mouths: Sequence[Mouth], *, holding: bool) -> None:
        self._holding = holding
        weights = dict(sorted(WEIGHTS.items()))
        self._mouths = {
            (out, photographed): _Sources(
                [mouth for mouth in mouths if mouth.out is out and (mouth.fold != NOBODY) is photographed], weights
            )
            for out in (False, True)
            for photographed in (False, True)
        }
        self._tongues = [mouth for mouth in mouths if (mouth.cover > 127).sum() > LEAST_TONGUE]

    def view(self, random: np.random.Generator) -> DrawnView:
        """Draw a view, before the simulation of a camera."""
        view = self._mouth(random)
        if not self._holding or view.by_camera or random.random() >= SHARE_HOLDING[view.out]:
            return view
        other = self._host(random, photographed=False).image
        aside = view.out or random.random() < SHARE_HELD_ASIDE
        return replace(view, scene=add_held_object(view.scene, other, random, aside=aside))

    def _mouth(self, random: np.random.Generator) -> DrawnView:
        """Draw a mouth, in its own face or another."""
        out = random.random() < SHARE_OUT
        if out and self._tongues and random.random() < SHARE_PASTED:
            tongue, host = _one(self._tongues, random), self._host(random, photographed=True)
            return DrawnView(paste_tongue(tongue.image, tongue.cover, host.image, random), True, (NOBODY, host.fold))
        mouth = self._mouths[out, random.random() < SHARE_PHOTOGRAPHED[out]].one(random)
        if random.random() >= SHARE_GRAFTED[out]:
            return replace(_own(mouth), folds=(mouth.fold, NOBODY))
        host = self._host(random, photographed=random.random() < SHARE_PHOTOGRAPHED_HOSTS)
        return _grafted(mouth, host, random)

    def _host(self, random: np.random.Generator, *, photographed: bool) -> Mouth:
        """Draw a face without a tongue."""
        return self._mouths[False, photographed].one(random)


NEAREST_PX, FARTHEST_PX = 110.0, 16.0
"""Range of eye distances at a table, in pixels."""


def vary(scene: Image, random: np.random.Generator, *, by_camera: bool = False) -> Image:
    """Augment a wide crop, and return an input of the network.

    Args:
        scene: the wide crop.
        random: random generator.
        by_camera: True if the crop already shows the faults of a poor camera. Half of these are not degraded further.

    Returns:
        Bytes of shape (SIZE, SIZE, 3).
    """
    if not by_camera or random.random() < 0.5:
        scene = _degraded(scene, random)
    seen = _jittered(scene, random)
    return np.asarray(seen[:, ::-1], np.uint8) if random.random() < 0.5 else seen


def _degraded(scene: Image, random: np.random.Generator) -> Image:
    """Simulate a larger distance, another light and another camera."""
    scene = sometimes(0.25, _cut_off_below)(scene, random)
    eye_distance = float(np.exp(random.uniform(np.log(FARTHEST_PX), np.log(NEAREST_PX))))
    return POOR_CAMERA(at_distance(scene, eye_distance), random)


def _cut_off_below(scene: Image, random: np.random.Generator) -> Image:
    """Replace the rows below the chin by the last row, as at the border of an image."""
    cut = scene.copy()
    last = int(EYE * random.uniform(1.75, 2.3))
    cut[last:] = cut[last]
    return cut


def _jittered(scene: Image, random: np.random.Generator) -> Image:
    """Return the network's input from a wide crop, with random errors of the landmarks."""
    shift = random.normal(0, 0.05, 2)
    turn, scale, shear = random.normal(0, 0.10), float(np.exp(random.normal(0, 0.08))), random.normal(0, 0.06)
    return window(scene, shift, turn, scale, shear)


PHOTOGRAPHED_OUT: Final = 0.45
"""Share of tongues among photographed views."""

SHARES_OUT: Final = (0.38, 0.14, 0.16, 0.32)
"""Shares of views with a tongue: masked tongues pasted, masked tongues grafted with lips, whole faces, renders."""

SHARES_IN: Final = (0.60, 0.08, 0.32)
"""Shares of views without a tongue: photographs, patches of skin in the shape of a tongue, renders."""

GRAFTED: Final = 0.35
"""Share of whole faces, photographs and renders whose mouth is grafted into another person's face."""

SEEN_AREA, SEEN_CHANGE = 150, 24
"""Minimum number of pixels that a pasted tongue has to change, and their minimum mean change in grey levels."""

TRIES: Final = 6
PHOTOGRAPHED: Final = {
    "real mouths": 0.35,
    "real faces": 0.05,
    "real heads with hands": 0.05,
    WHOLE: 0.30,
    PEOPLE: 0.25,
}
"""Weights of the photographed sources. The whole faces include mouths that are wide open."""


class PhotographedDraw:
    """Sampler of views for fine-tuning: tongues pasted into real faces, whole faces, closed mouths, and renders."""

    def __init__(self, mouths: Sequence[Mouth], renders: Sequence[Mouth]) -> None:
        self._random = np.random.default_rng(1)
        self._masked = [mouth for mouth in mouths if mouth.group == MASKED]
        self._photographs, self._renders = (
            {out: _Sources([mouth for mouth in some if mouth.out is out], weights) for out in (False, True)}
            for some, weights in ((mouths, PHOTOGRAPHED), (renders, WEIGHTS))
        )

    def view(self) -> tuple[Image, bool, tuple[int, int]]:
        """Draw an input of the network, and return it with its label and the folds of mouth and face."""
        view = self._tongue() if self._random.random() < PHOTOGRAPHED_OUT else self._no_tongue()
        return vary(view.scene, self._random, by_camera=view.by_camera), view.out, view.folds

    def _tongue(self) -> DrawnView:
        match int(self._random.choice(len(SHARES_OUT), p=SHARES_OUT)):
            case 0:
                return self._pasted()
            case 1:
                return _grafted(_one(self._masked, self._random), self._host(), self._random)
            case sort:
                return self._shown((self._photographs if sort == 2 else self._renders)[True])

    def _no_tongue(self) -> DrawnView:
        sort = int(self._random.choice(len(SHARES_IN), p=SHARES_IN))
        return self._patch() if sort == 1 else self._shown((self._photographs if sort == 0 else self._renders)[False])

    def _shown(self, sources: _Sources) -> DrawnView:
        """Draw a mouth in its own face or grafted into another."""
        mouth = sources.one(self._random)
        return _grafted(mouth, self._host(), self._random) if self._random.random() < GRAFTED else _own(mouth)

    def _pasted(self) -> DrawnView:
        """Paste a masked tongue into another person's face, preferably so that it is clearly visible."""
        for _ in range(TRIES):
            mouth, host = _one(self._masked, self._random), self._host()
            image = paste_tongue(mouth.image, mouth.cover, host.image, self._random)
            change = np.abs(image.astype(int) - host.image).max(2)
            changed = change[change > 8]
            if len(changed) > SEEN_AREA and changed.mean() > SEEN_CHANGE:
                break
        return DrawnView(image, True, (mouth.fold, host.fold))

    def _patch(self) -> DrawnView:
        """Paste another person's skin in the shape of a tongue, as a negative example."""
        mouth, skin, host = _one(self._masked, self._random), self._host(), self._host()
        shifts = self._random.integers(-WIDE_SIZE // 3, WIDE_SIZE // 3, 2)
        elsewhere = np.asarray(np.roll(skin.image, tuple(int(shift) for shift in shifts), (0, 1)), np.uint8)
        return DrawnView(paste_tongue(elsewhere, mouth.cover, host.image, self._random), False, (skin.fold, host.fold))

    def _host(self) -> Mouth:
        """Draw a photographed face without a tongue."""
        return self._photographs[False].one(self._random)


VIEWS, PHOTOGRAPHED_VIEWS, BATCH = 40_064, 44_032, 64
"""Number of views for the first training, of views for fine-tuning, and of views in a batch."""


def first_views(mouths: Sequence[Mouth], *, holding: bool) -> Iterator[Batch]:
    """Yield batches of views of all mouths; if `holding`, with objects held before some of them."""
    draw = MouthDraw(mouths, holding=holding)
    for first in range(0, VIEWS, BATCH):
        # Each batch has its own seed, so that a longer run begins with the same views.
        random = np.random.default_rng((0, first // BATCH))
        views = [draw.view(random) for _ in range(BATCH)]
        yield _batch([(vary(view.scene, random, by_camera=view.by_camera), view.out, view.folds) for view in views])


def photographed_views(mouths: Sequence[Mouth], renders: Sequence[Mouth]) -> Iterator[Batch]:
    """Yield batches of views for fine-tuning."""
    draw = PhotographedDraw(mouths, renders)
    for _ in range(0, PHOTOGRAPHED_VIEWS, BATCH):
        yield _batch([draw.view() for _ in range(BATCH)])


def _batch(views: Sequence[tuple[Image, bool, tuple[int, int]]]) -> Batch:
    """Stack inputs, labels (whether the tongue is out), and folds of mouth and face, shape (n, 2)."""
    images, out, folds = zip(*views, strict=True)
    return np.stack(images), {"out": np.array(out, np.bool_), "folds": np.array(folds, np.int64)}
