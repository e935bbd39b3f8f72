"""A game as other programs read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.referee.json_output import ranking_json, score_json

if TYPE_CHECKING:
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import Round


def game_json(game: Game) -> str:
    """Players, rounds with verdicts, and the ranking."""
    return json.dumps(
        {
            "players": game.players,
            "edition": game.rules.edition.name,
            "rounds": [_round(played) for played in game.rounds],
            "ranking": ranking_json(game.ranking),
        },
        ensure_ascii=False,
        indent=1,
    )


def _round(played: Round) -> dict[str, Any]:
    facts = played.facts
    return {
        "round": facts.number,
        "narrator": facts.narrator,
        "bet": facts.bet,
        "cards": " ".join(map(str, facts.cards)),
        "verdicts": [
            {
                "player": verdict.player,
                "seat": verdict.seat,
                "pose": str(verdict.score.pose),
                "score": score_json(verdict.score),
            }
            for verdict in played.verdicts
        ],
    }
