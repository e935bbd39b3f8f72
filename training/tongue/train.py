"""Make `models/tongue.onnx` and the nets of `models/left_out`. Order: sources, cuts, views, nets, calibration.

    python -m training.tongue.train [--shared ../shared] [--mouths ARCHIVE.zip …]

Every net begins with the same blocks, which learn nothing here; the rest is learned from views of renders and
photographs: for each fold of the photographed people, without that fold, and with all. The last is shipped; the others
say how good it may be, on people they have not seen (`measure.py`, `training.evaluate`). Each is the mean of two that
learned alike, one from views in which hands hold things before mouths.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from sklearn.linear_model import LogisticRegression

from bunnymoose_cv.core.atomic_files import part_of
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.logits import sigmoid
from bunnymoose_cv.vision.tongue.mouth_crop import CROPS, SIDE, SIZE
from training import paths
from training.content_cache import keyed
from training.evaluate.held_out_net import SUFFIX, difference_of
from training.export import export
from training.manifest import record_models
from training.paths import MODELS, SHARED
from training.tongue.backbone import Backbone, as_maps
from training.tongue.figures import report
from training.tongue.mouth_augmentation import Shake, at_distance, window
from training.tongue.mouth_crops import (
    WIDE,
    WIDE_SIZE,
    Mouth,
    MouthCrops,
    cut_all,
    mouths_of_people,
    photographed_mouths,
)
from training.tongue.net import Calibration, Learner, Net, learn, mean_of
from training.tongue.photographed import Views, fine_tuned, views_of
from training.tongue.pool import Pool, pool_of
from training.tongue.sources import PEOPLE_FOLDS, Labelled, Use, photographs, rendered_mouths, rendered_players
from training.trunk import as_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import CropSpec

WORK = paths.WORK / "tongue"
LEFT_OUT = MODELS / "left_out"
OUR_MOUTHS = paths.PACKED / "mouths"

DISTANCES = (WIDE_SIZE / WIDE, 28.0, 20.0)
"""Eye distances at which nets are measured, in pixels: as it is, across a table, across a room."""

JPEG_QUALITY = 60
"""Of the images with which nets are measured."""

TONGUES_EXPECTED = 1 / 3
"""Share of players at a table who stick the tongue out; probabilities are made to hold for it."""

FALSE_ALARMS_MEANT = 0.011
"""Share of photographed unseen mouths with the tongue in that are above even odds: near ones less, far ones more."""


@dataclass(frozen=True, slots=True)
class MouthFeatures:
    """Features of mouths at every distance by the frozen blocks, one distance after the other.

    Attributes:
        maps: of every look of the reader's at a doubtful mouth, float16, shape (looks, n, channels, side, side).
        out: whether the tongue is out, shape (n,).
        distances: pixels between the eyes, shape (n,).
        folds: which net leaves the person out, shape (n,); -1 for renders.
        groups: the name under which it is counted, shape (n,).
    """

    maps: npt.NDArray[np.float16]
    out: npt.NDArray[np.bool_]
    distances: npt.NDArray[np.float64]
    folds: npt.NDArray[np.int64]
    groups: npt.NDArray[np.str_]

    @classmethod
    def of(cls, cuts: MouthCrops, backbone: Backbone) -> MouthFeatures:
        """Look at cuts."""
        groups = np.array([sample.group for sample in cuts.samples])
        times = len(DISTANCES)
        return cls(
            np.concatenate([_maps(cuts, distance, backbone) for distance in DISTANCES], 1),
            np.tile(cuts.out, times),
            np.repeat(DISTANCES, len(cuts.samples)),
            np.tile(cuts.folds, times),
            np.tile(groups, times),
        )

    @torch.no_grad()
    def numbers(self, learned: Learner) -> npt.NDArray[np.float64]:
        """Log odds of a tongue, shape (n,): what a net says that is not calibrated."""
        said = [np.concatenate([learned(as_maps(part))[:, 0] for part in _parts(maps)]) for maps in self.maps]
        return np.asarray(np.mean(said, 0), np.float64)


def main() -> None:
    """Train, calibrate, write the nets, print the figures."""
    arguments = _arguments()
    shared: Path = arguments.shared
    if not (shared / "real/mouths.csv").is_file():
        sys.exit(f"there is no data at {shared}: put the folder “shared” beside the checkout, or name it with --shared")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    people = cut_all(list(photographs(shared / "real")), WORK)
    renders = _joined(cut_all(samples, WORK) for samples in _rendered(arguments))
    training, validation = (
        renders.where(np.array([sample.use is use for sample in renders.samples]))
        for use in (Use.TRAINING, Use.VALIDATION)
    )
    for name, part in (("training", training), ("validation", validation), ("people left out in turn", people)):
        print(f"{name}: {np.count_nonzero(part.out)} tongues out, {np.count_nonzero(~part.out)} in", flush=True)
    backbone = Backbone()
    store = WORK / f"{SIZE}_{SIDE}"  # views of another size are others
    store.mkdir(parents=True, exist_ok=True)
    pools = [pool_of(training.joined(people), backbone, store, holding=holding) for holding in (False, True)]
    learned = [_taught((pool.without(fold) for pool in pools), store) for fold in range(PEOPLE_FOLDS)]
    photographed = [
        *photographed_mouths(shared / "tongues/tongues.csv"),
        *mouths_of_people(shared / "people/people.csv"),
        *_mouths_of(people),
    ]
    views = views_of(photographed, _mouths_of(training), backbone, store)
    learned, shipped = _fine_tuned(learned, _taught(pools, store), views, store)
    _publish(backbone, learned, shipped, (MouthFeatures.of(people, backbone), MouthFeatures.of(validation, backbone)))
    _list_people(people)


def _fine_tuned(learned: list[Learner], shipped: Learner, views: Views, store: Path) -> tuple[list[Learner], Learner]:
    """Fine-tune each fold's network and the shipped one on photographed tongues."""
    folds = [fine_tuned(net, views, views.without(fold), store) for fold, net in enumerate(learned)]
    return folds, fine_tuned(shipped, views, np.arange(len(views.out)), store)


