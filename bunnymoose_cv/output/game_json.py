"""JSON of games: rounds that are over, the ranking, the list, a disputed verdict, and the effects of corrections.

Keys are in a fixed order. More keys may be added, none is ever renamed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.announcements.announcing import catch_up_lines, lines_about, round_lines
from bunnymoose_cv.core.json_line import JsonObject, rounded
from bunnymoose_cv.output.judged_json import move_json, pixels
from bunnymoose_cv.output.score_json import pose_json, score_json
from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.record.game_corrections import Changes, Dispute, corrections
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.events import Event, PoseCorrected
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.trail import Figure, Places, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.past_evening import ListedGame
    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import Round, RoundFacts, Verdict


def played_round_json(played: Round, judged: JudgedRound | None) -> JsonObject:
    """Describe a round that is over; `clip` is the replay, null if none is kept.

    Args:
        judged: None if nothing was seen, or if the program has been started again since.
    """
    facts = played.facts
    seen: Sequence[JsonObject] = [{}] * len(played.verdicts)
    if judged is not None:
        seen = [
            _seen(verdict, seat, seat.move(facts.cards, facts.rules, judged.threshold))
            for verdict, seat in zip(played.verdicts, judged.seats, strict=True)
        ]
    return {
        **_facts(facts),
        "verdicts": list(map(_verdict, played.verdicts, seen)),
        "say": list(lines_about(played.verdicts, facts)),
        "catch_up": list(catch_up_lines(played)),
        "figures": _figures(played.trail.places),
        "clip": None if judged is None or judged.kept is None else str(judged.kept.replay),
    }


def _facts(facts: RoundFacts) -> JsonObject:
    """Describe the facts of a round that come before the poses."""
    return {
        "round": facts.number,
        "narrator": facts.narrator,
        "bet": facts.bet,
        "cards": format_table(facts.cards),
    }


def _figures(places: Places) -> JsonObject:
    """Describe the places of each player's figures, in spaces from the rear end that the trail had at the start."""
    return {
        player: {"moose": places[Figure(player, Animal.MOOSE)], "rabbit": places[Figure(player, Animal.RABBIT)]}
        for player in dict.fromkeys(figure.player for figure in places)
    }


def _verdict(verdict: Verdict, seen: JsonObject) -> JsonObject:
    """Describe one player in one round; `unclear` names what was not sure enough without a question: `left.spread`."""
    return {
        "player": verdict.player,
        "seat": verdict.seat,
        **pose_json(verdict.score.pose, verdict.score.species),
        "unclear": seen.get("unclear", []),
        "moved": "moved_s" in seen,
        "score": score_json(verdict.score),
        **{key: seen[key] for key in ("move", "moved_s", "read", "face_px") if key in seen},
    }


def _seen(verdict: Verdict, seat: JudgedSeat, move: JudgedMove | None) -> JsonObject:
    """Describe the reading of a player and the probability of the move.

    If players have corrected the pose, `read` has the pose as it was read, and `move` is left out. Without a face
    `face_px` is left out.
    """
    seen: JsonObject = {}
    if seat.reading is not None:
        seen["face_px"] = pixels(seat.reading.face)
    if seat.movement is not None:
        seen["moved_s"] = rounded(seat.movement.time_s)
    if verdict.score.pose != seat.pose:
        return {**seen, "read": str(seat.pose)}
    return {**seen, "unclear": seat.unclear, "move": move_json(move)}


def ranking_json(standings: Sequence[Standing]) -> list[JsonObject]:
    """Describe the standings, best first, with the spaces of the rear and the front figure."""
    return list(map(asdict, standings))


def listed_game_json(listed: ListedGame) -> JsonObject:
    """Describe a game for the list; `problem` has the reason if it cannot be read."""
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
    """Describe a round of a stored game with its effective corrections; the total of a bush is null."""
    facts = played.facts
    return {
        **_facts(facts),
        "poses": {player: str(facts.poses[player]) for player in facts.seats},
        "totals": {verdict.player: verdict.score.total for verdict in played.verdicts},
        "say": round_lines(played),
        "figures": _figures(played.trail.places),
        "corrections": [
            {**_authorship(entry), "event": _event(entry.event)} for entry in corrections(file.standing, facts.number)
        ],
    }


def game_download(game: Game) -> str:
    """Serialize a game for a download: players, rounds with verdicts, and the ranking."""
    described = {
        "players": game.players,
        "edition": game.rules.edition.name,
        "rounds": [
            {**_facts(played.facts), "verdicts": list(map(_downloaded_verdict, played.verdicts))}
            for played in game.rounds
        ],
        "ranking": ranking_json(game.ranking),
    }
    return json.dumps(described, ensure_ascii=False, indent=1)


def _downloaded_verdict(verdict: Verdict) -> JsonObject:
    return {
        "player": verdict.player,
        "seat": verdict.seat,
        "pose": str(verdict.score.pose),
        "score": score_json(verdict.score),
    }


def _authorship(entry: Entry) -> JsonObject:
    return {"time": entry.time.isoformat(), "who": entry.who, "why": entry.why}


def _event(event: Event) -> Any:
    """Describe an event as in the game file."""
    return json.loads(event_to_json(event))


def dispute_json(dispute: Dispute) -> JsonObject:
    """Describe a verdict and its evidence; missing parts are null."""
    return {
        "round": dispute.round_number,
        "seat": dispute.seat,
        "player": dispute.player,
        "pose": None if dispute.pose is None else str(dispute.pose),
        "read": None if dispute.reading is None else _reading(dispute.reading),
        "score": None if dispute.verdict is None else score_json(dispute.verdict.score),
        "moved_s": dispute.moved_s,
        "corrections": [
            {**_authorship(entry), "pose": str(entry.event.pose)}
            for entry in dispute.corrections
            if isinstance(entry.event, PoseCorrected)
        ],
        "files": {name: str(path) for name, path in dispute.files.items()},
    }


def _reading(reading: PlayerEvidence) -> JsonObject:
    """Describe a stored reading, with reasons in English, but without its hundreds of landmarks."""
    dumped = reading.model_dump(mode="json", exclude={"face": True, "left": {"hand"}, "right": {"hand"}})
    for side, headgear in (("left", reading.left), ("right", reading.right)):
        dumped[side]["reasons"] = headgear.reasons
    return dumped


def undone_json(game: str, event: Event, who: str, changed: Changes) -> JsonObject:
    """Describe an undone event, in the same form as in the game file, and the effects."""
    return {"game": game, "undone": _event(event), "who": who, **effects_json(changed)}


def effects_json(changed: Changes) -> JsonObject:
    """Describe the effects of a correction: announcements, figures and ranking before and after it."""
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
