"""Fine-tune the side network on real people, composites and renders: `python -m training.headgear.fine_tune`.

Starts from what `train.py` kept. Views are made once; the frozen lower blocks' maps of them are kept on disk, so that
every fold learns from the same ones. The shipped weights are interpolated between the start and the fine-tuned ones
(Wortsman et al., "Robust fine-tuning of zero-shot models", 2022): people gain nearly all, renders lose little.
`--out-of-fold` also trains a network per person fold and per source; their answers about the people left out fit the
scale of the side network (`models/logit_scaling.toml`) and give the figures of docs/accuracy/people.md.
Everything is seeded; what is trained is kept and not trained again from the same data by the same code.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bunnymoose_cv.vision.headgear.logit_scaling import Seen
from bunnymoose_cv.vision.headgear.side_net import SIZE
from training.array_files import save_arrays
from training.checkpoints import arrays_of, interpolated, save_state
from training.content_cache import keyed
from training.evaluate.people import read_people
from training.evaluate.side_labels import Held
from training.export import export
from training.headgear.composites import Compositor, hands_kept
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER, Truth
from training.headgear.gather import WORK, packed_sides
from training.headgear.people import TABLE, people_kept
from training.headgear.scaling import fitted, write_scales
from training.headgear.side_augmentation import varied
from training.headgear.side_net import SIDE_START, SideNet, pointing_loss, side_logits
from training.headgear.splits import BY_SOURCE, by_person
from training.headgear.targets import LOGITS, loss_of, targets_of
from training.headgear.transplant import hand_in_cut, laid_over
from training.manifest import record_models
from training.paths import MODELS
from training.schedules import share_of_rate
from training.source_code import code_of
from training.trunk import as_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.headgear.logit_scaling import Scale
    from training.headgear.examples import Sides
    from training.headgear.people import PersonSide
    from training.headgear.splits import Split

RENDERED, PEOPLE, COMPOSITED = 4500, 5500, 6000
"""Number of views of each sort."""

CODE: Final = code_of(__file__)

EPOCHS, BATCH, WARM_UP, LAST = 4, 64, 60, 0.01
TRUNK_RATE, HEAD_RATE, DECAY, AVERAGING = 2.5e-4, 1.2e-3, 0.03, 0.99
INTERPOLATED: Final = 0.5
"""Share of the fine-tuned weights in what is shipped. With 0.75 and 1 fewer hands are asked about, but with a source
left out real ears are missed (docs/experiments/001-side-network-on-people.md)."""

GUARD: Final = 0.5
"""Weight of all renders together in the scale; that of all people is 1."""

RENDER_SHARES: Final = (0.33, 0.36, 0.20, 0.11)
"""Shares of antlers, ears, other hands and nothing among rendered views."""

PEOPLE_SHARES: Final = (0.22, 0.50, 0.28)
"""Shares of headgear, other hands and nothing among views of people; persons are drawn by the root of their number."""

OVER_PEOPLE: Final = 0.5
"""Share of rendered hands that are laid over a real head."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One training view: crop, truth, in-between flags, joints, and whom it shows ("" where nobody real)."""

    cut: Image
    values: tuple[int, ...]
    between: npt.NDArray[np.bool_]
    joints: npt.NDArray[np.float64]
    person: str


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """All views: maps of the frozen blocks, float16, shape (n, channels, side, side), and the rest as arrays."""

    maps: npt.NDArray[np.float16]
    values: npt.NDArray[np.int8]
    between: npt.NDArray[np.bool_]
    joints: npt.NDArray[np.float32]
    person: npt.NDArray[np.str_]


class _ViewDraw:
    """Random views of rendered sides, people and composites."""

    def __init__(self, renders: Sides, people: Sequence[PersonSide], compositor: Compositor, seed: int) -> None:
        self.draw = np.random.default_rng(seed)
        self._renders, self._images, self._compositor = renders, renders.images(), compositor
        kind = renders.truth.values[:, 0]
        self._held = np.array([hand_in_cut(joints) for joints in renders.joints])
        neither = kind == NEITHER
        each = kind == ANTLER, kind == EAR, neither & self._held, neither & ~self._held
        self._sorts = [np.flatnonzero(rows) for rows in each]
        self._empty = [side for side in people if side.held is Held.EMPTY]
        headgear = [side for side in people if side.held in {Held.ANTLER, Held.EAR}]
        self._groups = [
            _by_person(group)
            for group in (headgear, [side for side in people if side.held is Held.OTHER_HAND], self._empty)
        ]

    def rendered(self) -> View:
        """A rendered side, half of its hands over a real head."""
        sort = int(self.draw.choice(len(self._sorts), p=RENDER_SHARES))
        row = int(self.draw.choice(self._sorts[sort]))
        image, person = np.asarray(self._images[row], np.uint8), ""
        if self._held[row] and self.draw.random() < OVER_PEOPLE:
            head = self._an_empty_side()
            image, person = laid_over(image, self._renders.joints[row], head.cut, self.draw), head.person
        truth, joints = self._renders.truth, self._renders.joints[row].astype(np.float64)
        return View(image, tuple(truth.values[row]), truth.between[row], joints, person)

    def of_people(self) -> View:
        """A side of a real person."""
        people, shares = self._groups[int(self.draw.choice(len(self._groups), p=PEOPLE_SHARES))]
        sides = people[int(self.draw.choice(len(people), p=shares))]
        side = sides[int(self.draw.integers(len(sides)))]
        return View(side.cut, side.values, np.zeros(5, np.bool_), side.joints, side.person)

    def composited(self) -> View:
        """A photographed hand at a real head."""
        head = self._an_empty_side()
        made = self._compositor.over(head.cut)
        return View(made.cut, made.values, np.zeros(5, np.bool_), made.joints, head.person)

    def another(self) -> Image:
        """Any rendered image, for patches and haze."""
        return np.asarray(self._images[int(self.draw.integers(len(self._images)))], np.uint8)

    def _an_empty_side(self) -> PersonSide:
        return self._empty[int(self.draw.integers(len(self._empty)))]


