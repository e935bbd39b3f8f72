"""Pack rendered mouths as wide crops into one archive that is kept with the project.

    python -m training.tongue.pack mouths FIRST LAST
    python -m training.tongue.pack players FIRST LAST

The seeds from FIRST up to LAST, as left in `training/work/` by `python -m fixtures.render.mouths FIRST LAST` or
`fixtures.render.train`, go into `training/work/packed/mouths/FIRST_LAST.zip`, players into `players_FIRST_LAST.zip`.
For each image in which the face is found the archive has its wide crop (`mouth_crops.py`) `NAME.webp`, and for each
tongue with a mask the same crop of it, `NAME_tongue.png`. `truth.json` is the list of all truths, without the fields
that are only about the whole image.
"""

from __future__ import annotations

import json
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.tongue import MouthPlace
from training import paths
from training.tongue.mouth_crops import WIDE, WIDE_MOUTH, find_face, read
from training.tongue.sources import PLAYER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKED = paths.PACKED / "mouths"
WEBP_QUALITY = 90
EYE_CORNERS = [33, 133, 362, 263]
"""Points of MediaPipe's face mesh."""

FARTHEST = 0.4
"""Largest distance of a found face's eyes from the true ones, in eye distances."""

KEPT = ("file", "subject", "tongue", "who", "head_turn_deg", "light")
"""Fields of a player's truth about the mouth."""

OF_THE_WHOLE = ("eyes_px", "size", "units")
"""Fields that have no meaning for a crop, or only take space."""


def main() -> None:
    """Pack the seeds named on the command line."""
    what, first, last = sys.argv[1], *map(int, sys.argv[2:])
    archive = PACKED / {"mouths": f"{first}_{last}.zip", "players": f"players_{first}_{last}.zip"}[what]
    PACKED.mkdir(parents=True, exist_ok=True)
    truths: list[dict[str, Any]] = []
    part = archive.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as packed, Landmarkers() as landmarkers:
        for truth in _truths(paths.WORK / what, range(first, last)):
            files = dict(_cuts(paths.WORK / what / truth["file"], truth, landmarkers))
            if not files:
                continue
            for name, content in files.items():
                packed.writestr(zipfile.ZipInfo(name), content)  # without a time: equal images, equal archives
            own = {key: value for key, value in truth.items() if key not in OF_THE_WHOLE}
            truths.append(own | {"file": next(iter(files)), "cut": WIDE})
        packed.writestr(zipfile.ZipInfo("truth.json"), json.dumps(truths), zipfile.ZIP_DEFLATED)
    part.replace(archive)
    print(f"{len(truths)} mouths packed, {archive.stat().st_size / 1e6:.1f} MB")


def _truths(folder: Path, seeds: range) -> Iterator[dict[str, Any]]:
    for seed in seeds:
        for path in sorted(folder.glob(f"{seed}_?.json")):
            truth = json.loads(path.read_text())
            yield truth if "label" in truth else _of_player(truth)


def _of_player(truth: dict[str, Any]) -> dict[str, Any]:
    """Return the truth about a player's mouth, labelled like a close-up."""
    tongue = truth["tongue"]
    label = ("out" if tongue["out"] else "in") if tongue["clear"] else "unclear"
    (left, right) = truth["eyes_px"]
    apart = round(float(np.linalg.norm(np.subtract(left, right))), 1)
    return {key: truth[key] for key in (*KEPT, "eyes_px")} | {"label": label, "kind": PLAYER, "eye_distance_px": apart}


def _cuts(file: Path, truth: dict[str, Any], landmarkers: Landmarkers) -> Iterator[tuple[str, bytes]]:
    """Return the files of one mouth with their content; empty if the face is not found at its place."""
    image = read(file)
    left, right = truth["eyes_px"]
    face = find_face(landmarkers, image, (*right, *left))
    if face is None:
        return
    place = MouthPlace.of(face)
    off = face.points[EYE_CORNERS, :2].mean(0) - (np.array(left) + right) / 2
    if np.linalg.norm(off) > FARTHEST * np.linalg.norm(np.subtract(left, right)):
        return
    wide = place.cut(image, WIDE_MOUTH)
    yield f"{file.stem}.webp", _encoded(wide, ".webp", [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    mask = file.with_name(f"{file.stem}_tongue.png")
    if mask.is_file():
        covered = np.repeat(read(mask, cv2.IMREAD_GRAYSCALE)[..., None], 3, 2)
        yield mask.name, _encoded(place.cut(covered, WIDE_MOUTH)[..., 0], ".png", [cv2.IMWRITE_PNG_COMPRESSION, 9])


def _encoded(image: np.ndarray[Any, Any], ending: str, options: list[int]) -> bytes:
    return cv2.imencode(ending, image, options)[1].tobytes()


if __name__ == "__main__":
    main()
