"""Script of an evening in TOML: what people would do, so that whole games are played without a key.

Everything in it is checked before the first round: by its form here, by the rules through a rehearsal with poses that
nobody showed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import UNUSABLE, read_toml, toml_fault
from bunnymoose_cv.core.value_fault import value_fault
from bunnymoose_cv.rules.cards import HunterCard, Table, parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PoseCorrected, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.illegal_event import IllegalEventError
from bunnymoose_cv.rules.player_names import player_names, tidied
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game


class ScriptError(InputError):
    """Error of a script that cannot be played, with the file, the place in it and what to do."""


@dataclass(frozen=True, slots=True)
class ScriptedRound:
    """One round as people would play it.

    Attributes:
        bam_s: when Bam is said, seconds in the clip.
        bet: whom the narrator bets on, if on anybody.
        cards: what lies on the piles at Bam; None where the dealer deals.
        corrections: what people put right before the next round, by player.
    """

    clip: Path
    bam_s: float
    bet: str | None
    cards: Table | None
    corrections: Mapping[str, Pose]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script.

    Attributes:
        players: round the table, from the first narrator to the narrator's left.
        rounds: in their order; fewer than a whole game has is no error.
        seed: all chance of the dealer follows from it.
    """

    players: tuple[str, ...]
    rules: Rules
    rounds: tuple[ScriptedRound, ...]
    seed: int


Value = TypeVar("Value")


def _notation(parse: Callable[[str], Value]) -> BeforeValidator:
    """Make a validator for a value in the notation."""

    def read(text: object) -> Value:
        if not isinstance(text, str):
            message = "stands in quotes"
            raise ValueError(message)  # noqa: TRY004 - pydantic turns a ValueError into its own
        try:
            return parse(text)
        except InputError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(read)


class _RoundShape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    clip: str
    bam_s: Annotated[float, Field(ge=0)]
    bet: str | None = None
    cards: Annotated[Any, _notation(parse_table)] = None
    deal: bool = False
    correct: dict[str, Annotated[Any, _notation(Pose.parse)]] = {}

    @model_validator(mode="after")
    def _cards_or_dealer(self) -> _RoundShape:
        if (self.cards is None) is not self.deal:
            message = "tells either the cards or deal = true"
            raise ValueError(message)
        return self


class _EveningShape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    edition: str = "second"
    advanced: bool = True
    variants: list[str] = []
    players: list[str]
    seed: int = 0
    round: Annotated[list[_RoundShape], Field(min_length=1)]


def read_script(path: Path) -> Script:
    """Read a script and make sure that it can be played.

    Args:
        path: the TOML file; its clips lie relative to it.

    Raises:
        ScriptError: it cannot be read, is no TOML, lacks something, or tells what the rules do not allow.
    """
    shape = _shape(path)
    try:
        variants = [_variant(name) for name in shape.variants]
        rules = rules_for(shape.edition, advanced=shape.advanced, variants=variants)
        players = player_names(shape.players)
    except InputError as error:
        raise ScriptError(f"{path}: {error}") from None
    rounds = tuple(
        ScriptedRound(
            clip=path.parent / each.clip,
            bam_s=each.bam_s,
            bet=None if each.bet is None else tidied(each.bet),
            cards=each.cards,
            corrections={tidied(name): pose for name, pose in each.correct.items()},
        )
        for each in shape.round
    )
    evening = Script(players, rules, rounds, shape.seed)
    _rehearse(evening, path)
    return evening


def _shape(path: Path) -> _EveningShape:
    """Read the file, of the form that a script has."""
    try:
        return _EveningShape.model_validate(read_toml(path))
    except UNUSABLE as error:
        raise ScriptError(f"The script {path} {toml_fault(error)}.") from None
    except ValidationError as error:
        raise ScriptError(f"The script {path}: {_problem(error.errors()[0])}.") from None


def _problem(error: Any) -> str:
    """The first problem in words: `round 2, bam_s is missing`."""
    where = list(error["loc"])
    if where[:1] == ["round"] and len(where) > 1:
        where[:2] = [f"round {where[1] + 1}"]
    place = ", ".join(str(part) for part in where)
    if error["type"] == "missing":
        return f"{place} is missing, write it"
    if error["type"] == "extra_forbidden":
        return f"{place} is nothing that a script has, take it out"
    return f"{place}{':' if error['type'] == 'value_error' else ''} {value_fault(error)}"


def _variant(name: str) -> Variant:
    names = [variant.value for variant in Variant]
    if name not in names:
        raise InputError(f"there is no variant “{name}”: choose among {', '.join(names)}.")
    return Variant(name)


def _rehearse(evening: Script, path: Path) -> None:
    """Play the script with everybody a bush: whoever bets on whom, cards and rounds must all be legal."""
    events: list[Event] = [GameStarted(evening.players, evening.rules)]
    _expect_legal(events, f"{path}")
    for number, each in enumerate(evening.rounds, 1):
        where = f"{path}, round {number}"
        if fold(events).phase is Phase.OVER:
            raise ScriptError(f"{where}: the game has {number - 1} rounds, so leave this one out.")
        for event in _rehearse_round(each, number, fold(events)):
            events.append(event)
            _expect_legal(events, where)
        if not _is_file(each.clip):
            raise ScriptError(f"The script {where}: there is no clip {each.clip}, check its name.")


def _is_file(path: Path) -> bool:
    """Tell if a file is there; False also for a name that the system cannot have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _rehearse_round(each: ScriptedRound, number: int, game: Game) -> Iterator[Event]:
    """The events of a round in which nobody shows anything; for cards that are not dealt yet, any will do."""
    if each.bet is not None:
        yield BetPlaced(each.bet)
    yield TableLaid((HunterCard(),) * game.rules.piles if each.cards is None else each.cards)
    yield Bam()
    yield PosesJudged(dict.fromkeys(game.seats, Pose(None, None)))
    for player, pose in each.corrections.items():
        yield PoseCorrected(number, player, pose)


def _expect_legal(events: list[Event], where: str) -> None:
    try:
        fold(events)
    except IllegalEventError as error:
        raise ScriptError(f"The script {where}: {error}") from None
