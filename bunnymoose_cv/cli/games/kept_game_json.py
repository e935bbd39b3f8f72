"""JSON of kept games: a line of the list, and a round."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.json_shape import AnyText, JsonShape
from bunnymoose_cv.record.correction_effects import said
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.past_evening import corrections
from bunnymoose_cv.referee.json_output import FiguresShape, RankingShape, StandingShape
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.round import Round


class _ListedShape(JsonShape):
    number: int
    name: AnyText
    bytes: int
    folder: AnyText


class ListedGameShape(_ListedShape):
    """A game of the list."""

    title: str
    players: tuple[str, ...]
    rounds: int
    over: bool
    ranking: tuple[StandingShape, ...]


class DamagedGameShape(_ListedShape):
    """A game of the list that cannot be read; `problem` says why."""

    problem: AnyText


def listed_game(kept: StoredGame) -> ListedGameShape | DamagedGameShape:
    """Describe a game for the list."""
    about: dict[str, Any] = {
        "number": kept.number,
        "name": kept.name,
        "bytes": kept.size_bytes,
        "folder": str(kept.folder),
    }
    try:
        with GameFile.open(kept.folder) as file:
            game = file.game
            return ListedGameShape(
                **about,
                title=file.title,
                players=game.players,
                rounds=len(game.rounds),
                over=game.phase is Phase.OVER,
                ranking=RankingShape.of(game.ranking).ranking,
            )
    except InputError as error:
        return DamagedGameShape(**about, problem=str(error))


class CorrectionShape(JsonShape):
    """A correction with its author and reason; `event` is as the game file has it."""

    time: str
    who: str
    why: str
    event: dict[str, Any]

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """From an entry of a game file."""
        return cls(
            time=entry.time.isoformat(), who=entry.who, why=entry.why, event=json.loads(event_to_json(entry.event))
        )


class KeptRoundShape(JsonShape):
    """A round of a kept game; the total of a bush is null.

    Attributes:
        poses: player by player, in the order of the seats.
        say: what was announced.
        figures: player by player.
        corrections: those that still stand.
    """

    round: int
    narrator: str
    bet: str | None
    cards: str
    poses: dict[str, str]
    totals: dict[str, int | None]
    say: tuple[str, ...]
    figures: dict[str, FiguresShape]
    corrections: tuple[CorrectionShape, ...]

    @classmethod
    def of(cls, file: GameFile, played: Round) -> Self:
        """From a round and the file of its game."""
        facts = played.facts
        return cls(
            round=facts.number,
            narrator=facts.narrator,
            bet=facts.bet,
            cards=format_table(facts.cards),
            poses={player: str(facts.poses[player]) for player in facts.seats},
            totals={verdict.player: verdict.score.total for verdict in played.verdicts},
            say=said(played),
            figures=FiguresShape.by_player(played.trail.places),
            corrections=tuple(map(CorrectionShape.of, corrections(file.standing, facts.number))),
        )
