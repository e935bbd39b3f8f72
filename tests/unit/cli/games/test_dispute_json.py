"""JSON of a disputed verdict, as other programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.cli.games.dispute import Dispute
from bunnymoose_cv.cli.games.kept_game_json import dispute_json
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, TongueEvidence
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.events import PoseCorrected
from bunnymoose_cv.rules.pose import Pose
from tests.unit.cli.games.fixed_game import fixed_game

if TYPE_CHECKING:
    from pathlib import Path


def test_the_line_of_a_verdict_without_evidence(tmp_path: Path) -> None:
    folder = fixed_game(tmp_path).folder
    with GameFile.open(folder) as file:
        file.append(PoseCorrected(1, "Grün", Pose.parse("WU CU")), "x", "Ann")
        time = file.standing[-1].time.isoformat()
        line = json_line(dispute_json(Dispute.of(file, 1, 2, "Grün", round_folder(folder, 1))))
    assert line == (
        '{"round": 1, "seat": 2, "player": "Gr\\u00fcn", "pose": "WU CU", "read": null, '
        '"score": {"total": 2, "lines": ['
        '{"card": "B.WU+2", "points": 2, "why": "wide antler up on the left only", "factor": 1}, '
        '{"card": "L.SS+1", "points": 0, "why": "no straight ear at the side on the left", "factor": 1}, '
        '{"card": "R.TF+3", "points": 0, "why": "no floppy ear on top on the right", "factor": 1}, '
        '{"card": "HUNTER", "points": 0, "why": "a hunter pays nothing", "factor": 1}, '
        '{"card": "RABBIT+1", "points": 0, "why": "this is a moose", "factor": 1}, '
        '{"card": "HUNTER", "points": 0, "why": "a hunter pays nothing", "factor": 1}], "say": "Moose ahead 2"}, '
        f'"moved_s": null, "corrections": [{{"time": "{time}", "who": "Ann", "why": "x", "pose": "WU CU"}}], '
        '"files": {}}'
    )


def test_reasons_are_told_in_english_without_landmarks_and_what_older_programs_did_not_keep(tmp_path: Path) -> None:
    side = HeadgearEvidence(
        headgear="--",
        confidence=0.5,
        probabilities={},
        unclear=("kind",),
        reasons=(Phrase("no hand"), Phrase("fingers {degrees:.0f}° apart", degrees=12.3)),
        hand=((1, 2, 3),),
    )
    reading = PlayerEvidence(
        seat=1,
        face_px=(0, 0, 9, 9),
        face=((1, 2, 3),),
        pose="-- --",
        left=side,
        right=side,
        tongue=TongueEvidence(out=False, confidence=0.9, unclear=False),
    )
    dispute = Dispute(1, 1, "Blue", None, reading, None, 0.9, (), {"replay": tmp_path / "replay.mp4"})
    told = (
        '{"headgear": "--", "confidence": 0.5, "probabilities": {}, "unclear": ["kind"], '
        '"reasons": ["no hand", "fingers 12\\u00b0 apart"], "measures": null}'
    )
    assert json_line(dispute_json(dispute)) == (
        '{"round": 1, "seat": 1, "player": "Blue", "pose": null, "read": {"seat": 1, "face_px": [0.0, 0.0, 9.0, 9.0], '
        f'"pose": "-- --", "left": {told}, "right": {told}, '
        '"tongue": {"out": false, "confidence": 0.9, "unclear": false}, "exempt": []}, "score": null, '
        f'"moved_s": 0.9, "corrections": [], "files": {{"replay": "{tmp_path}/replay.mp4"}}}}'
    )
