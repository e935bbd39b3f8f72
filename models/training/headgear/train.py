"""Stored stances → `models/headgear.onnx` and its figures on people that took no part. Owns no looking at pictures.

Run from a checkout after `gather.py`: `python models/training/headgear/train.py`. Seeded; folds and members that are
already kept in `models/training/work/headgear/` are not trained again (`--again` to do so). What it prints goes into
`models/headgear.md`.

A hand by itself teaches shapes of real people; a rendered player teaches where hands stand. `placed` joins both: real
hands are laid over rendered ones of the same truth, so that the net meets real shapes at heads, and hands of any shape
drawn off the head, which are neither.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from gather import ANTLER, EAR, NEITHER, UNKNOWN, WORK, Examples, gathered
from rich.progress import Progress
from torch import nn

from bunnymoose_cv.vision.stance import FEATURES, Stances, features

if TYPE_CHECKING:
    import numpy.typing as npt

ROOT = Path(__file__).parents[3]
FOLDS = 5
MEMBERS = 5
STEPS = 1500
BATCH = 384
BANK, BANK_STEPS = 40_000, 500
"""So many shaken examples are made at once and learnt from for so many steps: much faster than one batch at a time."""
FIELDS = ("wide", "up", "straight", "top")
COLUMNS = 3 + len(FIELDS)
SHARES = {"shared": 0.3, "rendered": 0.3, "placed": 0.2, "landmarks": 0.2}
"""How much of what is learnt from comes from where."""

torch.set_num_threads(1)  # small nets: more threads only wait for each other


class Net(nn.Module):
    """Features → logits: three of the kind, one each of wide, up, straight, top."""

    def __init__(self, mean: torch.Tensor, deviation: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("deviation", deviation)
        self.layers = nn.Sequential(
            nn.Linear(FEATURES, 128),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(128, 96),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(96, COLUMNS),
        )

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Logits of shape (n, 7)."""
        logits: torch.Tensor = self.layers(((numbers - self.mean) / self.deviation).clamp(-6, 6))
        return logits