def _by_person(sides: Sequence[PersonSide]) -> tuple[list[list[PersonSide]], npt.NDArray[np.float64]]:
    people: dict[str, list[PersonSide]] = {}
    for side in sides:
        people.setdefault(side.person, []).append(side)
    roots = np.sqrt([len(own) for own in people.values()])
    return [*people.values()], roots / roots.sum()


def make_views(source: _ViewDraw, lower: nn.Module, store: Path) -> Views:
    """Views of all sorts in random order, their maps kept in a file."""
    makers = [source.rendered] * RENDERED + [source.of_people] * PEOPLE + [source.composited] * COMPOSITED
    order = source.draw.permutation(len(makers))
    maps: npt.NDArray[np.float16] | None = None
    made: list[View] = []
    shaken: list[npt.NDArray[np.float64]] = []
    for first in range(0, len(makers), BATCH):
        views = [_made(makers[index]) for index in order[first : first + BATCH]]
        shown = [varied(view.cut, view.joints.astype(np.float16), source.another(), source.draw) for view in views]
        with torch.no_grad():
            part = lower(as_inputs(np.stack([cut for cut, _ in shown]))).half().numpy()
        if maps is None:
            maps = np.lib.format.open_memmap(store, "w+", np.float16, (len(makers), *part.shape[1:]))
        maps[first : first + len(views)] = part
        made += views
        shaken += [joints for _, joints in shown]
        print(f"views: {first + len(views)} of {len(makers)}", flush=True)
    if maps is None:
        raise ValueError("no views were asked for")
    return Views(
        maps,
        np.array([view.values for view in made], np.int8),
        np.array([view.between for view in made], np.bool_),
        np.array(shaken, np.float32),
        np.array([view.person for view in made]),
    )


def _made(maker: Callable[[], View]) -> View:
    return maker()


def start_of_side_net() -> SideNet:
    """The network that learnt from renders (`train.py`), to be trained on; without it the program ends."""
    if not SIDE_START.is_file():
        sys.exit(f"There is no {SIDE_START}: run python -m training.headgear.train_sides")
    net = SideNet()
    net.load_state_dict(torch.load(SIDE_START, weights_only=True))
    return net


class FineTuning:
    """Fine-tunings of the side network without each group of people, and with all.

    Attributes:
        people: sides of all surely labelled people.
        crops: all labelled crops of them.
    """

    def __init__(self) -> None:
        """Take today's data; what has to be cut out of photographs is cut out once."""
        start = arrays_of(start_of_side_net().state_dict())
        self.people, self.crops = people_kept(), read_people(TABLE).rows
        self._hands, sides = hands_kept(), packed_sides()
        self._renders = sides.take(np.flatnonzero(~sides.truth.left_out))
        self._views = keyed(WORK / "views.npz", start, self.people, self._hands, self._renders, CODE)

    @cached_property
    def views(self) -> Views:
        """Views of all people, composites and renders; made once."""
        maps = self._views.with_suffix(".npy")
        if not self._views.is_file():
            compositor = Compositor(self._hands, self._renders, np.random.default_rng(2))
            made = make_views(
                _ViewDraw(self._renders, self.people, compositor, seed=1), start_of_side_net().lower, maps
            )
            save_arrays(self._views, {each.name: getattr(made, each.name) for each in fields(Views)[1:]})
        with np.load(self._views) as stored:
            return Views(np.load(maps, mmap_mode="r"), *(stored[each.name] for each in fields(Views)[1:]))

    @cached_property
    def by_person(self) -> Split:
        """Folds of persons."""
        return by_person(self.crops)

    def file(self, split: Split, group: int) -> Path:
        """File of the weights without one group of people."""
        unseen = sorted(split.persons_in(group, self.crops))
        return keyed(WORK / f"side_{split.name}{group}.pt", self._views.name, unseen)

    def without(self, split: Split, group: int) -> SideNet:
        """The network without one group of people, which is kept."""
        return tuned_net(self.file(split, group))

    def teach_without(self, split: Split, group: int) -> None:
        """Train without one group of people, unless that is kept."""
        self._teach(self.file(split, group), lambda: split.rows_without(group, self.crops, self.views.person))

    def teach(self) -> SideNet:
        """Train with all people, or take what is kept."""
        file = keyed(WORK / "side_tuned.pt", self._views.name)
        self._teach(file, lambda: np.arange(len(self.views.maps)))
        return tuned_net(file)

    def _teach(self, file: Path, rows: Callable[[], npt.NDArray[np.intp]]) -> None:
        if not file.exists():
            save_state(_trained(start_of_side_net().train(), self.views, rows()).state_dict(), file)


