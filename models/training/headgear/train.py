"""Stored hands and sides → our nets for headgears (`models/{headgear,side*,close}.onnx`) and `models/joining.toml`.

It also lists whom of the real hands no net has learnt from (`models/left_out/hands.toml`), for `bunnymoose evaluate`.

Run from a checkout: `python models/training/headgear/train.py`. Everything is seeded; what is trained is kept in
`models/training/work/headgear/` as it goes, so the work can be interrupted (`--again` begins anew). One of five people
teaches no net: on them the nets are measured, joined and calibrated. What it prints goes into their cards
(`models/*.md`). The hands of real people come from ../shared/landmarks, which must lie beside the checkout.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import joining
import numpy as np
import torch
from close_net import CloseNet, close_logits, fit_close, looked_at
from examples import ANTLER, EAR, NEITHER, Hands, Sides, Truth
from gather import GROUPS, PACKED_HANDS, ROOT, SHARED, WORK, packed_sides
from hand_net import HandNet, HandSources, fit_hands, hand_logits, real_hands
from kinematic import kinematic_hands
from side_net import BUSHES, EVEN, LESSONS, SideNet, fit_sides, side_logits
from torch import nn

from bunnymoose_cv.profile import load_profile
from bunnymoose_cv.vision.headgear.fusion import KINDS, LogitFusion, Seen, doubtful
from bunnymoose_cv.vision.headgear.hand_features import FEATURES
from bunnymoose_cv.vision.headgear.hand_refiner import NUMBERS
from bunnymoose_cv.vision.headgear.side_net import SIZE

sys.path.append(str(Path(__file__).parents[1]))
from export import export

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.vision.headgear.fusion import Logits

MEMBERS, CLOSE_MEMBERS = 3, 2
SIDE_NETS = {"side": (BUSHES, 1), "side_again": (EVEN, 0)}
"""Our side nets, the first look's and the second's: what each learns from, and its seed."""

HAND_STEPS = 2000
FIELDS = ("wide", "up", "straight", "top")
CALIBRATED = {"kind": "kind", "wide": "spread", "up": "direction", "straight": "form", "top": "place"}
"""What `calibration/default.toml` calls the limit of each."""

WRONG_AMONG_SURE = 0.005
TINY = 1e-9

torch.set_num_threads(1)  # small nets: more threads only wait for each other
cv2.setNumThreads(1)


class Mean(nn.Module):
    """Several nets as one: the mean of their logits."""

    def __init__(self, members: Sequence[nn.Module]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Logits of shape (n, 7)."""
        return torch.stack([member(numbers) for member in self.members]).mean(0)


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """What the nets say of the people who taught none: hands at heads, real hands by themselves, sides of heads.

    Of the sides what the first side net says by itself, what both say together, and what close looks tell.
    """

    hands: Hands
    hand_answers: Logits
    alone: Hands
    alone_answers: Logits
    sides: Sides
    first_answers: Logits
    side_answers: Logits
    close_answers: Logits

    def where_hands_are(self) -> tuple[tuple[Logits, Logits, Logits, Logits], Truth]:
        """Where there are hands at sides: what hand net, first side net, both and close net say, and the truth."""
        row_of = {place: row for row, place in enumerate(self.sides.truth.place)}
        pairs = [
            (row, row_of[_looked_at_whole(place)])
            for row, place in enumerate(self.hands.truth.place)
            if _looked_at_whole(place) in row_of
        ]
        hand_rows, side_rows = np.array(pairs, np.intp).T
        of_sides = (each[side_rows] for each in (self.first_answers, self.side_answers, self.close_answers))
        return (self.hand_answers[hand_rows], *of_sides), self.hands.truth.take(hand_rows)

    def as_read(self, together: LogitFusion) -> Logits:
        """Probabilities of all sides as the reader gives them, shape (n, 7)."""
        row_of = {place: row for row, place in enumerate(self.sides.truth.place)}
        pairs = [(row, row_of[place]) for row, place in enumerate(self.hands.truth.place) if place in row_of]
        hand_rows, side_rows = np.array(pairs, np.intp).T
        hand, side, close = np.zeros_like(self.side_answers), self.side_answers, self.close_answers
        hand[side_rows] = self.hand_answers[hand_rows]
        read = together.of_side(self.first_answers)
        read[side_rows] = together.of_hand_and_side(hand[side_rows], self.first_answers[side_rows])
        again = doubtful(read)
        read[again] = together.of_side_and_close(side[again], close[again])
        both = np.intersect1d(again, side_rows)
        read[both] = together.of_all(hand[both], side[both], close[both])
        lefts = [place for place in row_of if place.endswith("/left") and _right_of(place) in row_of]
        heads = np.array([(row_of[place], row_of[_right_of(place)]) for place in lefts], np.intp)
        hands_found = np.isin(heads, side_rows).all(1)
        for found in (False, True):
            left, right = heads[hands_found == found].T
            read[left], read[right] = together.on_one_head(read[left], read[right], hands_found=found)
        return read

    def handless(self) -> npt.NDArray[np.intp]:
        """Rows of the sides on which no hand was found."""
        found = set(self.hands.truth.place)
        return np.flatnonzero([place not in found for place in self.sides.truth.place])


