"""JSON objects that other programs read, one a line; the design fixes their keys.

Keys stand in a fixed order, and a key that does not apply is left out. More keys may be added, none is ever renamed.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from bunnymoose_cv.core.json_line import rounded
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.pose import Animal, Antler, Ear, Side, Tongue, format_headgear
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.voice.announcing import catch_up_lines, lines_about
from bunnymoose_cv.voice.phrases import NARRATOR, announce

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.core.json_line import JsonObject
    from bunnymoose_cv.referee.judge import JudgedPlayer, Judgement
    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.ranking import Standing
    from bunnymoose_cv.rules.round import Round, Verdict
    from bunnymoose_cv.rules.scoring import Score
    from bunnymoose_cv.rules.trail import Places
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FaceReading
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading


def judgement_json(source: str, judgement: Judgement) -> JsonObject:
    """Describe one judged image, or one moment of a clip; `narrator` is there only if a bet was placed."""
    height, width = judgement.reading.image.shape[:2]
    described: JsonObject = {
        "source": source,
        "time_s": rounded(judgement.reading.time_s),
        "size": [width, height],
        "players": [_player(player) for player in judgement.players],
    }
    if judgement.bet is not None:
        described["narrator"] = _narrator(judgement.bet.seat, judgement.bet.copied)
    return described


def _player(player: JudgedPlayer) -> JsonObject:
    """Describe one player; `score` and `move` are there only if cards lie on the piles."""
    reading = player.reading
    described: JsonObject = {
        "seat": reading.seat,
        "face_px": _pixels(reading.face),
        **_pose(reading.pose, player.species),
        "left": _headgear(reading.headgear[Side.LEFT]),
        "right": _headgear(reading.headgear[Side.RIGHT]),
        "tongue": _tongue(reading.tongue),
    }
    if player.score is not None:
        described |= {"score": score_json(player.score), "move": _move_doubt(player.move)}
    return described


def _pose(pose: Pose, species: Animal) -> JsonObject:
    return {"pose": str(pose), "animal": pose.animal.value, "species": species.value}


def _headgear(reading: HeadgearReading) -> JsonObject:
    """Describe the headgear of one side; `unclear` names the fields that are not sure enough to stand alone."""
    return {"headgear": format_headgear(reading.headgear), **_certainty(reading)}


def _certainty(reading: HeadgearReading) -> JsonObject:
    return {
        "confidence": rounded(reading.confidence),
        "unclear": [field.value for field in reading.unclear],
        "reasons": reading.reasons,
    }


def _tongue(reading: TongueReading) -> JsonObject:
    return {
        "out": reading.tongue is Tongue.OUT,
        "confidence": rounded(reading.confidence),
        "unclear": reading.unclear,
    }


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


def _move_doubt(move: JudgedMove | None) -> JsonObject:
    """Describe how sure a verdict's move is; nothing is known of a player who was not seen."""
    if move is None:
        return {"probability": 0.0, "asked": True, "reasons": []}
    return {"probability": rounded(move.probability), "asked": move.asked, "reasons": move.reasons}


def _narrator(bet: int, copied: Score) -> JsonObject:
    """Describe the moves that the narrator's figures copy from the player with the bet; negative is back."""
    return {
        "bet": bet,
        "moves": [{"animal": move.animal.value, "spaces": move.spaces} for move in copied.moves],
        "say": announce(copied.species, copied.total, [NARRATOR]),
    }


def scores_json(scores: Sequence[Score], bet: int | None) -> JsonObject:
    """Describe poses told by hand, seat by seat; `narrator` is there only if a bet was placed on a seat."""
    described: JsonObject = {"players": [{"seat": seat, **_scored(score)} for seat, score in enumerate(scores, 1)]}
    if bet is not None:
        described["narrator"] = _narrator(bet, scores[bet - 1])
    return described


def _scored(score: Score) -> JsonObject:
    return {**_pose(score.pose, score.species), "score": score_json(score)}


def extremes_json(tried: int, highest: Sequence[Score], lowest: Sequence[Score]) -> JsonObject:
    """Describe the poses that share the highest and the lowest total; `tried` counts all poses, bushes too."""
    best, worst = (
        {"total": scores[0].total, "poses": [_scored(score) for score in scores]} for scores in (highest, lowest)
    )
    return {"tried": tried, "best": best, "worst": worst}


