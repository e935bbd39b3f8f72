"""Fit the fusion on real people, out of fold: `python -m training.headgear.people_fusion`.

The side network's logits of a person come from the network that has not seen the person (`fine_tune.py`). Headgear,
other hands and empty sides weigh nearly alike, since few sides in clips but most at a table hold headgear. Renders
left out of every training guard the fit with half the weight. Writes the blocks `side` and `hand_and_side` of
`models/fusion.toml`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.fusion import KINDS, Seen, Weights
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from bunnymoose_cv.vision.headgear.headgear_reader import HandNet
from training.evaluate.side_labels import Held
from training.headgear import fusion_weights
from training.headgear.examples import Hands
from training.headgear.fine_tune import FineTuning, trained
from training.headgear.gather import PACKED_HANDS, packed_sides
from training.headgear.side_net import side_logits
from training.headgear.splits import BY_PERSON
from training.headgear.targets import LOGITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.vision.headgear.fusion import Logits
    from training.headgear.people import PersonSide
    from training.headgear.splits import Split

EVENNESS: Final = 0.9
"""Exponent of the class weights: 0 counts each side alike, 1 each class."""

GUARD: Final = 0.5
"""Weight of all renders together; that of all people is 1."""

FIRST: Final = {Seen.SIDE: (1.0, 0.0), Seen.HAND_AND_SIDE: (0.7, 0.5)}
"""First guess of the weights of the side's and the hand's logits, to which the fit is held."""

HELD: Final = 0.01
"""Cost of a weight's squared distance from its first guess."""

OFFSET_HELD: Final = 0.005
"""Cost of an offset's square."""

