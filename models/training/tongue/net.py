"""The net, its training and its way into an ONNX file. Owns no pictures' sources and no figures."""

from __future__ import annotations

import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from sources import Origin
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from variation import vary

from bunnymoose_cv.vision.tongue import SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cuts import Cuts

CHANNELS = (16, 32, 64, 96)
FEATURES = 32

SHARE_OUT = 0.4
"""Share of tongues in a batch."""

SHARE_GRAFTED = 0.5
"""Share of mouths that are seen in a face of the other origin."""

LABEL_SMOOTHING = 0.03
AVERAGING = 0.998
"""How much of the running average of the weights a step keeps; the average is what is shipped."""

CHECKPOINT_EVERY = 500


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long and with what chance a net is trained."""

    steps: int
    batch: int
    seed: int
    highest_rate: float = 4e-3
    weight_decay: float = 2e-2


@dataclass(frozen=True, slots=True)
class Calibration:
    """From the net's number to a probability: sigmoid(scale * number + offset)."""

    scale: float
    offset: float


def new_net() -> nn.Sequential:
    """Four convolutions, one that sees everything, one number: positive for a tongue. Input as `as_inputs` makes it."""
    first, second, third, fourth = CHANNELS
    return nn.Sequential(
        *_layer(3, first, kernel=5, stride=2),
        *_layer(first, second),
        nn.MaxPool2d(2),
        *_layer(second, third),
        nn.MaxPool2d(2),
        *_layer(third, fourth),
        nn.MaxPool2d(2),
        nn.Dropout2d(0.05),
        nn.Conv2d(fourth, FEATURES, SIZE // 16),
        nn.ReLU(),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(FEATURES, 1),
    )


def _layer(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> list[nn.Module]:
    convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
    return [convolution, nn.BatchNorm2d(outputs), nn.ReLU()]


def fit(cuts: Cuts, recipe: Recipe, store: Path) -> nn.Module:
    """Train a net on the cuts; goes on from the store's checkpoint when there is one of this recipe."""
    torch.manual_seed(recipe.seed)
    net = new_net().train().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    averaging = get_ema_multi_avg_fn(AVERAGING)  # type: ignore[no-untyped-call]
    average = AveragedModel(net, multi_avg_fn=averaging, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=recipe.weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, recipe.highest_rate, total_steps=recipe.steps, pct_start=0.2
    )
    parts = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
    checkpoint = checkpoint_of(cuts, recipe, store)
    done = _resume(parts, checkpoint)
    started, losses = time.monotonic(), []
    for step, (inputs, labels) in enumerate(_batches(cuts, recipe, done), done + 1):
        loss = nn.functional.binary_cross_entropy_with_logits(net(inputs)[:, 0], labels)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        losses.append(loss.item())
        if step % CHECKPOINT_EVERY == 0 or step == recipe.steps:
            torch.save({"step": step} | {name: part.state_dict() for name, part in parts.items()}, checkpoint)
            print(f"step {step}: loss {np.mean(losses):.3f}, {time.monotonic() - started:.0f} s", flush=True)
            losses.clear()
    return average.module.eval()


def checkpoint_of(cuts: Cuts, recipe: Recipe, store: Path) -> Path:
    """Where a training of these cuts by this recipe keeps how far it got."""
    data = zlib.crc32(cuts.pictures.tobytes())
    return store / f"checkpoint_{data:08x}_{recipe.steps}_{recipe.batch}_{recipe.seed}.pt"


def _resume(parts: dict[str, Any], checkpoint: Path) -> int:
    """Bring the parts to where the checkpoint left them; how many steps are done."""
    if not checkpoint.is_file():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(state[name])
    return int(state["step"])


def _batches(cuts: Cuts, recipe: Recipe, done: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """The batches that are still to come, each made while the net learns from the one before."""
    draw = _Draw(cuts)
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(draw.batch, recipe, done)
        for step in range(done, recipe.steps):
            batch = coming.result()
            if step + 1 < recipe.steps:
                coming = worker.submit(draw.batch, recipe, step + 1)
            yield batch


class _Draw:
    """Draws mouths so that the label says nothing of where the face around the mouth comes from.

    It still says something of where the mouth comes from as long as no photographed tongue is out (models/tongue.md).
    """

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts
        photograph = np.array([sample.origin is Origin.PHOTOGRAPH for sample in cuts.samples])
        self._by_origin = {False: np.flatnonzero(~photograph), True: np.flatnonzero(photograph)}
        self._by_label = {
            label: [shown for pool in self._by_origin.values() if len(shown := pool[cuts.out[pool] == label])]
            for label in (False, True)
        }
        self._photograph = photograph

    def batch(self, recipe: Recipe, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The inputs and the softened labels of one step: the same for the same seed and step."""
        random = np.random.default_rng((recipe.seed, step))
        labels = random.random(recipe.batch) < SHARE_OUT
        inputs = as_inputs(np.stack([self._one(bool(label), random) for label in labels]))
        return inputs, torch.tensor(np.where(labels, 1 - LABEL_SMOOTHING, LABEL_SMOOTHING), dtype=torch.float32)

    def _one(self, label: bool, random: np.random.Generator) -> npt.NDArray[np.uint8]:  # noqa: FBT001 - a drawn label
        pools = self._by_label[label]
        mouth = random.choice(pools[random.integers(len(pools))])
        host = None
        if random.random() < SHARE_GRAFTED:
            host = self._cuts.pictures[random.choice(self._by_origin[not self._photograph[mouth]])]
        return vary(self._cuts.pictures[mouth], host, random)


def as_inputs(windows: npt.NDArray[np.uint8]) -> torch.Tensor:
    """Bytes of shape (n, SIZE, SIZE, 3) as the net wants them."""
    inputs = torch.from_numpy(np.moveaxis(windows, 3, 1).astype(np.float32) / 255)
    return inputs.contiguous(memory_format=torch.channels_last)


class Shipped(nn.Module):
    """Several nets and their calibration as one: the mean of what they say of a mouth and of its mirror image."""

    def __init__(self, nets: list[nn.Module], calibration: Calibration) -> None:
        super().__init__()
        self.nets = nn.ModuleList(nets)
        self.calibration = calibration

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Probability that the tongue is out, shape (n, 1), of inputs of shape (n, 3, SIZE, SIZE)."""
        numbers = sum(net(view) for net in self.nets for view in (inputs, inputs.flip(3))) / (2 * len(self.nets))
        return torch.sigmoid(self.calibration.scale * numbers + self.calibration.offset)


@torch.no_grad()
def numbers_of(shipped: Shipped, windows: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """What the nets say of windows of shape (n, SIZE, SIZE, 3), shape (n,)."""
    said = [shipped(as_inputs(part))[:, 0] for part in np.array_split(windows, max(1, len(windows) // 200))]
    return torch.logit(torch.cat(said).double()).numpy()


def export(shipped: Shipped, file: Path) -> None:
    """Write one ONNX file.

    Its input `mouths` has shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1; its output `probability_out` (n, 1).
    """
    example = (torch.zeros(1, 3, SIZE, SIZE),)
    torch.onnx.export(
        shipped.eval(),
        example,
        str(file),
        input_names=["mouths"],
        output_names=["probability_out"],
        dynamic_axes={"mouths": {0: "n"}, "probability_out": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
