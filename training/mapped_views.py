"""Training views as the frozen blocks of a trunk see them, made once and kept on disk.

The frozen blocks cost the most time of a network and see the same in each epoch and each fold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from training.content_cache import save_arrays
from training.trunk import as_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from torch import nn

    Batch = tuple[npt.NDArray[np.uint8], Mapping[str, npt.NDArray[Any]]]
    """Images of shape (n, height, width, 3), and what is known of each by name."""


@dataclass(frozen=True, slots=True, eq=False)
class MappedViews:
    """Views of one training.

    Attributes:
        name: name of the views; views of other data or by other code have another one.
        maps: output of the frozen blocks, float16, shape (n, channels, side, side).
        truth: what is known of each view: arrays of length n by name.
    """

    name: str
    maps: npt.NDArray[np.float16]
    truth: Mapping[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(self.maps)

    def inputs(self, rows: npt.NDArray[np.intp]) -> torch.Tensor:
        """Return the maps of some views as the learning blocks take them."""
        return torch.from_numpy(np.asarray(self.maps[rows], np.float32))


def views_once(file: Path, lower: nn.Module, count: int, batches: Callable[[], Iterable[Batch]]) -> MappedViews:
    """Load views, made first if the file is missing.

    Args:
        file: file of the truth, as `content_cache.keyed` names it; the maps are beside it.
        lower: the frozen blocks.
        count: number of views.
        batches: makes the views.
    """
    maps = file.with_suffix(".npy")
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        save_arrays(file, _written(maps, lower, count, batches()))
    with np.load(file) as stored:
        return MappedViews(file.stem, np.load(maps, mmap_mode="r"), dict(stored))


@torch.no_grad()
def _written(file: Path, lower: nn.Module, count: int, batches: Iterable[Batch]) -> dict[str, npt.NDArray[Any]]:
    """Write the maps of all views to a file; return what is known of them."""
    maps: npt.NDArray[np.float16] | None = None
    truths, done = [], 0
    for images, truth in batches:
        part = lower(as_inputs(images)).half().numpy()
        if maps is None:
            maps = np.lib.format.open_memmap(file, "w+", np.float16, (count, *part.shape[1:]))
        maps[done : done + len(part)] = part
        done += len(part)
        truths.append(truth)
        print(f"{file.stem}: {done} of {count} views", flush=True)
    return {name: np.concatenate([truth[name] for truth in truths]) for name in truths[0]}
