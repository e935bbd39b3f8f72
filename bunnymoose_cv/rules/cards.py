"""Cards of every kind, with a one-line notation.

A value that is too large, a bush as the species, and a pattern without any field raise a `ValueError`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Animal, Antler, Direction, Ear, Form, Headgear, NotationError, Place, Side, Spread

OPEN = "?"
"""Wildcard of the notation for an open field."""


@dataclass(frozen=True, slots=True)
class AntlerPattern:
    """Antler as a card shows it; None marks a field that the card leaves open, at most one."""

    spread: Spread | None
    direction: Direction | None

    def __post_init__(self) -> None:
        if self.spread is None and self.direction is None:
            raise ValueError("a card leaves at most one field of an antler open")

    def matches(self, headgear: Headgear) -> bool:
        """Return whether a headgear is such an antler."""
        return (
            isinstance(headgear, Antler)
            and self.spread in (None, headgear.spread)
            and self.direction in (None, headgear.direction)
        )

    def __str__(self) -> str:
        return (self.spread.value if self.spread else OPEN) + (self.direction.value if self.direction else OPEN)


@dataclass(frozen=True, slots=True)
class EarPattern:
    """Ear as a card shows it; None marks a field that the card leaves open, at most one."""

    place: Place | None
    form: Form | None

    def __post_init__(self) -> None:
        if self.place is None and self.form is None:
            raise ValueError("a card leaves at most one field of an ear open")

    def matches(self, headgear: Headgear) -> bool:
        """Return whether a headgear is such an ear."""
        return isinstance(headgear, Ear) and self.place in (None, headgear.place) and self.form in (None, headgear.form)

    def __str__(self) -> str:
        return (self.place.value if self.place else OPEN) + (self.form.value if self.form else OPEN)


Pattern: TypeAlias = AntlerPattern | EarPattern
"""Pattern that a card requires of one side of a head."""

ANTLER_PATTERNS = tuple(
    AntlerPattern(spread, direction)
    for spread, direction in product((*Spread, None), (*Direction, None))
    if spread or direction
)
EAR_PATTERNS = tuple(EarPattern(place, form) for place, form in product((*Place, None), (*Form, None)) if place or form)
PATTERNS: tuple[Pattern, ...] = (*ANTLER_PATTERNS, *EAR_PATTERNS)
"""All 16 patterns: four antlers, four ears, and either with one field open."""

_PATTERN_BY_NOTATION = {str(pattern): pattern for pattern in PATTERNS}


LARGEST_VALUE: Final = 999
"""Limit of a card's value, positive or negative: the notation has three digits."""

SPECIES: Final = (Animal.RABBIT, Animal.MOOSE)
"""Animals that a card can name; a bush is neither."""


def _check_value(value: int) -> None:
    if abs(value) > LARGEST_VALUE:
        raise ValueError(f"a card's value lies from -{LARGEST_VALUE} to +{LARGEST_VALUE}, {value:+d} does not")


def _check_species(species: Animal) -> None:
    if species not in SPECIES:
        raise ValueError(f"a card names rabbits or moose, not a {species.value}")


