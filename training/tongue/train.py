"""Training of `models/tongue.onnx` and the networks of `models/left_out`: `python -m training.tongue`.

One network is trained without each fold of the photographed people, and one on all of them. The last is shipped; the
others are for `python -m training.evaluate`, which reads people with a network that has not seen them.

The first blocks of a network are frozen. The others are trained on views of renders and photographs, and then
fine-tuned on photographed tongues (docs/experiments 002 and 010). Fine-tuning starts from the mean weights of two
networks, one of which was trained on views with objects held before mouths. The training is seeded, and its checkpoints
are in `training/work/tongue/`.
"""

from __future__ import annotations

import sys
import zipfile
from shutil import rmtree
from typing import TYPE_CHECKING, Final

import cv2
import torch

from bunnymoose_cv.core.atomic_files import part_of
from bunnymoose_cv.vision.tongue import SIDE, SIZE
from training import paths
from training.content_cache import keyed
from training.paths import SHARED
from training.tongue.mouth_crops import cut_all, mouths_of_people, photographed_mouths
from training.tongue.net import MouthNet, net_without, photographed_views_of, views_of
from training.tongue.publish import MouthFeatures, list_people, publish
from training.tongue.sources import PEOPLE_FOLDS, photographs, rendered_mouths, rendered_players

if TYPE_CHECKING:
    from pathlib import Path

    from training.tongue.mouth_crops import Mouth
    from training.tongue.sources import Labelled

WORK: Final = paths.WORK / "tongue"
OUR_MOUTHS: Final = paths.PACKED / "mouths"


def main() -> None:
    """Train, calibrate and write the networks, and print the figures."""
    if not (SHARED / "real/mouths.csv").is_file():
        sys.exit(f"there is no data at {SHARED}: put the folder “shared” beside the checkout")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    people = cut_all(list(photographs(SHARED / "real")), WORK)
    sources = _renders()
    training, validation = (_cut_renders(sources, validates=validates) for validates in (False, True))
    for name, part in (("training", training), ("validation", validation), ("people left out in turn", people)):
        out = sum(mouth.out for mouth in part)
        print(f"{name}: {out} tongues out, {len(part) - out} in", flush=True)
    store = WORK / f"{SIZE}_{SIDE}"  # views depend on the size of the input
    lower = MouthNet().lower
    views = [views_of([*training, *people], lower, store, holding=holding) for holding in (False, True)]
    photographed = [
        *photographed_mouths(SHARED / "tongues/tongues.csv"),
        *mouths_of_people(SHARED / "people/people.csv"),
        *people,
    ]
    tuning = photographed_views_of(photographed, training, lower, store)
    *left_out, shipped = (net_without(fold, views, tuning, store) for fold in (*range(PEOPLE_FOLDS), None))
    publish(left_out, shipped, MouthFeatures.of(people, lower), MouthFeatures.of(validation, lower))
    list_people(people)


def _renders() -> list[list[Labelled]]:
    """Return the rendered mouths of each source."""
    archives = [_unpacked(archive) for archive in sorted(OUR_MOUTHS.glob("*.zip"))]
    sources = [list(rendered_mouths(folder)) for folder in (SHARED / "synth/mouths", *archives)]
    return [*sources, list(rendered_players(SHARED / "synth/players"))]


def _cut_renders(sources: list[list[Labelled]], *, validates: bool) -> list[Mouth]:
    """Crop rendered mouths source by source, so that each source has its own cache file."""
    chosen = ([sample for sample in samples if sample.validates is validates] for samples in sources)
    return [mouth for samples in chosen for mouth in cut_all(samples, WORK)]


def _unpacked(archive: Path) -> Path:
    """Return a folder with the content of an archive, which is unpacked first if it is missing."""
    folder = keyed(WORK / archive.stem, archive)
    if not folder.is_dir():
        part = part_of(folder)
        rmtree(part, ignore_errors=True)
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(part)
        part.replace(folder)
    return folder
