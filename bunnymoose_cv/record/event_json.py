"""Events of a game file as JSON and back.

Poses and cards are in the notation, and rules have their names on the command line, so that people can read them.
Other programs may have changed the file, so anything else raises an `InputError`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias, Union

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    create_model,
)

from bunnymoose_cv.core.errors import InputError, value_fault
from bunnymoose_cv.rules.cards import Card, Table, format_table, parse_card, parse_table
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    Event,
    GameStarted,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Mapping


def event_to_json(event: Event) -> str:
    """Serialize an event as one JSON object."""
    return _SHAPES[type(event)].of(event).model_dump_json(by_alias=True)


def event_from_json(text: str) -> Event:
    """Parse an event that `event_to_json` wrote; raise an `InputError` if the text is not an event."""
    try:
        return _PARSED.validate_json(text).event()
    except (ValidationError, InputError) as error:
        raise InputError(f"“{text[:60]}” is no event of a game: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])) or 'its text'} {value_fault(first)}"
    return str(error)


class _Shape(BaseModel):
    """Shape of one kind of event, with the same fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    kind: str

    @classmethod
    def of(cls, event: Any) -> Self:
        return cls.model_construct(**{field.name: getattr(event, field.name) for field in fields(event)})

    def event(self) -> Event:
        """Return the event; raise an `InputError` if the rules of a game are unknown."""
        event_type = next(kind for kind, shape in _SHAPES.items() if shape is type(self))
        return event_type(**{field.name: getattr(self, field.name) for field in fields(event_type)})


class _Started(_Shape):
    kind: Literal["game started"] = "game started"
    players: tuple[str, ...]
    edition: str
    advanced: bool
    variants: tuple[str, ...]
    colours: tuple[int, ...] = ()

    @classmethod
    def of(cls, event: GameStarted) -> Self:
        rules = event.rules
        variants = tuple(sorted(variant.value for variant in rules.variants))
        return cls(
            players=event.players,
            edition=rules.edition.name,
            advanced=rules.advanced,
            variants=variants,
            colours=event.colours,
        )

    def event(self) -> GameStarted:
        unknown = set(self.variants) - {variant.value for variant in Variant}
        if unknown:
            raise InputError(f"there is no variant “{min(unknown)}”")
        rules = rules_for(self.edition, advanced=self.advanced, variants=[Variant(name) for name in self.variants])
        return GameStarted(self.players, rules, self.colours)


def _shape(event_type: type[Event], kind: str, **kinds: Any) -> type[_Shape]:
    """Make the shape of events whose fields are in JSON, or have a notation."""
    named: dict[str, Any] = {"kind": (Literal[kind], kind)}
    named |= {name: (annotation, ...) for name, annotation in kinds.items()}
    return create_model(event_type.__name__, __base__=_Shape, **named)


def _text(value: Card | Pose) -> str:
    return str(value)


def _parse_cards(text: str) -> Table:
    """Parse cards in the notation; the text may be empty here."""
    return parse_table(text) if text else ()


_RoundNumber: TypeAlias = Annotated[int, Field(alias="round")]
_Card: TypeAlias = Annotated[str, AfterValidator(parse_card), PlainSerializer(_text)]
_Cards: TypeAlias = Annotated[str, AfterValidator(_parse_cards), PlainSerializer(format_table)]
_Pose: TypeAlias = Annotated[str, AfterValidator(Pose.parse), PlainSerializer(_text)]

_SHAPES: Final[Mapping[type[Event], type[_Shape]]] = {
    GameStarted: _Started,
    DeckShuffled: _shape(DeckShuffled, "deck shuffled", cards=_Cards),
    BetPlaced: _shape(BetPlaced, "bet placed", player=str),
    CardLaid: _shape(CardLaid, "card laid", card=_Card, from_deck=bool),
    TableLaid: _shape(TableLaid, "table laid", cards=_Cards),
    Bam: _shape(Bam, "Bam"),
    PosesJudged: _shape(PosesJudged, "poses judged", poses=dict[str, _Pose]),
    PoseCorrected: _shape(PoseCorrected, "pose corrected", round_number=_RoundNumber, player=str, pose=_Pose),
    TableCorrected: _shape(TableCorrected, "table corrected", round_number=_RoundNumber, cards=_Cards),
    BetCorrected: _shape(BetCorrected, "bet corrected", round_number=_RoundNumber, player=str | None),
    Undone: _shape(Undone, "undone"),
}
"""Shape of each kind of event; no kind or key is ever renamed."""

_ANY_SHAPE: Any = Union[tuple(_SHAPES.values())]  # noqa: UP007 - the shapes are in a table
_PARSED: Final[TypeAdapter[_Shape]] = TypeAdapter(Annotated[_ANY_SHAPE, Field(discriminator="kind")])
