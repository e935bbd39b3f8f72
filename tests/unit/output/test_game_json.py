"""JSON of stored games, rounds, disputed verdicts and corrections."""

from pathlib import Path

from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.output.game_json import dispute_json, kept_round_json, listed_game_json
from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, TongueEvidence
from bunnymoose_cv.record.game_corrections import Dispute
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.game_folders import StoredGame
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.past_evening import listed_game
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetPlaced,
    GameStarted,
    PoseCorrected,
    PosesJudged,
    TableLaid,
)
from bunnymoose_cv.rules.pose import Pose
from tests.program import Program

NAME = "2026-11-21_20-05-33"


def fixed_game(folder: Path) -> StoredGame:
    """Store a game in which Red narrates and bets on Grün, a bush, and Blue is a moose."""
    started = GameStarted(("Red", "Blue", "Grün"), rules_for())
    with GameStore(folder).begin(started, title="Fest", who="Red") as game:
        table = parse_table("B.WU+2 L.SS+1 R.TF+3 HUNTER RABBIT+1 HUNTER")
        game.append([BetPlaced("Grün"), TableLaid(table), Bam()], "told", "Red")
        poses = {"Blue": Pose.parse("WU WU"), "Grün": Pose.parse("-- --")}
        game.append(PosesJudged(poses), "seen", "referee")
    return StoredGame(1, game.folder.rename(folder / NAME))


def test_json_line_of_a_game(tmp_path: Path) -> None:
    kept = fixed_game(tmp_path)
    assert json_line(listed_game_json(listed_game(kept))) == (
        f'{{"number": 1, "name": "{NAME}", "bytes": {kept.size_bytes}, "folder": "{kept.folder}", "title": "Fest", '
        '"players": ["Red", "Blue", "Gr\\u00fcn"], "rounds": 1, "over": false, "ranking": ['
        '{"place": 1, "player": "Blue", "rear": 5, "front": 9}, {"place": 2, "player": "Red", "rear": 5, "front": 5}, '
        '{"place": 2, "player": "Gr\\u00fcn", "rear": 5, "front": 5}]}'
    )


def test_json_line_of_an_unreadable_game_says_why(tmp_path: Path) -> None:
    folder = tmp_path / b"caf\xff".decode("utf-8", "surrogateescape")
    folder.mkdir()
    (folder / GAME_FILE).write_bytes(b"coffee" * 100)
    listed = listed_game(StoredGame(2, folder))
    assert "cannot be read" in listed.problem
    start = f'{{"number": 2, "name": "caf\\udcff", "bytes": 600, "folder": "{tmp_path}/caf\\udcff", "problem": "'
    assert json_line(listed_game_json(listed)).startswith(start)


def test_json_line_of_a_round(tmp_path: Path) -> None:
    with GameFile.open(fixed_game(tmp_path).folder) as file:
        file.append(PoseCorrected(1, "Grün", Pose.parse("WU CU")), "x", "Ann")
        time = file.standing[-1].time.isoformat()
        line = json_line(kept_round_json(file, file.game.rounds[0]))
    assert line == (
        '{"round": 1, "narrator": "Red", "bet": "Gr\\u00fcn", "cards": "B.WU+2 L.SS+1 R.TF+3 HUNTER RABBIT+1 HUNTER", '
        '"poses": {"Blue": "WU WU", "Gr\\u00fcn": "WU CU"}, "totals": {"Blue": 4, "Gr\\u00fcn": 2}, "say": ['
        '"Blue: moose ahead 4", "Gr\\u00fcn: moose ahead 2", "Red: moose ahead 2", '
        '"Catching up \\u2014 Red, Blue and Gr\\u00fcn: rabbit ahead 1", '
        '"Catching up \\u2014 Red and Gr\\u00fcn: moose ahead 1"], "figures": {"Red": {"moose": 8, "rabbit": 6}, '
        '"Blue": {"moose": 9, "rabbit": 6}, "Gr\\u00fcn": {"moose": 8, "rabbit": 6}}, "corrections": ['
        f'{{"time": "{time}", "who": "Ann", "why": "x", "event": '
        '{"kind": "pose corrected", "round": 1, "player": "Gr\\u00fcn", "pose": "WU CU"}}]}'
    )


