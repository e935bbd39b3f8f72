"""Hand network: the shape of a hand from its joints, and what the hand is at its place at a head.

The shape part learns from photographed hands and rendered players and never sees a person of `../shared/people`. The
place part reads the shape's logits and the place of the hand, and learns the kind from real people; renders teach it
what people there do not show (antlers that point down, the place of ears), but never which place counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.hand_features import FEATURES, SHAPE_FEATURES, features
from training.headgear.examples import KIND_OF_SHAPE, NEITHER, UNKNOWN, Hands, Shape
from training.headgear.hand_examples import moved, noisy, off_the_head, rows_by_weight, turned_at_random
from training.headgear.targets import targets_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

MEMBERS: Final = 4
FARTHEST: Final = 4.0
"""Bound of an input, in deviations from its mean."""

SHAPES, KINDS = len(Shape), 3
PLACE_LOGITS, PLACE_FIELDS = [0, 1, 2, 4, 6], [0, 2, 4]
"""Columns of the place part among the seven logits (kind, up, top), and among the five fields."""

BATCH: Final = 256
SMOOTHED: Final = 0.03
BANK, BANK_STEPS = 20_000, 150
"""Number of noisy examples made at once, and of steps that learn from them."""

SHAPE_STEPS, SHAPE_DECAY = 2500, 0.05
RENDERED_SHAPES: Final = 0.3
"""Share of renders in the examples of the shape part: they alone show floppy ears and antlers that point down."""

PLACE_STEPS, PLACE_DECAY = 500, 0.5
RENDERED_PLACES, MOVED_OFF, TURNED_PLACES = 0.15, 0.1, 0.03
"""Weights in the place part, if that of people is 1: renders, headgear of people moved off the head, and photographed
hands by themselves."""

Part = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Numbers, targets and the mask of known targets, one row an example."""


