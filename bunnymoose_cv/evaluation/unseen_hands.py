"""Held-out hands: those that the shipped hand net has not learnt from tell how it reads strangers.

`models/left_out/hands.toml` names each source of landmarks that the net learnt from, and whom of it the net has not
seen; of other sources it has seen nobody. `training/headgear/train.py` writes it.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bunnymoose_cv.evaluation.landmark_file import LabelledHand

_LIST: Final = bundled("models/left_out/hands.toml")


def unseen(hands: Iterable[LabelledHand], people: Path = _LIST) -> tuple[LabelledHand, ...]:
    """The hands of people whom the net has not learnt from.

    Args:
        hands: of anybody.
        people: the list.

    Raises:
        InputError: there is no list, as in an installed program.
    """
    if not people.is_file():
        raise InputError(
            f"Hands can only be judged where it is known whom the net has learnt from, and there is no {people}:"
            " run this in a checkout"
        )
    unseen_of = {source: set(listed["unseen"]) for source, listed in tomllib.loads(people.read_text("utf-8")).items()}
    return tuple(hand for hand in hands if _is_unseen(hand, unseen_of))


def _is_unseen(hand: LabelledHand, unseen_of: dict[str, set[str]]) -> bool:
    source, subject = hand.row.labels["source"], hand.row.labels["subject"]
    return source not in unseen_of or subject in unseen_of[source]