class Ensemble(nn.Module):
    """What is shipped: the members' mean probabilities, each calibrated by one temperature a field."""

    def __init__(self, members: list[Net], temperatures: torch.Tensor) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)
        self.register_buffer("temperatures", temperatures)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Probabilities of shape (n, 7): antler, ear, neither; wide, up, straight, top."""
        logits = torch.stack([member(numbers) for member in self.members]).mean(0) / self.temperatures
        return torch.cat([logits[:, :3].softmax(1), logits[:, 3:].sigmoid()], 1)


def turned(examples: Examples, draw: np.random.Generator) -> Examples:
    """Hands without a head, turned at random: which way they point is then known from the turn."""
    stances = examples.stances
    angle = np.where(
        draw.random(len(examples)) < 0.5, draw.normal(0, 0.5, len(examples)), draw.uniform(-np.pi, np.pi, len(examples))
    )
    points = stances.points.copy()
    points[..., :2] = _rotated(stances.points[..., :2], angle)
    way = points[:, 9, :2] - points[:, 0, :2]
    steep = -way[:, 1] / np.linalg.norm(way, axis=1)
    truth = examples.truth.copy()
    antler = truth[:, 0] == ANTLER
    truth[antler, 2] = np.select([steep[antler] > 0.5, steep[antler] < -0.5], [1, 0], UNKNOWN)
    return replace(examples, stances=replace(stances, points=points), truth=truth)


def _rotated(points: npt.NDArray[np.float32], angle: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, y = points[..., 0], points[..., 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], -1).astype(np.float32)


def placed(hands: Examples, heads: Examples, draw: np.random.Generator, count: int) -> Examples:
    """Hands of real people laid over rendered ones that stand at heads.

    An antler takes the place of an antler, thumb on thumb; an ear that of an ear, root on root; what is neither, any
    place. A quarter of the antlers and ears is drawn off the head: then they are neither. The others
    stand loosely, as people hold them and as a hand nearer the camera than the head looks.
    """
    rows = _evenly(hands, draw, count)
    kind = hands.truth[rows, 0]
    beds = np.zeros(count, np.intp)
    for one in (ANTLER, EAR, NEITHER):
        pool = np.arange(len(heads)) if one == NEITHER else np.flatnonzero(heads.truth[:, 0] == one)
        beds[kind == one] = pool[draw.integers(len(pool), size=int((kind == one).sum()))]
    hand, bed = hands.take(rows), heads.take(beds)
    laid = _laid_over(hand.stances.points, bed.stances.at_head, kind, draw)
    off = (kind != NEITHER) & (draw.random(count) < 0.25)
    away = np.stack([draw.uniform(1.6, 4.0, count), draw.uniform(-1.5, 1.0, count)], 1)
    near = np.stack([draw.uniform(-0.2, 0.6, count), draw.normal(0, 0.2, count)], 1)
    laid[..., :2] += np.where(off[:, None], away, near)[:, None].astype(np.float32)
    truth = hand.truth.copy()
    truth[:, 2] = np.where(kind == ANTLER, bed.truth[:, 2], UNKNOWN)
    truth[:, 4] = np.where(kind == EAR, bed.truth[:, 4], UNKNOWN)
    truth[off] = (NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    picture = laid * np.array([1, -1, 1], np.float32)
    stances = replace(bed.stances, points=picture, at_head=laid[..., :2])
    return Examples(stances, truth, hand.person)


def _laid_over(
    points: npt.NDArray[np.float32],
    beds: npt.NDArray[np.float32],
    kind: npt.NDArray[np.int8],
    draw: np.random.Generator,
) -> npt.NDArray[np.float32]:
    """Hands (pictures, y down) moved, turned and scaled onto hands at heads (y up); depth keeps its share."""
    hands = points * np.array([1, -1, 1], np.float32)
    mirrored = draw.random(len(hands)) < 0.3
    mirrored ^= (kind == ANTLER) & _thumb_outward(hands, beds)
    hands[mirrored, :, 0] *= -1
    way, goal = hands[:, 9, :2] - hands[:, 0, :2], beds[:, 9] - beds[:, 0]
    angle = np.arctan2(goal[:, 1], goal[:, 0]) - np.arctan2(way[:, 1], way[:, 0])
    hands[..., :2] = _rotated(hands[..., :2], angle + draw.normal(0, 0.12, len(hands)))
    scale = np.linalg.norm(goal, axis=1) / np.linalg.norm(way, axis=1) * np.exp(draw.normal(0, 0.08, len(hands)))
    hands *= scale[:, None, None].astype(np.float32)
    joint = np.where(kind == ANTLER, 4, 5)
    shift = beds[np.arange(len(beds)), joint] - hands[np.arange(len(hands)), joint, :2]
    hands[..., :2] += shift[:, None]
    return hands


def _thumb_outward(hands: npt.NDArray[np.float32], beds: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Whether a hand's thumb stands on the other side of it than the thumb of the hand it is laid over."""

    def side(joints: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        way, thumb = joints[:, 9, :2] - joints[:, 0, :2], joints[:, 4, :2] - joints[:, 0, :2]
        return np.asarray(np.sign(way[:, 0] * thumb[:, 1] - way[:, 1] * thumb[:, 0]), np.float32)

    return side(hands) != side(beds)


def shaken(stances: Stances, draw: np.random.Generator) -> Stances:
    """Stances with the landmarks' noise, and now and then without depth or head."""
    count = len(stances)
    size = np.linalg.norm(stances.points[:, 9, :2] - stances.points[:, 0, :2], axis=1)
    noise = np.exp(draw.normal(-4.2, 0.6, count)).astype(np.float32)
    points = stances.points + (noise * size)[:, None, None] * draw.normal(size=stances.points.shape).astype(np.float32)
    points[draw.random(count) < 0.1, :, 2] = np.nan
    tilt = draw.normal(0, 0.08, count)
    at_head = _rotated(stances.at_head, tilt) * np.exp(draw.normal(0, 0.12, (count, 1, 1))).astype(np.float32)
    at_head += draw.normal(0, 0.15, (count, 1, 2)).astype(np.float32)
    spread = np.linalg.norm(at_head[:, 9] - at_head[:, 0], axis=1)
    at_head += (noise * spread)[:, None, None] * draw.normal(size=at_head.shape).astype(np.float32)
    temple = stances.temple + draw.normal(0, 0.05, stances.temple.shape).astype(np.float32)
    facing = stances.facing + draw.normal(0, 3, stances.facing.shape).astype(np.float32)
    headless = draw.random(count) < 0.08
    for known in (at_head, temple, facing):
        known[headless] = np.nan
    own_hand = np.where(headless, np.nan, stances.own_hand).astype(np.float32)
    return Stances(points, at_head, temple, facing, own_hand)


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything there is to learn from, by name; a source may be absent."""

    examples: dict[str, Examples]

    def without(self, people: frozenset[str]) -> Sources:
        """All but some people."""
        return Sources(
            {
                name: examples.take(np.flatnonzero([person not in people for person in examples.person]))
                for name, examples in self.examples.items()
            }
        )

    def heads(self) -> Examples:
        """The hands that stand at heads."""
        return Examples.join([self.examples[name] for name in ("shared", "rendered") if name in self.examples])

    def bank(self, draw: np.random.Generator, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Features and truth of about so many random examples, shaken."""
        heads, parts = self.heads(), []
        for name, share in SHARES.items():
            if name == "placed":
                parts.append(placed(self.examples["landmarks"], heads, draw, int(share * count)))
            elif name in self.examples:
                picked = self.examples[name].take(_evenly(self.examples[name], draw, int(share * count)))
                parts.append(turned(picked, draw) if name == "landmarks" else picked)
        together = Examples.join(parts)
        numbers = features(shaken(together.stances, draw))
        return torch.from_numpy(numbers), torch.from_numpy(together.truth.astype(np.int64))


def _evenly(examples: Examples, draw: np.random.Generator, count: int) -> npt.NDArray[np.intp]:
    """Rows drawn so that antlers, ears and neither come equally often, as far as there are any."""
    pools = [np.flatnonzero(examples.truth[:, 0] == kind) for kind in (ANTLER, EAR, NEITHER)]
    pools = [pool for pool in pools if len(pool)]
    which = draw.integers(len(pools), size=count)
    rows = np.zeros(count, np.intp)
    for number, pool in enumerate(pools):
        mine = which == number
        rows[mine] = pool[draw.integers(len(pool), size=int(mine.sum()))]
    return rows


def loss_of(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the kind and of each field that is known."""
    loss = nn.functional.cross_entropy(logits[:, :3], truth[:, 0], label_smoothing=0.02)
    for column in range(len(FIELDS)):
        known = truth[:, 1 + column] >= 0
        if known.any():
            wanted = truth[known, 1 + column].float() * 0.98 + 0.01
            loss = loss + nn.functional.binary_cross_entropy_with_logits(logits[known, 3 + column], wanted)
    return loss


def fit(sources: Sources, seed: int, steps: int, progress: Progress, name: str) -> Net:
    """Train one net."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    numbers, truth = sources.bank(draw, BANK)
    net = Net(numbers.mean(0), numbers.std(0).clamp_min(0.02))
    optimiser = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    task = progress.add_task(name, total=steps)
    for step in range(steps):
        if step and step % BANK_STEPS == 0:
            numbers, truth = sources.bank(draw, BANK)
        rows = torch.from_numpy(draw.integers(len(truth), size=BATCH))
        loss = loss_of(net(numbers[rows]), truth[rows])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        progress.advance(task)
    return net.eval()


def kept(name: str, sources: Sources, seed: int, options: argparse.Namespace, progress: Progress) -> Net:
    """A net from its file, or trained and kept there."""
    path = WORK / f"{name}.pt"
    if path.exists() and not options.again:
        net = Net(torch.zeros(FEATURES), torch.ones(FEATURES))
        net.load_state_dict(torch.load(path))
        return net.eval()
    net = fit(sources, seed, options.steps, progress, name)
    torch.save(net.state_dict(), path)
    return net


def left_out_logits(
    sources: Sources, options: argparse.Namespace, progress: Progress
) -> dict[str, npt.NDArray[np.float32]]:
    """For every example the logits of a net that has not seen its person."""
    people = {name: sorted(set(examples.person)) for name, examples in sources.examples.items()}
    draw = np.random.default_rng(0)
    fold_of = {
        person: int(fold)
        for who in people.values()
        for person, fold in zip(draw.permutation(who), np.arange(len(who)) % FOLDS, strict=True)
    }
    logits = {name: np.zeros((len(examples), COLUMNS), np.float32) for name, examples in sources.examples.items()}
    for fold in range(FOLDS):
        out = frozenset(person for person, own in fold_of.items() if own == fold)
        net = kept(f"fold{fold}", sources.without(out), fold, options, progress)
        for name, examples in sources.examples.items():
            rows = np.flatnonzero([person in out for person in examples.person])
            with torch.no_grad():
                logits[name][rows] = net(torch.from_numpy(features(examples.take(rows).stances))).numpy()
    return logits


def temperatures_of(logits: npt.NDArray[np.float32], truth: npt.NDArray[np.int8]) -> torch.Tensor:
    """The temperature of each column that makes left-out people's probabilities most likely; at least 1."""
    values = np.geomspace(1.0, 4.0, 40)
    answers, known = torch.from_numpy(logits), torch.from_numpy(truth.astype(np.int64))
    kind = min(values, key=lambda value: float(nn.functional.cross_entropy(answers[:, :3] / value, known[:, 0])))
    found = [kind] * 3
    for column in range(len(FIELDS)):
        rows = known[:, 1 + column] >= 0
        found.append(
            min(
                values,
                key=lambda value: float(
                    nn.functional.binary_cross_entropy_with_logits(
                        answers[rows, 3 + column] / value, known[rows, 1 + column].float()
                    )
                ),
            )
        )
    return torch.tensor(np.array(found, np.float32))


def report(name: str, logits: npt.NDArray[np.float32], truth: npt.NDArray[np.int8]) -> None:
    """Print how often each field is right."""
    kind = logits[:, :3].argmax(1)
    print(f"{name}: kind {np.mean(kind == truth[:, 0]):.3f} of {len(truth)}", end="")
    for value, word in ((ANTLER, "antler"), (EAR, "ear"), (NEITHER, "neither")):
        rows = truth[:, 0] == value
        if rows.any():
            print(f"; {word} {np.mean(kind[rows] == value):.3f} of {rows.sum()}", end="")
    for column, word in enumerate(FIELDS):
        rows = truth[:, 1 + column] >= 0
        if rows.any():
            right = (logits[rows, 3 + column] > 0) == (truth[rows, 1 + column] > 0)
            print(f"; {word} {right.mean():.3f} of {rows.sum()}", end="")
    print(flush=True)


def main() -> None:
    """Measure on left-out people, then train what is shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--again", action="store_true", help="train also what is kept")
    parser.add_argument("--measure-only", action="store_true", help="stop after the figures on left-out people")
    options = parser.parse_args()
    found = {name: gathered(name) for name in ("landmarks", "shared", "rendered")}
    sources = Sources({name: examples for name, examples in found.items() if examples is not None})
    with Progress() as progress:
        logits = left_out_logits(sources, options, progress)
        for name, examples in sources.examples.items():
            report(name, logits[name], examples.truth)
        if options.measure_only:
            return
        at_heads = [name for name in sources.examples if name != "landmarks"]
        temperatures = temperatures_of(np.concatenate([logits[name] for name in at_heads]), sources.heads().truth)
        print("temperatures", temperatures.numpy().round(2))
        members = [kept(f"member{seed}", sources, 100 + seed, options, progress) for seed in range(MEMBERS)]
    ship(Ensemble(members, temperatures).eval())


def ship(ensemble: Ensemble) -> None:
    """Write the net in the form that OpenCV reads."""
    path = ROOT / "models/headgear.onnx"
    torch.onnx.export(
        ensemble,
        (torch.zeros(2, FEATURES),),
        str(path),
        input_names=["features"],
        output_names=["probabilities"],
        dynamic_axes={"features": {0: "hands"}, "probabilities": {0: "hands"}},
        opset_version=17,
        dynamo=False,
    )
    print("wrote", path.relative_to(ROOT), path.stat().st_size // 1024, "KB")


if __name__ == "__main__":
    main()
