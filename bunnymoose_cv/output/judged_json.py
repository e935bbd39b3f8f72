"""JSON of judged images, hands and faces, one object a line.

Keys are in a fixed order, and a key that does not apply is left out. More keys may be added, none is ever renamed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.json_line import JsonObject, rounded
from bunnymoose_cv.output.score_json import narrator_json, pose_json, score_json
from bunnymoose_cv.record.evidence_json import HeadgearEvidence, TongueEvidence
from bunnymoose_cv.rules.pose import Antler, Ear, Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.referee.judge import JudgedPlayer, Judgement
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FaceReading


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
        described["narrator"] = narrator_json(judgement.bet.seat, judgement.bet.copied)
    return described


def _player(player: JudgedPlayer) -> JsonObject:
    """Describe one player; `score` and `move` are left out without cards."""
    reading = player.reading
    described: JsonObject = {
        "seat": reading.seat,
        "face_px": pixels(reading.face),
        **pose_json(reading.pose, player.species),
        "left": _headgear(reading.headgear[Side.LEFT], "headgear"),
        "right": _headgear(reading.headgear[Side.RIGHT], "headgear"),
        "tongue": TongueEvidence.of(reading.tongue).model_dump(),
    }
    if player.score is not None:
        described |= {"score": score_json(player.score), "move": move_json(player.move)}
    return described


def _headgear(reading: HeadgearReading, *keys: str) -> JsonObject:
    """Describe the headgear of one side; `unclear` names the fields that are not sure enough without a question."""
    evidence = HeadgearEvidence.of(reading)
    return {key: getattr(evidence, key) for key in (*keys, "confidence", "unclear", "reasons")}


def move_json(move: JudgedMove | None) -> JsonObject:
    """Describe the probability of a verdict's move; it is 0 for a player who was not seen."""
    if move is None:
        return {"probability": 0.0, "asked": True, "reasons": []}
    return {"probability": rounded(move.probability), "asked": move.asked, "reasons": move.reasons}


def hand_json(source: str, reading: HeadgearReading | None) -> JsonObject:
    """Describe a hand without a player: an antler has a spread and a direction, an ear a form."""
    shown = None if reading is None else reading.headgear
    nothing: JsonObject = {"confidence": None, "unclear": [], "reasons": []}
    return {
        "source": source,
        "kind": None if reading is None else reading.probabilities.kind.value,
        "spread": shown.spread.value if isinstance(shown, Antler) else None,
        "form": shown.form.value if isinstance(shown, Ear) else None,
        "direction": shown.direction.value if isinstance(shown, Antler) else None,
        **(nothing if reading is None else _headgear(reading)),
    }


def faces_json(source: str, faces: Sequence[FaceReading]) -> JsonObject:
    """Describe all faces of an image and their tongues, from left to right."""
    return {
        "source": source,
        "faces": [
            {"face_px": pixels(face.box), "tongue": TongueEvidence.of(face.tongue).model_dump()} for face in faces
        ],
    }


def pixels(box: Box) -> tuple[int, int, int, int]:
    """Return left, top, width and height in whole pixels."""
    return round(box.x), round(box.y), round(box.width), round(box.height)
