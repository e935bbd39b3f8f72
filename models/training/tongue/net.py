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
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from cuts import Cuts

CHANNELS = (16, 32, 64, 96)
FEATURES = 32

SHARE_OUT = 0.4
"""Share of tongues in a batch."""

LABEL_SMOOTHING = 0.03
CHECKPOINT_EVERY = 500


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a net is trained.

    Attributes:
        steps: how many batches.
        highest_rate: the learning rate at its highest.
        averaging: how much of the running average of the weights a step keeps; the average is the result.
        grafted: share of mouths that are seen in the face of somebody else, rendered or photographed.
    """

    steps: int
    highest_rate: float
    averaging: float
    grafted: float
    batch: int = 64
    seed: int = 0
    weight_decay: float = 2e-2


LONG = Recipe(4000, highest_rate=4e-3, averaging=0.998, grafted=0.5)
FINE_TUNING = Recipe(500, highest_rate=1e-3, averaging=0.99, grafted=0.5)
SHORT = Recipe(800, highest_rate=4e-3, averaging=0.99, grafted=0.25)


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


def fit(cuts: Cuts, recipe: Recipe, store: Path, start: nn.Module | None = None) -> nn.Module:
    """Train a net on the cuts, from the start's weights or from nothing.

    Goes on from the store's checkpoint when there is one of these cuts and this recipe; at its last step it is done.
    """
    torch.manual_seed(recipe.seed)
    net = new_net().train().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if start is not None:
        net.load_state_dict(start.state_dict())
    averaging = get_ema_multi_avg_fn(recipe.averaging)  # type: ignore[no-untyped-call]
    average = AveragedModel(net, multi_avg_fn=averaging, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=recipe.weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, recipe.highest_rate, total_steps=recipe.steps, pct_start=0.2
    )
    parts = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
    checkpoint = _checkpoint_of(cuts, recipe, store)
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


def _checkpoint_of(cuts: Cuts, recipe: Recipe, store: Path) -> Path:
    """Where a training of these cuts by this recipe keeps how far it got."""
    data = zlib.crc32(cuts.pictures.tobytes())
    return store / f"checkpoint_{data:08x}_{zlib.crc32(repr(recipe).encode()):08x}.pt"


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
    """Draws mouths, with a tongue and without, from renders and photographs alike as far as there are both.

    So the label says nothing of where the face around the mouth comes from, and as soon as some photographed tongues
    take part, few as they may be, it says nothing of where the mouth comes from either.
    """

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts
        photograph = np.array([sample.origin is Origin.PHOTOGRAPH for sample in cuts.samples])
        self._by_origin = {False: np.flatnonzero(~photograph), True: np.flatnonzero(photograph)}
        self._by_label = {
            label: [shown for pool in self._by_origin.values() if len(shown := pool[cuts.out[pool] == label])]
            for label in (False, True)
        }

    def batch(self, recipe: Recipe, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The inputs and the softened labels of one step: the same for the same seed and step."""
        random = np.random.default_rng((recipe.seed, step))
        labels = random.random(recipe.batch) < SHARE_OUT
        inputs = as_inputs(np.stack([self._one(bool(label), recipe.grafted, random) for label in labels]))
        return inputs, torch.tensor(np.where(labels, 1 - LABEL_SMOOTHING, LABEL_SMOOTHING), dtype=torch.float32)

    def _one(
        self,
        label: bool,  # noqa: FBT001 - a drawn label
        grafted: float,
        random: np.random.Generator,
    ) -> npt.NDArray[np.uint8]:
        pools = self._by_label[label]
        mouth = random.choice(pools[random.integers(len(pools))])
        host = None
        if random.random() < grafted:
            host = self._cuts.pictures[random.choice(self._by_origin[random.random() < 0.5])]
        return vary(self._cuts.pictures[mouth], host, random)


def as_inputs(windows: npt.NDArray[np.uint8]) -> torch.Tensor:
    """Bytes of shape (n, SIZE, SIZE, 3) as the net wants them."""
    inputs = torch.from_numpy(np.moveaxis(windows, 3, 1).astype(np.float32) / 255)
    return inputs.contiguous(memory_format=torch.channels_last)


class Shipped(nn.Module):
    """Nets and their calibration as one: the mean of what they say of a mouth and of its mirror image."""

    def __init__(self, nets: Iterable[nn.Module], calibration: Calibration) -> None:
        super().__init__()
        self.nets = nn.ModuleList(nets)
        self.calibration = calibration

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Probability that the tongue is out, shape (n, 1), of inputs of shape (n, 3, SIZE, SIZE)."""
        return torch.sigmoid(self.number(inputs))

    def number(self, inputs: torch.Tensor) -> torch.Tensor:
        """The same as log odds."""
        said = [net(view) for net in self.nets for view in (inputs, inputs.flip(3))]
        return self.calibration.scale * sum(said) / len(said) + self.calibration.offset


@torch.no_grad()
def numbers_of(shipped: Shipped, windows: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Log odds of a tongue for windows of shape (n, SIZE, SIZE, 3), shape (n,)."""
    parts = np.array_split(windows, max(1, len(windows) // 200))
    return torch.cat([shipped.number(as_inputs(part))[:, 0] for part in parts]).double().numpy()


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