ROUNDS: Final = 200


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Logits of n sides with their truth and their weights in the fit.

    Attributes:
        side: logits of a side network that has not seen the person, shape (n, 7).
        hand: logits of the hand network, shape (n, 7); 0 where no hand was found.
        found: rows with a hand, shape (n,).
        values: truth as in `Truth.values`, shape (n, 5).
        weight: shape (n,).
    """

    side: Logits
    hand: Logits
    found: npt.NDArray[np.bool_]
    values: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]

    def guarded_by(self, renders: Answers) -> Answers:
        """Both together, each side weighing alike within its set and the renders `GUARD` in all."""
        return Answers(
            np.concatenate([self.side, renders.side]),
            np.concatenate([self.hand, renders.hand]),
            np.concatenate([self.found, renders.found]),
            np.concatenate([self.values, renders.values]),
            np.concatenate([self.weight / self.weight.sum(), GUARD * renders.weight / renders.weight.sum()]),
        )

    def with_hand(self) -> Answers:
        """Answers of the sides with a hand."""
        own = self.found
        return Answers(self.side[own], self.hand[own], self.found[own], self.values[own], self.weight[own])


def logits_of_people(tuning: FineTuning, split: Split = BY_PERSON) -> Logits:
    """Logits of the people of a fine-tuning, each by the network without their group.

    Returns:
        Of the side network and of the hand network, shape (2, n, 7); 0 where no hand was found.
    """
    sides = tuning.people
    groups = [split.group_of(side.person, side.source) for side in sides]
    logits = np.zeros((2, len(sides), LOGITS), np.float32)
    for group in range(split.groups):
        rows = [row for row, own in enumerate(groups) if own == group]
        if rows:
            logits[0, rows] = side_logits(tuning.without(split, group), np.stack([sides[row].cut for row in rows]))
    found = [side.hand for side in sides if side.hand is not None]
    if found:
        logits[1, _with_hand(sides)] = HandNet().logits(HandFeatures.join(found))
    return logits


def _with_hand(sides: Sequence[PersonSide]) -> npt.NDArray[np.bool_]:
    return np.array([side.hand is not None for side in sides])


def answers_of_people(sides: Sequence[PersonSide], logits: Logits) -> Answers:
    """Logits of people with their truth, weighted by class.

    Args:
        sides: n of them.
        logits: of `logits_of_people`, shape (2, n, 7).
    """
    values = np.array([side.values for side in sides], np.int64)
    side, hand = logits
    return Answers(side, hand, _with_hand(sides), values, _weights_by_class(sides))


def _class_of(side: PersonSide) -> str:
    return side.held.value if side.held in {Held.EMPTY, Held.OTHER_HAND} else "headgear"


def _weights_by_class(sides: Sequence[PersonSide]) -> npt.NDArray[np.float64]:
    """Weights that bring headgear, other hands and nothing near to equal shares."""
    classes = [_class_of(side) for side in sides]
    counts = Counter(classes)
    return np.array([counts[each] ** -EVENNESS for each in classes])


def answers_of_renders(tuning: FineTuning) -> Answers:
    """Logits of the renders that are left out of every training, shapes in between aside."""
    sides = packed_sides()
    sides = sides.take(np.flatnonzero(sides.truth.left_out & ~sides.truth.between.any(1)))
    hands = Hands.load(PACKED_HANDS)
    row_of = {place: row for row, place in enumerate(sides.truth.place)}
    own = np.array([row for row, place in enumerate(hands.truth.place) if place in row_of], np.intp)
    rows = np.array([row_of[place] for place in hands.truth.place[own]], np.intp)
    hand = np.zeros((len(sides), LOGITS), np.float32)
    hand[rows] = HandNet().logits(hands.features.take(own))
    found = np.isin(np.arange(len(sides)), rows)
    logits = side_logits(tuning.without(BY_PERSON, 0), sides.images())
    return Answers(logits, hand, found, sides.truth.values.astype(np.int64), np.ones(len(sides)))


def fitted(seen: Seen, answers: Answers) -> Weights:
    """Weights that make the truth most likely (cross entropy), held to a first guess."""
    side, hand = torch.from_numpy(answers.side), torch.from_numpy(answers.hand)
    first = torch.tensor([[guess] * 5 for guess in FIRST[seen]])
    scales, kinds = first.clone().requires_grad_(), torch.zeros(KINDS, requires_grad=True)
    speaks = torch.tensor([[1.0], [float(seen is Seen.HAND_AND_SIDE)]])
    truth, weight = torch.from_numpy(answers.values), torch.from_numpy(answers.weight).float()
    optimiser = torch.optim.LBFGS([scales, kinds], max_iter=ROUNDS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        of_side, of_hand = (scales * speaks)[:, fusion_weights.COLUMNS_OF]
        offset = torch.cat([kinds, torch.zeros(LOGITS - KINDS)])
        held = HELD * ((scales - first) * speaks).square().sum() + OFFSET_HELD * kinds.square().sum()
        return _cross_entropy(of_side * side + of_hand * hand + offset, truth, weight) + held

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        cost = loss()
        cost.backward()  # type: ignore[no-untyped-call]
        return cost

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    of_side, of_hand = (scales * speaks).detach()[:, fusion_weights.COLUMNS_OF].numpy()
    return Weights(of_hand, of_side, np.concatenate([kinds.detach().numpy(), np.zeros(LOGITS - KINDS, np.float32)]))


def _cross_entropy(logits: torch.Tensor, truth: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Weighted mean over the sides of the kind's, and of each field's over those where it is known."""
    kind = nn.functional.cross_entropy(logits[:, :KINDS], truth[:, 0], reduction="none")
    cost = (weight * kind).sum() / weight.sum()
    for field in range(LOGITS - KINDS):
        known = truth[:, 1 + field] >= 0
        if known.any():
            said, wanted = logits[known, KINDS + field], truth[known, 1 + field].float()
            off = nn.functional.binary_cross_entropy_with_logits(said, wanted, reduction="none")
            cost = cost + (weight[known] * off).sum() / weight[known].sum()
    return cost


def fitted_on(sides: Sequence[PersonSide], logits: Logits, renders: Answers) -> dict[Seen, Weights]:
    """Fit both blocks on people, guarded by renders.

    Args:
        sides: n of them.
        logits: by networks that have not seen them, shape (2, n, 7).
        renders: left out of every training.
    """
    held = np.flatnonzero(_with_hand(sides))
    people = answers_of_people(sides, logits)
    of_hands = answers_of_people([sides[row] for row in held.tolist()], logits[:, held])
    return {
        Seen.SIDE: fitted(Seen.SIDE, people.guarded_by(renders)),
        Seen.HAND_AND_SIDE: fitted(Seen.HAND_AND_SIDE, of_hands.guarded_by(renders.with_hand())),
    }


def main() -> None:
    """Fit both blocks and write them."""
    torch.set_num_threads(1)
    tuning = trained((BY_PERSON,))
    weights = fitted_on(tuning.people, logits_of_people(tuning), answers_of_renders(tuning))
    fusion_weights.write_fitted_on_people(weights)


if __name__ == "__main__":
    main()
