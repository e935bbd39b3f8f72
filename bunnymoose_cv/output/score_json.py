"""JSON of scored poses; it needs no numeric library, so that `score` starts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.phrases import NARRATOR, announce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.core.json_line import JsonObject
    from bunnymoose_cv.rules.pose import Animal, Pose
    from bunnymoose_cv.rules.scoring import Score


def pose_json(pose: Pose, species: Animal) -> JsonObject:
    """Describe a pose with its animal, and the species for which it counts."""
    return {"pose": str(pose), "animal": pose.animal.value, "species": species.value}


def score_json(score: Score) -> JsonObject:
    """Describe the points of the cards; the total of a bush is null.

    The `factor` of a card multiplies the sum of all points (2, -1, or 1).
    """
    return {
        "total": score.total,
        "lines": [
            {"card": str(line.card), "points": line.points, "why": line.why, "factor": line.factor}
            for line in score.lines
        ],
        "say": announce(score.species, score.total),
    }


def narrator_json(bet: int, copied: Score) -> JsonObject:
    """Describe the moves that the narrator's figures copy from the player with the bet; negative is back."""
    return {
        "bet": bet,
        "moves": [{"animal": move.animal.value, "spaces": move.spaces} for move in copied.moves],
        "say": announce(copied.species, copied.total, [NARRATOR]),
    }


def scores_json(scores: Sequence[Score], bet: int | None) -> JsonObject:
    """Describe entered poses by seat; `narrator` is there only if a bet was placed on a seat."""
    described: JsonObject = {"players": [{"seat": seat, **_scored(score)} for seat, score in enumerate(scores, 1)]}
    if bet is not None:
        described["narrator"] = narrator_json(bet, scores[bet - 1])
    return described


def _scored(score: Score) -> JsonObject:
    return {**pose_json(score.pose, score.species), "score": score_json(score)}


def extremes_json(tried: int, highest: Sequence[Score], lowest: Sequence[Score]) -> JsonObject:
    """Describe the poses with the highest and the lowest total; `tried` counts all poses, including bushes."""
    best, worst = (
        {"total": scores[0].total, "poses": [_scored(score) for score in scores]} for scores in (highest, lowest)
    )
    return {"tried": tried, "best": best, "worst": worst}