def test_json_line_of_a_verdict_without_evidence(tmp_path: Path) -> None:
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


def test_json_of_a_verdict_has_english_reasons_and_no_landmarks(tmp_path: Path) -> None:
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
    side_json = (
        '{"headgear": "--", "confidence": 0.5, "probabilities": {}, "unclear": ["kind"], '
        '"reasons": ["no hand", "fingers 12\\u00b0 apart"], "measures": null}'
    )
    assert json_line(dispute_json(dispute)) == (
        '{"round": 1, "seat": 1, "player": "Blue", "pose": null, "read": {"seat": 1, "face_px": [0.0, 0.0, 9.0, 9.0], '
        f'"pose": "-- --", "left": {side_json}, "right": {side_json}, '
        '"tongue": {"out": false, "confidence": 0.9, "unclear": false}, "exempt": []}, "score": null, '
        f'"moved_s": 0.9, "corrections": [], "files": {{"replay": "{tmp_path}/replay.mp4"}}}}'
    )


BUSH = (
    '["Blue: moose ahead 4", "Gr\\u00fcn: bush \\u2014 both back 1", "Red follows Gr\\u00fcn: both back 1", '
    '"Catching up \\u2014 Red and Gr\\u00fcn: rabbit ahead 1", "Catching up \\u2014 Red and Gr\\u00fcn: moose ahead 1"]'
)
MOOSE = (
    '["Blue: moose ahead 4", "Gr\\u00fcn: moose ahead 2", "Red: moose ahead 2", '
    '"Catching up \\u2014 Red, Blue and Gr\\u00fcn: rabbit ahead 1", '
    '"Catching up \\u2014 Red and Gr\\u00fcn: moose ahead 1"]'
)
PLACES = (
    ("Red", "moose", 5, 8),
    ("Red", "rabbit", 5, 6),
    ("Blue", "rabbit", 5, 6),
    ("Gr\\u00fcn", "moose", 5, 8),
    ("Gr\\u00fcn", "rabbit", 5, 6),
)


def ranking(rear: int, front: int) -> str:
    others = (f'{{"place": 2, "player": "{name}", "rear": {rear}, "front": {front}}}' for name in ("Red", "Gr\\u00fcn"))
    return f'[{{"place": 1, "player": "Blue", "rear": {rear}, "front": 9}}, {", ".join(others)}]'


def figure(player: str, animal: str, before: int, after: int) -> str:
    return f'{{"round": 1, "player": "{player}", "animal": "{animal}", "before": {before}, "after": {after}}}'


def test_json_lines_of_a_correction_and_its_undo(bunnymoose: Program, tmp_path: Path) -> None:
    fixed_game(tmp_path)
    more = ("--who", "Ann", "--json", "--games", str(tmp_path))
    corrected = bunnymoose("correct", "last", "1", "Grün", "WU CU", "--why", "x", *more)
    figures = ", ".join(figure(*place) for place in PLACES)
    effects = (
        f'"say": [{{"round": 1, "before": {BUSH}, "after": {MOOSE}}}], "figures": [{figures}], '
        f'"ranking": {{"before": {ranking(5, 5)}, "after": {ranking(6, 8)}}}}}\n'
    )
    line = (
        f'{{"game": "{NAME}", "round": 1, "player": "Gr\\u00fcn", "before": "-- --", "after": "WU CU", "who": "Ann", '
        f'"why": "x", "written": true, {effects}'
    )
    assert corrected == (0, line, "")
    undone = bunnymoose("undo", "last", *more)
    figures = ", ".join(figure(player, animal, after, before) for player, animal, before, after in PLACES)
    effects = (
        f'"say": [{{"round": 1, "before": {MOOSE}, "after": {BUSH}}}], "figures": [{figures}], '
        f'"ranking": {{"before": {ranking(6, 8)}, "after": {ranking(5, 5)}}}}}\n'
    )
    event = '{"kind": "pose corrected", "round": 1, "player": "Gr\\u00fcn", "pose": "WU CU"}'
    assert undone == (0, f'{{"game": "{NAME}", "undone": {event}, "who": "Ann", {effects}', "")
