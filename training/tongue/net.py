"""Tongue network, a pretrained backbone with a small head, and its training."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.tongue import SIZE
from training.content_cache import code_of, keyed
from training.tongue import mouth_draw
from training.tongue.sources import PEOPLE_FOLDS
from training.training_loop import Part, Recipe, arrays_of, cosine, interpolated, seeded, train, trained_once
from training.trunk import CHANNELS, LITE1, MappedViews, TrunkNet, channels_last, views_once

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from training.tongue.mouth_crops import Mouth

    Rows = npt.NDArray[np.intp]

HIDDEN: Final = 48
INPUTS_DROPPED, HIDDEN_DROPPED = 0.5, 0.3
"""Dropout rates."""

LAYER_STEPS, LAYER_BATCH, LAYER_RATE, LAYER_DECAY = 1000, 256, 1e-3, 0.1
"""Training of the head on the frozen backbone: steps, batch size, learning rate and weight decay."""

STEPS, BATCH, WARM_UP, LAST = 4000, 64, 100, 0.05
BLOCKS_RATE, BLOCKS_DECAY, HEAD_RATE, AVERAGING = 2e-4, 0.02, 3e-4, 0.995
"""Training of backbone and head: learning rate and weight decay of the backbone, rate of the head, EMA decay of all
weights. Averaging retains more of ImageNet's features, since few photographs show tongues (models/tongue.md)."""

LABEL_SMOOTHING, LEAST_DEVIATION = 0.05, 1e-2

TUNING_EPOCHS, TUNING_LAST, TUNING_SMOOTHING = 4, 0.02, 0.04
INTERPOLATED: Final = 0.8
"""Share of the fine-tuned weights in the result."""


