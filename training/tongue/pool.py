"""Many views of every mouth as the trunk's frozen blocks see them, made once and kept on disk."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch

from training.tongue.holding import hold_something
from training.tongue.sight import CHANNELS, MAP, as_inputs, as_maps
from training.tongue.sources import IN_ROOMS, Origin
from training.tongue.variation import graft, lay_tongue, vary

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture
    from training.tongue.cuts import Cuts
    from training.tongue.sight import Sight

VIEWS = 40_064
VIEWS_AT_ONCE = 64
SEED = 0

SHARE_OUT = 0.42
"""Share of tongues among the views."""

SHARE_LAID = 0.2
"""Share of tongues that are rendered and lie alone in a photographed face that keeps its own mouth."""

SHARE_PHOTOGRAPHED = {True: 0.35, False: 0.55}
"""Share of photographed mouths among the others, with tongues, few as they are, and without."""

SHARE_GRAFTED = {True: 0.45, False: 0.35}
"""Share of mouths, with tongues and without, that are seen in the face of somebody else.

With these shares two in three faces are photographed, with a tongue or without: it is no sign.
"""

SHARE_PHOTOGRAPHED_HOSTS = 0.8

SHARE_HOLDING = {True: 0.12, False: 0.22}
"""Share of mouths, with tongues and without, before which a hand holds something; poor cameras' pictures aside."""

SHARE_HELD_ASIDE = 0.25
"""Share of those things that end beside a mouth without a tongue, as they all do beside one with."""

LEAST_TONGUE = 60
"""Pixels of a wide cut; a smaller one is not worth laying elsewhere."""

WEIGHTS = {
    IN_ROOMS: 0.4,
    "rendered close-ups": 0.32,
    "rendered mouths": 0.14,
    "rendered players": 0.14,
    "real mouths": 0.8,
    "real faces": 0.1,
    "real heads with hands": 0.1,
}
"""Weight of a source among the rendered and among the photographed ones: the more varied ones more often."""

MADE_BY = ("pool.py", "sight.py", "variation.py", "holding.py")
"""The files that decide what the views show."""

NOBODY = -1
"""The fold of rendered people."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Views, index by index.

    Attributes:
        name: of these views; others have another.
        maps: what the frozen blocks make of each, float16, shape (n, channels, side, side).
        out: whether the tongue is out, shape (n,).
        folds: of whom it shows the mouth and of whom the face around it, shape (n, 2).
        rows: the indices of the views that may be learned from.
    """

    name: str
    maps: npt.NDArray[np.float16]
    out: npt.NDArray[np.bool_]
    folds: npt.NDArray[np.int64]
    rows: npt.NDArray[np.intp]

    def without(self, fold: int) -> Pool:
        """To be learned from without the views that show anything of anybody in this fold."""
        return replace(self, rows=self.rows[(self.folds[self.rows] != fold).all(1)])

    def maps_of(self, rows: npt.NDArray[np.intp]) -> torch.Tensor:
        """The maps of some views, as what learns wants them."""
        return as_maps(self.maps[rows])


def pool_of(cuts: Cuts, sight: Sight, store: Path, *, holding: bool) -> Pool:
    """Views of all the cuts, from the store when they were made before, of the same labelled cuts by the same code.

    Args:
        cuts: what is viewed.
        sight: the frozen blocks.
        store: the folder in which views are kept.
        holding: whether hands hold things before some mouths; all else is the same.
    """
    made_by = b"".join((Path(__file__).parent / name).read_bytes() for name in MADE_BY)
    seen = zlib.crc32(cuts.pictures.tobytes())
    seen = zlib.crc32(cuts.folds.tobytes(), zlib.crc32(cuts.out.tobytes(), seen))
    name = f"pool_{seen:08x}_{zlib.crc32(made_by):08x}_{int(holding)}"
    kept, maps = store / f"{name}.npz", store / f"{name}.npy"
    if not kept.is_file():
        out, folds = _made(_Draw(cuts, holding=holding), sight, maps)
        np.savez(kept, out=out, folds=folds)
    with np.load(kept) as stored:
        return Pool(name, np.load(maps, mmap_mode="r"), stored["out"], stored["folds"], np.arange(VIEWS))


