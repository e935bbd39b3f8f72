"""Many views of every mouth as the trunk's frozen blocks see them, made once and kept on disk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch

from training.array_files import save_arrays
from training.content_cache import keyed
from training.source_code import code_of
from training.tongue.backbone import CHANNELS, MAP, as_maps
from training.tongue.mouth_augmentation import vary
from training.tongue.mouth_draw import MouthDraw
from training.trunk import as_inputs

if TYPE_CHECKING:
    from pathlib import Path

    from training.tongue.backbone import Backbone
    from training.tongue.mouth_crops import MouthCrops

VIEWS = 40_064
VIEWS_AT_ONCE = 64
SEED = 0


@dataclass(frozen=True, slots=True)
class Pool:
    """Views, index by index.

    Attributes:
        name: of these views; others have another.
        maps: what the frozen blocks make of each, float16, shape (n, channels, side, side).
        out: whether the tongue is out, shape (n,).
        folds: of whom it shows the mouth and of whom the face around it, shape (n, 2).
        rows: the indices of the views that may be learned from.
    """

    name: str
    maps: npt.NDArray[np.float16]
    out: npt.NDArray[np.bool_]
    folds: npt.NDArray[np.int64]
    rows: npt.NDArray[np.intp]

    def without(self, fold: int) -> Pool:
        """To be learned from without the views that show anything of anybody in this fold."""
        return replace(self, rows=self.rows[(self.folds[self.rows] != fold).all(1)])

    def maps_of(self, rows: npt.NDArray[np.intp]) -> torch.Tensor:
        """The maps of some views, as what learns wants them."""
        return as_maps(self.maps[rows])


def pool_of(cuts: MouthCrops, backbone: Backbone, store: Path, *, holding: bool) -> Pool:
    """Views of all the cuts, from the store when they were made before, of the same labelled cuts by the same code.

    Args:
        cuts: what is viewed.
        backbone: the frozen blocks.
        store: the folder in which views are kept.
        holding: whether hands hold things before some mouths; all else is the same.
    """
    made_of = cuts.images, cuts.covers, [(each.group, each.origin, each.out, each.fold) for each in cuts.samples]
    kept = keyed(store / "pool.npz", made_of, holding, code_of(__file__))
    maps = kept.with_suffix(".npy")
    if not kept.is_file():
        out, folds = _made(MouthDraw(cuts, holding=holding), backbone, maps)
        save_arrays(kept, {"out": out, "folds": folds})
    with np.load(kept) as stored:
        return Pool(kept.stem, np.load(maps, mmap_mode="r"), stored["out"], stored["folds"], np.arange(VIEWS))


def _made(draw: MouthDraw, backbone: Backbone, file: Path) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Write the maps of all views to a file; whether each tongue is out, and the folds."""
    maps = np.lib.format.open_memmap(file, "w+", np.float16, (VIEWS, CHANNELS, MAP, MAP))
    out, folds = [], []
    for first in range(0, VIEWS, VIEWS_AT_ONCE):
        # Each batch has its own chance, so that a longer pool begins as a shorter one does.
        random = np.random.default_rng((SEED, first // VIEWS_AT_ONCE))
        views = [draw.view(random) for _ in range(VIEWS_AT_ONCE)]
        with torch.no_grad():
            inputs = [vary(view.scene, random, by_camera=view.by_camera) for view in views]
            made = backbone(as_inputs(np.stack(inputs)))
        maps[first : first + VIEWS_AT_ONCE] = made.half().numpy()
        out += [view.out for view in views]
        folds += [view.folds for view in views]
        if first % (50 * VIEWS_AT_ONCE) == 0:
            print(f"views: {first} of {VIEWS}", flush=True)
    return np.array(out, bool), np.array(folds, np.int64)
