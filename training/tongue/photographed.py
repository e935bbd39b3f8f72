"""Fine-tune the tongue network on photographed tongues laid into real faces (docs/experiments/002 and 010).

The tongues of `../shared/tongues` have masks from their source. Most photographs show the lower face only, so the masks
alone say where and how large the tongue is. `train.py` fine-tunes between learning from renders and calibration.
"""

from __future__ import annotations

import csv
import zlib
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.tongue.mouth_crop import MouthPlace
from training.tongue.cuts import WIDE_MOUTH, WIDE_SIZE, find_face
from training.tongue.net import Learner
from training.tongue.pool import WEIGHTS
from training.tongue.sight import CHANNELS, MAP, Sight, as_inputs, as_maps
from training.tongue.sources import IN_ROOMS, PEOPLE_FOLDS
from training.tongue.variation import EYE, graft, lay_tongue, vary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Picture

VIEWS, BATCH, EPOCHS, WARM_UP = 44_032, 64, 4, 100
BLOCKS_RATE, LAYER_RATE, AVERAGING = 2e-4, 3e-4, 0.995
SHARE_OUT: Final = 0.45
SHARES_OUT: Final = (0.38, 0.14, 0.16, 0.32)
"""Shares among tongues: masked ones laid into faces, the same with their lips, whole faces, renders."""

SHARES_IN: Final = (0.60, 0.08, 0.32)
"""Shares among mouths without a tongue: photographs, patches of skin in the shape of a tongue, renders."""

GRAFTED: Final = 0.35
"""Share of mouths, whole faces and renders, that are set into the face of somebody else."""

INTERPOLATED: Final = 0.8
"""Share of the fine-tuned weights in the result."""

TONGUE_WIDTH: Final = 0.58
"""Usual width of a tongue, in eye distances, where the eyes are cut off."""

SEEN_AREA, SEEN_CHANGE = 150, 24
"""Pixels and grey levels that a laid tongue has to change, or it is laid anew."""

TRIES: Final = 6
OF_ONE_PERSON: Final = 8
"""Mouths taken of one person of `people.csv`."""

MASKED, WHOLE, PEOPLE = "masked tongues", "whole faces", "people"
PHOTOGRAPHED: Final = {
    "real mouths": 0.35,
    "real faces": 0.05,
    "real heads with hands": 0.05,
    WHOLE: 0.30,
    PEOPLE: 0.25,
}
"""Weights of the photographed sources; mouths wide open are among the whole faces."""


@dataclass(frozen=True, slots=True, eq=False)
class Mouth:
    """A wide cut of a mouth: image, whether the tongue is out, person fold, source, the tongue's mask where known."""

    image: Picture
    out: bool
    fold: int
    group: str
    cover: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Maps of the frozen blocks, float16, whether the tongue is out, and the folds of mouth and face, shape (n, 2)."""

    maps: npt.NDArray[np.float16]
    out: npt.NDArray[np.bool_]
    folds: npt.NDArray[np.int64]

    def without(self, fold: int) -> npt.NDArray[np.intp]:
        """Rows that show nothing of anybody in a fold."""
        return np.flatnonzero((self.folds != fold).all(1))


def photographed_mouths(table: Path) -> Iterator[Mouth]:
    """Cut the mouths of `tongues.csv`: whole faces by their mesh, the others by the tongue's mask."""
    with table.open(encoding="utf-8", newline="") as lines, Landmarkers() as landmarkers:
        for row in csv.DictReader(lines):
            if row["label"] in {"out", "in"}:
                yield from _mouth_of(row, table.parent, landmarkers)


def mouths_of_people(table: Path) -> Iterator[Mouth]:
    """Cut the closed mouths of `people.csv`; nearly all crops of one person are alike, so at most a few of each."""
    taken: dict[str, int] = {}
    with table.open(encoding="utf-8", newline="") as lines, Landmarkers() as landmarkers:
        for row in csv.DictReader(lines):
            person = row["person"]
            if row["tongue"] == "in" and taken.get(person, 0) < OF_ONE_PERSON:
                picture = np.asarray(cv2.imread(str(table.parent / row["file"]), cv2.IMREAD_COLOR), np.uint8)
                if face := find_face(landmarkers, picture, None):
                    taken[person] = taken.get(person, 0) + 1
                    fold = zlib.crc32(f"p{person}".encode()) % PEOPLE_FOLDS
                    yield Mouth(MouthPlace.of(face).cut(picture, WIDE_MOUTH), False, fold, PEOPLE)