def _looked_at_whole(place: str) -> str:
    """The place of a hand that was found in the small picture, as the large one names it."""
    return place.removesuffix("/small")


def _right_of(place: str) -> str:
    return place.removesuffix("left") + "right"


def report(name: str, answers: Logits, truth: Truth) -> None:
    """Print how often each field is right; shapes in between are left aside."""
    rows = np.flatnonzero(~truth.between.any(1))
    answers, values = answers[rows], truth.values[rows]
    kind = answers[:, :KINDS].argmax(1)
    print(f"{name}: kind {np.mean(kind == values[:, 0]):.4f} of {len(values)}", end="")
    for value, word in ((ANTLER, "antler"), (EAR, "ear"), (NEITHER, "neither")):
        own = values[:, 0] == value
        if own.any():
            print(f"; {word} {np.mean(kind[own] == value):.4f} of {own.sum()}", end="")
    for column, word in enumerate(FIELDS):
        own = values[:, 1 + column] >= 0
        if own.any():
            right = (answers[own, KINDS + column] > 0) == (values[own, 1 + column] > 0)
            print(f"; {word} {right.mean():.4f} of {own.sum()}", end="")
    print(flush=True)


def report_limits(probabilities: Logits, truth: Truth) -> None:
    """Print for each field how many are asked about and how many sure ones are wrong, with two limits.

    The first is that of `calibration/default.toml`, the second the lowest above which at most one of 200 is wrong.
    """
    rows = np.flatnonzero(~truth.between.any(1))
    probabilities, values = probabilities[rows], truth.values[rows]
    kind = probabilities[:, :KINDS]
    fields = {"kind": (kind.max(1), kind.argmax(1) == values[:, 0])}
    for column, word in enumerate(FIELDS):
        own = values[:, 1 + column] >= 0
        share = probabilities[own, KINDS + column]
        fields[word] = np.maximum(share, 1 - share), (share > 0.5) == (values[own, 1 + column] > 0)
    today = load_profile().headgear
    for word, (confidence_of, right) in fields.items():
        for limit in (getattr(today, CALIBRATED[word]), _limit(confidence_of, right)):
            sure = confidence_of >= limit
            wrong = np.count_nonzero(~right[sure])
            print(f"{word}, limit {limit:.3f}: asked {1 - sure.mean():.3f}, wrong {wrong} of {sure.sum()} sure")


