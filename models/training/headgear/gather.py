"""Labelled pictures and landmark files → stored stances: what the headgear net learns from. Owns no net.

Run from a checkout: `python models/training/headgear/gather.py`. Pictures go through the product's own eyes
(`vision/people.py`), so that training sees what the reader will see: every hand that it gives to a side carries the
truth of that side, even where the landmarks are bad. Each picture is also looked at mirrored and at half size.
Results are kept in `models/training/work/headgear/`, one file a picture as it is done; what is there is not gathered
again, so the work can be interrupted, and new pictures are added to the old.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt
from rich.progress import track

from bunnymoose_cv.profile import load_profile
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Side, Spread, parse_headgear
from bunnymoose_cv.vision.people import find_players
from bunnymoose_cv.vision.stance import Stances, stance_at_head
from bunnymoose_cv.vision.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.profile import PeopleLimits

ROOT = Path(__file__).parents[3]
WORK = ROOT / "models/training/work/headgear"
SHARED = ROOT.parent / "shared"
PLAYERS = ROOT / "models/training/players"

ANTLER, EAR, NEITHER, UNKNOWN = 0, 1, 2, -1


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Stances with their truth.

    Attributes:
        stances: n hands.
        truth: shape (n, 5): kind (0 antler, 1 ear, 2 neither), then wide, up, straight, top as 1 or 0; -1 unknown.
        person: shape (n,), who; never split between training and testing.
    """

    stances: Stances
    truth: npt.NDArray[np.int8]
    person: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, rows: npt.NDArray[np.intp]) -> Examples:
        """Some of the examples."""
        return Examples(self.stances.take(rows), self.truth[rows], self.person[rows])

    @classmethod
    def join(cls, parts: list[Examples]) -> Examples:
        """All examples of several."""
        return cls(
            Stances.join([part.stances for part in parts]),
            np.concatenate([part.truth for part in parts]),
            np.concatenate([part.person for part in parts]),
        )

    def save(self, path: Path) -> None:
        """Keep the examples in a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        arrays = {field.name: getattr(self.stances, field.name) for field in fields(Stances)}
        np.savez_compressed(path, truth=self.truth, person=self.person, **arrays)

    @classmethod
    def load(cls, path: Path) -> Examples:
        """Examples that were kept in a file."""
        stored = np.load(path, allow_pickle=False)
        return cls(Stances(*(stored[field.name] for field in fields(Stances))), stored["truth"], stored["person"])


NO_STANCES = Stances(*(np.zeros(shape, np.float32) for shape in ((0, 21, 3), (0, 21, 2), (0, 2), (0, 2), (0,))))


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture of one player whose headgears are known."""

    path: Path
    left: Headgear
    right: Headgear
    person: str


def truth_of(headgear: Headgear) -> tuple[int, int, int, int, int]:
    """Headgear as numbers: see `Examples.truth`."""
    if isinstance(headgear, Antler):
        return ANTLER, int(headgear.spread is Spread.WIDE), int(headgear.direction is Direction.UP), UNKNOWN, UNKNOWN
    if isinstance(headgear, Ear):
        return EAR, UNKNOWN, UNKNOWN, int(headgear.form is Form.STRAIGHT), int(headgear.place is Place.TOP)
    return NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN


def shared_players() -> Iterator[LabelledPicture]:
    """The rendered players of ../shared/synth."""
    folder = SHARED / "synth"
    for name, player in json.loads((folder / "players.json").read_text()).items():
        if player["inside"]:
            left, right = parse_headgear(player["left"]), parse_headgear(player["right"])
            yield LabelledPicture(folder / "players" / f"{name}.jpg", left, right, f"shared{name}")


def rendered_players(folder: Path) -> Iterator[LabelledPicture]:
    """The players that `fixtures/render` made, a truth file beside each picture; hands cut by its border left out."""
    for truth_file in sorted(folder.glob("*.json")):
        truth = json.loads(truth_file.read_text())
        if truth["left"]["inside"] and truth["right"]["inside"]:
            left, right = (parse_headgear(truth[side]["headgear"]) for side in ("left", "right"))
            yield LabelledPicture(truth_file.with_suffix(".jpg"), left, right, truth["subject"])


