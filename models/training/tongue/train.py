"""Make `models/tongue.onnx` and the nets of `models/left_out`. Owns the order: sources, cuts, nets, calibration.

    python models/training/tongue/train.py [--shared ../shared] [--mouths FOLDER …] [--players FOLDER …]

A first net learns long from renders and from photographs of mouths without a tongue. Of it and of a net that learns
short from nothing a pair is made that has seen the labelled people of `real/manifest.csv` too: a pair for each fold of
them, leaving that fold out, and one with all. The last is shipped; the others say how good it may be, on people they
have not seen (`measure.py`, `bunnymoose evaluate`).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt
import torch
from cuts import WIDE, WIDE_SIZE, Cuts, cut_all
from figures import report
from net import FINE_TUNING, LONG, SHORT, Calibration, Shipped, export, fit, numbers_of
from sklearn.linear_model import LogisticRegression
from sources import (
    PEOPLE_FOLDS,
    Labelled,
    Origin,
    Use,
    assert_kept_apart,
    photographed_mouths,
    photographed_people,
    rendered_mouths,
    rendered_players,
)
from variation import at_distance, graft, window

if TYPE_CHECKING:
    from torch import nn

    from bunnymoose_cv.capture.frame import Picture

ROOT = Path(__file__).parents[3]
WORK = ROOT / "models/training/work/tongue"
MODEL = ROOT / "models/tongue.onnx"
LEFT_OUT = ROOT / "models/left_out"
OUR_RENDERS = ROOT / "models/training/players"

DISTANCES = (WIDE_SIZE / WIDE, 28.0, 20.0)
"""Eye distances at which nets are measured, in pixels: as it is, across a table, across a room."""

JPEG_QUALITY = 60
"""Of the pictures with which nets are measured."""

FALSE_ALARMS_ALLOWED = 0.005
"""Share of unseen mouths with the tongue in that may be above `clear_out`: sure false alarms are worst."""

MISSES_ALLOWED = 0.05
"""Share of unseen tongues that may be below `clear_in`: some are hardly to be seen."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a net says of unseen mouths at every distance, one distance after the other.

    Attributes:
        numbers: log odds of a tongue, shape (n,).
        out: whether it is out, shape (n,).
        distances: pixels between the eyes, shape (n,).
        folds: which net leaves the person out, shape (n,); -1 for validation.
        groups: the name under which it is counted, shape (n,).
    """

    numbers: npt.NDArray[np.float64]
    out: npt.NDArray[np.bool_]
    distances: npt.NDArray[np.float64]
    folds: npt.NDArray[np.int64]
    groups: npt.NDArray[np.str_]

    @classmethod
    def of(cls, cuts: Cuts, net: Shipped) -> Said:
        """Ask a net."""
        numbers = [numbers_of(net, _windows(cuts, distance)) for distance in DISTANCES]
        groups = np.array([sample.group for sample in cuts.samples])
        times = len(DISTANCES)
        return cls(
            np.concatenate(numbers),
            np.tile(cuts.out, times),
            np.repeat(DISTANCES, len(cuts.samples)),
            np.tile(cuts.folds, times),
            np.tile(groups, times),
        )

    def joined(self, *others: Said) -> Said:
        """These and those."""
        parts = (self, *others)
        return Said(
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.out for part in parts]),
            np.concatenate([part.distances for part in parts]),
            np.concatenate([part.folds for part in parts]),
            np.concatenate([part.groups for part in parts]),
        )


def main() -> None:
    """Train, calibrate, write the nets, print the figures."""
    arguments = _arguments()
    shared: Path = arguments.shared
    if not (shared / "real/mouths.csv").is_file():
        sys.exit(f"there is no data at {shared}: put the folder “shared” beside the checkout, or name it with --shared")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    samples = list(_samples(arguments))
    assert_kept_apart(samples, shared / "real")
    cuts = cut_all(samples, WORK)
    training, validation = (
        cuts.where(np.array([sample.use is use for sample in cuts.samples])) for use in (Use.TRAINING, Use.VALIDATION)
    )
    people = cut_all(list(photographed_people(shared / "real")), WORK)
    for name, part in (("training", training), ("validation", validation), ("people left out in turn", people)):
        print(f"{name}: {np.count_nonzero(part.out)} tongues out, {np.count_nonzero(~part.out)} in", flush=True)
    nets, shipped = _nets(training, people)
    _publish(nets, shipped, validation, people)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the tongue reader.")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with real/ and synth/")
    parser.add_argument("--mouths", type=Path, nargs="*", default=[], help="more folders of rendered mouths")
    parser.add_argument(
        "--players", type=Path, nargs="*", default=[OUR_RENDERS], help="more folders of rendered players"
    )
    return parser.parse_args()


def _samples(arguments: argparse.Namespace) -> list[Labelled]:
    """What every net learns from or is validated with."""
    synth, real = arguments.shared / "synth", arguments.shared / "real"
    return [
        *(sample for folder in (synth / "mouths", *arguments.mouths) for sample in rendered_mouths(folder)),
        *(sample for folder in (synth / "players", *arguments.players) for sample in rendered_players(folder)),
        *photographed_mouths(real),
    ]


def _nets(training: Cuts, people: Cuts) -> tuple[list[Shipped], Shipped]:
    """A pair for each fold of people, which has not seen them, and one that has seen everybody; not yet calibrated."""
    first = fit(training, LONG, WORK)
    taught = (people.where(people.folds != fold) for fold in range(PEOPLE_FOLDS))
    *left_out, shipped = (_pair(training.joined(seen), first) for seen in (*taught, people))
    return left_out, shipped


def _pair(cuts: Cuts, first: nn.Module) -> Shipped:
    """One net that learned long and met the people last, and one that learned short and had them from the start."""
    nets = (fit(cuts, FINE_TUNING, WORK, first), fit(cuts, SHORT, WORK))
    return Shipped(nets, Calibration(1.0, 0.0)).eval()


def _publish(nets: list[Shipped], shipped: Shipped, validation: Cuts, people: Cuts) -> None:
    """Calibrate every net on what it and its siblings say of the unseen, write it, print limits and figures."""
    said = [Said.of(people.where(people.folds == fold), net) for fold, net in enumerate(nets)]
    LEFT_OUT.mkdir(exist_ok=True)
    unseen = []
    for fold, net in enumerate(nets):
        # Its own people are left out of its calibration too.
        others = [part for other, part in enumerate(said) if other != fold]
        calibrated = _calibrated(net, Said.of(validation, net).joined(*others))
        export(calibrated, LEFT_OUT / f"tongue_{fold + 1}.onnx")
        unseen.append(Said.of(people.where(people.folds == fold), calibrated))
    _list_people(people)
    shipped = _calibrated(shipped, Said.of(validation, shipped).joined(*said))
    export(shipped, MODEL)
    _report(Said.of(validation, shipped).joined(*unseen), Said.of(_grafted(validation), shipped))


def _calibrated(net: Shipped, said: Said) -> Shipped:
    """The same net, saying probabilities that held on the unseen; the people weigh as much as all of validation.

    Validation is mostly rendered, and what stands before the camera is not.
    """
    people = said.folds >= 0
    weights = np.where(people, 0.5 / np.count_nonzero(people), 0.5 / np.count_nonzero(~people)) * len(people)
    fitted = LogisticRegression(C=1e6).fit(said.numbers[:, None], said.out, weights)
    calibration = Calibration(float(fitted.coef_[0, 0]), float(fitted.intercept_[0]))
    print(f"calibration: scale {calibration.scale:.3f}, offset {calibration.offset:+.3f}")
    return Shipped(net.nets, calibration).eval()


def _list_people(people: Cuts) -> None:
    """Write which net has not seen whom."""
    lines = ["# Whom each net of this folder has not seen, by `subject` of real/manifest.csv. Written by train.py."]
    for fold in range(PEOPLE_FOLDS):
        subjects = sorted({sample.subject for sample in people.samples if sample.fold == fold})
        lines += ["", f"[tongue_{fold + 1}]", "unseen = [", *(f'    "{subject}",' for subject in subjects), "]"]
    (LEFT_OUT / "people.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _windows(cuts: Cuts, eye_distance: float) -> npt.NDArray[np.uint8]:
    """What the net would see of the cuts at this eye distance, through a camera's JPEG."""
    return np.stack([window(_through_jpeg(at_distance(cut, eye_distance))) for cut in cuts.pictures])


