"""Editions and decks, read from TOML, and the rules that a game is played by."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.text_file import UNUSABLE, read_toml, toml_fault
from bunnymoose_cv.rules.cards import (
    MOST_CARDS,
    Card,
    ReversalCard,
    Table,
    TimesTwoCard,
    parse_table,
)
from bunnymoose_cv.rules.pose import NotationError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

DATA = Path(__file__).parent / "data"
DEFAULT_EDITION = "second"
FEWEST_PLAYERS = 3
MOST_PLAYERS = 6


Value = TypeVar("Value", str, bool, list[object])


class DeckError(InputError):
    """A deck or edition file that cannot be used; says which file, where in it, and what to do."""


def wrong_players(count: int) -> Phrase:
    """Sentence for a number of people that cannot play."""
    return Phrase(
        "{fewest} to {most} people can play, not {count}.", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS, count=count
    )


class TongueMeaning(Enum):
    """Effect of a tongue that is out."""

    SPECIES = "changes the species and matches tongue cards"
    CARDS = "matches tongue cards and nothing else"
    NOTHING = "means nothing"


class Variant(Enum):
    """A change of the rules that the players agree on."""

    NO_SPECIES_CHANGE = "no-species-change"
    NO_TIMES_TWO = "no-times-two"
    NO_REVERSAL = "no-reversal"
    FOUR_LINES = "four-lines"
    EIGHT_LINES = "eight-lines"
    FIRST_GAME = "first-game"


@dataclass(frozen=True, slots=True)
class Edition:
    """Edition: the fixed parts of a rulebook.

    Attributes:
        name: what `--edition` and scripts write.
        spaces: how many spaces the trail has.
        has_advanced_cards: whether the deck has a second lot, with which the tongue begins to mean something.
        narrations: how often each player narrates, by the number of players.
        cards_in_box: how many cards the box holds, the advanced ones included.
        advanced_cards_in_box: how many of them are advanced.
    """

    name: str
    title: str
    spaces: int
    has_advanced_cards: bool
    narrations: Mapping[int, int] = field(hash=False)
    cards_in_box: int
    advanced_cards_in_box: int


@dataclass(frozen=True, slots=True)
class Rules:
    """An edition with the choices of the players: all that scoring and the game ask about. Made by `rules_for`."""

    edition: Edition
    advanced: bool = True
    variants: frozenset[Variant] = frozenset()

    @property
    def tongue(self) -> TongueMeaning:
        """Effect of a tongue that is out."""
        if self.edition.has_advanced_cards and not self.advanced:
            return TongueMeaning.NOTHING
        return TongueMeaning.CARDS if Variant.NO_SPECIES_CHANGE in self.variants else TongueMeaning.SPECIES

    @property
    def piles(self) -> int:
        """Number of piles: one for each line of the poem."""
        if Variant.FOUR_LINES in self.variants:
            return 4
        return 8 if Variant.EIGHT_LINES in self.variants else 6

    @property
    def spaces(self) -> int:
        """Number of spaces of the trail."""
        return self.edition.spaces

    def rounds(self, players: int) -> int:
        """Return the number of rounds for so many players.

        Raises:
            InputError: so many cannot play.
        """
        if players not in self.edition.narrations:
            raise InputError(wrong_players(players))
        return players * self.edition.narrations[players]

    def in_round(self, number: int, players: int) -> Rules:
        """The rules of one round, from 1: a first game leaves the advanced cards out until all have narrated once."""
        if Variant.FIRST_GAME not in self.variants:
            return self
        return replace(self, advanced=number > players, variants=self.variants - {Variant.FIRST_GAME})

    def cards(self, deck: Deck) -> Table:
        """The cards of a deck that are played with."""
        lots = deck.cards + deck.advanced if self.advanced else deck.cards
        return tuple(card for card in lots if not self._leaves_out(card))

    def _leaves_out(self, card: Card) -> bool:
        return (isinstance(card, TimesTwoCard) and Variant.NO_TIMES_TWO in self.variants) or (
            isinstance(card, ReversalCard) and Variant.NO_REVERSAL in self.variants
        )


def rules_for(
    edition: str = DEFAULT_EDITION, *, advanced: bool = True, variants: Collection[Variant] = frozenset()
) -> Rules:
    """The rules by the names that the command line, scripts and the screen use.

    Args:
        edition: `first` or `second`.
        advanced: whether the advanced cards are played with; the first edition has one lot of cards and ignores it.

    Raises:
        InputError: there is no such edition, or the choices contradict each other.
    """
    chosen = frozenset(variants)
    if {Variant.FOUR_LINES, Variant.EIGHT_LINES} <= chosen:
        raise InputError(Phrase("A poem has four lines or eight, not both: choose one of four-lines and eight-lines."))
    loaded = load_edition(edition)
    if Variant.FIRST_GAME in chosen and not (advanced and loaded.has_advanced_cards):
        raise InputError(
            Phrase("A first game adds the advanced cards half-way: it needs the second edition with --advanced.")
        )
    return Rules(loaded, advanced or not loaded.has_advanced_cards, chosen)


def edition_names() -> tuple[str, ...]:
    """Names of the editions."""
    return tuple(sorted(path.stem for path in (DATA / "editions").glob("*.toml")))


def load_edition(name: str) -> Edition:
    """Read an edition that comes with the program.

    Raises:
        InputError: there is none of this name.
    """
    if name not in edition_names():
        raise InputError(f"There is no edition “{name}”: choose one of {', '.join(edition_names())}.")
    content = _read_toml(DATA / "editions" / f"{name}.toml")
    narrations = {int(players): times for players, times in content.pop("narrations").items()}
    return Edition(name=name, narrations=narrations, **content)


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a box.

    Attributes:
        reconstruction: whether it is ours, since the rulebooks do not print the deck.
        cards: the basic cards, or all of them where there is one lot.
        advanced: the advanced cards; none where there is one lot.
    """

    title: str
    edition: str
    reconstruction: bool
    cards: Table
    advanced: Table = ()