def gather_pictures(name: str, pictures: Iterable[LabelledPicture]) -> None:
    """Look at every picture as the product does and keep each hand with the truth of its side."""
    limits = load_profile().people
    with Workers(2) as workers:
        for labelled in track(list(pictures), description=f"Looking at {name} players"):
            path = WORK / name / f"{labelled.path.stem}.npz"
            if not path.exists():
                _examples_of(labelled, workers, limits).save(path)


def _examples_of(labelled: LabelledPicture, workers: Workers, limits: PeopleLimits) -> Examples:
    stances, truth = [NO_STANCES], []
    for picture, left, right in _variations(labelled):
        for player in find_players(picture, workers, limits)[:1]:
            for side, hand in player.hands.items():
                stances.append(stance_at_head(hand, player.head, side))
                truth.append(truth_of(left if side is Side.LEFT else right))
    return Examples(
        Stances.join(stances),
        np.array(truth, np.int8).reshape(-1, 5),
        np.array([labelled.person] * len(truth), np.str_),
    )


def _variations(labelled: LabelledPicture) -> Iterator[tuple[Picture, Headgear, Headgear]]:
    """The picture itself, its mirror picture with the sides exchanged, and a small one."""
    picture = np.asarray(cv2.imread(str(labelled.path)), np.uint8)
    yield picture, labelled.left, labelled.right
    yield np.ascontiguousarray(picture[:, ::-1]), labelled.right, labelled.left
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    yield np.asarray(small, np.uint8), labelled.left, labelled.right


MEASURED_ON = ("handsdataset", "digits")
"""Sources whose people are also in ../shared/real, in part in the very same pictures: left out, so that what
`bunnymoose evaluate` prints of those photographs is of people whom the net has not seen."""

LABELLED = {
    "antler_wide": (ANTLER, 1, UNKNOWN, UNKNOWN, UNKNOWN),
    "antler_compact": (ANTLER, 0, UNKNOWN, UNKNOWN, UNKNOWN),
    "ear_straight": (EAR, UNKNOWN, UNKNOWN, 1, UNKNOWN),
    "neither": (NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
}


def gather_landmarks() -> Examples:
    """The hands of ../shared/landmarks whose label decides what they make and whose landmarks agree with it."""
    stored = np.load(SHARED / "landmarks/landmarks.npz", allow_pickle=False)
    usable = (stored["game_class"] != "") & (stored["geom_agrees"] != 0) & ~np.isin(stored["source"], MEASURED_ON)
    rows = np.flatnonzero(usable)
    points = stored["xyz"][rows].astype(np.float32)
    # Mirrored to a left hand; a hand of unknown side stays as it is.
    points[stored["handedness"][rows] == "right", :, 0] *= -1
    count = len(rows)
    stances = Stances(
        points,
        np.full((count, 21, 2), np.nan, np.float32),
        np.full((count, 2), np.nan, np.float32),
        np.full((count, 2), np.nan, np.float32),
        np.full(count, np.nan, np.float32),
    )
    truth = np.array([LABELLED[name] for name in stored["game_class"][rows]], np.int8)
    person = np.array([f"{s}:{p}" for s, p in zip(stored["source"][rows], stored["subject"][rows], strict=True)])
    return Examples(stances, truth, person)


def gathered(name: str) -> Examples | None:
    """All that was gathered from a source; None where nothing was."""
    files = sorted((WORK / name).glob("*.npz"))
    return Examples.join([Examples.load(file) for file in files]) if files else None


def main() -> None:
    """Gather what is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rendered", type=Path, default=PLAYERS, help="what fixtures/render made")
    options = parser.parse_args()
    if not SHARED.is_dir():
        parser.exit(2, f"The shared data must lie beside the checkout, at {SHARED}.\n")
    landmarks = WORK / "landmarks" / "all.npz"
    if not landmarks.exists():
        gather_landmarks().save(landmarks)
    gather_pictures("shared", shared_players())
    gather_pictures("rendered", rendered_players(options.rendered))


if __name__ == "__main__":
    main()
