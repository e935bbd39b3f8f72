"""Weights of the fusion (`models/fusion.toml`): fitting the hand's, counting the pairs, reading and writing the file.

The hand's weights make the probabilities of hands that the network has not seen most likely (cross entropy,
in-between shapes left aside), held to a first guess. Those with a side are fitted on people (`people_fusion.py`).
"""

from __future__ import annotations

import tomllib
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bunnymoose_cv.vision.headgear.fusion import KINDS, Seen, Weights
from training.headgear.examples import NEITHER
from training.headgear.targets import LOGITS, loss_of, targets_of
from training.manifest import record_models
from training.paths import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bunnymoose_cv.vision.headgear.fusion import Logits
    from training.headgear.examples import Truth

FUSION = MODELS / "fusion.toml"

HELD = 0.02
"""Cost of a weight's squared distance from its first guess."""

OFFSET_HELD = 0.02
"""Cost of an offset's square."""

ROUNDS = 400

COLUMNS_OF = [0, 0, 0, 1, 2, 3, 4]
"""Field of each of the seven numbers: the kind's three share their weight."""

HEADING = """\
# Logit fusion (bunnymoose_cv/vision/headgear/fusion.py): logits times weights, plus an offset.
# In each list: antler, ear, neither; wide, up, straight, top.
# hand: fitted on photographed hands by themselves. side, hand_and_side: on real people out of fold, renders as a guard.
"""

PAIRS = {
    "pairs": "Pairwise prior of the kinds on one head, over chance: antler, ear, neither, against the same three.",
    "pairs_of_hands": "The same where a hand was detected on both sides.",
}


def fitted_hand(answers: Logits, truth: Truth) -> Weights:
    """Weights of the hand network where nothing else speaks.

    Args:
        answers: its logits, shape (n, 7).
        truth: n of it.
    """
    rows = np.flatnonzero(~truth.between.any(1))
    logits = torch.from_numpy(answers[rows])
    wanted, known = targets_of(truth.values[rows], truth.between[rows], smoothed=0.0)
    scales = torch.ones(5, requires_grad=True)
    kinds = torch.zeros(KINDS, requires_grad=True)
    optimiser = torch.optim.Adam([scales, kinds], 0.02)
    for _ in range(ROUNDS):
        offset = torch.cat([kinds - kinds.mean(), torch.zeros(LOGITS - KINDS)])
        held = HELD * (scales - 1).square().sum() + OFFSET_HELD * kinds.square().sum()
        loss = loss_of(logits * scales.clamp_min(0)[COLUMNS_OF] + offset, wanted, known) + held
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    offsets = np.zeros(LOGITS, np.float32)
    offsets[:KINDS] = (kinds - kinds.mean()).detach().numpy()
    weights = scales.detach().clamp_min(0)[COLUMNS_OF].numpy()
    return Weights(hand=weights, side=np.zeros(LOGITS, np.float32), offset=offsets)


def pairs_of(truth: Truth) -> Logits:
    """Pairwise prior of two kinds on one head over chance, shape (3, 3), symmetric.

    A side on which nothing stands tells nothing about the other: one arm may be tired.
    """
    lift = np.ones((KINDS, KINDS), np.float32)
    lift[:NEITHER, :NEITHER] = _lift(_together(truth, truth.place)[:NEITHER, :NEITHER])
    return lift


def pairs_of_hands(truth: Truth, found: Iterable[str]) -> Logits:
    """The same where a hand was found on both sides: nobody is too tired there, so what makes nothing tells, too.

    Args:
        truth: of sides.
        found: the places of those on which a hand was found.
    """
    return _lift(_together(truth, found))


def _together(truth: Truth, places: Iterable[str]) -> Logits:
    """Counts of two kinds on heads of which both sides are among these places, shape (3, 3), symmetric.

    Kinds in between are left aside.
    """
    among = {*places}
    plain = np.flatnonzero(~truth.between[:, 0])
    kinds = {truth.place[row]: truth.values[row, 0] for row in plain if truth.place[row] in among}
    together = np.zeros((KINDS, KINDS), np.float32)
    for place, kind in kinds.items():
        other = place.replace("/left", "/right")
        if place.endswith("/left") and other in kinds:
            together[kind, kinds[other]] += 1
    return together + together.T


def _lift(together: Logits) -> Logits:
    """Ratio to what their shares alone would have."""
    shares = together.sum(0) / together.sum()
    return np.asarray(together / together.sum() / np.outer(shares, shares), np.float32)


def write_hand_and_pairs(hand: Weights, pairs: Logits, of_hands: Logits) -> None:
    """Write the hand's weights and the pairs; the weights with a side stay as they are."""
    stored = _stored()
    stored[Seen.HAND.value] = _lists_of(hand)
    for name, each in (("pairs", pairs), ("pairs_of_hands", of_hands)):
        stored[name] = {"oftener": np.round(each.astype(float), 3).tolist()}
    _write(stored)


def write_fitted_on_people(weights: Mapping[Seen, Weights]) -> None:
    """Write the weights with a side; the hand's and the pairs stay as they are."""
    _write(_stored() | {seen.value: _lists_of(own) for seen, own in weights.items()})


def _stored() -> dict[str, Any]:
    return tomllib.loads(FUSION.read_text("utf-8"))


def _lists_of(weights: Weights) -> dict[str, list[float]]:
    return {each.name: [float(value) for value in getattr(weights, each.name)] for each in fields(Weights)}


def _write(blocks: Mapping[str, Any]) -> None:
    parts = [HEADING]
    for seen in Seen:
        lines = [f"{name} = [{', '.join(f'{value:.3f}' for value in row)}]" for name, row in blocks[seen.value].items()]
        parts.append("\n".join([f"[{seen.value}]", *lines]) + "\n")
    for name, title in PAIRS.items():
        parts.append(f"# {title}\n[{name}]\noftener = {blocks[name]['oftener']}\n")
    FUSION.write_text("\n".join(parts), "utf-8")
    record_models()