def hand_json(source: str, reading: HeadgearReading | None) -> JsonObject:
    """Describe one hand by itself: an antler has a spread and a direction, an ear a form; no hand leaves all empty."""
    shown = None if reading is None else reading.headgear
    nothing: JsonObject = {"confidence": None, "unclear": [], "reasons": []}
    return {
        "source": source,
        "kind": None if reading is None else reading.probabilities.kind.value,
        "spread": shown.spread.value if isinstance(shown, Antler) else None,
        "form": shown.form.value if isinstance(shown, Ear) else None,
        "direction": shown.direction.value if isinstance(shown, Antler) else None,
        **(nothing if reading is None else _certainty(reading)),
    }


def faces_json(source: str, faces: Sequence[FaceReading]) -> JsonObject:
    """Describe all faces of an image and their tongues, from left to right."""
    return {
        "source": source,
        "faces": [{"face_px": _pixels(face.box), "tongue": _tongue(face.tongue)} for face in faces],
    }


def figures_json(places: Places) -> JsonObject:
    """Describe the places of each player's figures, in spaces from the rear end that the trail had at the start."""
    return {
        player: {"moose": places[Figure(player, Animal.MOOSE)], "rabbit": places[Figure(player, Animal.RABBIT)]}
        for player in dict.fromkeys(figure.player for figure in places)
    }


def played_round_json(played: Round, judged: JudgedRound | None) -> JsonObject:
    """Describe a round that is over; `clip` is the replay, null if none is kept.

    Args:
        judged: what was seen in the round; None if nothing was, or if the program has been started again since.
    """
    facts = played.facts
    seen: Iterable[JsonObject] = repeat({}, len(played.verdicts))
    if judged is not None:
        seen = (
            _seen(verdict, seat, seat.move(facts.cards, facts.rules, judged.threshold))
            for verdict, seat in zip(played.verdicts, judged.seats, strict=True)
        )
    return {
        "round": facts.number,
        "narrator": facts.narrator,
        "bet": facts.bet,
        "cards": format_table(facts.cards),
        "verdicts": list(map(_verdict, played.verdicts, seen)),
        "say": list(lines_about(played.verdicts, facts.narrator, facts.bet)),
        "catch_up": list(catch_up_lines(played)),
        "figures": figures_json(played.trail.places),
        "clip": None if judged is None or judged.kept is None else str(judged.kept.replay),
    }


def _verdict(verdict: Verdict, seen: JsonObject) -> JsonObject:
    """Describe one player in one round; `unclear` names what was not sure enough to stand alone: `left.spread`."""
    return {
        "player": verdict.player,
        "seat": verdict.seat,
        **_pose(verdict.score.pose, verdict.score.species),
        "unclear": seen.get("unclear", []),
        "moved": "moved_s" in seen,
        "score": score_json(verdict.score),
        **{key: seen[key] for key in ("move", "moved_s", "read", "face_px") if key in seen},
    }


def _seen(verdict: Verdict, seat: JudgedSeat, move: JudgedMove | None) -> JsonObject:
    """Describe what was seen of a player, and how sure the move is.

    What people put right is the verdict's pose, and what was read before it is `read`, which is there only then, and
    then there is no `move`. A player whose face was not found has no `face_px`.
    """
    seen: JsonObject = {}
    if seat.reading is not None:
        seen["face_px"] = _pixels(seat.reading.face)
    if seat.movement is not None:
        seen["moved_s"] = rounded(seat.movement.time_s)
    if verdict.score.pose != seat.pose:
        return {**seen, "read": str(seat.pose)}
    return {**seen, "unclear": seat.unclear, "move": _move_doubt(move)}


def ranking_json(standings: Sequence[Standing]) -> list[JsonObject]:
    """Describe the standings, best first, with the spaces of the rear and the front figure."""
    return [{"place": each.place, "player": each.player, "rear": each.rear, "front": each.front} for each in standings]


def _pixels(box: Box) -> tuple[int, int, int, int]:
    """Return left, top, width and height."""
    return round(box.x), round(box.y), round(box.width), round(box.height)