def deck_names() -> tuple[str, ...]:
    """The decks that come with the program."""
    return tuple(sorted(path.stem for path in (DATA / "decks").glob("*.toml")))


def load_deck(name: str) -> Deck:
    """Read a deck that comes with the program, named like its edition.

    Raises:
        InputError: there is none of this name.
    """
    if name not in deck_names():
        raise InputError(f"There is no deck “{name}”: choose one of {', '.join(deck_names())}, or name a file.")
    return read_deck(deck_file(name))


def deck_file(name: str) -> Path:
    """File of a deck: of one of ours by its name, else of somebody's own by its path."""
    return DATA / "decks" / f"{name}.toml" if name in deck_names() else Path(name)


def deck_of(rules: Rules, own: Deck | None = None) -> Deck:
    """The deck that is played with: that of people's own box where its cards are of the edition, else ours."""
    return own if own is not None and own.edition == rules.edition.name else load_deck(rules.edition.name)


def read_deck(path: Path) -> Deck:
    """Read a deck from a TOML file; `data/decks/second.toml` explains the format.

    Raises:
        DeckError: the file cannot be read, is no TOML, lacks something, or holds a card that is none.
    """
    content = _read_toml(path)
    unknown = content.keys() - {"title", "edition", "reconstruction", "cards", "advanced"}
    if unknown:
        raise DeckError(f"{path}: “{min(unknown)}” is nothing that a deck has: take it out.")
    edition = _entry(path, content, "edition", str)
    if edition not in edition_names():
        raise DeckError(f"{path}: there is no edition “{edition}”: write one of {', '.join(edition_names())}.")
    return Deck(
        title=_entry(path, content, "title", str),
        edition=edition,
        reconstruction=_entry(path, content, "reconstruction", bool, default=False),
        cards=_read_lot(path, content, "cards"),
        advanced=_read_lot(path, content, "advanced") if "advanced" in content else (),
    )


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except UNUSABLE as error:
        raise DeckError(f"The deck {path} {toml_fault(error)}.") from None


def _entry(
    path: Path, content: Mapping[str, object], key: str, kind: type[Value], default: Value | None = None
) -> Value:
    """Return the value of a key, if it is of the kind that belongs there."""
    value = content.get(key, default)
    if not isinstance(value, kind):
        wanted = {str: "text in quotes", bool: "true or false", list: "a list of rows in quotes"}[kind]
        raise DeckError(f"{path}: “{key}” is missing or wrong: it has to be {wanted}.")
    return value


def _read_lot(path: Path, content: Mapping[str, object], key: str) -> Table:
    """The cards of one list of rows."""
    lot: list[Card] = []
    rows: list[object] = _entry(path, content, key, list)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, str):
            raise DeckError(f"{path}: row {number} of “{key}” is no text: put the cards in quotes.")
        try:
            lot.extend(parse_table(row))
        except NotationError as error:
            raise DeckError(f"{path}: row {number} of “{key}”: {error}.") from None
        if len(lot) > MOST_CARDS:
            raise DeckError(f"{path}: “{key}” holds more than {MOST_CARDS} cards, and no box does: take some out.")
    if not lot:
        raise DeckError(f"{path}: “{key}” holds no cards: write some, or take it out.")
    return tuple(lot)