class Perceptrons(nn.Module):
    """Ensemble of multilayer perceptrons on standardised numbers; their logits are averaged.

    Args:
        widths: sizes of the layers, from the input to the output.
        classes: number of the first outputs, which exclude each other; each other output is a yes or no.
    """

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, widths: Sequence[int], classes: int) -> None:
        super().__init__()
        self.classes = classes
        self.register_buffer("mean", torch.zeros(widths[0]))
        self.register_buffer("deviation", torch.ones(widths[0]))
        self.members = nn.ModuleList(_perceptron(widths) for _ in range(MEMBERS))

    def standardise_by(self, numbers: torch.Tensor) -> None:
        """Take mean and deviation of examples."""
        self.mean.copy_(numbers.mean(0))
        self.deviation.copy_(numbers.std(0) + 0.02)

    def standardised(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the inputs of the members."""
        return ((numbers - self.mean) / self.deviation).clamp(-FARTHEST, FARTHEST)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the mean of the members' logits."""
        known = self.standardised(numbers)
        return torch.stack([member(known) for member in self.members]).mean(0)


def _perceptron(widths: Sequence[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout(0.2)]
    return nn.Sequential(*layers[:-2])


class HandNet(nn.Module):
    """Features of shape (n, FEATURES) → logits at a head and of hands by themselves, each of shape (n, 7).

    The columns are antler, ear, neither (log probabilities); wide, up, straight, top (logits). The place of an ear
    means nothing for a hand by itself.
    """

    kinds_of_shapes: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.shape = Perceptrons((SHAPE_FEATURES, 96, 64, SHAPES + 2), SHAPES)
        self.place = Perceptrons((SHAPES + 2 + FEATURES - SHAPE_FEATURES, 64, KINDS + 2), KINDS)
        self.register_buffer("kinds_of_shapes", torch.eye(KINDS)[list(KIND_OF_SHAPE.values())], persistent=False)

    def place_inputs(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the inputs of the place part: logits of the shape, those of the kinds of shape centred; the place."""
        shape = self.shape(numbers[:, :SHAPE_FEATURES])
        kinds = shape[:, :SHAPES]
        centred = kinds - kinds.mean(1, keepdim=True)
        return torch.cat([centred, shape[:, SHAPES:], numbers[:, SHAPE_FEATURES:]], 1)

    def forward(self, numbers: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return both kinds of logits."""
        inputs = self.place_inputs(numbers)
        place = self.place(inputs)
        wide, straight = inputs[:, SHAPES : SHAPES + 1], inputs[:, SHAPES + 1 : SHAPES + 2]
        fields = torch.cat([wide, place[:, KINDS : KINDS + 1], straight, place[:, KINDS + 1 :]], 1)
        alone = torch.log(torch.softmax(inputs[:, :SHAPES], 1) @ self.kinds_of_shapes)
        return torch.cat([torch.log_softmax(place[:, :KINDS], 1), fields], 1), torch.cat([alone, fields], 1)


@dataclass(frozen=True, slots=True, eq=False)
class PeopleHands:
    """Hands at heads of real people, with their weights in training, shape (n,)."""

    hands: Hands
    weights: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class HandSources:
    """Hands to learn from.

    Attributes:
        photographs: photographed hands by themselves.
        renders: hands at heads of rendered players.
    """

    photographs: Hands
    renders: Hands

    def only(self, *, left_out: bool) -> HandSources:
        """Return the hands of the persons who are left out of training, or of all others."""
        return HandSources(
            *(
                hands.take(np.flatnonzero(hands.truth.left_out == left_out))
                for hands in (self.photographs, self.renders)
            )
        )


def fit_shapes(net: HandNet, sources: HandSources, seed: int, steps: int = SHAPE_STEPS) -> None:
    """Train the shape part."""
    draw = np.random.default_rng(seed)
    photographs, renders = (_with_known_shape(each) for each in (sources.photographs, sources.renders))
    rendered = int(RENDERED_SHAPES * BANK)

    def bank() -> Part:
        shown = photographs.take(rows_by_weight(draw, _shape_weights(photographs), BANK - rendered))
        staged = renders.take(rows_by_weight(draw, _field_weights(renders), rendered))
        hands = Hands.join([noisy(shown, draw, turned=True), noisy(staged, draw, turned=False)])
        return torch.from_numpy(features(hands.features)[:, :SHAPE_FEATURES]), *_shape_targets(hands)

    _fit(net.shape, bank, draw, steps=steps, decay=SHAPE_DECAY)


def fit_places(net: HandNet, people: PeopleHands, sources: HandSources, seed: int, steps: int = PLACE_STEPS) -> None:
    """Train the place part, on top of a trained shape part.

    Args:
        net: the network, with its shape part trained.
        people: hands at heads of real people.
        sources: the hands that its shape part has learnt from.
        seed: seed of the drawing.
        steps: number of steps.
    """
    draw = np.random.default_rng(seed)
    turned = turned_at_random(sources.photographs, draw)
    headgear = np.flatnonzero(people.hands.truth.values[:, 0] != NEITHER)
    moved_off = off_the_head(people.hands.take(headgear), draw)
    hands = Hands.join([people.hands, moved_off, sources.renders, _directions(turned)])
    weights = np.concatenate(
        [
            people.weights / people.weights.sum(),
            MOVED_OFF * people.weights[headgear] / people.weights[headgear].sum(),
            RENDERED_PLACES * _field_weights(sources.renders),
            TURNED_PLACES * evened(turned.truth.person),
        ]
    )

    def bank() -> Part:
        shown = moved(hands.take(rows_by_weight(draw, weights, BANK)), draw)
        with torch.no_grad():
            numbers = net.place_inputs(torch.from_numpy(features(shown.features)))
        wanted, known = targets_of(shown.truth.values, shown.truth.between, SMOOTHED)
        return numbers, wanted[:, PLACE_LOGITS], known[:, PLACE_FIELDS]

    _fit(net.place, bank, draw, steps=steps, decay=PLACE_DECAY)


def _fit(net: Perceptrons, bank: Callable[[], Part], draw: np.random.Generator, *, steps: int, decay: float) -> None:
    """Train an ensemble; each member learns from examples of its own."""
    torch.manual_seed(int(draw.integers(2**31)))
    numbers, wanted, known = bank()
    net.standardise_by(numbers)
    for member in net.members:
        member.apply(_reset)
    optimiser = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    net.train()
    for step in range(steps):
        if step and step % BANK_STEPS == 0:
            numbers, wanted, known = bank()
        loss = torch.zeros(())
        for member in net.members:
            rows = torch.from_numpy(draw.integers(len(numbers), size=BATCH))
            logits = member(net.standardised(numbers[rows]))
            loss = loss + _loss(logits, wanted[rows], known[rows], net.classes)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    net.eval()


def _reset(layer: nn.Module) -> None:
    if isinstance(layer, nn.Linear):
        layer.reset_parameters()


def _loss(logits: torch.Tensor, wanted: torch.Tensor, known: torch.Tensor, classes: int) -> torch.Tensor:
    """Cross entropy of the class and of each yes or no, over the examples for which they are known."""
    kind = nn.functional.cross_entropy(logits[:, :classes], wanted[:, :classes], reduction="none")
    fields = nn.functional.binary_cross_entropy_with_logits(logits[:, classes:], wanted[:, classes:], reduction="none")
    off = known * torch.cat([kind[:, None], fields / 2], 1)
    loss: torch.Tensor = (off.sum(0) / known.sum(0).clamp_min(1)).sum()
    return loss


def _shape_targets(hands: Hands) -> tuple[torch.Tensor, torch.Tensor]:
    """Return targets of the shapes, wide and straight, shape (n, SHAPES + 2), and the mask, shape (n, 3)."""
    fields, known = targets_of(hands.truth.values, hands.truth.between, SMOOTHED)
    shapes = np.full((len(hands), SHAPES), SMOOTHED / (SHAPES - 1), np.float32)
    shapes[np.arange(len(hands)), hands.shape] = 1 - SMOOTHED
    wanted = torch.cat([torch.from_numpy(shapes), fields[:, [3, 5]]], 1)
    return wanted, torch.cat([torch.ones(len(hands), 1), known[:, [1, 3]]], 1)


def _with_known_shape(hands: Hands) -> Hands:
    return hands.take(np.flatnonzero((hands.shape != UNKNOWN) & ~hands.truth.between[:, 0]))


def _directions(photographs: Hands) -> Hands:
    """Return hands by themselves that teach the direction alone."""
    values = photographs.truth.values.copy()
    values[:, [0, 1, 3, 4]] = UNKNOWN
    return replace(photographs, truth=replace(photographs.truth, values=values))


OTHERS: Final = 4.0
"""Factor of the weights of rendered hands that are neither: all of them are few combinations of many."""

SHAPE_SHARES: Final = {Shape.OPEN: 1.0, Shape.TWO: 1.0, Shape.FOUR: 0.7, Shape.OTHER: 1.5}


def _shape_weights(photographs: Hands) -> npt.NDArray[np.float64]:
    """Weight each shape by its share, within it each person by the root of their hands."""
    weights = np.zeros(len(photographs))
    for shape, share in SHAPE_SHARES.items():
        rows = np.flatnonzero(photographs.shape == shape)
        weights[rows] = share * evened(photographs.truth.person[rows])
    return weights


def _field_weights(renders: Hands) -> npt.NDArray[np.float64]:
    """Weight each combination of shape and fields nearly alike, and those that are not headgear more."""
    names = [" ".join(map(str, row)) for row in np.column_stack([renders.shape, renders.truth.values])]
    weights = evened(np.array(names), 0.7) * np.where(renders.truth.values[:, 0] == NEITHER, OTHERS, 1.0)
    return np.asarray(weights / weights.sum(), np.float64)


def evened(names: npt.NDArray[np.str_], exponent: float = 0.5) -> npt.NDArray[np.float64]:
    """Return weights that add up to 1 and count each name with n to the power of 1 - exponent."""
    _, which, counts = np.unique(names, return_inverse=True, return_counts=True)
    weights = counts[which] ** -exponent
    return np.asarray(weights / weights.sum(), np.float64)