def _through_jpeg(scene: Picture) -> Picture:
    data = cv2.imencode(".jpg", scene, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _report(unseen: Said, grafted: Said) -> None:
    """Choose the limits on the unseen, then print the figures of every group at every distance."""
    limits = _limits(_probabilities(unseen), unseen.out)
    print(f"limits: clear_in = {limits[0]:.2f}, clear_out = {limits[1]:.2f}")
    for name, said in (("", unseen), ("set into photographed faces, ", grafted)):
        probabilities = _probabilities(said)
        for group in dict.fromkeys(said.groups):
            for distance in DISTANCES:
                chosen = (said.groups == group) & (said.distances == distance)
                title = f"{group}, {name}{distance:.0f} px between the eyes"
                print(report(title, said.out[chosen], probabilities[chosen], limits), flush=True)


def _grafted(validation: Cuts) -> Cuts:
    """Every rendered validation mouth in a photographed validation face."""
    random = np.random.default_rng(0)
    photograph = np.array([sample.origin is Origin.PHOTOGRAPH for sample in validation.samples])
    mouths, hosts = validation.where(~photograph), validation.where(photograph)
    pictures = [graft(mouth, random.choice(hosts.pictures), random) for mouth in mouths.pictures]
    return Cuts(np.stack(pictures), mouths.samples, mouths.eye_distances)


def _probabilities(said: Said) -> npt.NDArray[np.float64]:
    return 1 / (1 + np.exp(-said.numbers))


def _limits(probabilities: npt.NDArray[np.float64], out: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """The limits between which a reading is unclear: as near to 0.5 as the allowed sure mistakes let them be."""
    clear_in = min(0.5, float(np.quantile(probabilities[out], MISSES_ALLOWED)))
    clear_out = max(0.5, float(np.quantile(probabilities[~out], 1 - FALSE_ALARMS_ALLOWED)))
    return clear_in, clear_out


if __name__ == "__main__":
    main()
