"""JSON of a correction, and of an event that is taken back, with all that follows from it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

from bunnymoose_cv.core.json_shape import AnyText, JsonShape
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.referee.json_output import RankingShape, StandingShape

if TYPE_CHECKING:
    from bunnymoose_cv.record.correction_effects import ChangedFigure, ChangedLines, Changes
    from bunnymoose_cv.rules.events import Event


class ChangedLinesShape(JsonShape):
    """Announcements of a round that differ."""

    round: int
    before: tuple[str, ...]
    after: tuple[str, ...]

    @classmethod
    def of(cls, changed: ChangedLines) -> Self:
        """From the announcements of a round."""
        return cls(round=changed.round_number, before=changed.before, after=changed.after)


class ChangedFigureShape(JsonShape):
    """A figure that stands elsewhere after a round, in spaces."""

    round: int
    player: str
    animal: str
    before: int
    after: int

    @classmethod
    def of(cls, changed: ChangedFigure) -> Self:
        """From a figure."""
        return cls(
            round=changed.round_number,
            player=changed.figure.player,
            animal=changed.figure.animal.value,
            before=changed.before,
            after=changed.after,
        )


class RankingsShape(JsonShape):
    """The ranking as it was, and as it is."""

    before: tuple[StandingShape, ...]
    after: tuple[StandingShape, ...]


class CorrectedPoseShape(JsonShape):
    """A corrected pose; not `written` where the player had been judged by it already."""

    game: AnyText
    round: int
    player: str
    before: str
    after: AnyText
    who: AnyText
    why: AnyText
    written: bool
    say: tuple[ChangedLinesShape, ...]
    figures: tuple[ChangedFigureShape, ...]
    ranking: RankingsShape


class UndoneShape(JsonShape):
    """An event that was taken back, as the game file has it."""

    game: AnyText
    undone: dict[str, Any]
    who: AnyText
    say: tuple[ChangedLinesShape, ...]
    figures: tuple[ChangedFigureShape, ...]
    ranking: RankingsShape

    @classmethod
    def of(cls, game: str, event: Event, who: str, changed: Changes) -> Self:
        """From the name of the game, the event, who takes it back, and what follows."""
        return cls(game=game, undone=json.loads(event_to_json(event)), who=who, **effects(changed))


def effects(changed: Changes) -> dict[str, Any]:
    """The fields that tell what follows from a correction."""
    return {
        "say": tuple(map(ChangedLinesShape.of, changed.lines)),
        "figures": tuple(map(ChangedFigureShape.of, changed.figures)),
        "ranking": RankingsShape(
            before=RankingShape.of(changed.before).ranking, after=RankingShape.of(changed.after).ranking
        ),
    }
