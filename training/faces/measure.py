"""Accuracy of the face detector and the head search, compared with YuNet: `python -m training.faces.measure`.

The pictures are photographs of held-out repositories and crops of held-out people. The labels were made by correcting
YuNet's boxes, which favours it. Intervals are 95 % confidence intervals, clustered by picture, or by person for crops.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.nets.face_nets import LOOK_PX, SHIPPED_NET, FaceDetector
from bunnymoose_cv.vision.nets.worker_pool import Workers
from training.evaluate.shares import NORMAL_95, ClusteredShare
from training.faces.labelled_faces import YUNET, Source, Teacher, held_out_pictures, is_turned, overlaps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import Box
    from training.faces.labelled_faces import Picture

    Array = npt.NDArray[np.float32]

Finder: TypeAlias = Callable[["Image"], "Array"]
"""Function that returns the boxes in an image, the surest first: left, top, width, height."""

SIZES: Final = ((14, 24), (24, 48), (48, 128), (128, 10_000))
"""Classes of the widths of faces, in pixels of an image whose longer side is `LOOK_PX` at most."""

DARK: Final = 60.0
"""Mean brightness, 0 to 255, below which a face is dark."""

SAME_FACE: Final = 0.3
"""Minimum intersection over union (IoU) of a detection and the labelled face."""

YUNET_SCORE: Final = 0.5
"""Minimum score of YuNet's detections."""


@dataclass(slots=True)
class Tally:
    """Counts of one detector.

    Attributes:
        found: cluster of each labelled face and whether it was found, by class of faces.
        false: number of false detections in each picture, by source.
    """

    found: dict[str, list[tuple[str, bool]]] = field(default_factory=lambda: defaultdict(list))
    false: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, picture: Picture, boxes: Array) -> None:
        """Count the detections in one picture."""
        scale = min(1.0, LOOK_PX / max(picture.image.shape[:2]))
        open_faces, false = [*range(len(picture.faces))], 0
        for box in boxes:
            same = overlaps(picture.faces[open_faces], box)
            if len(same) and same.max() > SAME_FACE:
                open_faces.pop(int(same.argmax()))
            elif box[2] * scale >= SIZES[0][0] and not _ignored(picture.ignored, box):
                false += 1
        cluster = picture.group if picture.source is Source.PERSON else picture.name
        for number, face in enumerate(picture.faces):
            for kind in _classes(picture, face, scale):
                self.found[kind].append((cluster, number not in open_faces))
        self.false[picture.source.value].append(false)


def _ignored(places: Array, box: Array) -> bool:
    """Return whether a box overlaps an ignored place, or has its middle in one."""
    middle = box[:2] + box[2:] / 2
    inside = (places[:, :2] <= middle) & (middle <= places[:, :2] + places[:, 2:])
    return bool(inside.all(1).any() or overlaps(places, box).max(initial=0.0) > SAME_FACE)


def _classes(picture: Picture, face: Array, scale: float) -> Iterator[str]:
    width = face[2] * scale
    if width < SIZES[0][0]:
        return
    source = picture.source.value
    yield from (f"{source}: {low} to {high} px" for low, high in SIZES if low <= width < high)
    if width >= SIZES[1][0]:
        yield f"{source}: {SIZES[1][0]} px and more"
        left, top, right, bottom = np.clip([*face[:2], *(face[:2] + face[2:4])], 0, None).astype(int)
        if picture.image[top : bottom + 1, left : right + 1].mean() < DARK:
            yield f"{source}: of these dark"
        if is_turned(face):
            yield f"{source}: of these turned"


def measure(finders: dict[str, Finder], pictures: Iterable[Picture]) -> dict[str, Tally]:
    """Run detectors on labelled pictures."""
    tallies = {name: Tally() for name in finders}
    for picture in pictures:
        for name, find in finders.items():
            tallies[name].add(picture, find(picture.image))
    return tallies


def table_of(tallies: dict[str, Tally]) -> Table:
    """Return a table with a column for each detector."""
    table = Table("", "n", *tallies)
    first = next(iter(tallies.values()))
    for kind in sorted(first.found):
        shares = [ClusteredShare.of_clusters(tally.found[kind]) for tally in tallies.values()]
        cells = [
            f"{share.count} = {share.rate:.1%} ({share.interval[0]:.1%}–{share.interval[1]:.1%})"
            for share in shares
            if share
        ]
        table.add_row(kind, str(len(first.found[kind])), *cells)
    for source, counts in first.false.items():
        cells = []
        for tally in tallies.values():
            false = np.array(tally.false[source])
            margin = NORMAL_95 * false.std() / np.sqrt(len(false))
            cells.append(f"{false.sum()} = {false.mean():.3f} ± {margin:.3f}")
        table.add_row(f"{source}: false ones, a picture", str(len(counts)), *cells)
    return table


def _rows(boxes: Iterable[Box]) -> Array:
    return np.array([[box.x, box.y, box.width, box.height] for box in boxes], np.float32).reshape(-1, 4)


def main() -> None:
    """Print the table of all detectors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=SHIPPED_NET, help="network of the face detector")
    parser.add_argument("--least", type=float, default=load_settings().people.sure_face, help="minimum score")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    if not YUNET.is_file():
        raise SystemExit(f"{YUNET} is missing: the labels of people, and the comparison, are made by it")
    detector, teacher, people = FaceDetector(chosen.model), Teacher(), load_settings().people
    with Workers(1) as workers:
        finders: dict[str, Finder] = {
            "heads of the reader": lambda image: _rows(head.box for head in find_heads(image, workers, people)),
            "our looks": lambda image: _rows(face.box for face in detector.find(image) if face.score >= chosen.least),
            "our one look": lambda image: _rows(face.box for face in detector.look(image, LOOK_PX, chosen.least)),
            "YuNet, one look": lambda image: teacher.look(image, LOOK_PX, YUNET_SCORE)[:, :4],
        }
        Console().print(table_of(measure(finders, held_out_pictures())))


if __name__ == "__main__":
    main()