def _mouth_of(row: Mapping[str, str], folder: Path, landmarkers: Landmarkers) -> Iterator[Mouth]:
    picture = np.asarray(cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR), np.uint8)
    fold = zlib.crc32(f"t{row['subject']}".encode()) % PEOPLE_FOLDS
    out = row["label"] == "out"
    if row["eyes"] == "seen":
        face = find_face(landmarkers, picture, None)
        if face is not None:
            yield Mouth(MouthPlace.of(face).cut(picture, WIDE_MOUTH), out, fold, WHOLE)
    elif row["mask"]:
        mask = np.asarray(cv2.imread(str(folder / row["mask"]), cv2.IMREAD_GRAYSCALE), np.uint8)
        yield _by_mask(picture, mask, fold)


def _by_mask(picture: Picture, mask: npt.NDArray[np.uint8], fold: int) -> Mouth:
    """A wide cut whose scale and place follow from the tongue's mask."""
    height, width = picture.shape[:2]
    mask = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    rows, columns = np.nonzero(mask > 127)
    eye_distance = float(np.percentile(columns, 97) - np.percentile(columns, 3)) / TONGUE_WIDTH
    scale = EYE / eye_distance
    middle = np.array([np.median(columns), rows.min() + 0.2 * eye_distance])
    matrix = np.column_stack([scale * np.eye(2), WIDE_SIZE / 2 - scale * middle])
    size = (WIDE_SIZE, WIDE_SIZE)
    image = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return Mouth(
        np.asarray(image, np.uint8), True, fold, MASKED, np.asarray(cv2.warpAffine(mask, matrix, size), np.uint8)
    )


