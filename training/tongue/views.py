"""Views that the tongue network learns from: first of renders and photographs alike, then of photographed tongues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from training.content_cache import code_of, keyed
from training.tongue.mouth_augmentation import vary
from training.tongue.mouth_draw import MouthDraw, PhotographedDraw
from training.trunk import MappedViews, views_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt
    from torch import nn

    from bunnymoose_cv.capture.frame import Image
    from training.tongue.mouth_crops import Mouth, MouthCrops
    from training.trunk import Batch

CODE: Final = code_of(__file__)
VIEWS, PHOTOGRAPHED, BATCH = 40_064, 44_032, 64
"""Number of the first views, of those of photographed tongues, and of each batch."""


def views_of(cuts: MouthCrops, lower: nn.Module, store: Path, *, holding: bool) -> MappedViews:
    """Return views of all cuts, made once; in some of them hands hold things before mouths if `holding`."""
    made_of = cuts.images, cuts.covers, [(each.group, each.out, each.fold) for each in cuts.samples]
    file = keyed(store / "views.npz", made_of, holding, CODE)
    return views_once(file, lower, VIEWS, lambda: _views(MouthDraw(cuts, holding=holding)))


def photographed_views_of(
    mouths: Sequence[Mouth], renders: Sequence[Mouth], lower: nn.Module, store: Path
) -> MappedViews:
    """Return views of photographed tongues laid into real faces, of other mouths, and of renders among them."""
    file = keyed(store / "photographed_views.npz", mouths, renders, CODE)
    return views_once(file, lower, PHOTOGRAPHED, lambda: _photographed(PhotographedDraw(mouths, renders, seed=1)))


def rows_without(views: MappedViews, fold: int) -> npt.NDArray[np.intp]:
    """Return the rows that show nothing of anybody in a fold, neither mouth nor face."""
    return np.flatnonzero((views.truth["folds"] != fold).all(1))


def _views(draw: MouthDraw) -> Iterator[Batch]:
    for first in range(0, VIEWS, BATCH):
        # Each batch has its own seed, so that more views begin with the same ones.
        random = np.random.default_rng((0, first // BATCH))
        views = [draw.view(random) for _ in range(BATCH)]
        yield _batch([(vary(view.scene, random, by_camera=view.by_camera), view.out, view.folds) for view in views])


def _photographed(draw: PhotographedDraw) -> Iterator[Batch]:
    for _ in range(0, PHOTOGRAPHED, BATCH):
        yield _batch([draw.view() for _ in range(BATCH)])


def _batch(views: Sequence[tuple[Image, bool, tuple[int, int]]]) -> Batch:
    """Return a batch of inputs with whether the tongue is out, and the folds of mouth and face, shape (n, 2)."""
    images, out, folds = zip(*views, strict=True)
    return np.stack(images), {"out": np.array(out, np.bool_), "folds": np.array(folds, np.int64)}
