"""Calibration, export and evaluation of the tongue networks on mouths that they have not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import torch
from sklearn.linear_model import LogisticRegression

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.logits import sigmoid
from bunnymoose_cv.vision.tongue import CROPS, SIZE
from training.augmentation import through_jpeg
from training.evaluate.shares import Share, share_line
from training.export import export
from training.manifest import record_models, write_unseen
from training.paths import MODELS
from training.tongue.mouth_crops import WIDE, WIDE_SIZE, at_distance, window
from training.tongue.sources import PEOPLE_FOLDS
from training.trunk import as_inputs, channels_last

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import nn

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import CropSpec
    from training.tongue.mouth_crops import Mouth
    from training.tongue.net import MouthNet

    Flags = npt.NDArray[np.bool_]
    LogOdds = npt.NDArray[np.float64]

LEFT_OUT: Final = MODELS / "left_out"

DISTANCES: Final = (WIDE_SIZE / WIDE, 28.0, 20.0)
"""Eye distances in pixels at which the networks are evaluated: full size, across a table, across a room."""

JPEG_QUALITY: Final = 60
"""JPEG quality of the images on which the networks are evaluated."""

TONGUES_EXPECTED: Final = 1 / 3
"""Expected share of players at a table with the tongue out, for which the probabilities are calibrated."""

TARGET_FALSE_ALARMS: Final = 0.011
"""Share of unseen photographed mouths without a tongue that get more than even odds, over all distances."""


@dataclass(frozen=True, slots=True)
class MouthFeatures:
    """Maps of the frozen blocks for all mouths at the first distance, then at the second, and so on.

    Attributes:
        maps: maps of every crop that the reader makes of a doubtful mouth, shape (crops, n, channels, side, side).
        out: whether the tongue is out, shape (n,).
        distances: pixels between the eyes, shape (n,).
        folds: number of the network trained without the person, shape (n,); -1 for renders.
        groups: group of the mouth in the figures, shape (n,).
    """

    maps: npt.NDArray[np.float16]
    out: Flags
    distances: npt.NDArray[np.float64]
    folds: npt.NDArray[np.int64]
    groups: npt.NDArray[np.str_]

    @classmethod
    @torch.no_grad()
    def of(cls, mouths: Sequence[Mouth], lower: nn.Module) -> MouthFeatures:
        """Return the features of mouths."""
        maps = np.concatenate([_maps(mouths, distance, lower) for distance in DISTANCES], 1)
        known = zip(*((mouth.out, mouth.fold, mouth.group) for mouth in mouths), strict=True)
        out, folds, groups = (np.tile(column, len(DISTANCES)) for column in known)
        return cls(maps, out, np.repeat(DISTANCES, len(mouths)), folds, groups)

    @torch.no_grad()
    def log_odds(self, net: MouthNet) -> LogOdds:
        """Return the log odds of a tongue before calibration, averaged over the crops, shape (n,)."""
        by_crop = [np.concatenate([_log_odds(net, part) for part in _parts(maps)]) for maps in self.maps]
        return np.asarray(np.mean(by_crop, 0), np.float64)


def _log_odds(net: MouthNet, maps: npt.NDArray[np.float16]) -> npt.NDArray[np.float32]:
    return np.asarray(net.of_maps(channels_last(torch.from_numpy(maps.astype(np.float32))))[:, 0])


def _maps(mouths: Sequence[Mouth], eye_distance: float, lower: nn.Module) -> npt.NDArray[np.float16]:
    """Return maps of mouths at an eye distance, shape (crops, n, channels, side, side)."""
    scenes = [through_jpeg(at_distance(mouth.image, eye_distance), JPEG_QUALITY) for mouth in mouths]
    views = (np.stack([_window(scene, look) for scene in scenes]) for look in CROPS)
    return np.stack([np.concatenate([lower(as_inputs(part)).half() for part in _parts(view)]) for view in views])


def _parts(many: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Split an array into parts of about a hundred."""
    return np.array_split(many, len(many) // 100 + 1)


def _window(scene: Image, look: CropSpec) -> npt.NDArray[np.uint8]:
    """Return the network's input for one of the reader's crops."""
    seen = window(scene, np.array([0.0, -look.upward]))
    return np.asarray(seen[:, ::-1] if look.mirrored else seen, np.uint8)


def publish(left_out: Sequence[MouthNet], shipped: MouthNet, people: MouthFeatures, validation: MouthFeatures) -> None:
    """Calibrate every network on out-of-fold log odds, write it, and print the figures."""
    out_of_fold = np.select(
        [people.folds == fold for fold in range(PEOPLE_FOLDS)], [people.log_odds(net) for net in left_out]
    )
    LEFT_OUT.mkdir(exist_ok=True)
    calibrated = np.empty_like(out_of_fold)
    for fold, net in enumerate(left_out):
        # The held-out people of a network are left out of its calibration, too.
        held_out = people.folds == fold
        net.calibration = scale, offset = _calibration(
            validation, validation.log_odds(net), people, out_of_fold, ~held_out
        )
        _write(net, f"left_out/tongue_{fold + 1}.onnx")
        calibrated[held_out] = scale * out_of_fold[held_out] + offset
    of_validation = validation.log_odds(shipped)
    shipped.calibration = scale, offset = _calibration(
        validation, of_validation, people, out_of_fold, np.full(len(out_of_fold), True)
    )
    _write(shipped, "tongue.onnx")
    record_models()
    _report(people, calibrated)
    _report(validation, scale * of_validation + offset)


def _write(net: MouthNet, name: str) -> None:
    export(net, torch.zeros(2, 3, SIZE, SIZE), MODELS / name, "mouths", ("probability_out",))


def _calibration(
    validation: MouthFeatures, of_validation: LogOdds, people: MouthFeatures, of_people: LogOdds, chosen: Flags
) -> tuple[float, float]:
    """Return scale and offset for the log odds of unseen mouths.

    The scale is that of a logistic regression in which photographs and renders have equal weight, and tongues their
    expected share. The offset gives photographs `TARGET_FALSE_ALARMS`.
    """
    log_odds = np.concatenate([of_validation, of_people[chosen]])
    out = np.concatenate([validation.out, people.out[chosen]])
    photographed = np.arange(len(out)) >= len(of_validation)
    weights = np.empty(len(out))
    for label, share in ((True, TONGUES_EXPECTED), (False, 1 - TONGUES_EXPECTED)):
        for origin in (False, True):
            cell = (out == label) & (photographed == origin)
            weights[cell] = share * len(out) / np.count_nonzero(cell)
    scale = float(LogisticRegression(C=1e6).fit(log_odds[:, None], out, weights).coef_[0, 0])
    highest_in = float(np.quantile(of_people[chosen & ~people.out], 1 - TARGET_FALSE_ALARMS))
    print(f"calibration: scale {scale:.3f}, offset {-scale * highest_in:+.3f}")
    return scale, -scale * highest_in


def _report(seen: MouthFeatures, log_odds: LogOdds) -> None:
    """Print the figures of every group at every distance, with the shipped thresholds."""
    limits = load_settings().tongue
    probabilities = sigmoid(log_odds)
    unclear = (probabilities > limits.clear_in) & (probabilities < limits.clear_out)
    predicted = probabilities >= 0.5
    for group in dict.fromkeys(seen.groups):
        for distance in DISTANCES:
            chosen = (seen.groups == group) & (seen.distances == distance)
            print(f"{group}, {distance:.0f} px between the eyes", flush=True)
            for title, of, hits in (
                ("right", chosen, predicted == seen.out),
                ("tongues found", chosen & seen.out, predicted),
                ("false alarms", chosen & ~seen.out, predicted),
                ("unclear", chosen, unclear),
                ("wrong though clear", chosen & ~unclear, predicted != seen.out),
            ):
                print(f"    {title:<20}{share_line(Share.of(hits[of].tolist()))}", flush=True)


def list_people(people: Sequence[Mouth]) -> None:
    """Write the people whom each network has not seen, under their names in `python -m training.evaluate`."""
    unseen: dict[str, set[str]] = {f"tongue_{fold + 1}": set() for fold in range(PEOPLE_FOLDS)}
    for mouth in people:
        unseen[f"tongue_{mouth.fold + 1}"].add(mouth.name)
    heading = (
        "# Whom each net of this folder has not seen: by `subject` of real/manifest.csv or file of real/mouths.csv.\n"
        "# Written by train.py.\n"
    )
    write_unseen("people.toml", heading, unseen)
