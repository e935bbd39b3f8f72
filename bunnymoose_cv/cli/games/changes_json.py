"""JSON of a correction, and of an event that is taken back, with all that follows from it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bunnymoose_cv.record.event_json import event_to_json
from bunnymoose_cv.referee.json_output import ranking_json

if TYPE_CHECKING:
    from bunnymoose_cv.core.json_line import JsonObject
    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.rules.events import Event


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
