"""Hand network → `models/headgear.onnx` and its scales: `python -m training.headgear.train_hands`.

The shape part learns shapes from photographed hands (`../shared/landmarks`). Gathered renders teach it only whether
fingers are apart and straight, since their shapes make real ones less sure. It never sees a person of
`../shared/people`. The place part reads the shape's logits and the place of the hand, and learns the kind from those
people, also from hands whose label is only likely. Renders teach it what they do not show (antlers that point down,
the place of ears), but not which place counts. A second place part learns the same without the hands' pixels.

One of five persons of photographs and renders is left out of training, and shapes are measured on them. The scales of
hands at heads are fitted on the people, each read by a network whose place parts have not seen the person. Everything
is seeded; the shape part is kept in `training/work/headgear/`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.hand_features import FEATURES, PIXEL_LOGITS, SHAPE_FEATURES, HandFeatures, features
from bunnymoose_cv.vision.headgear.hand_shape import HandFrame, HandShapeNet
from bunnymoose_cv.vision.headgear.logit_scaling import KINDS, Seen
from training.content_cache import code_of, keyed
from training.export import export
from training.gathering import decoded, is_left_out
from training.hand_shape.hand_images import is_in_shape_training
from training.headgear.composites import hand_in_crop
from training.headgear.examples import KIND_OF_SHAPE, NEITHER, UNKNOWN, Hands, Shape, Truth
from training.headgear.gather import PACKED_HANDS, WORK, joints_in_crop, packed_sides
from training.headgear.hand_examples import (
    balanced_weights,
    directions_of,
    field_weights,
    moved,
    noisy,
    off_the_head,
    photographs,
    place_weights,
    rows_by_weight,
    shape_weights,
    turned_at_random,
    with_known_shape,
)
from training.headgear.people import cached_people, truth_of
from training.headgear.scaling import fitted, write_scales
from training.headgear.targets import LOGITS, report, targets_of
from training.manifest import record_models, write_unseen
from training.paths import MODELS
from training.training_loop import Part, Recipe, one_cycle, train, trained_once

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.vision.headgear.logit_scaling import Logits, Scale
    from training.headgear.people import PersonSide

    Examples = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
    """Inputs, targets and the mask of known targets, one row for each example."""

MEMBERS: Final = 4
FARTHEST: Final = 4.0
"""Bound of an input, in deviations from its mean."""

SHAPES: Final = len(Shape)

PLACE_INPUTS: Final = SHAPES + 2 + FEATURES - SHAPE_FEATURES
JOINT_INPUTS: Final = PLACE_INPUTS - PIXEL_LOGITS - 1
"""Number of inputs of the place part, and of the same part without pixels."""


class Perceptrons(nn.Module):
    """Ensemble of multilayer perceptrons on standardised numbers; their logits are averaged.

    Args:
        widths: sizes of the layers, from the input to the output.
        classes: number of leading outputs that are mutually exclusive classes. Each further output is binary.
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
        """Set the mean and the deviation of the inputs to those of examples."""
        self.mean.copy_(numbers.mean(0))
        self.deviation.copy_(numbers.std(0) + 0.02)

    def standardised(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return standardised and clipped inputs."""
        return ((numbers - self.mean) / self.deviation).clamp(-FARTHEST, FARTHEST)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the mean of the members' logits."""
        inputs = self.standardised(numbers)
        return torch.stack([member(inputs) for member in self.members]).mean(0)


def _perceptron(widths: Sequence[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout(0.2)]
    return nn.Sequential(*layers[:-2])


class HandNet(nn.Module):
    """Features of shape (n, FEATURES) → logits of hands at a head with and without pixels, and of single hands.

    Each is of shape (n, 7). The columns are antler, ear, neither (log probabilities); wide, up, straight, top (logits).
    The place of an ear has no meaning for a single hand.
    """

    kinds_of_shapes: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.shape = Perceptrons((SHAPE_FEATURES, 96, 64, SHAPES + 2), SHAPES)
        self.place = Perceptrons((PLACE_INPUTS, 64, KINDS + 2), KINDS)
        self.joints = Perceptrons((JOINT_INPUTS, 64, KINDS + 2), KINDS)
        self.register_buffer("kinds_of_shapes", torch.eye(KINDS)[list(KIND_OF_SHAPE.values())], persistent=False)

    def place_inputs(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the inputs of the place part: shape logits of the joints, place, shape logits of the pixels.

        The part without pixels reads the first JOINT_INPUTS of them.
        """
        shape, rest = self.shape(numbers[:, :SHAPE_FEATURES]), numbers[:, SHAPE_FEATURES:]
        place, pixels, seen = rest[:, : -PIXEL_LOGITS - 1], rest[:, -PIXEL_LOGITS - 1 : -1], rest[:, -1:]
        return torch.cat([_centred(shape), place, _centred(pixels), seen], 1)

    def forward(self, numbers: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the logits of hands at a head, of the same hands without pixels, and of single hands."""
        inputs = self.place_inputs(numbers)
        place, joints = self.place(inputs), self.joints(inputs[:, :JOINT_INPUTS])
        by_joints = inputs[:, SHAPES : SHAPES + 2]
        forms = by_joints + inputs[:, -3:-1]
        alone = torch.log(torch.softmax(inputs[:, :SHAPES], 1) @ self.kinds_of_shapes)
        return (
            torch.cat([torch.log_softmax(place[:, :KINDS], 1), _fields(forms, place)], 1),
            torch.cat([torch.log_softmax(joints[:, :KINDS], 1), _fields(by_joints, joints)], 1),
            torch.cat([alone, _fields(forms, place)], 1),
        )


def _fields(forms: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
    """Return the logits of wide, up, straight and top, from those of wide and straight and from a place part."""
    return torch.stack([forms[:, 0], place[:, KINDS], forms[:, 1], place[:, KINDS + 1]], 1)


def _centred(shape: torch.Tensor) -> torch.Tensor:
    """Subtract the mean of the class logits, which has no meaning."""
    kinds = shape[:, :SHAPES]
    return torch.cat([kinds - kinds.mean(1, keepdim=True), shape[:, SHAPES:]], 1)


@torch.no_grad()
def logits_of(net: HandNet, hands: Hands) -> tuple[Logits, Logits, Logits]:
    """Return the logits of hands at heads, of the same without pixels, and of single hands, each of shape (n, 7)."""
    at_head, by_joints, alone = (logits.numpy() for logits in net(torch.from_numpy(features(hands.features))))
    return at_head, by_joints, alone


def write_hand_net(net: HandNet, path: Path) -> None:
    """Write a hand network in the form that the product reads."""
    outputs = [seen.value for seen in (Seen.HAND, Seen.JOINTS, Seen.LONE_HAND)]
    export(net, torch.zeros(2, FEATURES), path, "features", outputs, halved=False)


KIND_SHARES: Final = np.array([7, 7, 10])
"""Declared shares of antlers, ears and neither among the hands beside heads. Probabilities are calibrated for them."""

SEED: Final = 1
INNER_FOLDS: Final = 5

PLACE_LOGITS, PLACE_FIELDS = [0, 1, 2, 4, 6], [0, 2, 4]
"""Columns of the place part among the seven logits (kind, up, top), and among the five fields."""

BATCH: Final = 256
RATE: Final = 3e-3
SMOOTHED: Final = 0.03
BANK, BANK_STEPS = 20_000, 150
"""Number of noisy examples made at once, and of training steps that use them."""

SHAPE_STEPS, SHAPE_DECAY = 2500, 0.05
RENDERED_SHAPES: Final = 0.5
"""Share of renders in the examples of the shape part, for the fields alone: few photographs show floppy ears."""

PLACE_STEPS, PLACE_DECAY = 500, 0.5
LIKELY, RENDERED_PLACES, MOVED_OFF, TURNED_PLACES = 0.25, 0.3, 0.1, 0.03
"""Weights of sources in the place part, relative to people with sure labels: people with likely labels, renders,
headgear of people moved off the head, and single photographed hands."""


@dataclass(frozen=True, slots=True, eq=False)
class HandSources:
    """Hands for training.

    Attributes:
        photographs: single photographed hands.
        renders: hands at heads of rendered players.
    """

    photographs: Hands
    renders: Hands

    @classmethod
    def load(cls) -> HandSources:
        """Load photographed and rendered hands."""
        return cls(photographs(), renders_unseen_by_shape_net())

    def only(self, *, left_out: bool) -> HandSources:
        """Return only the hands of held-out persons, or only those of the others."""
        both = (self.photographs, self.renders)
        return HandSources(*(hands.take(np.flatnonzero(hands.truth.left_out == left_out)) for hands in both))


def renders_unseen_by_shape_net() -> Hands:
    """Return hands of rendered persons whom the hand-shape network has not seen, with its logits."""
    hands, sides, net = Hands.load(PACKED_HANDS), packed_sides(), HandShapeNet()
    unseen = [is_left_out(person) or not is_in_shape_training(person) for person in hands.truth.person]
    hands = hands.take(np.flatnonzero(unseen))
    cut_at = dict(zip(sides.truth.place.tolist(), sides.cuts, strict=True))
    pixels = np.full((len(hands), PIXEL_LOGITS), np.nan, np.float32)
    for row, place in enumerate(hands.truth.place.tolist()):
        cut = cut_at.get(place.removesuffix("/small"))
        joints = joints_in_crop(hands.features.at_head[row])
        if cut is not None and hand_in_crop(joints):
            pixels[row] = net.logits([HandFrame.around(joints).cut(decoded([cut])[0], mirrored=False)])[0]
    return replace(hands, features=replace(hands.features, pixels=pixels))


def people_hands(sides: Sequence[PersonSide]) -> tuple[Hands, npt.NDArray[np.float64]]:
    """Return the detected hands of people, and their weights in training.

    Antlers, ears, other hands and hands at empty sides have equal weight. Within each of them, a person's weight is the
    square root of the number of sides.
    """
    found = [side for side in sides if side.hand is not None]
    truth = truth_of(found)
    joints = HandFeatures.join([side.hand for side in found if side.hand is not None])
    hands = Hands(joints, truth, np.full(len(found), UNKNOWN, np.int8))
    held = np.array([side.held.value for side in found])
    weights = np.zeros(len(found))
    for content in np.unique(held):
        rows = np.flatnonzero(held == content)
        weights[rows] = balanced_weights(truth.person[rows])
    return hands, weights


def fit_shapes(net: HandNet, sources: HandSources) -> HandNet:
    """Train the shape part."""
    draw = np.random.default_rng(SEED)
    real, renders = with_known_shape(sources.photographs), with_known_shape(sources.renders)
    rendered = int(RENDERED_SHAPES * BANK)

    def bank() -> Examples:
        shown = real.take(rows_by_weight(draw, shape_weights(real), BANK - rendered))
        staged = renders.take(rows_by_weight(draw, field_weights(renders), rendered))
        hands = Hands.join([noisy(shown, draw, turned=True), noisy(staged, draw, turned=False)])
        targets, known = _shape_targets(hands)
        known[len(shown) :, 0] = 0  # the shapes of renders
        return torch.from_numpy(features(hands.features)[:, :SHAPE_FEATURES]), targets, known

    _fit(net.shape, bank, draw, SHAPE_STEPS, SHAPE_DECAY)
    return net


def fit_places(
    net: HandNet, sides: Sequence[PersonSide], likely_sides: Sequence[PersonSide], sources: HandSources
) -> None:
    """Train the place parts, with and without pixels, on people and on the sources, with the shape part fixed."""
    draw = np.random.default_rng(SEED)
    people, person_weights = people_hands(sides)
    likely, likely_weights = people_hands(likely_sides)
    turned = turned_at_random(sources.photographs, draw)
    headgear = np.flatnonzero(people.truth.values[:, 0] != NEITHER)
    moved_off = off_the_head(people.take(headgear), draw)
    hands = Hands.join([people, likely, moved_off, sources.renders, directions_of(turned)])
    weights = np.concatenate(
        [
            person_weights / person_weights.sum(),
            LIKELY * likely_weights / likely_weights.sum(),
            MOVED_OFF * person_weights[headgear] / person_weights[headgear].sum(),
            RENDERED_PLACES * place_weights(sources.renders),
            TURNED_PLACES * balanced_weights(turned.truth.person),
        ]
    )

    def bank(count: int) -> Examples:
        shown = moved(hands.take(rows_by_weight(draw, weights, BANK)), draw)
        with torch.no_grad():
            inputs = net.place_inputs(torch.from_numpy(features(shown.features)))
        targets, known = targets_of(shown.truth.values, shown.truth.between, SMOOTHED)
        return inputs[:, :count], targets[:, PLACE_LOGITS], known[:, PLACE_FIELDS]

    _fit(net.place, partial(bank, PLACE_INPUTS), draw, PLACE_STEPS, PLACE_DECAY)
    _fit(net.joints, partial(bank, JOINT_INPUTS), draw, PLACE_STEPS, PLACE_DECAY)


def _fit(net: Perceptrons, bank: Callable[[], Examples], draw: np.random.Generator, steps: int, decay: float) -> None:
    """Train an ensemble; each member draws its own batches."""
    torch.manual_seed(int(draw.integers(2**31)))
    inputs, targets, known = bank()
    net.standardise_by(inputs)
    net.members.apply(_reset)

    def loss(step: int) -> torch.Tensor:
        nonlocal inputs, targets, known
        if step and step % BANK_STEPS == 0:
            inputs, targets, known = bank()
        total = torch.zeros(())
        for member in net.members:
            rows = torch.from_numpy(draw.integers(len(inputs), size=BATCH))
            total = total + _loss(member(net.standardised(inputs[rows])), targets[rows], known[rows], net.classes)
        return total

    train(net, Recipe(None, [Part([net], RATE, decay)], steps, one_cycle(steps)), loss, draw)


def _reset(layer: nn.Module) -> None:
    if isinstance(layer, nn.Linear):
        layer.reset_parameters()


def _loss(logits: torch.Tensor, targets: torch.Tensor, known: torch.Tensor, classes: int) -> torch.Tensor:
    """Return the cross entropy of the classes and of the binary outputs, without unknown targets."""
    kind = nn.functional.cross_entropy(logits[:, :classes], targets[:, :classes], reduction="none")
    fields = nn.functional.binary_cross_entropy_with_logits(logits[:, classes:], targets[:, classes:], reduction="none")
    entropy = known * torch.cat([kind[:, None], fields / 2], 1)
    return (entropy.sum(0) / known.sum(0).clamp_min(1)).sum()


def _shape_targets(hands: Hands) -> tuple[torch.Tensor, torch.Tensor]:
    """Return targets of the shapes, wide and straight, shape (n, SHAPES + 2), and the mask, shape (n, 3)."""
    fields, known = targets_of(hands.truth.values, hands.truth.between, SMOOTHED)
    shapes = np.full((len(hands), SHAPES), SMOOTHED / (SHAPES - 1), np.float32)
    shapes[np.arange(len(hands)), hands.shape] = 1 - SMOOTHED
    targets = torch.cat([torch.from_numpy(shapes), fields[:, [3, 5]]], 1)
    return targets, torch.cat([torch.ones(len(hands), 1), known[:, [1, 3]]], 1)


class HandTraining:
    """Trainer of hand networks with a common shape part, on any selection of people."""

    def __init__(self, sources: HandSources, likely: Sequence[PersonSide]) -> None:
        """Load the shape part, which is trained first if it is not cached. It has not seen any of the people.

        Args:
            likely: sides with likely labels; each network learns from those of its own people.
        """
        self._likely = likely
        torch.manual_seed(SEED)
        self._training = sources.only(left_out=False)
        file = keyed(WORK / "hand_shapes.pt", self._training, SEED, code_of(__file__))
        self._shapes = trained_once(file, HandNet(), lambda _: fit_shapes(HandNet(), self._training))

    def net(self, sides: Sequence[PersonSide]) -> HandNet:
        """Train the place part on sides of people."""
        net, persons = HandNet(), {side.person for side in sides}
        net.load_state_dict(self._shapes.state_dict())
        fit_places(net, sides, [side for side in self._likely if side.person in persons], self._training)
        return net.eval()

    def scales(self, sides: Sequence[PersonSide]) -> dict[Seen, Scale]:
        """Fit the scales of hands on sides of people, each read by a network that has not seen the person."""
        held = [side for side in sides if side.hand is not None]
        fold_of = _folds(held)
        hands, weights = people_hands(held)
        logits = {seen: np.zeros((len(held), LOGITS), np.float32) for seen in (Seen.HAND, Seen.JOINTS)}
        for fold in range(INNER_FOLDS):
            rows = np.array([row for row, side in enumerate(held) if fold_of[side.person] == fold], np.intp)
            net = self.net([side for side in held if fold_of[side.person] != fold])
            logits[Seen.HAND][rows], logits[Seen.JOINTS][rows], _ = logits_of(net, hands.take(rows))
        kinds = hands.truth.values[:, 0]
        weights *= (KIND_SHARES / np.bincount(kinds, weights, len(KIND_SHARES)))[kinds]
        return {seen: fitted(of_hands, hands.truth, weights) for seen, of_hands in logits.items()}


def _folds(sides: Sequence[PersonSide]) -> dict[str, int]:
    """Assign persons to folds in turn, those with the most headgear first."""
    headgear = Counter({side.person: 0 for side in sides})
    headgear.update(side.person for side in sides if side.values[0] != NEITHER)
    return {person: number % INNER_FOLDS for number, (person, _) in enumerate(headgear.most_common())}


def list_people(real: Truth) -> None:
    """Write the people of ../shared/landmarks whom the hand network has not seen, for the evaluation."""
    unseen: dict[str, set[str]] = {}
    for name, left_out in zip(real.person, real.left_out, strict=True):
        source, person = name.split(":", 1)
        unseen.setdefault(source, set()).update([person] if left_out else [])
    heading = (
        "# Persons of each source of ../shared/landmarks whom headgear.onnx has not seen; of sources that are not\n"
        "# listed it has seen nobody. Written by training/headgear/train_hands.py.\n"
    )
    write_unseen("hands.toml", heading, dict(sorted(unseen.items())))


def main() -> None:
    """Train, measure on left-out people, and write the shipped model."""
    torch.set_num_threads(1)
    sources, people = HandSources.load(), cached_people()
    list_people(sources.photographs.truth)
    training = HandTraining(sources, cached_people(sure=False))
    net, unseen = training.net(people), sources.only(left_out=True)
    *_, alone = logits_of(net, unseen.photographs)
    report("photographed hands by themselves", alone, unseen.photographs.truth)
    report("hands at rendered heads", logits_of(net, unseen.renders)[0], unseen.renders.truth)
    write_hand_net(net, MODELS / "headgear.onnx")
    write_scales({**training.scales(people), Seen.LONE_HAND: fitted(alone, unseen.photographs.truth)})
    record_models()


if __name__ == "__main__":
    main()
