"""Make `models/tongue.onnx` and the networks of `models/left_out`: `python -m training.tongue`.

Every network begins with the same blocks, which learn nothing here; the rest learns from views of renders and
photographs, then from photographed tongues (docs/experiments 002 and 010): for each fold of the photographed people
without that fold, and with all. The last is shipped; the others say how good it may be, on people they have not seen
(`python -m training.evaluate`). Each is the mean of two that learned alike, one from views in which hands hold things
before mouths. Everything is seeded, and kept in `training/work/tongue/` as it goes.
"""

from __future__ import annotations

import sys
import zipfile
from functools import partial, reduce
from shutil import rmtree
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import torch
from torch import nn

from bunnymoose_cv.core.atomic_files import part_of
from bunnymoose_cv.vision.tongue.mouth_crop import SIDE, SIZE
from training import paths
from training.content_cache import code_of, keyed
from training.paths import SHARED
from training.tongue.mouth_crops import Mouth, MouthCrops, cut_all, mouths_of_people, photographed_mouths
from training.tongue.net import MouthNet, mean_of
from training.tongue.publish import MouthFeatures, list_people, publish
from training.tongue.sources import PEOPLE_FOLDS, Use, photographs, rendered_mouths, rendered_players
from training.tongue.views import photographed_views_of, rows_without, views_of
from training.training_loop import Part, Recipe, arrays_of, cosine, interpolated, seeded, train, trained_once
from training.trunk import channels_last

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from training.mapped_views import MappedViews

    Rows = npt.NDArray[np.intp]

WORK: Final = paths.WORK / "tongue"
OUR_MOUTHS: Final = paths.PACKED / "mouths"

LAYER_STEPS, LAYER_BATCH, LAYER_RATE, LAYER_DECAY = 1000, 256, 1e-3, 0.1
"""First the layer learns alone."""

STEPS, BATCH, WARM_UP, LAST = 4000, 64, 100, 0.05
BLOCKS_RATE, BLOCKS_DECAY, ON_RATE, AVERAGING = 2e-4, 0.02, 3e-4, 0.995
"""Then the blocks learn, too; the last rate is the layer's. The running average of all weights is the result: so it
keeps what ImageNet has taught about photographs, of which there are few with tongues (models/tongue.md)."""

LABEL_SMOOTHING, LEAST_DEVIATION = 0.05, 1e-2

TUNING_EPOCHS, TUNING_LAST, TUNING_SMOOTHING = 4, 0.02, 0.04
INTERPOLATED: Final = 0.8
"""Share of the weights fine-tuned on photographed tongues in the result."""


def main() -> None:
    """Train, calibrate, write the networks, print the figures."""
    if not (SHARED / "real/mouths.csv").is_file():
        sys.exit(f"there is no data at {SHARED}: put the folder “shared” beside the checkout")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    people = cut_all(list(photographs(SHARED / "real")), WORK)
    training, validation = _renders()
    for name, part in (("training", training), ("validation", validation), ("people left out in turn", people)):
        print(f"{name}: {np.count_nonzero(part.out)} tongues out, {np.count_nonzero(~part.out)} in", flush=True)
    store = WORK / f"{SIZE}_{SIDE}"  # views of another size are others
    lower = MouthNet().lower
    views = [views_of(training.joined(people), lower, store, holding=holding) for holding in (False, True)]
    photographed = [
        *photographed_mouths(SHARED / "tongues/tongues.csv"),
        *mouths_of_people(SHARED / "people/people.csv"),
        *_mouths_of(people),
    ]
    tuning = photographed_views_of(photographed, _mouths_of(training), lower, store)
    *left_out, shipped = (_net(views, tuning, fold, store) for fold in (*range(PEOPLE_FOLDS), None))
    publish(left_out, shipped, MouthFeatures.of(people, lower), MouthFeatures.of(validation, lower))
    list_people(people.samples)


def _renders() -> tuple[MouthCrops, MouthCrops]:
    """Return rendered mouths for training and for validation."""
    archives = [_unpacked(archive) for archive in sorted(OUR_MOUTHS.glob("*.zip"))]
    sources = [list(rendered_mouths(folder)) for folder in (SHARED / "synth/mouths", *archives)]
    sources.append(list(rendered_players(SHARED / "synth/players")))
    # Source by source, so that a new one does not cause the others to be cut again.
    renders = reduce(MouthCrops.joined, (cut_all(samples, WORK) for samples in sources))
    return (
        renders.where(np.array([sample.use is Use.TRAINING for sample in renders.samples])),
        renders.where(np.array([sample.use is Use.VALIDATION for sample in renders.samples])),
    )


