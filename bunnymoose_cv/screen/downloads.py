"""A game as other programs read it: a table of scores for spreadsheets, and JSON. Owns no file and no ZIP.

Names are data: one that a spreadsheet would take for a formula is written so that it stays a name.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.outside import RankingShape, ScoreShape

if TYPE_CHECKING:
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import Round

COLUMNS: Final = ("round", "narrator", "bet", "seat", "player", "pose", "species", "total")
_FORMULA_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def game_csv(game: Game) -> str:
    """One line for each player in each round that is over.

    Poses stand in our notation, which may begin like a formula too (`-- SS`), and is guarded likewise.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for played in game.rounds:
        facts = played.facts
        for verdict in played.verdicts:
            score = verdict.score
            told = (verdict.player, str(score.pose), score.species.value)
            total = "" if score.total is None else score.total
            names = (facts.narrator, facts.bet or "")
            table.writerow([facts.number, *map(plain, names), verdict.seat, *map(plain, told), total])
    return text.getvalue()


def game_json(game: Game) -> str:
    """Players, rounds with verdicts, and the ranking."""
    return json.dumps(
        {
            "players": game.players,
            "edition": game.rules.edition.name,
            "rounds": [_round(played) for played in game.rounds],
            "ranking": json.loads(RankingShape.of(game.ranking).line())["ranking"],
        },
        ensure_ascii=False,
        indent=1,
    )


def plain(cell: str) -> str:
    """Text that a spreadsheet takes for text; what it might take for a formula gets an apostrophe before it."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA_BEGINS) else cell


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
                "score": ScoreShape.of(verdict.score).model_dump(),
            }
            for verdict in played.verdicts
        ],
    }
