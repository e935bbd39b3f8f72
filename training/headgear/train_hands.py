"""Hand network → `models/headgear.onnx` and its scales: `python -m training.headgear.train_hands`.

The shape part learns from photographed hands (`../shared/landmarks`) and gathered renders, the place part from the real
people of `../shared/people`. One of five persons of photographs and renders is left out of training; on them shapes are
measured. The scale of hands at heads is fitted on the people, each answered by a network whose place part has not seen
the person. Everything is seeded; the shape part is kept in `training/work/headgear/`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
import torch

from bunnymoose_cv.vision.headgear.hand_features import FEATURES, HandFeatures, features
from bunnymoose_cv.vision.headgear.logit_scaling import KINDS, Seen
from training.checkpoints import save_state
from training.content_cache import keyed
from training.export import export
from training.headgear import hand_net
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER, UNKNOWN, Hands, Truth
from training.headgear.gather import PACKED_HANDS, WORK
from training.headgear.hand_examples import photographs
from training.headgear.hand_net import HandNet, HandSources, PeopleHands, evened, fit_places, fit_shapes
from training.headgear.people import people_kept
from training.headgear.scaling import fitted, write_scales
from training.manifest import record_models
from training.paths import MODELS
from training.source_code import code_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bunnymoose_cv.vision.headgear.logit_scaling import Logits, Scale
    from training.headgear.people import PersonSide

SEED: Final = 1
INNER_FOLDS: Final = 5
FIELDS: Final = ("wide", "up", "straight", "top")


def hand_sources() -> HandSources:
    """Return photographed and rendered hands."""
    return HandSources(photographs(), Hands.load(PACKED_HANDS))


def people_hands(sides: Sequence[PersonSide]) -> PeopleHands:
    """Return the detected hands of people, weighted.

    Antlers, ears, other hands and hands at empty sides weigh alike, within each a person by the root of their sides.
    """
    found = [(side, side.hand) for side in sides if side.hand is not None]
    count = len(found)
    truth = Truth(
        np.array([side.values for side, _ in found], np.int8).reshape(-1, len(COLUMNS)),
        np.zeros((count, len(COLUMNS)), bool),
        np.array([side.person for side, _ in found]),
        np.full(count, ""),
    )
    hands = Hands(HandFeatures.join([hand for _, hand in found]), truth, np.full(count, UNKNOWN, np.int8))
    held = np.array([side.held.value for side, _ in found])
    weights = np.zeros(count)
    for each in np.unique(held):
        rows = np.flatnonzero(held == each)
        weights[rows] = evened(truth.person[rows])
    return PeopleHands(hands, weights)


def shapes_kept(sources: HandSources) -> HandNet:
    """Return a network with a trained shape part, which is trained once and has seen nobody of the people."""
    net = HandNet()
    file = keyed(WORK / "hand_shapes.pt", sources, SEED, code_of(hand_net.__file__))
    if not file.exists():
        fit_shapes(net, sources, SEED)
        save_state(net.state_dict(), file)
    net.load_state_dict(torch.load(file, weights_only=True))
    return net.eval()


class HandTraining:
    """Place parts on top of one shape part, with their scales, for any choice of people to learn from."""

    def __init__(self, sources: HandSources) -> None:
        """Train the shape part, or load the kept one."""
        self._taught = sources.only(left_out=False)
        self._shapes = shapes_kept(self._taught)

    def net(self, sides: Sequence[PersonSide]) -> HandNet:
        """Train the place part on sides of people."""
        net = HandNet()
        net.load_state_dict(self._shapes.state_dict())
        fit_places(net, people_hands(sides), self._taught, SEED)
        return net.eval()

    def scale(self, sides: Sequence[PersonSide]) -> Scale:
        """Fit the scale on sides of people, each answered by a network that has not seen the person."""
        held = [side for side in sides if side.hand is not None]
        fold_of = _folds(held)
        logits = np.zeros((len(held), KINDS + len(FIELDS)), np.float32)
        for fold in range(INNER_FOLDS):
            rows = [row for row, side in enumerate(held) if fold_of[side.person] == fold]
            net = self.net([side for side in held if fold_of[side.person] != fold])
            hands = people_hands([held[row] for row in rows]).hands
            logits[rows] = logits_at_head(net, hands)
        people = people_hands(held)
        return fitted(logits, people.hands.truth, people.weights)


def _folds(sides: Sequence[PersonSide]) -> dict[str, int]:
    """Deal persons to folds, those with the most headgear first."""
    headgear = Counter({side.person: 0 for side in sides})
    headgear.update(side.person for side in sides if side.values[0] != NEITHER)
    return {person: number % INNER_FOLDS for number, (person, _) in enumerate(headgear.most_common())}


def logits_at_head(net: HandNet, hands: Hands) -> Logits:
    """Return the logits of hands at heads, shape (n, 7)."""
    return _logits(net, hands, 0)


def logits_alone(net: HandNet, hands: Hands) -> Logits:
    """Return the logits of hands by themselves, shape (n, 7)."""
    return _logits(net, hands, 1)


def _logits(net: HandNet, hands: Hands, output: int) -> Logits:
    with torch.no_grad():
        return np.asarray(net(torch.from_numpy(features(hands.features)))[output].numpy(), np.float32)


def report(name: str, logits: Logits, truth: Truth) -> None:
    """Print how often each field is right; shapes in between are left aside."""
    rows = np.flatnonzero(~truth.between.any(1) & (truth.values[:, 0] >= 0))
    logits, values = logits[rows], truth.values[rows]
    kind = logits[:, :KINDS].argmax(1)
    print(f"{name}: kind {np.mean(kind == values[:, 0]):.4f} of {len(values)}", end="")
    for value, word in ((ANTLER, "antler"), (EAR, "ear"), (NEITHER, "neither")):
        own = values[:, 0] == value
        if own.any():
            print(f"; {word} {np.mean(kind[own] == value):.4f} of {own.sum()}", end="")
    for column, word in enumerate(FIELDS):
        own = values[:, 1 + column] >= 0
        if own.any():
            right = (logits[own, KINDS + column] > 0) == (values[own, 1 + column] > 0)
            print(f"; {word} {right.mean():.4f} of {own.sum()}", end="")
    print(flush=True)


def list_people(real: Truth) -> None:
    """Write who of ../shared/landmarks the hand network learns from and who not, for the evaluation."""
    lines = [
        "# Persons of each source of ../shared/landmarks whom headgear.onnx has not seen; of sources that are not",
        "# listed it has seen nobody. Written by training/headgear/train_hands.py.",
    ]
    people = {tuple(name.split(":", 1)): out for name, out in zip(real.person, real.left_out, strict=True)}
    for source in sorted({source for source, _ in people}):
        names = sorted(who for (own, who), left_out in people.items() if own == source and left_out)
        lines += ["", f"[{source}]", "unseen = [", *(f'    "{who}",' for who in names), "]"]
    (MODELS / "left_out/hands.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_hand_net(net: HandNet, path: Path) -> None:
    """Write a hand network in the form that the product reads."""
    export(net, torch.zeros(2, FEATURES), path, "features", ("at_head", "alone"), halved=False)


def main() -> None:
    """Train, measure on left-out people, write what is shipped."""
    torch.set_num_threads(1)
    WORK.mkdir(parents=True, exist_ok=True)
    sources, people = hand_sources(), people_kept()
    list_people(sources.photographs.truth)
    training = HandTraining(sources)
    net, unseen = training.net(people), sources.only(left_out=True)
    alone = logits_alone(net, unseen.photographs)
    report("photographed hands by themselves", alone, unseen.photographs.truth)
    report("hands at rendered heads", logits_at_head(net, unseen.renders), unseen.renders.truth)
    write_hand_net(net, MODELS / "headgear.onnx")
    write_scales({Seen.HAND: training.scale(people), Seen.LONE_HAND: fitted(alone, unseen.photographs.truth)})
    record_models()


if __name__ == "__main__":
    main()
