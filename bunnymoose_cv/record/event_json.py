"""Events of a game file as JSON and back.

Poses and cards stand in the notation, rules by the names that the command line uses, so that a person can read them.
What is no event is a `EventShapeError`, never a traceback: a file may have been touched by others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.value_fault import value_fault
from bunnymoose_cv.rules.cards import format_table, parse_card, parse_table
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    GameStarted,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.events import Event


class EventShapeError(InputError):
    """Error of a text that is no event."""


def event_to_json(event: Event) -> str:
    """Write an event as one JSON object."""
    return _shape(event).model_dump_json()


def event_from_json(text: str) -> Event:
    """Read an event that `event_to_json` wrote.

    Raises:
        EventShapeError: the text is no event.
    """
    try:
        return _SHAPES.validate_json(text).event()
    except (ValidationError, InputError) as error:
        raise EventShapeError(f"“{text[:60]}” is no event of a game: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])) or 'its text'} {value_fault(first)}"
    return str(error)


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Started(_Shape):
    kind: Literal["game started"] = "game started"
    players: list[str]
    edition: str
    advanced: bool
    variants: list[str]
    colours: list[int] = []

    def event(self) -> GameStarted:
        unknown = set(self.variants) - {variant.value for variant in Variant}
        if unknown:
            raise EventShapeError(f"there is no variant “{min(unknown)}”")
        variants = [Variant(name) for name in self.variants]
        rules = rules_for(self.edition, advanced=self.advanced, variants=variants)
        return GameStarted(tuple(self.players), rules, tuple(self.colours))


class _Shuffled(_Shape):
    kind: Literal["deck shuffled"] = "deck shuffled"
    cards: str

    def event(self) -> DeckShuffled:
        return DeckShuffled(_table(self.cards))


class _Bet(_Shape):
    kind: Literal["bet placed"] = "bet placed"
    player: str

    def event(self) -> BetPlaced:
        return BetPlaced(self.player)


class _Laid(_Shape):
    kind: Literal["card laid"] = "card laid"
    card: str
    from_deck: bool

    def event(self) -> CardLaid:
        return CardLaid(parse_card(self.card), from_deck=self.from_deck)


class _TableTold(_Shape):
    kind: Literal["table laid"] = "table laid"
    cards: str

    def event(self) -> TableLaid:
        return TableLaid(_table(self.cards))


class _Bam(_Shape):
    kind: Literal["Bam"] = "Bam"

    def event(self) -> Bam:
        return Bam()


class _Judged(_Shape):
    kind: Literal["poses judged"] = "poses judged"
    poses: dict[str, str]

    def event(self) -> PosesJudged:
        return PosesJudged({player: Pose.parse(pose) for player, pose in self.poses.items()})


class _PosePutRight(_Shape):
    kind: Literal["pose corrected"] = "pose corrected"
    round: int
    player: str
    pose: str

    def event(self) -> PoseCorrected:
        return PoseCorrected(self.round, self.player, Pose.parse(self.pose))


class _TablePutRight(_Shape):
    kind: Literal["table corrected"] = "table corrected"
    round: int
    cards: str

    def event(self) -> TableCorrected:
        return TableCorrected(self.round, _table(self.cards))


class _BetPutRight(_Shape):
    kind: Literal["bet corrected"] = "bet corrected"
    round: int
    player: str | None

    def event(self) -> BetCorrected:
        return BetCorrected(self.round, self.player)


class _Undone(_Shape):
    kind: Literal["undone"] = "undone"

    def event(self) -> Undone:
        return Undone()


_EventShape: TypeAlias = (
    _Started
    | _Shuffled
    | _Bet
    | _Laid
    | _TableTold
    | _Bam
    | _Judged
    | _PosePutRight
    | _TablePutRight
    | _BetPutRight
    | _Undone
)
_SHAPES: TypeAdapter[_EventShape] = TypeAdapter(Annotated[_EventShape, Field(discriminator="kind")])


def _shape(event: Event) -> _EventShape:  # noqa: C901, PLR0911 - one case per kind
    match event:
        case GameStarted(players, rules, colours):
            return _Started(
                players=list(players),
                edition=rules.edition.name,
                advanced=rules.advanced,
                variants=sorted(variant.value for variant in rules.variants),
                colours=list(colours),
            )
        case DeckShuffled(cards):
            return _Shuffled(cards=format_table(cards))
        case BetPlaced(player):
            return _Bet(player=player)
        case CardLaid(card, from_deck):
            return _Laid(card=str(card), from_deck=from_deck)
        case TableLaid(cards):
            return _TableTold(cards=format_table(cards))
        case Bam():
            return _Bam()
        case PosesJudged(poses):
            return _Judged(poses={player: str(pose) for player, pose in poses.items()})
        case PoseCorrected(number, player, pose):
            return _PosePutRight(round=number, player=player, pose=str(pose))
        case TableCorrected(number, cards):
            return _TablePutRight(round=number, cards=format_table(cards))
        case BetCorrected(number, bet):
            return _BetPutRight(round=number, player=bet)
        case Undone():
            return _Undone()


def _table(text: str) -> Table:
    """Cards in the notation; a table may be empty here."""
    return parse_table(text) if text else ()
