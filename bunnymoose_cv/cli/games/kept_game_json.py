"""JSON of kept games: a line of the list, a round, a disputed verdict, and what follows from a correction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bunnymoose_cv.record.correction_effects import said
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.record.past_evening import corrections
from bunnymoose_cv.referee.json_output import figures_json, ranking_json, score_json
from bunnymoose_cv.rules.cards import format_table

if TYPE_CHECKING:
    from bunnymoose_cv.cli.games.dispute import Dispute
    from bunnymoose_cv.core.json_line import JsonObject
    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.past_evening import ListedGame
    from bunnymoose_cv.rules.events import Event
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


def dispute_json(dispute: Dispute) -> JsonObject:
    """Describe a verdict and all that is known about it; what there is not is null."""
    return {
        "round": dispute.round_number,
        "seat": dispute.seat,
        "player": dispute.player,
        "pose": None if dispute.pose is None else str(dispute.pose),
        "read": None if dispute.reading is None else _reading(dispute.reading),
        "score": None if dispute.verdict is None else score_json(dispute.verdict.score),
        "moved_s": dispute.moved_s,
        "corrections": [
            {"time": each.time.isoformat(), "who": each.who, "why": each.why, "pose": str(each.pose)}
            for each in dispute.corrections
        ],
        "files": {name: str(path) for name, path in dispute.files.items()},
    }


def _reading(reading: PlayerEvidence) -> JsonObject:
    """Describe a reading with its reasons in English, as `judge --json` does, without its hundreds of landmarks."""
    dumped = reading.model_dump(mode="json", exclude={"face": True, "left": {"hand"}, "right": {"hand"}})
    for side, headgear in (("left", reading.left), ("right", reading.right)):
        dumped[side]["reasons"] = headgear.reasons
    return dumped


def undone_json(game: str, event: Event, who: str, changed: Changes) -> JsonObject:
    """Describe an event that was taken back, as the game file has it, and what follows."""
    return {"game": game, "undone": json.loads(event_to_json(event)), "who": who, **effects_json(changed)}


def effects_json(changed: Changes) -> JsonObject:
    """Describe what follows from a correction: announcements, figures and ranking before and after it."""
    return {
        "say": [{"round": lines.round_number, "before": lines.before, "after": lines.after} for lines in changed.lines],
        "figures": [
            {
                "round": moved.round_number,
                "player": moved.figure.player,
                "animal": moved.figure.animal.value,
                "before": moved.before,
                "after": moved.after,
            }
            for moved in changed.figures
        ],
        "ranking": {"before": ranking_json(changed.before), "after": ranking_json(changed.after)},
    }
