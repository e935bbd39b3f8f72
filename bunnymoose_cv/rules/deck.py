"""Editions and decks, read from TOML, the numbers of their faces, and the rules of a game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import UNUSABLE, read_toml, toml_fault
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import MOST_CARDS, Card, ReversalCard, Table, TimesTwoCard, parse_table
from bunnymoose_cv.rules.pose import NotationError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

DATA = Path(__file__).parent / "data"
DEFAULT_EDITION = "second"
FEWEST_PLAYERS = 3
MOST_PLAYERS = 6

Value = TypeVar("Value", str, bool, list[object])


class DeckError(InputError):
    """Unusable deck or edition file; the sentence names the file, the place in it, and the remedy."""


def wrong_players(count: int) -> Phrase:
    """Return the sentence about an unsupported number of players."""
    return Phrase(
        "{fewest} to {most} people can play, not {count}.", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS, count=count
    )


class TongueMeaning(Enum):
    """Effect of a tongue that is out."""

    SPECIES = "changes the species and matches tongue cards"
    CARDS = "matches tongue cards and nothing else"
    NOTHING = "means nothing"


class Variant(Enum):
    """Change of the rules that the players agree on."""

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
        name: the name in `--edition` and in scripts.
        has_advanced_cards: whether the deck has a second lot, the advanced cards; in games without them, the tongue
            has no meaning.
        narrations: the number of times that each player narrates, by the number of players.
        cards_in_box: the number of cards in the box, including the advanced ones.
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
    """Edition with the choices of the players, for scoring and the game. Construct it with `rules_for`."""

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
        """Return the number of rounds for a number of players; raise an `InputError` if it is not supported."""
        if players not in self.edition.narrations:
            raise InputError(wrong_players(players))
        return players * self.edition.narrations[players]

    def in_round(self, number: int, players: int) -> Rules:
        """Return the rules of one round, from 1; a first game has no advanced cards until all have narrated once."""
        if Variant.FIRST_GAME not in self.variants:
            return self
        return replace(self, advanced=number > players, variants=self.variants - {Variant.FIRST_GAME})

    def cards(self, deck: Deck) -> Table:
        """Return the cards of a deck that are used under these rules."""
        lots = deck.cards + deck.advanced if self.advanced else deck.cards
        left_out = tuple(kind for variant, kind in _WITHOUT.items() if variant in self.variants)
        return tuple(card for card in lots if not isinstance(card, left_out))


_WITHOUT: Final = {Variant.NO_TIMES_TWO: TimesTwoCard, Variant.NO_REVERSAL: ReversalCard}
"""Kind of card that a variant leaves out."""


def rules_for(
    edition: str = DEFAULT_EDITION, *, advanced: bool = True, variants: Collection[Variant] = frozenset()
) -> Rules:
    """Return the rules of an edition, by the names that the command line, scripts and the screen use.

    Args:
        edition: `first` or `second`.
        advanced: whether to play with the advanced cards; ignored by the first edition, which has none.

    Raises:
        InputError: the edition does not exist, or the choices contradict each other.
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
    """Return the names of the editions."""
    return tuple(sorted(path.stem for path in (DATA / "editions").glob("*.toml")))


def load_edition(name: str) -> Edition:
    """Read a bundled edition, or raise an `InputError` if no edition has this name."""
    if name not in edition_names():
        raise InputError(f"There is no edition “{name}”: choose one of {', '.join(edition_names())}.")
    content = _read_toml(DATA / "editions" / f"{name}.toml")
    narrations = {int(players): times for players, times in content.pop("narrations").items()}
    return Edition(name=name, narrations=narrations, **content)


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a box.

    Attributes:
        reconstruction: whether we reconstructed the deck, which the rulebooks do not print.
        cards: the basic cards, or all cards if the edition has no advanced ones.
        advanced: the advanced cards; empty if the edition has none.
    """

    title: str
    edition: str
    reconstruction: bool
    cards: Table
    advanced: Table = ()


def deck_names() -> tuple[str, ...]:
    """Return the names of the bundled decks."""
    return tuple(sorted(path.stem for path in (DATA / "decks").glob("*.toml")))


def load_deck(name: str) -> Deck:
    """Read a bundled deck, which has the name of its edition. Raise an `InputError` if no deck has this name."""
    if name not in deck_names():
        raise InputError(f"There is no deck “{name}”: choose one of {', '.join(deck_names())}, or name a file.")
    return read_deck(deck_file(name))


def deck_file(name: str) -> Path:
    """Return the file of a bundled deck by its name, or of a user's deck by its path."""
    return DATA / "decks" / f"{name}.toml" if name in deck_names() else Path(name)


def deck_of(rules: Rules, own: Deck | None = None) -> Deck:
    """Return the deck to play with: the players' own if it is of the edition, otherwise the bundled one."""
    return own if own is not None and own.edition == rules.edition.name else load_deck(rules.edition.name)


def read_deck(path: Path) -> Deck:
    """Read a deck from a TOML file (`data/decks/second.toml` explains it), or raise a `DeckError` with the fault."""
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
    """Return the value of a key, after a check of its type."""
    value = content.get(key, default)
    if not isinstance(value, kind):
        wanted = {str: "text in quotes", bool: "true or false", list: "a list of rows in quotes"}[kind]
        raise DeckError(f"{path}: “{key}” is missing or wrong: it has to be {wanted}.")
    return value


def _read_lot(path: Path, content: Mapping[str, object], key: str) -> Table:
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


def face_numbers(deck: Deck) -> Mapping[Card, int]:
    """Number the distinct faces of a deck from 0, in its own order, advanced cards last.

    The numbers are a contract with printed decks: they change only with the deck itself.
    """
    faces = dict.fromkeys((*deck.cards, *deck.advanced))
    return {card: number for number, card in enumerate(faces)}
