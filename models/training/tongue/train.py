"""Make `models/tongue.onnx`: sources, cuts, nets, calibration, limits, validation figures. Owns the order of these.

    python models/training/tongue/train.py [--shared ../shared] [--mouths FOLDER …] [--players FOLDER …] [--steps N]

The held-out photographs take no part; `measure.py` measures the shipped model on them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt
import torch
from cuts import WIDE, WIDE_SIZE, Cuts, cut_all
from figures import report
from net import Calibration, Recipe, Shipped, checkpoint_of, export, fit, numbers_of
from sklearn.linear_model import LogisticRegression
from sources import Labelled, Origin, Use, assert_held_out, photographed_mouths, rendered_mouths, rendered_players
from variation import at_distance, graft, window

if TYPE_CHECKING:
    from bunnymoose_cv.vision.landmarks import Picture

ROOT = Path(__file__).parents[3]
WORK = ROOT / "models/training/work/tongue"
MODEL = ROOT / "models/tongue.onnx"
OUR_RENDERS = ROOT / "fixtures/render/work/train"

VALIDATION_DISTANCES = (WIDE_SIZE / WIDE, 28.0, 20.0)
"""Eye distances at which validation looks, in pixels: as it is, across a table, across a room."""

VALIDATION_JPEG_QUALITY = 60

FALSE_ALARMS_ALLOWED = 0.005
"""Share of validation mouths with the tongue in that may be above `clear_out`: sure false alarms are worst."""

MISSES_ALLOWED = 0.05
"""Share of validation tongues that may be below `clear_in`: some are hardly to be seen."""


def main() -> None:
    """Train and write the model."""
    arguments = _arguments()
    shared: Path = arguments.shared
    if not (shared / "real/mouths.csv").is_file():
        sys.exit(f"there is no data at {shared}: put the folder “shared” beside the checkout, or name it with --shared")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    samples = list(_samples(arguments))
    assert_held_out(samples, shared / "real")
    cuts = cut_all(samples, WORK)
    training, validation = (
        cuts.where(np.array([sample.use is use for sample in cuts.samples])) for use in (Use.TRAINING, Use.VALIDATION)
    )
    for use, part in ((Use.TRAINING, training), (Use.VALIDATION, validation)):
        print(f"{use.value}: {np.count_nonzero(part.out)} tongues out, {np.count_nonzero(~part.out)} in", flush=True)
    recipes = [Recipe(arguments.steps, arguments.batch, seed) for seed in range(arguments.nets)]
    nets = [fit(training, recipe, WORK) for recipe in recipes]
    shipped = _calibrated(Shipped(nets, Calibration(1.0, 0.0)).eval(), validation)
    export(shipped, arguments.model)
    for recipe in recipes:  # the next training begins anew
        checkpoint_of(training, recipe, WORK).unlink()
    _report(shipped, validation)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the tongue reader.")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with real/ and synth/")
    parser.add_argument("--mouths", type=Path, nargs="*", default=[], help="more folders of rendered mouths")
    ours = [OUR_RENDERS] if OUR_RENDERS.is_dir() else []
    parser.add_argument("--players", type=Path, nargs="*", default=ours, help="more folders of rendered players")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--nets", type=int, default=1, help="how many nets are averaged")
    parser.add_argument("--model", type=Path, default=MODEL, help="the ONNX file to write")
    return parser.parse_args()


def _samples(arguments: argparse.Namespace) -> list[Labelled]:
    synth, real = arguments.shared / "synth", arguments.shared / "real"
    return [
        *(sample for folder in (synth / "mouths", *arguments.mouths) for sample in rendered_mouths(folder)),
        *(sample for folder in (synth / "players", *arguments.players) for sample in rendered_players(folder)),
        *photographed_mouths(real),
    ]


def _calibrated(shipped: Shipped, validation: Cuts) -> Shipped:
    """The same nets, saying probabilities that held on the validation people at every distance."""
    numbers = np.concatenate([numbers_of(shipped, _windows(validation, px)) for px in VALIDATION_DISTANCES])
    out = np.tile(validation.out, len(VALIDATION_DISTANCES))
    fitted = LogisticRegression(C=1e6).fit(numbers[:, None], out)
    calibration = Calibration(float(fitted.coef_[0, 0]), float(fitted.intercept_[0]))
    print(f"calibration: scale {calibration.scale:.3f}, offset {calibration.offset:+.3f}")
    return Shipped(list(shipped.nets), calibration).eval()


def _windows(cuts: Cuts, eye_distance: float) -> npt.NDArray[np.uint8]:
    """What the net would see of the cuts at this eye distance, through a camera's JPEG."""
    return np.stack([window(_through_jpeg(at_distance(cut, eye_distance))) for cut in cuts.pictures])


def _through_jpeg(scene: Picture) -> Picture:
    data = cv2.imencode(".jpg", scene, [cv2.IMWRITE_JPEG_QUALITY, VALIDATION_JPEG_QUALITY])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _report(shipped: Shipped, validation: Cuts) -> None:
    """Choose the limits on validation, then print the figures of every group at every distance."""
    said = {px: _probabilities(shipped, _windows(validation, px)) for px in VALIDATION_DISTANCES}
    limits = _limits(np.concatenate(list(said.values())), np.tile(validation.out, len(said)))
    print(f"limits: clear_in = {limits[0]:.2f}, clear_out = {limits[1]:.2f}")
    groups = np.array([sample.group for sample in validation.samples])
    grafted = _grafted(validation)
    name = "validation, rendered mouths in real faces, as near as they are"
    print(report(name, grafted.out, _probabilities(shipped, _windows(grafted, WIDE_SIZE / WIDE)), limits))
    for px, probabilities in said.items():
        for group in dict.fromkeys(groups):
            name = f"validation, {group}, {px:.0f} px between the eyes"
            print(report(name, validation.out[groups == group], probabilities[groups == group], limits), flush=True)


def _grafted(validation: Cuts) -> Cuts:
    """Every rendered validation mouth in a photographed validation face: the nearest there is to real tongues."""
    random = np.random.default_rng(0)
    photograph = np.array([sample.origin is Origin.PHOTOGRAPH for sample in validation.samples])
    mouths, hosts = validation.where(~photograph), validation.where(photograph)
    pictures = [graft(mouth, random.choice(hosts.pictures), random) for mouth in mouths.pictures]
    return Cuts(np.stack(pictures), mouths.samples, mouths.eye_distances)


def _probabilities(shipped: Shipped, windows: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    return 1 / (1 + np.exp(-numbers_of(shipped, windows)))


def _limits(probabilities: npt.NDArray[np.float64], out: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """The limits between which a reading is unclear: as near to 0.5 as the allowed sure mistakes let them be."""
    clear_in = min(0.5, float(np.quantile(probabilities[out], MISSES_ALLOWED)))
    clear_out = max(0.5, float(np.quantile(probabilities[~out], 1 - FALSE_ALARMS_ALLOWED)))
    return clear_in, clear_out


if __name__ == "__main__":
    main()
