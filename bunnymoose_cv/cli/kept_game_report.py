"""Report of kept games: the list, a round as JSON, a game for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.text import Text

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.round import Round


def listed_game(kept: StoredGame) -> dict[str, Any]:
    """Describe a game for the list; for one that cannot be read, the reason."""
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.referee.json_output import RankingShape
    from bunnymoose_cv.rules.game import Phase

    about: dict[str, Any] = {"number": kept.number, "name": kept.name, "bytes": kept.size_bytes}
    about["folder"] = str(kept.folder)
    try:
        with GameFile.open(kept.folder) as file:
            game = file.game
            about |= {"title": file.title, "players": game.players, "rounds": len(game.rounds)}
            about |= {"over": game.phase is Phase.OVER, **RankingShape.of(game.ranking).model_dump(mode="json")}
    except InputError as error:
        about["problem"] = str(error)
    return about


def game_cells(listed: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return title, players, rounds, and who is first."""
    first = [standing["player"] for standing in listed["ranking"] if standing["place"] == 1]
    rounds = f"{listed['rounds']}{'' if listed['over'] else ', not over'}"
    return listed["title"], ", ".join(listed["players"]), rounds, ", ".join(first) if listed["rounds"] else ""


def round_object(file: GameFile, played: Round) -> dict[str, Any]:
    """A round as one JSON object."""
    from bunnymoose_cv.record.correction_effects import said
    from bunnymoose_cv.record.past_evening import corrections
    from bunnymoose_cv.rules.cards import format_table

    facts = played.facts
    return {
        "round": facts.number,
        "narrator": facts.narrator,
        "bet": facts.bet,
        "cards": format_table(facts.cards),
        "poses": {player: str(facts.poses[player]) for player in facts.seats},
        "totals": {verdict.player: verdict.score.total for verdict in played.verdicts},
        "say": said(played),
        "figures": _figures(played),
        "corrections": [
            {"time": each.time.isoformat(), **_told(each)} for each in corrections(file.standing, facts.number)
        ],
    }


def _figures(played: Round) -> dict[str, dict[str, int]]:
    """Positions of everybody's moose and rabbit after a round."""
    figures: dict[str, dict[str, int]] = {}
    for figure, place in played.trail.places.items():
        figures.setdefault(figure.player, {})[figure.animal.value] = place
    return figures


def _told(entry: Entry) -> dict[str, Any]:
    """Author and reason of a correction."""
    from bunnymoose_cv.record.event_json import event_to_json

    return {"who": entry.who, "why": entry.why, "event": json.loads(event_to_json(entry.event))}


def show_game(console: Console, kept: StoredGame, file: GameFile) -> None:
    """Print a game: each round, its corrections, the ranking."""
    from bunnymoose_cv.cli.event_words import correction_words
    from bunnymoose_cv.cli.round_tables import ranking_grid, show_round
    from bunnymoose_cv.record.past_evening import corrections
    from bunnymoose_cv.rules.events import Correction

    console.print(Text(f"{kept.name} {file.title}".strip(), "bold"))
    for played in file.game.rounds:
        show_round(console, played, None)
        for entry in corrections(file.standing, played.facts.number):
            if isinstance(entry.event, Correction):
                words = correction_words(entry.event)
                console.print(Text(f"Put right by {entry.who} ({entry.why}): {words}"))
        console.print()
    console.print(ranking_grid(file.game.ranking))