@dataclass(frozen=True, slots=True)
class SingleCard:
    """Card with one antler or ear on one side of the head; it pays if the same side of the player matches."""

    side: Side
    pattern: Pattern
    value: int

    def __post_init__(self) -> None:
        _check_value(self.value)

    def __str__(self) -> str:
        return f"{self.side.value}.{self.pattern}{self.value:+d}"


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a double card: its pattern and its value."""

    pattern: Pattern
    value: int

    def __post_init__(self) -> None:
        _check_value(self.value)

    def __str__(self) -> str:
        return f"{self.pattern}{self.value:+d}"


@dataclass(frozen=True, slots=True)
class DoubleCard:
    """Card with both sides of the head; each half is matched and scored independently."""

    left: Half
    right: Half

    def __str__(self) -> str:
        if self.left == self.right:
            return f"B.{self.left}"
        if self.left.pattern == self.right.pattern:
            return f"B.{self.left}/{self.right.value:+d}"
        return f"B.{self.left}/{self.right}"


@dataclass(frozen=True, slots=True)
class TongueCard:
    """Card that pays players who stick the tongue out, with any headgear."""

    value: int

    def __post_init__(self) -> None:
        _check_value(self.value)

    def __str__(self) -> str:
        return f"TONGUE{self.value:+d}"


@dataclass(frozen=True, slots=True)
class SpeciesCard:
    """Card that pays all moose or all rabbits, by the species that a player counts as."""

    species: Animal
    value: int

    def __post_init__(self) -> None:
        _check_species(self.species)
        _check_value(self.value)

    def __str__(self) -> str:
        return f"{self.species.name}{self.value:+d}"


@dataclass(frozen=True, slots=True)
class TimesTwoCard:
    """Card that doubles the score of all moose or all rabbits, by the species that a player counts as."""

    species: Animal

    def __post_init__(self) -> None:
        _check_species(self.species)

    def __str__(self) -> str:
        return f"{self.species.name}*2"


@dataclass(frozen=True, slots=True)
class ReversalCard:
    """The ± card: reverses the sign of every score; bushes are not affected."""

    def __str__(self) -> str:
        return "REVERSE"


@dataclass(frozen=True, slots=True)
class HunterCard:
    """Card that pays nothing; after the first pass it ends the deal."""

    def __str__(self) -> str:
        return "HUNTER"


Card: TypeAlias = SingleCard | DoubleCard | TongueCard | SpeciesCard | TimesTwoCard | ReversalCard | HunterCard
Table: TypeAlias = tuple[Card, ...]
"""The visible cards, one per pile, from left to right."""

_CARD_BY_WORD: dict[str, Card] = {str(card): card for card in (ReversalCard(), HunterCard())}
_SPECIES_BY_WORD = {animal.name: animal for animal in SPECIES}
_TONGUE = "TONGUE"
_WORDS = (_TONGUE, *_SPECIES_BY_WORD, *_CARD_BY_WORD)
_MINUS = str.maketrans("−–", "--")
_VALUE = re.compile(rf"[+-][0-9]{{1,{len(str(LARGEST_VALUE))}}}")


def parse_card(text: str) -> Card:
    """Parse one card in the notation: `L.WU+1`, `R.?F-1`, `B.CD+1/-1`, `TONGUE+3`, `MOOSE*2`, `REVERSE`.

    A minus sign or a dash also counts as the `-` of a value, since texts are copied from pages that print `−1`.

    Raises:
        NotationError: the text is not a card; points at the first character that does not fit.
    """
    text = text.translate(_MINUS)
    if text.startswith("B."):
        return _parse_double(text)
    if text.startswith(("L.", "R.")):
        pattern, after = _read_pattern(text, 2)
        value, after = _read_value(text, after)
        _expect_end(text, after)
        return SingleCard(Side(text[0]), pattern, value)
    return _parse_word_card(text)


def _parse_double(text: str) -> DoubleCard:
    pattern, after = _read_pattern(text, 2)
    value, after = _read_value(text, after)
    left = right = Half(pattern, value)
    if text.startswith("/", after):
        if not text.startswith(("+", "-"), after + 1):
            pattern, after = _read_pattern(text, after + 1)
        else:
            after += 1
        value, after = _read_value(text, after)
        right = Half(pattern, value)
    _expect_end(text, after)
    return DoubleCard(left, right)


def _parse_word_card(text: str) -> Card:
    word = next(filter(text.startswith, _WORDS), None)
    if word is None:
        known = Phrase("L. R. or B. with headgear, {words}", words=", ".join(_WORDS))
        raise NotationError(
            text, 0, Phrase("“{text}” is not a card; a card begins with one of {known},", text=text, known=known)
        )
    if word in _CARD_BY_WORD:
        _expect_end(text, len(word))
        return _CARD_BY_WORD[word]
    if word == _TONGUE:
        value, after = _read_value(text, len(word))
        _expect_end(text, after)
        return TongueCard(value)
    species = _SPECIES_BY_WORD[word]
    if text.startswith("*", len(word)):
        if not text.startswith("*2", len(word)):
            raise NotationError(text, len(word), Phrase("the only multiplier is “*2”, but here is something else"))
        _expect_end(text, len(word) + 2)
        return TimesTwoCard(species)
    value, after = _read_value(text, len(word))
    _expect_end(text, after)
    return SpeciesCard(species, value)


def _read_pattern(text: str, start: int) -> tuple[Pattern, int]:
    """Parse the pattern that begins at an index, and return it with the index after it."""
    shown = text[start : start + 2]
    if shown not in _PATTERN_BY_NOTATION:
        known = " ".join(_PATTERN_BY_NOTATION)
        problem = Phrase("“{text}” is not a card’s headgear, which is one of {known},", text=shown, known=known)
        raise NotationError(text, start, problem)
    return _PATTERN_BY_NOTATION[shown], start + 2


def _read_value(text: str, start: int) -> tuple[int, int]:
    """Parse the value that begins at an index, and return it with the index after it."""
    match = _VALUE.match(text, start)
    if not match:
        problem = Phrase("a value is missing, which is a sign and a number such as +1 or -2,")
        raise NotationError(text, start, problem)
    return int(match.group()), match.end()


def _expect_end(text: str, end: int) -> None:
    if end < len(text):
        raise NotationError(text, end, Phrase("“{part}” is too much", part=text[end:]))


def mirrored(card: Card) -> Card:
    """Return the card as a mirror shows it; most kinds have no side and are unchanged."""
    match card:
        case SingleCard(side, pattern, value):
            return SingleCard(side.other, pattern, value)
        case DoubleCard(left, right):
            return DoubleCard(right, left)
        case _:
            return card


MOST_CARDS: Final = 1_000
"""Limit of cards on a table and in a deck: several times those of any edition, as a score has a line per card."""


def parse_table(text: str) -> Table:
    """Parse cards separated by spaces, one per pile.

    Raises:
        NotationError: a word is not a card, or the text has no or too many cards; points at the place in the text.
    """
    cards: list[Card] = []
    for word in re.finditer(r"\S+", text):
        if len(cards) == MOST_CARDS:
            raise NotationError(
                text, word.start(), Phrase("a box holds at most {most} cards, and here is one more", most=MOST_CARDS)
            )
        try:
            cards.append(parse_card(word.group()))
        except NotationError as error:
            raise NotationError(text, word.start() + error.position, error.problem) from None
    if not cards:
        raise NotationError(text, 0, Phrase("a table needs at least one card, but there is none"))
    return tuple(cards)


def format_table(cards: Table) -> str:
    """Format cards in the notation, separated by spaces."""
    return " ".join(map(str, cards))
