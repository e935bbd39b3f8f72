"""Truths and readings of images in words: `poses`, `left.kind`, `unclear`.

Those of people hold `faces` and, seat by seat, `poses` and `unclear`; the truth of a photograph holds only what its
labels tell (`left.kind`, `tongue`), and that of players, seat by seat, what is in `between` two shapes. Those of a hand
hold its fields, those of a mouth its `tongue`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, HeadgearField
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear, ReadTongue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from training.evaluate.reading import Read, ReadPlayer
    from training.evaluate.truth import Between, PlayerTruth, Truth

Words: TypeAlias = dict[str, str | int | list[str] | list[list[str]] | None]
"""Values of a truth or a reading by their names."""


def truth_words(truth: Truth) -> Words:
    """Truth of an image, as far as its labels tell."""
    if truth is None:
        return {}
    if isinstance(truth, HeadgearFields):
        return {**_fields(truth)}
    if isinstance(truth, Tongue):
        return {"tongue": truth.name.lower()}
    words: Words = {"faces": len(truth.players)}
    if all(player.pose is not None for player in truth.players):
        words["poses"] = [str(player.pose) for player in truth.players]
        between = [_between(player.between) for player in truth.players]
        return {**words, "between": between} if any(between) else words
    return {**words, **_player(truth.players[0])}


def read_words(read: Read) -> Words:
    """Reading of an image."""
    if read is None:
        return {"kind": None}
    if isinstance(read, ReadHeadgear):
        return {**_fields(read.fields), "unclear": _names(read.unclear)}
    if isinstance(read, ReadTongue):
        return {"tongue": read.tongue.name.lower(), "unclear": ["tongue"] if read.unclear else []}
    return {
        "faces": len(read),
        "poses": [str(player.pose) for player in read],
        "unclear": [_unclear(player) for player in read],
    }


def spelled(words: Mapping[str, object]) -> str:
    """A truth or a reading in one line: `faces 2, poses WU CD t / -- SS`."""
    return ", ".join(f"{name} {_seats(value) if isinstance(value, list) else value}" for name, value in words.items())


def _seats(values: Iterable[object]) -> str:
    return " / ".join(" ".join(value) or "–" if isinstance(value, list) else str(value) for value in values) or "–"


def _fields(fields: HeadgearFields) -> dict[str, str]:
    values = ((field, fields.value(field)) for field in HEADGEAR_FIELDS)
    return {field.value: value.value for field, value in values if value is not None}


def _player(player: PlayerTruth) -> dict[str, str]:
    """One of several people of whom the labels tell the same, or the only one."""
    words = {} if player.animal is None else {"animal": player.animal.value}
    for side in Side:
        words |= {f"{side.name.lower()}.{name}": value for name, value in _fields(player.headgear(side)).items()}
    return words if player.tongue is None else words | {"tongue": player.tongue.name.lower()}


def _unclear(player: ReadPlayer) -> list[str]:
    sides = [f"{side.name.lower()}.{name}" for side in Side for name in _names(player.headgear(side).unclear)]
    return [*sides, "tongue"] if player.tongue.unclear else sides


def _between(between: Between) -> list[str]:
    sides = [f"{side.name.lower()}.{name}" for side in Side for name in _names(between.of(side))]
    return [*sides, "tongue"] if between.tongue else sides


def _names(fields: Iterable[HeadgearField]) -> list[str]:
    return [field.value for field in HEADGEAR_FIELDS if field in set(fields)]