def _made(draw: _Draw, sight: Sight, file: Path) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Write the maps of all views to a file; whether each tongue is out, and the folds."""
    maps = np.lib.format.open_memmap(file, "w+", np.float16, (VIEWS, CHANNELS, MAP, MAP))
    out, folds = [], []
    for first in range(0, VIEWS, VIEWS_AT_ONCE):
        # Each batch has its own chance, so that a longer pool begins as a shorter one does.
        random = np.random.default_rng((SEED, first // VIEWS_AT_ONCE))
        views = [draw.view(random) for _ in range(VIEWS_AT_ONCE)]
        with torch.no_grad():
            inputs = [vary(view.scene, random, by_camera=view.by_camera) for view in views]
            made = sight(as_inputs(np.stack(inputs)))
        maps[first : first + VIEWS_AT_ONCE] = made.half().numpy()
        out += [view.out for view in views]
        folds += [view.folds for view in views]
        if first % (50 * VIEWS_AT_ONCE) == 0:
            print(f"views: {first} of {VIEWS}", flush=True)
    return np.array(out, bool), np.array(folds, np.int64)


@dataclass(frozen=True, slots=True)
class _View:
    """A wide cut, whether the tongue is out in it, the folds of mouth and face, whether a poor camera has made it."""

    scene: Picture
    out: bool
    folds: tuple[int, int]
    by_camera: bool = False


class _Sources:
    """The chosen mouths, source by source."""

    def __init__(self, groups: npt.NDArray[np.str_], chosen: npt.NDArray[np.bool_]) -> None:
        names = sorted(set(groups[chosen].tolist()))
        weights = np.array([WEIGHTS[name] for name in names])
        self._weights = weights / weights.sum()
        self._indices = [np.flatnonzero(chosen & (groups == name)) for name in names]

    def one(self, random: np.random.Generator) -> int:
        """The index of one mouth."""
        source = random.choice(len(self._indices), p=self._weights)
        return int(random.choice(self._indices[source]))


class _Draw:
    """Draws mouths, with a tongue and without, from renders and photographs alike.

    So the label says nothing of where the mouth or the face around it comes from.
    """

    def __init__(self, cuts: Cuts, *, holding: bool) -> None:
        self._cuts, self._holding = cuts, holding
        groups = np.array([sample.group for sample in cuts.samples])
        photograph = np.array([sample.origin is Origin.PHOTOGRAPH for sample in cuts.samples])
        self._hosts = {origin: _Sources(groups, (photograph == origin) & ~cuts.out) for origin in (False, True)}
        self._mouths = {
            (label, origin): _Sources(groups, (photograph == origin) & (cuts.out == label))
            for label in (False, True)
            for origin in (False, True)
        }
        self._tongues = np.flatnonzero((cuts.covers > 127).sum((1, 2)) > LEAST_TONGUE)

    def view(self, random: np.random.Generator) -> _View:
        """One view, before a camera has changed it."""
        view = self._mouth(random)
        if not self._holding or view.by_camera or random.random() >= SHARE_HOLDING[view.out]:
            return view
        other = self._cuts.pictures[self._hosts[False].one(random)]
        aside = view.out or random.random() < SHARE_HELD_ASIDE
        return replace(view, scene=hold_something(view.scene, other, random, aside=aside))

    def _mouth(self, random: np.random.Generator) -> _View:
        """A mouth, in its own face or another."""
        out = bool(random.random() < SHARE_OUT)
        if out and len(self._tongues) and random.random() < SHARE_LAID:
            return self._laid(random)
        mouth = self._mouths[out, bool(random.random() < SHARE_PHOTOGRAPHED[out])].one(random)
        scene, folds = self._cuts.pictures[mouth], self._cuts.folds
        if random.random() >= SHARE_GRAFTED[out]:
            return _View(scene, out, (int(folds[mouth]), NOBODY), self._cuts.samples[mouth].group == IN_ROOMS)
        host = self._hosts[bool(random.random() < SHARE_PHOTOGRAPHED_HOSTS)].one(random)
        scene = graft(scene, self._cuts.pictures[host], random)
        return _View(scene, out, (int(folds[mouth]), int(folds[host])))

    def _laid(self, random: np.random.Generator) -> _View:
        tongue, host = random.choice(self._tongues), self._hosts[True].one(random)
        pictures, covers = self._cuts.pictures, self._cuts.covers
        scene = lay_tongue(pictures[tongue], covers[tongue], pictures[host], random)
        return _View(scene, True, (NOBODY, int(self._cuts.folds[host])))