def tuned_net(file: Path) -> SideNet:
    """The network between the start and the fine-tuned weights in a file."""
    net = start_of_side_net()
    tuned = torch.load(file, weights_only=True)
    net.load_state_dict(interpolated(net.state_dict(), tuned, INTERPOLATED))
    return net.eval()


def write_side_net(net: SideNet, path: Path) -> None:
    """Write a side network as the product reads it."""
    export(net, torch.zeros(2, 3, SIZE, SIZE), path, "cuts", ("answers", "joints"))


def _trained(net: SideNet, views: Views, rows: npt.NDArray[np.intp]) -> nn.Module:
    torch.manual_seed(0)
    draw = np.random.default_rng(0)
    heads = [each for part in _heads(net) for each in part.parameters()]
    groups = [{"params": [*net.trunk.parameters()], "lr": TRUNK_RATE}, {"params": heads, "lr": HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=DECAY)
    steps = EPOCHS * len(rows) // BATCH
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: share_of_rate(step, steps, WARM_UP, LAST))
    average = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))  # type: ignore[no-untyped-call]
    for step in range(steps):
        if step * BATCH % len(rows) < BATCH:
            order = draw.permutation(rows)
        batch = np.sort(np.take(order, range(step * BATCH, (step + 1) * BATCH), mode="wrap"))
        loss = _loss(net, views, batch)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        if step % 100 == 0:
            print(f"step {step} of {steps}, loss {loss.item():.3f}", flush=True)
    return average.module


def _heads(net: SideNet) -> tuple[nn.Module, ...]:
    return net.narrow, net.head, net.pointer, net.touched, net.fingers


def _loss(net: SideNet, views: Views, rows: npt.NDArray[np.intp]) -> torch.Tensor:
    maps = torch.from_numpy(np.asarray(views.maps[rows], np.float32))
    logits, heat = net.of_maps(maps)
    wanted, known = targets_of(views.values[rows], views.between[rows])
    joints = torch.from_numpy(np.nan_to_num(views.joints[rows], nan=-SIZE))
    return loss_of(logits, wanted, known) + 0.2 * pointing_loss(heat, joints)


def side_scale(tuning: FineTuning) -> Scale:
    """Fit the scale of the side network on people, each answered by the network without them, guarded by renders."""
    split, people = tuning.by_person, tuning.people
    renders = packed_sides()
    renders = renders.take(np.flatnonzero(renders.truth.left_out))
    groups = np.array([split.group_of(side.person, side.source) for side in people])
    logits = np.zeros((len(people) + len(renders), LOGITS), np.float32)
    for group in range(split.groups):
        rows = np.flatnonzero(groups == group)
        logits[rows] = side_logits(tuning.without(split, group), np.stack([people[row].cut for row in rows]))
    logits[len(people) :] = side_logits(tuning.without(split, 0), renders.images())
    truth = Truth(
        np.array([side.values for side in people], np.int8),
        np.zeros((len(people), len(COLUMNS)), bool),
        np.array([side.person for side in people]),
        np.full(len(people), ""),
    )
    held = np.array([side.held.value for side in people])
    _, which, counts = np.unique(held, return_inverse=True, return_counts=True)
    shares = 1 / counts[which]
    weights = np.concatenate([shares / shares.sum(), np.full(len(renders), GUARD / max(len(renders), 1))])
    return fitted(logits, Truth.join([truth, renders.truth]), weights)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make views, fine-tune, write `models/side.onnx`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out-of-fold", action="store_true", help="also train without each fold and each source")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    WORK.mkdir(parents=True, exist_ok=True)
    tuning = FineTuning()
    if options.out_of_fold:
        for split in (tuning.by_person, BY_SOURCE):
            for group in range(split.groups):
                tuning.teach_without(split, group)
        write_scales({Seen.SIDE: side_scale(tuning)})
    write_side_net(tuning.teach(), MODELS / "side.onnx")
    record_models()


if __name__ == "__main__":
    main()