def _unpacked(archive: Path) -> Path:
    """Return a folder with the content of an archive, unpacked once."""
    folder = keyed(WORK / archive.stem, archive)
    if not folder.is_dir():
        part = part_of(folder)
        rmtree(part, ignore_errors=True)
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(part)
        part.replace(folder)
    return folder


def _mouths_of(cuts: MouthCrops) -> list[Mouth]:
    return [
        Mouth(image, sample.out, sample.fold, sample.group)
        for image, sample in zip(cuts.images, cuts.samples, strict=True)
    ]


def _net(views: Sequence[MappedViews], tuning: MappedViews, fold: int | None, store: Path) -> MouthNet:
    """Return the network that has not seen a fold of people, or has seen all of them, trained once."""
    folds = PEOPLE_FOLDS if fold is None else fold  # nobody is in the fold after the last
    start = mean_of([_learned(each, rows_without(each, folds), store) for each in views])
    rows = rows_without(tuning, folds)
    file = keyed(store / "tuned.pt", arrays_of(start), tuning.name, rows, code_of(__file__))
    net = trained_once(file, MouthNet(), lambda _: _tuned(start, tuning, rows))
    net.load_state_dict(interpolated(start.state_dict(), net.state_dict(), INTERPOLATED))
    return net


def _learned(views: MappedViews, rows: Rows, store: Path) -> MouthNet:
    """Return a network that has learnt from some of the first views, trained once."""
    file = keyed(store / "learned.pt", views.name, rows, code_of(__file__))
    return trained_once(file, MouthNet(), partial(_taught, views, rows))


def _taught(views: MappedViews, rows: Rows, checkpoint: Path) -> MouthNet:
    draw = seeded(0)
    net = MouthNet()
    if not checkpoint.is_file():
        _teach_layer(net, views, rows, draw)
    parts = Part([net.trunk], BLOCKS_RATE, BLOCKS_DECAY), Part([net.layer], ON_RATE, LAYER_DECAY)

    def loss(_: int) -> torch.Tensor:
        chosen = draw.choice(rows, BATCH)
        return _loss(net.of_maps(channels_last(views.inputs(chosen))), views, chosen)

    return train(
        net, Recipe("tongue network", parts, STEPS, cosine(STEPS, WARM_UP, LAST), ema=AVERAGING), loss, draw, checkpoint
    )


def _teach_layer(net: MouthNet, views: MappedViews, rows: Rows, draw: np.random.Generator) -> None:
    """Train the layer alone on what the pretrained blocks see."""
    with torch.no_grad():
        parts = np.array_split(rows, len(rows) // LAYER_BATCH + 1)
        seen = torch.cat([net.seen(channels_last(views.inputs(part))).half() for part in parts])
    net.mean.copy_(seen.float().mean(0))
    net.deviation.copy_(seen.float().std(0) + LEAST_DEVIATION)

    def loss(_: int) -> torch.Tensor:
        chosen = draw.integers(len(rows), size=LAYER_BATCH)
        return _loss(net.by_layer(seen[torch.from_numpy(chosen)].float()), views, rows[chosen])

    train(
        net,
        Recipe("tongue layer", [Part([net.layer], LAYER_RATE, LAYER_DECAY)], LAYER_STEPS, cosine(LAYER_STEPS)),
        loss,
        draw,
    )


def _tuned(start: MouthNet, views: MappedViews, rows: Rows) -> MouthNet:
    """Train on photographed tongues."""
    net = mean_of([start])
    draw = seeded(0)
    parts = Part([net.trunk], BLOCKS_RATE, BLOCKS_DECAY), Part([net.layer], ON_RATE, LAYER_DECAY)
    steps = TUNING_EPOCHS * len(rows) // BATCH

    def loss(_: int) -> torch.Tensor:
        chosen = np.sort(draw.choice(rows, BATCH, replace=False))
        return _loss(net.of_maps(channels_last(views.inputs(chosen))), views, chosen, TUNING_SMOOTHING)

    schedule = cosine(steps, WARM_UP, TUNING_LAST)
    return train(net, Recipe("tongue fine-tuning", parts, steps, schedule, ema=AVERAGING), loss, draw)


def _loss(said: torch.Tensor, views: MappedViews, rows: Rows, smoothing: float = LABEL_SMOOTHING) -> torch.Tensor:
    wanted = np.where(views.truth["out"][rows], 1 - smoothing, smoothing).astype(np.float32)
    return nn.functional.binary_cross_entropy_with_logits(said[:, 0], torch.from_numpy(wanted))


if __name__ == "__main__":
    main()
