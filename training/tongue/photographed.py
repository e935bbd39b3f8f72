"""Fine-tune the tongue network on photographed tongues laid into real faces (docs/experiments/002 and 010).

`train.py` fine-tunes between learning from renders and calibration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from training.array_files import save_arrays
from training.checkpoints import arrays_of, interpolated, save_state
from training.content_cache import keyed
from training.schedules import share_of_rate
from training.source_code import code_of
from training.tongue.backbone import CHANNELS, MAP, Backbone, as_maps
from training.tongue.mouth_draw import PhotographedDraw
from training.tongue.net import Learner
from training.trunk import as_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from training.tongue.mouth_crops import Mouth

CODE: Final = code_of(__file__)
VIEWS, BATCH, EPOCHS, WARM_UP, LAST = 44_032, 64, 4, 100, 0.02
BLOCKS_RATE, LAYER_RATE, AVERAGING = 2e-4, 3e-4, 0.995
INTERPOLATED: Final = 0.8
"""Share of the fine-tuned weights in the result."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Photographed views, index by index.

    Attributes:
        name: of these views; others have another.
        maps: of the frozen blocks, float16, shape (n, channels, side, side).
        out: whether the tongue is out, shape (n,).
        folds: of mouth and face, shape (n, 2).
    """

    name: str
    maps: npt.NDArray[np.float16]
    out: npt.NDArray[np.bool_]
    folds: npt.NDArray[np.int64]

    def without(self, fold: int) -> npt.NDArray[np.intp]:
        """Rows that show nothing of anybody in a fold."""
        return np.flatnonzero((self.folds != fold).all(1))


def views_of(mouths: Sequence[Mouth], renders: Sequence[Mouth], backbone: Backbone, store: Path) -> Views:
    """Views of all sorts, from the store when they were made before, of the same mouths by the same code."""
    kept = keyed(store / "photographed_views.npz", mouths, renders, CODE)
    maps = kept.with_suffix(".npy")
    if not kept.is_file():
        out, folds = _made(PhotographedDraw(mouths, renders, seed=1), backbone, maps)
        save_arrays(kept, {"out": out, "folds": folds})
    with np.load(kept) as stored:
        return Views(kept.stem, np.load(maps, mmap_mode="r"), stored["out"], stored["folds"])


def _made(
    draw: PhotographedDraw, backbone: Backbone, file: Path
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Write the maps of all views to a file; whether each tongue is out, and the folds."""
    maps = np.lib.format.open_memmap(file, "w+", np.float16, (VIEWS, CHANNELS, MAP, MAP))
    out, folds = [], []
    for first in range(0, VIEWS, BATCH):
        views = [draw.view() for _ in range(min(BATCH, VIEWS - first))]
        with torch.no_grad():
            maps[first : first + len(views)] = backbone(as_inputs(np.stack([view[0] for view in views]))).half().numpy()
        out += [view[1] for view in views]
        folds += [view[2] for view in views]
        print(f"photographed views: {first + len(views)} of {VIEWS}", flush=True)
    return np.array(out, np.bool_), np.array(folds, np.int64)


def fine_tuned(start: Learner, views: Views, rows: npt.NDArray[np.intp], store: Path) -> Learner:
    """Train on some views, or take what the store holds of the same start and views; interpolate with the start."""
    own = {name: value.clone() for name, value in start.state_dict().items()}
    file = keyed(store / "photographed.pt", arrays_of(own), views.name, rows, CODE)
    if not file.exists():
        net = Learner()
        net.load_state_dict(own)
        save_state(_trained(net, views, rows).state_dict(), file)
    result = Learner()
    result.load_state_dict(interpolated(own, torch.load(file, weights_only=True), INTERPOLATED))
    return result.eval().requires_grad_(requires_grad=False)


def _trained(net: Learner, views: Views, rows: npt.NDArray[np.intp]) -> torch.nn.Module:
    torch.manual_seed(0)
    draw = np.random.default_rng(0)
    parts = [
        {"params": [*net.blocks.parameters()], "lr": BLOCKS_RATE, "weight_decay": 0.02},
        {"params": [*net.layer.parameters()], "lr": LAYER_RATE, "weight_decay": 0.1},
    ]
    optimiser = torch.optim.AdamW(parts)
    steps = EPOCHS * len(rows) // BATCH
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: share_of_rate(step, steps, WARM_UP, LAST))
    average = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))  # type: ignore[no-untyped-call]
    wanted = torch.from_numpy(np.where(views.out, 0.96, 0.04).astype(np.float32))
    net.train()
    for step in range(steps):
        chosen = np.sort(draw.choice(rows, BATCH, replace=False))
        said = net(as_maps(np.asarray(views.maps[chosen])))[:, 0]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(said, wanted[torch.from_numpy(chosen)])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        if step % 200 == 0:
            print(f"fine-tuning: step {step} of {steps}, loss {loss.item():.3f}", flush=True)
    module: torch.nn.Module = average.module
    return module