class _Sources:
    """Mouths drawn source by source, each source by its weight."""

    def __init__(self, mouths: Sequence[Mouth], weights: Mapping[str, float]) -> None:
        groups = {name: [mouth for mouth in mouths if mouth.group == name] for name in weights}
        self._groups = [group for group in groups.values() if group]
        chosen = np.array([weights[name] for name, group in groups.items() if group])
        self._weights = chosen / chosen.sum()

    def one(self, random: np.random.Generator) -> Mouth:
        """One mouth."""
        group = self._groups[int(random.choice(len(self._groups), p=self._weights))]
        return group[int(random.integers(len(group)))]


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A wide cut, the folds of its mouth and face, and whether a poor camera has made it."""

    scene: Picture
    folds: tuple[int, int]
    by_camera: bool = False


class _ViewDraw:
    """Random views of mouths; neither a seam nor a photographed face tells whether a tongue is out."""

    def __init__(self, mouths: Sequence[Mouth], renders: Sequence[Mouth], seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._masked = [mouth for mouth in mouths if mouth.group == MASKED]
        self._photographs = {
            out: _Sources([mouth for mouth in mouths if mouth.out is out], PHOTOGRAPHED) for out in (False, True)
        }
        self._renders = {
            out: _Sources([mouth for mouth in renders if mouth.out is out], WEIGHTS) for out in (False, True)
        }

    def view(self) -> tuple[Picture, bool, tuple[int, int]]:
        """A network input, whether it shows a tongue, and the folds of mouth and face."""
        out = bool(self._random.random() < SHARE_OUT)
        view = self._tongue() if out else self._no_tongue()
        return vary(view.scene, self._random, by_camera=view.by_camera), out, view.folds

    def _tongue(self) -> _View:
        sort = int(self._random.choice(len(SHARES_OUT), p=SHARES_OUT))
        if sort == 0:
            return self._laid()
        if sort == 1:
            return self._grafted(self._masked_tongue())
        return self._shown((self._renders if sort == len(SHARES_OUT) - 1 else self._photographs)[True])

    def _no_tongue(self) -> _View:
        sort = int(self._random.choice(len(SHARES_IN), p=SHARES_IN))
        if sort == 1:
            return self._patch()
        return self._shown((self._renders if sort == len(SHARES_IN) - 1 else self._photographs)[False])

    def _shown(self, sources: _Sources) -> _View:
        """A mouth in its own face or set into another."""
        mouth = sources.one(self._random)
        if self._random.random() < GRAFTED:
            return self._grafted(mouth)
        return _View(mouth.image, (mouth.fold, mouth.fold), mouth.group == IN_ROOMS)

    def _grafted(self, mouth: Mouth) -> _View:
        host = self._host()
        return _View(graft(mouth.image, host.image, self._random), (mouth.fold, host.fold))

    def _laid(self) -> _View:
        """A masked tongue in the face of somebody else, plain enough to be seen."""
        for _ in range(TRIES):
            mouth, host = self._masked_tongue(), self._host()
            image = lay_tongue(mouth.image, _cover(mouth), host.image, self._random)
            change = np.abs(image.astype(int) - host.image).max(2)
            changed = change[change > 8]
            if len(changed) > SEEN_AREA and changed.mean() > SEEN_CHANGE:
                break
        return _View(image, (mouth.fold, host.fold))

    def _patch(self) -> _View:
        """Skin of somebody else in the shape of a tongue: no tongue."""
        mouth, skin, host = self._masked_tongue(), self._host(), self._host()
        shifts = self._random.integers(-WIDE_SIZE // 3, WIDE_SIZE // 3, 2)
        elsewhere = np.asarray(np.roll(skin.image, tuple(int(shift) for shift in shifts), (0, 1)), np.uint8)
        image = lay_tongue(elsewhere, _cover(mouth), host.image, self._random)
        return _View(image, (skin.fold, host.fold))

    def _masked_tongue(self) -> Mouth:
        return self._masked[int(self._random.integers(len(self._masked)))]

    def _host(self) -> Mouth:
        """A photographed face without a tongue."""
        return self._photographs[False].one(self._random)


def _cover(mouth: Mouth) -> npt.NDArray[np.uint8]:
    if mouth.cover is None:
        raise ValueError("a masked tongue has no mask")
    return mouth.cover


def make_views(mouths: Sequence[Mouth], renders: Sequence[Mouth], sight: Sight, store: Path) -> Views:
    """Views of all sorts, their maps kept in a file."""
    draw = _ViewDraw(mouths, renders, seed=1)
    maps = np.lib.format.open_memmap(store, "w+", np.float16, (VIEWS, CHANNELS, MAP, MAP))
    out, folds = [], []
    for first in range(0, VIEWS, BATCH):
        views = [draw.view() for _ in range(min(BATCH, VIEWS - first))]
        with torch.no_grad():
            maps[first : first + len(views)] = sight(as_inputs(np.stack([view[0] for view in views]))).half().numpy()
        out += [view[1] for view in views]
        folds += [view[2] for view in views]
        print(f"photographed views: {first + len(views)} of {VIEWS}", flush=True)
    return Views(maps, np.array(out, np.bool_), np.array(folds, np.int64))


def fine_tuned(start: Learner, views: Views, rows: npt.NDArray[np.intp], store: Path) -> Learner:
    """Train on some views, or take what the store holds of the same start and views; interpolate with the start."""
    own = {name: value.clone() for name, value in start.state_dict().items()}
    begun = (*(value.numpy() for value in own.values()), views.out, views.folds, rows)
    begun_crc = reduce(lambda crc, array: zlib.crc32(np.ascontiguousarray(array).tobytes(), crc), begun, 0)
    file = store / f"photographed_{begun_crc:08x}.pt"
    if not file.exists():
        net = Learner()
        net.load_state_dict(own)
        torch.save(_trained(net, views, rows).state_dict(), file)
    tuned = torch.load(file, weights_only=True)
    result = Learner()
    result.load_state_dict({name: own[name] + INTERPOLATED * (tuned[name] - own[name]) for name in own})
    return result.eval().requires_grad_(requires_grad=False)


def _trained(net: Learner, views: Views, rows: npt.NDArray[np.intp]) -> torch.nn.Module:
    torch.manual_seed(0)
    draw = np.random.default_rng(0)
    parts = [
        {"params": [*net.blocks.parameters()], "lr": BLOCKS_RATE, "weight_decay": 0.02},
        {"params": [*net.layer.parameters()], "lr": LAYER_RATE, "weight_decay": 0.1},
    ]
    optimiser = torch.optim.AdamW(parts)
    steps = EPOCHS * len(rows) // BATCH
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / WARM_UP) * (0.02 + 0.98 * (1 + np.cos(np.pi * step / steps)) / 2)
    )
    average = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))  # type: ignore[no-untyped-call]
    wanted = torch.from_numpy(np.where(views.out, 0.96, 0.04).astype(np.float32))
    net.train()
    for step in range(steps):
        chosen = np.sort(draw.choice(rows, BATCH, replace=False))
        said = net(as_maps(np.asarray(views.maps[chosen])))[:, 0]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(said, wanted[torch.from_numpy(chosen)])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        if step % 200 == 0:
            print(f"fine-tuning: step {step} of {steps}, loss {loss.item():.3f}", flush=True)
    module: torch.nn.Module = average.module
    return module
