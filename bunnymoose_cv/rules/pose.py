"""Pose of a player, as values with a one-line notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import TypeAlias

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase


class NotationError(InputError):
    """Text that does not follow the notation.

    Attributes:
        position: index of the first character that does not fit, counted from 0.
    """

    def __init__(self, text: str, position: int, problem: Phrase) -> None:
        self.text = text
        self.position = position
        self.problem = problem
        super().__init__(
            Phrase("{problem} at character {position} of “{text}”", problem=problem, position=position + 1, text=text)
        )


class Side(Enum):
    """Side of the player's own head."""

    LEFT = "L"
    RIGHT = "R"

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.RIGHT if self is Side.LEFT else Side.LEFT


class Spread(Enum):
    """Spread of an antler's four fingers."""

    WIDE = "W"
    COMPACT = "C"


class Direction(Enum):
    """Direction of an antler."""

    UP = "U"
    DOWN = "D"


class Place(Enum):
    """Place of an ear."""

    TOP = "T"
    SIDE = "S"


class Form(Enum):
    """Form of an ear's fingers."""

    STRAIGHT = "S"
    FLOPPY = "F"


class Tongue(Enum):
    """Tongue out or in."""

    OUT = "t"
    IN = ""


class Animal(Enum):
    """Animal that two sides make together, and that a player counts as."""

    MOOSE = "moose"
    RABBIT = "rabbit"
    BUSH = "bush"


@dataclass(frozen=True, slots=True)
class Antler:
    """Hand with the thumb at the temple and four fingers out."""

    spread: Spread
    direction: Direction

    def __str__(self) -> str:
        return self.spread.value + self.direction.value


@dataclass(frozen=True, slots=True)
class Ear:
    """Fist with two fingers out (four are allowed), on top of the head or at its side."""

    place: Place
    form: Form

    def __str__(self) -> str:
        return self.place.value + self.form.value


Headgear: TypeAlias = Antler | Ear | None
"""Headgear of one side of a head; None if it is neither an antler nor an ear."""

NO_HEADGEAR = "--"

ANTLERS = tuple(Antler(spread, direction) for spread, direction in product(Spread, Direction))
EARS = tuple(Ear(place, form) for place, form in product(Place, Form))
HEADGEARS: tuple[Headgear, ...] = (*ANTLERS, *EARS, None)
"""All possible headgears of one side of a head, None included."""

_HEADGEAR_BY_NOTATION: dict[str, Headgear] = {
    NO_HEADGEAR if headgear is None else str(headgear): headgear for headgear in HEADGEARS
}


def format_headgear(headgear: Headgear) -> str:
    """Format headgear in the notation: `WU`, `TF`, `--`."""
    return NO_HEADGEAR if headgear is None else str(headgear)


def _no_headgear(text: str) -> Phrase:
    known = " ".join(_HEADGEAR_BY_NOTATION)
    return Phrase("“{text}” is not a headgear, which is one of {known},", text=text, known=known)


def parse_headgear(text: str) -> Headgear:
    """Parse headgear in the notation; raise a `NotationError` unless it is one of `WU WD CU CD TS TF SS SF --`."""
    if text not in _HEADGEAR_BY_NOTATION:
        raise NotationError(text, 0, _no_headgear(text))
    return _HEADGEAR_BY_NOTATION[text]


@dataclass(frozen=True, slots=True)
class Pose:
    """Pose of a whole head: left and right are the player's own."""

    left: Headgear
    right: Headgear
    tongue: Tongue = Tongue.IN

    def __str__(self) -> str:
        return " ".join(filter(None, (format_headgear(self.left), format_headgear(self.right), self.tongue.value)))

    @classmethod
    def parse(cls, text: str) -> Pose:
        """Parse a pose in the notation: `WU CD t`, `TS TF`, `-- SS`.

        Raises:
            NotationError: a part is not a headgear, or there are too few or too many parts; points at the part.
        """
        words = [*re.finditer(r"\S+", text)]
        parts, positions = [word.group() for word in words], [word.start() for word in words]
        if len(parts) < 2:  # left and right
            problem = Phrase("a pose needs the left and the right headgear, something is missing")
            raise NotationError(text, len(text), problem)
        headgears = []
        for part, position in zip(parts[:2], positions, strict=False):
            if part not in _HEADGEAR_BY_NOTATION:
                raise NotationError(text, position, _no_headgear(part))
            headgears.append(_HEADGEAR_BY_NOTATION[part])
        if len(parts) > 2 and parts[2] != Tongue.OUT.value:  # after the two headgears
            problem = Phrase("only “t” may follow the headgears, not “{part}”,", part=parts[2])
            raise NotationError(text, positions[2], problem)
        if len(parts) > 3:  # left, right, tongue
            raise NotationError(text, positions[3], Phrase("“{part}” is too much", part=parts[3]))
        return cls(headgears[0], headgears[1], Tongue.OUT if len(parts) == 3 else Tongue.IN)

    def headgear(self, side: Side) -> Headgear:
        """Return the headgear of one side."""
        return self.left if side is Side.LEFT else self.right

    @property
    def animal(self) -> Animal:
        """Animal of the two sides: two antlers are a moose, two ears a rabbit, everything else is a bush."""
        if isinstance(self.left, Antler) and isinstance(self.right, Antler):
            return Animal.MOOSE
        if isinstance(self.left, Ear) and isinstance(self.right, Ear):
            return Animal.RABBIT
        return Animal.BUSH

    def mirrored(self) -> Pose:
        """Return the pose as a mirror shows it."""
        return Pose(self.right, self.left, self.tongue)


ALL_POSES = tuple(Pose(left, right, tongue) for left, right, tongue in product(HEADGEARS, HEADGEARS, Tongue))
"""All poses: 9 × 9 × 2 = 162."""
