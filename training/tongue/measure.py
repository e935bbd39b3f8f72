"""Measure the tongue reader on people it never saw: those left out in turn, each by their net, and rendered folders.

    python -m training.tongue.measure [--shared ../shared] [--players FOLDER …] [--mouths FOLDER …]

Whole images go through the reader itself, not through the net alone; rendered ones through the shipped net.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Tongue
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader
from training.paths import MODELS, SHARED
from training.tongue.figures import report
from training.tongue.mouth_crops import find_face
from training.tongue.sources import PEOPLE_FOLDS, Labelled, photographs, rendered_mouths, rendered_players

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

LEFT_OUT = MODELS / "left_out"


def main() -> None:
    """Print the figures of each set, and which images were read wrong."""
    arguments = _arguments()
    manifest = arguments.shared / "real/manifest.csv"
    if not manifest.is_file():
        sys.exit(f"there are no photographs at {manifest}: name the folder that holds “real” with --shared")
    settings = load_settings().tongue
    files = [LEFT_OUT / f"tongue_{fold + 1}.onnx" for fold in range(PEOPLE_FOLDS)]
    if not all(file.is_file() for file in files):
        sys.exit(f"the networks that left people out are missing in {LEFT_OUT}: run python -m training.tongue.train")
    readers = {fold: TongueReader(settings, file.read_bytes()) for fold, file in enumerate(files)}
    readers[-1] = TongueReader(settings)
    with Landmarkers() as landmarkers:
        for name, samples in _sets(arguments):
            read = list(_readings(samples, landmarkers, readers))
            for sample, reading in read:
                if (reading.tongue is Tongue.OUT) != sample.out:
                    print(f"wrong: {sample.file.name}, tongue out with probability {reading.probability_out:.2f}")
            out = np.array([sample.out for sample, _ in read])
            probabilities = np.array([reading.probability_out for _, reading in read])
            print(report(name, out, probabilities, (settings.clear_in, settings.clear_out)))
            print(f"    no face found       {len(samples) - len(read)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the tongue reader.")
    parser.add_argument("--shared", type=Path, default=SHARED, help="folder with real/")
    parser.add_argument("--mouths", type=Path, nargs="*", default=[], help="folders of rendered mouths")
    parser.add_argument("--players", type=Path, nargs="*", default=[], help="folders of rendered players")
    return parser.parse_args()


def _sets(arguments: argparse.Namespace) -> Iterator[tuple[str, list[Labelled]]]:
    people = [sample for sample in photographs(arguments.shared / "real") if not sample.is_cut]
    for group in dict.fromkeys(sample.group for sample in people):
        yield group, [sample for sample in people if sample.group == group]
    for folder in arguments.mouths:
        yield str(folder), list(rendered_mouths(folder))
    for folder in arguments.players:
        yield str(folder), list(rendered_players(folder))


def _readings(
    samples: Sequence[Labelled], landmarkers: Landmarkers, readers: Mapping[int, TongueReader]
) -> Iterator[tuple[Labelled, TongueReading]]:
    """The reading of every image in which a face is found, by the net of its person's fold."""
    for sample in samples:
        image = np.asarray(cv2.imread(str(sample.file), cv2.IMREAD_COLOR), np.uint8)
        if face := find_face(landmarkers, image, sample.eyes):
            yield sample, readers[sample.fold].read(image, Head(face))


if __name__ == "__main__":
    main()