def _limit(confidence_of: Logits, right: npt.NDArray[np.bool_]) -> float:
    """The lowest limit above which at most `WRONG_AMONG_SURE` are wrong."""
    limits = np.arange(0.5, 1.0, 0.005)
    wrong = [
        np.count_nonzero(~right[confidence_of >= limit]) / max(1, int(np.sum(confidence_of >= limit)))
        for limit in limits
    ]
    good = [limit for limit, share in zip(limits, wrong, strict=True) if share <= WRONG_AMONG_SURE]
    return float(good[0]) if good else 1.0


def taught_hands(options: argparse.Namespace) -> tuple[list[HandNet], HandSources]:
    """The hand nets with the people whom they have not seen."""
    heads, real = Hands.load(PACKED_HANDS), real_hands()
    list_people(real.truth)
    taught, unseen = (
        HandSources(*(hands.take(np.flatnonzero(hands.truth.left_out == out)) for hands in (heads, real)))
        for out in (False, True)
    )
    nets = [_kept_hand_net(WORK / f"hand{seed}.pt", taught, seed, options) for seed in range(MEMBERS)]
    made = kinematic_hands(4000, np.random.default_rng(1))
    report("hands made of joints", hand_logits(nets, made), made.truth)
    return nets, unseen


def _kept_hand_net(file: Path, sources: HandSources, seed: int, options: argparse.Namespace) -> HandNet:
    if file.exists() and not options.again:
        net = HandNet(torch.zeros(FEATURES), torch.ones(FEATURES))
        net.load_state_dict(torch.load(file))
        return net.eval()
    net = fit_hands(sources, seed, options.hand_steps)
    torch.save(net.state_dict(), file)
    return net