def _mouths_of(cuts: MouthCrops) -> list[Mouth]:
    return [
        Mouth(image, sample.out, sample.fold, sample.group)
        for image, sample in zip(cuts.images, cuts.samples, strict=True)
    ]


def _taught(pools: Iterable[Pool], store: Path) -> Learner:
    """Mean of the learners of several pools: the mean of the weights is better than either's."""
    return mean_of([learn(pool, store) for pool in pools])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the tongue reader.")
    parser.add_argument("--shared", type=Path, default=SHARED, help="folder with real/ and synth/")
    parser.add_argument(
        "--mouths", type=Path, nargs="*", default=sorted(OUR_MOUTHS.glob("*.zip")), help="archives of rendered mouths"
    )
    return parser.parse_args()


def _rendered(arguments: argparse.Namespace) -> Iterator[list[Labelled]]:
    """Source by source, so that a new one does not make the others be cut again."""
    synth = arguments.shared / "synth"
    for folder in (synth / "mouths", *(_unpacked(archive) for archive in arguments.mouths)):
        yield list(rendered_mouths(folder))
    yield list(rendered_players(synth / "players"))


def _unpacked(archive: Path) -> Path:
    """A folder with what the archive holds; unpacked once."""
    folder = keyed(WORK / archive.stem, archive)
    if not folder.is_dir():
        part = part_of(folder)
        rmtree(part, ignore_errors=True)
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(part)
        part.replace(folder)
    return folder


def _joined(parts: Iterator[MouthCrops]) -> MouthCrops:
    joined = next(parts)
    for part in parts:
        joined = joined.joined(part)
    return joined


def _publish(
    backbone: Backbone, left_out: list[Learner], shipped: Learner, seen: tuple[MouthFeatures, MouthFeatures]
) -> None:
    """Calibrate every net on what it and its siblings say of the unseen, write it, print limits and figures."""
    people, validation = seen
    numbers = np.select([people.folds == fold for fold in range(PEOPLE_FOLDS)], [people.numbers(n) for n in left_out])
    LEFT_OUT.mkdir(exist_ok=True)
    unseen = np.empty_like(numbers)
    for fold, learned in enumerate(left_out):
        # Its own people are left out of its calibration too.
        own = people.folds == fold
        calibration = _calibration(validation, validation.numbers(learned), people, numbers, ~own)
        _write(Net(backbone, learned, calibration), f"left_out/tongue_{fold + 1}.onnx")
        unseen[own] = calibration.scale * numbers[own] + calibration.offset
    calibration = _calibration(validation, validation.numbers(shipped), people, numbers, np.full(len(numbers), True))
    _write(Net(backbone, shipped, calibration), "tongue.onnx")
    record_models()
    for net in sorted(LEFT_OUT.glob("tongue_?.onnx")):
        difference = difference_of(net.read_bytes(), (MODELS / "tongue.onnx").read_bytes())
        net.with_suffix(SUFFIX).write_bytes(difference)
        net.unlink()
    _report((people, unseen), (validation, calibration.scale * validation.numbers(shipped) + calibration.offset))


