"""Training loop of all networks: AdamW with a schedule of rates, averaged weights, checkpoints, printed losses.

A training consists of a network, a recipe, and a function that draws a batch and returns its loss. An interrupted
training resumes from its checkpoint and gives the same weights as an uninterrupted one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, LRScheduler, OneCycleLR
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bunnymoose_cv.core.atomic_files import whole_file
from training.content_cache import made_once

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    Schedule = Callable[[torch.optim.Optimizer], LRScheduler]

Net = TypeVar("Net", bound=nn.Module)

KEPT_EVERY: Final = 100
"""Number of steps between two checkpoints and two printed losses."""


@dataclass(frozen=True, slots=True)
class Part:
    """Modules whose parameters share a learning rate and a weight decay.

    Attributes:
        modules: modules that learn.
        rate: highest learning rate.
        decay: weight decay.
    """

    modules: Sequence[nn.Module]
    rate: float
    decay: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of a training.

    Attributes:
        name: title of the printed losses; None prints nothing.
        parts: all trainable parts.
        steps: number of batches.
        schedule: factory of the schedule of the learning rates.
        ema: decay in a step of the exponential moving average of the weights, which is the result.
        mean_after: numbers of the steps after which the weights are averaged without an EMA. Without either the
            last weights are the result.
        clip: largest norm of the gradients; None does not clip them.
    """

    name: str | None
    parts: Sequence[Part]
    steps: int
    schedule: Schedule
    ema: float | None = None
    mean_after: Collection[int] = ()
    clip: float | None = None


def train(
    net: Net,
    recipe: Recipe,
    loss_of: Callable[[int], torch.Tensor],
    draw: np.random.Generator,
    checkpoint: Path | None = None,
) -> Net:
    """Train a network.

    Args:
        net: the network, whose weights change, too.
        recipe: settings of the training.
        loss_of: function that draws the batch of a step (from 0) and returns its loss.
        draw: random generator of the batches.
        checkpoint: file from which the training resumes; None keeps nothing.

    Returns:
        The network with the final weights.
    """
    averages = None if recipe.ema is None else get_ema_multi_avg_fn(recipe.ema)  # type: ignore[no-untyped-call]
    mean = AveragedModel(net, multi_avg_fn=averages)  # type: ignore[no-untyped-call]
    optimiser = torch.optim.AdamW([_group(part) for part in recipe.parts])
    schedule = recipe.schedule(optimiser)
    states: dict[str, Any] = {"net": net, "mean": mean, "optimiser": optimiser, "schedule": schedule}
    done = _resumed(states, draw, checkpoint) if checkpoint and checkpoint.is_file() else 0
    net.train()
    losses: list[float] = []
    for step in range(done + 1, recipe.steps + 1):
        loss = loss_of(step - 1)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if recipe.clip is not None:
            nn.utils.clip_grad_norm_(net.parameters(), recipe.clip)
        optimiser.step()
        schedule.step()
        if recipe.ema is not None or step in recipe.mean_after:
            mean.update_parameters(net)
        losses.append(loss.item())
        if step % KEPT_EVERY == 0 or step == recipe.steps:
            if checkpoint:
                _keep(states, step, draw, checkpoint)
            if recipe.name:
                print(f"{recipe.name}: step {step} of {recipe.steps}, loss {np.mean(losses):.4f}", flush=True)
            losses.clear()
    averaged = recipe.ema is not None or recipe.mean_after
    return cast("Net", mean.module if averaged else net).eval()


def _group(part: Part) -> dict[str, Any]:
    parameters = [parameter for module in part.modules for parameter in module.parameters()]
    return {"params": parameters, "lr": part.rate, "weight_decay": part.decay}


def _keep(states: Mapping[str, Any], step: int, draw: np.random.Generator, checkpoint: Path) -> None:
    random = {"draw": draw.bit_generator.state, "torch": torch.get_rng_state()}
    with whole_file(checkpoint) as part:
        torch.save(
            {name: part_state.state_dict() for name, part_state in states.items()} | random | {"step": step}, part
        )


def _resumed(states: Mapping[str, Any], draw: np.random.Generator, checkpoint: Path) -> int:
    """Restore the state from a checkpoint, and return its number of steps."""
    stored = torch.load(checkpoint, weights_only=False)
    for name, each in states.items():
        each.load_state_dict(stored[name])
    draw.bit_generator.state = stored["draw"]
    torch.set_rng_state(stored["torch"])
    return int(stored["step"])


def seeded(seed: int) -> np.random.Generator:
    """Seed torch, and return a generator of the same seed."""
    torch.manual_seed(seed)
    return np.random.default_rng(seed)


def trained_once(file: Path, net: Net, trained: Callable[[Path], nn.Module]) -> Net:
    """Load the weights of a file into a network, which is trained first if the file is missing.

    Args:
        file: file of the weights, with a name from `content_cache.keyed`.
        net: network that takes the weights.
        trained: function that trains with a checkpoint at the given path.
    """
    checkpoint = file.with_suffix(".unfinished.pt")
    made_once(file, lambda part: torch.save(trained(checkpoint).state_dict(), part))
    checkpoint.unlink(missing_ok=True)
    net.load_state_dict(torch.load(file, weights_only=True))
    return net.eval()


def arrays_of(net: nn.Module) -> dict[str, Any]:
    """Return the weights of a network as arrays, by name."""
    return {name: value.numpy() for name, value in net.state_dict().items()}


def interpolated(
    start: Mapping[str, torch.Tensor], tuned: Mapping[str, torch.Tensor], share: float
) -> dict[str, torch.Tensor]:
    """Return weights between those of the start and fine-tuned ones, a share of the way (Wortsman et al. 2022)."""
    return {name: start[name] + share * (tuned[name] - start[name]) for name in start}


def share_of_rate(step: int, steps: int, warm_up: int, last: float) -> float:
    """Return the share of the highest rate: a linear rise, then half a cosine (Loshchilov and Hutter 2017, no restart).

    Args:
        step: number of the step, from 0.
        steps: number of all steps.
        warm_up: number of steps of the rise; 1 begins at the highest rate.
        last: share that is left at the end.
    """
    left = (1 + np.cos(np.pi * step / steps)) / 2
    return float(min(1, (step + 1) / warm_up) * (last + (1 - last) * left))


def by_share(share: Callable[[int], float]) -> Schedule:
    """Return a schedule that multiplies the highest rates by a share of each step."""
    return lambda optimiser: LambdaLR(optimiser, share)


def cosine(steps: int, warm_up: int = 1, last: float = 0.0) -> Schedule:
    """Return the schedule of `share_of_rate`."""
    return by_share(lambda step: share_of_rate(step, steps, warm_up, last))


def one_cycle(steps: int, rise: float = 0.3) -> Schedule:
    """Return a schedule of one cycle of rates and momentum (Smith and Topin 2019).

    Args:
        steps: number of all steps.
        rise: share of the steps in which the rates rise.
    """
    return lambda optimiser: OneCycleLR(
        optimiser, [group["lr"] for group in optimiser.param_groups], total_steps=steps, pct_start=rise
    )
