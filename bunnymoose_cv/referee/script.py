"""Script of an evening in TOML: the actions of the players, so that whole games are played without a key.

The whole script is checked before the first round: its form here, its legality by a rehearsal with invented poses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from bunnymoose_cv.core.address import without_secrets
from bunnymoose_cv.core.errors import InputError, value_fault
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.core.input_file import UNUSABLE, read_toml, toml_fault
from bunnymoose_cv.rules.cards import HunterCard, Table, parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetPlaced,
    GameStarted,
    IllegalEventError,
    PoseCorrected,
    PosesJudged,
    TableLaid,
)
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.player_names import player_names, tidied
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game


class ScriptError(InputError):
    """Error of a script that cannot be played, with the file, the place in it and a remedy."""


@dataclass(frozen=True, slots=True)
class ScriptedRound:
    """One scripted round, with the time of Bam in the clip.

    Attributes:
        bet: the player whom the narrator bets on; None without a bet.
        cards: the cards on the piles at Bam; None if the dealer deals.
        corrections: the poses that are corrected before the next round, by player.
    """

    clip: Path
    bam_s: float
    bet: str | None
    cards: Table | None
    corrections: Mapping[str, Pose]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script; it may have fewer rounds than a whole game.

    The players are round the table, from the first narrator to the narrator's left.
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
    """Read a script, whose clips are relative to its file, and raise a `ScriptError` if it cannot be played."""
    shape = _shape(path)
    try:
        variants = [_variant(name) for name in shape.variants]
        rules = rules_for(shape.edition, advanced=shape.advanced, variants=variants)
        players = player_names(shape.players)
    except InputError as error:
        raise ScriptError(f"{path}: {error}") from None
    rounds = tuple(
        ScriptedRound(
            clip=path.parent / scripted.clip,
            bam_s=scripted.bam_s,
            bet=None if scripted.bet is None else tidied(scripted.bet),
            cards=scripted.cards,
            corrections={tidied(name): pose for name, pose in scripted.correct.items()},
        )
        for scripted in shape.round
    )
    evening = Script(players, rules, rounds, shape.seed)
    _rehearse(evening, path)
    return evening


def _shape(path: Path) -> _EveningShape:
    try:
        return _EveningShape.model_validate(read_toml(path))
    except UNUSABLE as error:
        raise ScriptError(f"The script {path} {toml_fault(error)}.") from None
    except ValidationError as error:
        raise ScriptError(f"The script {path}: {_problem(error.errors()[0])}.") from None


def _problem(error: Any) -> str:
    """Describe the first problem, for example `round 2, bam_s is missing`."""
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
    """Play the script with bushes as poses, to check that bets, cards and rounds are legal."""
    events: list[Event] = [GameStarted(evening.players, evening.rules)]
    _expect_legal(events, f"{path}")
    for number, scripted in enumerate(evening.rounds, 1):
        where = f"{path}, round {number}"
        if fold(events).phase is Phase.OVER:
            raise ScriptError(f"{where}: the game has {number - 1} rounds, so leave this one out.")
        for event in _rehearse_round(scripted, number, fold(events)):
            events.append(event)
            _expect_legal(events, where)
        if not _is_file(scripted.clip):
            raise ScriptError(
                f"The script {where}: there is no clip {without_secrets(str(scripted.clip))}, check its name."
            )


def _is_file(path: Path) -> bool:
    """Return whether a file exists; False also for a name that the system does not allow."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _rehearse_round(scripted: ScriptedRound, number: int, game: Game) -> Iterator[Event]:
    """Yield the events of a round in which all players are bushes; cards that are dealt later are invented."""
    if scripted.bet is not None:
        yield BetPlaced(scripted.bet)
    yield TableLaid((HunterCard(),) * game.rules.piles if scripted.cards is None else scripted.cards)
    yield Bam()
    yield PosesJudged(dict.fromkeys(game.seats, Pose(None, None)))
    for player, pose in scripted.corrections.items():
        yield PoseCorrected(number, player, pose)


def _expect_legal(events: list[Event], where: str) -> None:
    try:
        fold(events)
    except IllegalEventError as error:
        raise ScriptError(f"The script {where}: {error}") from None


NARRATOR: Final = "Noa"
"""Name of the first narrator, who does not sit before the camera."""


class DemoFacts(BaseModel):
    """Facts about the demo clip; `bam_s` is the time of Bam in seconds from the clip's beginning."""

    model_config = ConfigDict(frozen=True)

    bam_s: float
    cards: str
    names: tuple[str, ...] = ()
    bet: int | None = None


def demo_facts() -> DemoFacts:
    """Return the facts about the demo clip."""
    return DemoFacts.model_validate_json(bundled("fixtures/demo.json").read_text("utf-8"))


def demo_script() -> Script:
    """Make a game in which every round is that clip."""
    facts, rules = demo_facts(), rules_for()
    players = (NARRATOR, *facts.names)
    played = ScriptedRound(bundled("fixtures/demo.mp4"), facts.bam_s, None, parse_table(facts.cards), {})
    return Script(players, rules, (played,) * rules.rounds(len(players)), 0)
