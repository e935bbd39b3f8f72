"""Packs rendered mouths as wide cuts into one archive that is kept with the project. Owns no rendering, no training.

    python models/training/tongue/pack.py FIRST LAST

The seeds from FIRST up to LAST, as `python -m fixtures.render.mouths FIRST LAST` has left them in
`models/training/work/mouths`, go into `models/training/mouths/FIRST_LAST.zip`. It holds for each picture in which the
face is found its wide cut (`cuts.py`) `NAME.jpg`, for each tongue the same cut of its mask `NAME_tongue.png`, and
`truth.json`: the list of all truths, without what only the whole picture had.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from cuts import WIDE, WIDE_SIZE, find_face

from bunnymoose_cv.vision.landmarks import Landmarkers
from bunnymoose_cv.vision.tongue import MouthPlace

if TYPE_CHECKING:
    from collections.abc import Iterator

RENDERED = Path(__file__).parents[1] / "work/mouths"
PACKED = Path(__file__).parents[1] / "mouths"
QUALITY = 90
EYE_CORNERS = [33, 133, 362, 263]
"""Points of MediaPipe's face mesh."""

FARTHEST = 0.4
"""How far from the true eyes a found face may have its own, in eye distances."""

OF_THE_WHOLE = ("eyes_px", "size", "units")
"""What says nothing about a cut, or only takes room."""


def main() -> None:
    """Packs the seeds named on the command line."""
    first, last = map(int, sys.argv[1:])
    archive = PACKED / f"{first}_{last}.zip"
    truths: list[dict[str, Any]] = []
    part = archive.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as packed, Landmarkers() as landmarkers:
        for truth in _truths(range(first, last)):
            files = dict(_cuts(truth, landmarkers))
            if not files:
                continue
            for name, content in files.items():
                packed.writestr(zipfile.ZipInfo(name), content)  # without a time: the same pictures, the same archive
            truths.append({key: value for key, value in truth.items() if key not in OF_THE_WHOLE} | {"cut": WIDE})
        packed.writestr(zipfile.ZipInfo("truth.json"), json.dumps(truths), zipfile.ZIP_DEFLATED)
    part.replace(archive)
    print(f"{len(truths)} mouths packed, {archive.stat().st_size / 1e6:.1f} MB")


def _truths(seeds: range) -> Iterator[dict[str, Any]]:
    for seed in seeds:
        for path in sorted(RENDERED.glob(f"{seed}_?.json")):
            yield json.loads(path.read_text())


def _cuts(truth: dict[str, Any], landmarkers: Landmarkers) -> Iterator[tuple[str, bytes]]:
    """The files of one mouth with their content; none where the face is not found where it is."""
    file = RENDERED / truth["file"]
    picture = np.asarray(cv2.imread(str(file)), np.uint8)
    left, right = truth["eyes_px"]
    face = find_face(landmarkers, picture, (*right, *left))
    if face is None:
        return
    place = MouthPlace.of(face)
    off = face.points[EYE_CORNERS, :2].mean(0) - (np.array(left) + right) / 2
    if np.linalg.norm(off) > FARTHEST * np.linalg.norm(np.subtract(left, right)):
        return
    yield file.name, _encoded(place.cut(picture, WIDE, WIDE_SIZE), ".jpg", [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    mask = file.with_name(f"{file.stem}_tongue.png")
    if mask.is_file():
        covered = np.repeat(np.asarray(cv2.imread(str(mask), cv2.IMREAD_GRAYSCALE), np.uint8)[..., None], 3, 2)
        yield mask.name, _encoded(place.cut(covered, WIDE, WIDE_SIZE)[..., 0], ".png", [cv2.IMWRITE_PNG_COMPRESSION, 9])


def _encoded(picture: np.ndarray[Any, Any], ending: str, options: list[int]) -> bytes:
    return cv2.imencode(ending, picture, options)[1].tobytes()


if __name__ == "__main__":
    main()
