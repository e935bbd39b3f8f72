"""Labels of the sides of real heads: our notation, and shapes with the place of the hand (`shapes.csv`).

A list of people has a label in our notation for each side. `shapes.csv` beside it gives the *shape* of each hand and
then decides alone. A side that is not in it is empty if its notation surely says so, and otherwise not scored. The
first line of this table that fits gives the truth of a side in `shapes.csv`:

| shape | place | truth |
|---|---|---|
| `-` | any | empty |
| not sure, `x`, `45` (thumb unknown) | any | not scored |
| `o` (another shape), `again` is `bill` | any | not scored |
| `o` | any | another hand |
| `5w` `5c` `5` `4` `2` `2t` `2f` | `b` (below), or `o` (over the face) with `again` `face` or `low` | another hand |
| the same | `t` or `n` (at the head) with `again` empty or `ok`, or `o` with `ok` | antler (`5…`) or ear |
| the same | any other | not scored |
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Direction, Form, Place, Side, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND, Kind
from training.evaluate.datasets import read_items
from training.evaluate.hand_labels import EAR_FINGERS, FINGERS, HandLabels, Thumb
from training.evaluate.headgear_fields import OPEN_FIELDS, HeadgearFields

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bunnymoose_cv.rules.pose_fields import HeadgearField
    from training.evaluate.datasets import Cells, ManifestError
    from training.evaluate.reading import ReadHeadgear

NOTHING, OTHER_HAND, OPEN = "--", "n", frozenset({"x", "open"})
SHAPES: Final = "shapes.csv"


class Held(Enum):
    """Content of one side of a head."""

    ANTLER = "antler"
    EAR = "ear"
    OTHER_HAND = "other hand"
    EMPTY = "empty"


_HELD: Final = {Kind.ANTLER: Held.ANTLER, Kind.EAR: Held.EAR, Kind.NEITHER: Held.OTHER_HAND}


@dataclass(frozen=True, slots=True)
class SideLabel:
    """Label of one side of a head.

    Attributes:
        text: `WU` … `SF` with `?` for an open field, `--`, `n` (another hand), `x` or `open`; for display.
        held: None if the side is not scored.
        fields: truth as far as the label gives it; all None if the side is not scored.
    """

    text: str
    held: Held | None = None
    fields: HeadgearFields = OPEN_FIELDS

    @classmethod
    def parse(cls, text: str, sure: str) -> Self:
        """Parse a label in our notation and the mark that it is sure (`1`).

        Raises:
            InputError: the text is not a label.
        """
        fields = OPEN_FIELDS if text in OPEN else _notated(text)
        if sure != "1" or fields.kind is None:
            return cls(text)
        return cls(text, Held.EMPTY if text == NOTHING else _HELD[fields.kind], fields)

    def by_shape(self, shape: SideShape | None) -> SideLabel:
        """Return the label with the truth of `shapes.csv`.

        Args:
            shape: line of the list; None for a side that is not listed.
        """
        if shape is None:
            return self if self.held is Held.EMPTY else SideLabel(self.text)
        fields = shape.fields
        held = None if fields.kind is None else Held.EMPTY if shape.shape == _NO_HAND else _HELD[fields.kind]
        return SideLabel(self.text, held, fields)

    @property
    def counts(self) -> bool:
        """Return whether the side is scored."""
        return self.held is not None

    @property
    def holds_headgear(self) -> bool:
        """Return whether the side has an antler or an ear."""
        return self.held in {Held.ANTLER, Held.EAR}

    @property
    def labelled_fields(self) -> frozenset[HeadgearField]:
        """Fields that the label gives, including the kind."""
        fields = FIELDS_OF_KIND[self.fields.kind] if self.fields.kind else ()
        return frozenset(field for field in fields if self.fields.value(field) is not None)

    def matches(self, read: HeadgearFields) -> bool:
        """Return whether a reading has the kind and every other field that the label gives."""
        return all(self.fields.value(field) is read.value(field) for field in self.labelled_fields)

    def asked(self, read: ReadHeadgear) -> bool:
        """Return whether the referee would ask about a field that the label gives."""
        return not self.labelled_fields.isdisjoint(read.unclear)


def _notated(text: str) -> HeadgearFields:
    first, second = text[:1], text[1:]
    if text in {NOTHING, OTHER_HAND}:
        return HeadgearFields(Kind.NEITHER)
    if first in {"W", "C", "?"} and second in {"U", "D"}:
        return HeadgearFields(Kind.ANTLER, None if first == "?" else Spread(first), Direction(second))
    if first in {"T", "S", "?"} and second in {"S", "F"}:
        return HeadgearFields(Kind.EAR, form=Form(second), place=None if first == "?" else Place(first))
    raise InputError(f"“{text}” is no label of a side: use our notation, --, n, x or open")


_NO_HAND, _OTHER_SHAPE = "-", "o"
_SHAPES: Final[Mapping[str, HandLabels]] = {
    "5w": HandLabels(FINGERS, Thumb.OUT, Spread.WIDE),
    "5c": HandLabels(FINGERS, Thumb.OUT, Spread.COMPACT),
    "5": HandLabels(FINGERS, Thumb.OUT),
    "4": HandLabels(FINGERS, Thumb.TUCKED),
    "45": HandLabels(FINGERS),
    "2": HandLabels(EAR_FINGERS, form=Form.STRAIGHT),
    "2t": HandLabels(EAR_FINGERS, Thumb.OUT, form=Form.STRAIGHT),
    "2f": HandLabels(EAR_FINGERS, form=Form.FLOPPY),
    _OTHER_SHAPE: HandLabels(frozenset()),
    "x": HandLabels(),
    _NO_HAND: HandLabels(frozenset()),
}
_AT_HEAD: Final = frozenset({("t", ""), ("t", "ok"), ("n", ""), ("n", "ok"), ("o", "ok")})
_OVER_FACE: Final = frozenset({("o", "face"), ("o", "low")})
_BELOW, _FAR, _BENT_DOWN, _LYING = "b", "f", "bill", "lie"

_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "side": frozenset(side.name.lower() for side in Side),
    "shape": frozenset(_SHAPES),
    "place": frozenset("tnfob-"),
    "direction": frozenset("uds?"),
    "sure": frozenset("01"),
    "again": frozenset({"", "ok", _LYING, "face", "low", _BENT_DOWN}),
}
"""Columns of `shapes.csv` and the words in them."""


@dataclass(frozen=True, slots=True)
class SideShape:
    """A line of `shapes.csv`, in its own words."""

    shape: str
    place: str
    direction: str
    sure: bool
    again: str

    @property
    def fields(self) -> HeadgearFields:
        """Truth of the side; all None if it is not scored."""
        hand = _SHAPES[self.shape]
        kind = self._kind(hand)
        direction = {"u": Direction.UP, "d": Direction.DOWN}.get(self.direction) if kind is Kind.ANTLER else None
        return replace(hand.as_kind(kind), direction=direction)

    @property
    def counts_there(self) -> bool | None:
        """Return whether the place of a hand of our shapes counts; None for other hands and contradictory labels."""
        if not self.sure or _SHAPES[self.shape].kind not in {Kind.ANTLER, Kind.EAR}:
            return None
        stands = self.place, self.again
        if stands in _AT_HEAD:
            return True
        off = self.place in {_BELOW, _FAR} or stands in _OVER_FACE or self.again == _LYING
        return False if off else None

    def _kind(self, hand: HandLabels) -> Kind | None:
        if self.shape == _NO_HAND:
            return Kind.NEITHER
        if not self.sure:
            return None
        if hand.kind not in {Kind.ANTLER, Kind.EAR}:
            return None if self.again == _BENT_DOWN else hand.kind
        stands = self.place, self.again
        if self.place == _BELOW or stands in _OVER_FACE:
            return Kind.NEITHER
        return hand.kind if stands in _AT_HEAD else None


@dataclass(frozen=True, slots=True)
class Shapes:
    """The usable lines of `shapes.csv` by file and side, and one error for each other line."""

    sides: Mapping[tuple[str, Side], SideShape]
    problems: tuple[ManifestError, ...]


def read_shapes(path: Path) -> Shapes:
    """Read `shapes.csv`.

    Raises:
        InputError: the list cannot be read, or has a side twice.
    """
    lines, problems = read_items(path, _shape)
    (place, count), *_ = Counter(place for place, _ in lines).most_common(1) or [(("", Side.LEFT), 0)]
    if count > 1:
        raise InputError(f"{path} has the {place[1].name.lower()} side of {place[0]} twice: keep one of its lines")
    return Shapes(dict(lines), problems)


def _shape(_path: Path, row: Cells) -> tuple[tuple[str, Side], SideShape]:
    cells = {column: row.get(column) or "" for column in ("file", *_WORDS)}
    for column, words in _WORDS.items():
        if cells[column] not in words:
            raise InputError(f"“{cells[column]}” is not a {column}: use {', '.join(sorted(filter(None, words)))}")
    shape = SideShape(cells["shape"], cells["place"], cells["direction"], cells["sure"] == "1", cells["again"])
    return (cells["file"], Side[cells["side"].upper()]), shape