def list_people(real: Truth) -> None:
    """Write whom of ../shared/landmarks the hand nets learn from and whom not, for `bunnymoose evaluate`."""
    lines = [
        "# Whom headgear.onnx has not seen of each source of ../shared/landmarks that it learnt from; of others it has",
        "# seen nobody. Written by models/training/headgear/train.py.",
    ]
    people = {tuple(name.split(":", 1)): out for name, out in zip(real.person, real.left_out, strict=True)}
    for source in sorted({source for source, _ in people}):
        names = sorted(who for (own, who), left_out in people.items() if own == source and left_out)
        lines += ["", f"[{source}]", "unseen = [", *(f'    "{who}",' for who in names), "]"]
    (ROOT / "models/left_out/hands.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def all_sides() -> tuple[Sides, Sides]:
    """The sides that teach, and those of the people who teach no net."""
    sides = packed_sides()
    if GROUPS.exists():
        sides = Sides.join([sides, Sides.load(GROUPS)])
    out = sides.truth.left_out
    return sides.take(np.flatnonzero(~out)), sides.take(np.flatnonzero(out))


def taught_sides(sides: Sides, options: argparse.Namespace) -> list[SideNet]:
    """The side nets."""
    nets = []
    for name, (mix, seed) in SIDE_NETS.items():
        file = WORK / f"{name}.pt"
        if options.again:
            file.unlink(missing_ok=True)
        nets.append(fit_sides(sides, mix, seed, options.lessons, file))
    return nets


def taught_closely(
    side_net: SideNet, taught: Sides, unseen: Sides, options: argparse.Namespace
) -> tuple[list[CloseNet], Logits]:
    """The close nets, and what they say of people whom they have not seen."""
    files = [WORK / "looks_taught.npz", WORK / "looks_unseen.npz"]
    if options.again:
        for file in files:
            file.unlink(missing_ok=True)
    looks = looked_at(side_net, taught, files[0], np.random.default_rng(0))
    nets = [fit_close(looks, taught.truth, seed) for seed in range(CLOSE_MEMBERS)]
    unseen_looks = looked_at(side_net, unseen, files[1])
    return nets, np.mean([close_logits(net, unseen_looks) for net in nets], 0)


def join(left_out: LeftOut) -> None:
    """Fit how much each net counts, measure what they say together, and write the weights."""
    (hand, first, side, close), truth = left_out.where_hands_are()
    report("hands at rendered heads", left_out.hand_answers, left_out.hands.truth)
    report("hands of real people by themselves", left_out.alone_answers, left_out.alone.truth)
    report("sides of rendered heads, first net", left_out.first_answers, left_out.sides.truth)
    report("sides of rendered heads, both nets", left_out.side_answers, left_out.sides.truth)
    report("close looks at them", left_out.close_answers, left_out.sides.truth)
    rows = left_out.handless()
    handless = left_out.sides.truth.take(rows)
    of_sides = left_out.side_answers, left_out.close_answers
    weights = {
        Seen.HAND: joining.fitted(Seen.HAND, [left_out.alone_answers], left_out.alone.truth),
        Seen.SIDE: joining.fitted(Seen.SIDE, [left_out.first_answers], left_out.sides.truth),
        Seen.HAND_AND_SIDE: joining.fitted(Seen.HAND_AND_SIDE, [hand, first], truth),
        Seen.SIDE_AND_CLOSE: joining.fitted(Seen.SIDE_AND_CLOSE, of_sides, left_out.sides.truth),
        Seen.ALL: joining.fitted(Seen.ALL, [hand, side, close], truth),
    }
    weights = joining.at_tables(weights, left_out.sides.truth)
    pairs = joining.pairs_of(left_out.sides.truth)
    of_hands = joining.pairs_of_hands(left_out.sides.truth, left_out.hands.truth.place)
    together = LogitFusion(weights, pairs, of_hands)
    report("hand and first net, where a hand was found", weights[Seen.HAND_AND_SIDE].joined(hand, first, 0.0), truth)
    report("with the second net and a close look", weights[Seen.ALL].joined(hand, side, close), truth)
    alone = weights[Seen.SIDE].joined(0.0, left_out.first_answers[rows], 0.0)
    report("first net, where none was found", alone, handless)
    looked = weights[Seen.SIDE_AND_CLOSE].joined(0.0, *(answers[rows] for answers in of_sides))
    report("with the second net and a close look", looked, handless)
    read = left_out.as_read(together)
    report("sides as the reader says", np.log(read / (1 - read + TINY) + TINY), left_out.sides.truth)
    report_limits(read, left_out.sides.truth)
    joining.write(ROOT / "models/joining.toml", weights, pairs, of_hands)


def main() -> None:
    """Train, measure on left-out people, write what is shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hand-steps", type=int, default=HAND_STEPS)
    parser.add_argument("--lessons", type=int, nargs="+", default=LESSONS, help="steps of each lesson of the side net")
    parser.add_argument("--again", action="store_true", help="train also what is kept")
    options = parser.parse_args()
    if not SHARED.is_dir():
        parser.exit(2, f"The shared data must lie beside the checkout, at {SHARED}.\n")
    WORK.mkdir(parents=True, exist_ok=True)
    hand_nets, hands = taught_hands(options)
    taught, unseen = all_sides()
    side_nets = taught_sides(taught, options)
    close_nets, close_answers = taught_closely(side_nets[0], taught, unseen, options)
    heads, alone = hands.heads, hands.real
    said = [side_logits(net, unseen) for net in side_nets]
    of_sides = said[0], np.mean(said, 0), close_answers
    join(LeftOut(heads, hand_logits(hand_nets, heads), alone, hand_logits(hand_nets, alone), unseen, *of_sides))
    export(Mean(hand_nets), torch.zeros(2, FEATURES), "headgear.onnx", "features")
    for name, net in zip(SIDE_NETS, side_nets, strict=True):
        export(net, torch.zeros(2, 3, SIZE, SIZE), f"{name}.onnx", "cuts", ("answers", "joints"))
    export(Mean(close_nets), torch.zeros(2, NUMBERS), "close.onnx", "numbers")


if __name__ == "__main__":
    main()