def _write(net: Net, name: str) -> None:
    export(net, torch.zeros(2, 3, SIZE, SIZE), MODELS / name, "mouths", ("probability_out",))


def _calibration(
    validation: MouthFeatures,
    of_validation: npt.NDArray[np.float64],
    people: MouthFeatures,
    of_people: npt.NDArray[np.float64],
    chosen: npt.NDArray[np.bool_],
) -> Calibration:
    """Calibration of log odds on the unseen: on photographs as much as on renders, with tongues as often as met.

    Only the scale is taken from that; even odds stand where the share of false alarms on photographs is as meant.
    """
    numbers = np.concatenate([of_validation, of_people[chosen]])
    out = np.concatenate([validation.out, people.out[chosen]])
    photographed = np.arange(len(out)) >= len(of_validation)
    weights = np.empty(len(out))
    for label, share in ((True, TONGUES_EXPECTED), (False, 1 - TONGUES_EXPECTED)):
        for origin in (False, True):
            cell = (out == label) & (photographed == origin)
            weights[cell] = share * len(out) / np.count_nonzero(cell)
    fitted = LogisticRegression(C=1e6).fit(numbers[:, None], out, weights)
    scale = float(fitted.coef_[0, 0])
    highest_in = float(np.quantile(of_people[chosen & ~people.out], 1 - FALSE_ALARMS_MEANT))
    calibration = Calibration(scale, -scale * highest_in)
    print(f"calibration: scale {calibration.scale:.3f}, offset {calibration.offset:+.3f}")
    return calibration


def _list_people(people: MouthCrops) -> None:
    """Write which net has not seen whom."""
    lines = [
        "# Whom each net of this folder has not seen: by `subject` of real/manifest.csv or file of real/mouths.csv.",
        "# Written by train.py.",
    ]
    for fold in range(PEOPLE_FOLDS):
        names = sorted({_name(sample) for sample in people.samples if sample.fold == fold})
        lines += ["", f"[tongue_{fold + 1}]", "unseen = [", *(f'    "{name}",' for name in names), "]"]
    (LEFT_OUT / "people.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _name(sample: Labelled) -> str:
    """Name of an image's person in `python -m training.evaluate`."""
    return sample.file.stem if sample.is_cut else sample.subject


@torch.no_grad()
def _maps(cuts: MouthCrops, eye_distance: float, backbone: Backbone) -> npt.NDArray[np.float16]:
    """Features of cuts at this eye distance by the frozen blocks, shape (looks, n, channels, side, side)."""
    scenes = [_through_jpeg(at_distance(cut, eye_distance)) for cut in cuts.images]
    views = (np.stack([_window(scene, look) for scene in scenes]) for look in CROPS)
    return np.stack([np.concatenate([backbone(as_inputs(part)).half() for part in _parts(view)]) for view in views])


def _parts(many: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """About a hundred at once."""
    return np.array_split(many, len(many) // 100 + 1)


def _window(scene: Image, look: CropSpec) -> npt.NDArray[np.uint8]:
    """Input of the net for a scene in one look."""
    seen = window(scene, Shake(shift=(0.0, -look.upward)))
    return np.asarray(seen[:, ::-1] if look.mirrored else seen, np.uint8)


def _through_jpeg(scene: Image) -> Image:
    data = cv2.imencode(".jpg", scene, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _report(*said: tuple[MouthFeatures, npt.NDArray[np.float64]]) -> None:
    """Print the figures of every group at every distance, with the limits of `calibration/default.toml`."""
    chosen_limits = load_settings().tongue
    settings = chosen_limits.clear_in, chosen_limits.clear_out
    for seen, numbers in said:
        probabilities = sigmoid(numbers)
        for group in dict.fromkeys(seen.groups):
            for distance in DISTANCES:
                chosen = (seen.groups == group) & (seen.distances == distance)
                title = f"{group}, {distance:.0f} px between the eyes"
                print(report(title, seen.out[chosen], probabilities[chosen], settings), flush=True)


if __name__ == "__main__":
    main()