class MouthNet(TrunkNet):
    """Mouths of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → probability that the tongue is out, shape (n, 1).

    Attributes:
        calibration: factor of the logit, and offset added afterwards.
    """

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self) -> None:
        super().__init__(LITE1)  # crops of mouths are small, so the deeper trunk is fast enough
        features = CHANNELS * ((SIZE // 16) ** 2 + 1)
        self.layer = nn.Sequential(
            nn.Dropout(INPUTS_DROPPED),
            nn.Linear(features, HIDDEN),
            nn.ReLU(),
            nn.Dropout(HIDDEN_DROPPED),
            nn.Linear(HIDDEN, 1),
        )
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("deviation", torch.ones(features))
        self.calibration = 1.0, 0.0
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, mouths: torch.Tensor) -> torch.Tensor:
        """Return calibrated probabilities."""
        scale, offset = self.calibration
        return torch.sigmoid(scale * self.outputs(mouths) + offset)

    def of_maps(self, maps: torch.Tensor) -> torch.Tensor:
        """Return the log odds before calibration, shape (n, 1)."""
        return self.by_features(self.features(maps))

    def features(self, maps: torch.Tensor) -> torch.Tensor:
        """Return the flattened maps, since places matter in a mouth, and the maximum of each channel."""
        last = self.trunk(maps)
        return torch.cat([last.flatten(1), last.amax((2, 3))], 1)

    def by_features(self, features: torch.Tensor) -> torch.Tensor:
        """Return the log odds of the head for features."""
        return self.layer((features - self.mean) / self.deviation)


def mean_of(nets: Sequence[MouthNet]) -> MouthNet:
    """Return a network with the mean weights of networks that were trained from the same initial weights."""
    states = [net.state_dict() for net in nets]
    mean = MouthNet()
    mean.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    return mean.eval()


def views_of(mouths: Sequence[Mouth], lower: nn.Module, store: Path, *, holding: bool) -> MappedViews:
    """Return the views for the first training, from the cache if possible."""
    file = keyed(store / "views.npz", mouths, holding, code_of(mouth_draw.__file__))
    return views_once(file, lower, mouth_draw.VIEWS, lambda: mouth_draw.first_views(mouths, holding=holding))


def photographed_views_of(
    mouths: Sequence[Mouth], renders: Sequence[Mouth], lower: nn.Module, store: Path
) -> MappedViews:
    """Return the views for fine-tuning, from the cache if possible."""
    file = keyed(store / "photographed_views.npz", mouths, renders, code_of(mouth_draw.__file__))
    count = mouth_draw.PHOTOGRAPHED_VIEWS
    return views_once(file, lower, count, lambda: mouth_draw.photographed_views(mouths, renders))


def rows_without(views: MappedViews, fold: int) -> Rows:
    """Return the rows in which neither the mouth nor the face is of a person of a fold."""
    return np.flatnonzero((views.truth["folds"] != fold).all(1))


def net_without(fold: int | None, views: Sequence[MappedViews], tuning: MappedViews, store: Path) -> MouthNet:
    """Return the network trained without a fold of people, or on all people if None, from the cache if possible."""
    folds = PEOPLE_FOLDS if fold is None else fold  # the fold after the last is empty
    start = mean_of([_cached_base(view, rows_without(view, folds), store) for view in views])
    rows = rows_without(tuning, folds)
    file = keyed(store / "tuned.pt", arrays_of(start), tuning.name, rows, code_of(__file__))
    net = trained_once(file, MouthNet(), lambda _: _tuned(start, tuning, rows))
    net.load_state_dict(interpolated(start.state_dict(), net.state_dict(), INTERPOLATED))
    return net


def _cached_base(views: MappedViews, rows: Rows, store: Path) -> MouthNet:
    """Return the network of the first training on some views, from the cache if possible."""
    file = keyed(store / "learned.pt", views.name, rows, code_of(__file__))
    return trained_once(file, MouthNet(), partial(_trained_base, views, rows))


def _trained_base(views: MappedViews, rows: Rows, checkpoint: Path) -> MouthNet:
    draw = seeded(0)
    net = MouthNet()
    if not checkpoint.is_file():
        _train_head(net, views, rows, draw)
    parts = Part([net.trunk], BLOCKS_RATE, BLOCKS_DECAY), Part([net.layer], HEAD_RATE, LAYER_DECAY)

    def loss(_: int) -> torch.Tensor:
        chosen = draw.choice(rows, BATCH)
        return _loss(net.of_maps(channels_last(views.inputs(chosen))), views, chosen)

    return train(
        net, Recipe("tongue network", parts, STEPS, cosine(STEPS, WARM_UP, LAST), ema=AVERAGING), loss, draw, checkpoint
    )


def _train_head(net: MouthNet, views: MappedViews, rows: Rows, draw: np.random.Generator) -> None:
    """Train the head alone on the features of the frozen backbone."""
    with torch.no_grad():
        parts = np.array_split(rows, len(rows) // LAYER_BATCH + 1)
        features = torch.cat([net.features(channels_last(views.inputs(part))).half() for part in parts])
    net.mean.copy_(features.float().mean(0))
    net.deviation.copy_(features.float().std(0) + LEAST_DEVIATION)

    def loss(_: int) -> torch.Tensor:
        chosen = draw.integers(len(rows), size=LAYER_BATCH)
        return _loss(net.by_features(features[torch.from_numpy(chosen)].float()), views, rows[chosen])

    train(
        net,
        Recipe("tongue layer", [Part([net.layer], LAYER_RATE, LAYER_DECAY)], LAYER_STEPS, cosine(LAYER_STEPS)),
        loss,
        draw,
    )


def _tuned(start: MouthNet, views: MappedViews, rows: Rows) -> MouthNet:
    """Fine-tune on views of photographed tongues."""
    net = mean_of([start])
    draw = seeded(0)
    parts = Part([net.trunk], BLOCKS_RATE, BLOCKS_DECAY), Part([net.layer], HEAD_RATE, LAYER_DECAY)
    steps = TUNING_EPOCHS * len(rows) // BATCH

    def loss(_: int) -> torch.Tensor:
        chosen = np.sort(draw.choice(rows, BATCH, replace=False))
        return _loss(net.of_maps(channels_last(views.inputs(chosen))), views, chosen, TUNING_SMOOTHING)

    schedule = cosine(steps, WARM_UP, TUNING_LAST)
    return train(net, Recipe("tongue fine-tuning", parts, steps, schedule, ema=AVERAGING), loss, draw)


def _loss(logits: torch.Tensor, views: MappedViews, rows: Rows, smoothing: float = LABEL_SMOOTHING) -> torch.Tensor:
    targets = np.where(views.truth["out"][rows], 1 - smoothing, smoothing).astype(np.float32)
    return nn.functional.binary_cross_entropy_with_logits(logits[:, 0], torch.from_numpy(targets))
