"""JSON of kept games: a line of the list, and a round."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bunnymoose_cv.record.correction_effects import said
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.record.past_evening import corrections
from bunnymoose_cv.referee.json_output import figures_json, ranking_json
from bunnymoose_cv.rules.cards import format_table

if TYPE_CHECKING:
    from bunnymoose_cv.core.json_line import JsonObject
    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.past_evening import ListedGame
    from bunnymoose_cv.rules.round import Round


def listed_game_json(listed: ListedGame) -> JsonObject:
    """Describe a game for the list; of one that cannot be read `problem` says why."""
    kept = listed.kept
    about: JsonObject = {
        "number": kept.number,
        "name": kept.name,
        "bytes": kept.size_bytes,
        "folder": str(kept.folder),
    }
    if listed.problem:
        return {**about, "problem": listed.problem}
    return {
        **about,
        "title": listed.title,
        "players": listed.players,
        "rounds": listed.rounds,
        "over": listed.over,
        "ranking": ranking_json(listed.ranking),
    }


def kept_round_json(file: GameFile, played: Round) -> JsonObject:
    """Describe a round of a kept game with the corrections that still stand; the total of a bush is null."""
    facts = played.facts
    return {
        "round": facts.number,
        "narrator": facts.narrator,
        "bet": facts.bet,
        "cards": format_table(facts.cards),
        "poses": {player: str(facts.poses[player]) for player in facts.seats},
        "totals": {verdict.player: verdict.score.total for verdict in played.verdicts},
        "say": said(played),
        "figures": figures_json(played.trail.places),
        "corrections": [_correction(entry) for entry in corrections(file.standing, facts.number)],
    }


def _correction(entry: Entry) -> JsonObject:
    """Describe a correction with its author and reason; `event` is as the game file has it."""
    event = json.loads(event_to_json(entry.event))
    return {"time": entry.time.isoformat(), "who": entry.who, "why": entry.why, "event": event}
