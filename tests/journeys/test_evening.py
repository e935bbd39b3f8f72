"""Whole evenings from rendered clips: the ranking of the true poses, movers, and a log without names."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bunnymoose_cv.referee.script import read_script
from bunnymoose_cv.rules.events import Bam, BetPlaced, Event, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.pose import Pose
from tests.program import Program
from tests.quick import QUICK_FREEZE, write_profile

EVENING = Path(__file__).parents[2] / "fixtures" / "evening"
SPECIAL = ("moved.mp4", "blink.mp4")

MISREAD = 6
"""Number of the rendered evening's poses that may be misread; scores and ranking follow from the poses as read."""


@pytest.fixture(scope="module")
def truth() -> dict[str, dict[str, Pose]]:
    """Poses of every player, by clip."""
    content = json.loads((EVENING / "truth.json").read_text())
    return {
        clip["clip"]: {player["player"]: Pose.parse(player["pose"]) for player in clip["players"]}
        for clip in content["clips"]
    }


def game_of(poses: Sequence[dict[str, Pose]]) -> Game:
    """Play the evening by the rules alone, with the poses of each round."""
    evening = read_script(EVENING / "evening.toml")
    events: list[Event] = [GameStarted(evening.players, evening.rules)]
    for scripted, shown in zip(evening.rounds, poses, strict=True):
        events += [BetPlaced(scripted.bet)] if scripted.bet else []
        events += [TableLaid(scripted.cards or ()), Bam(), PosesJudged(shown)]
    return fold(events)


def test_evening_ends_with_the_ranking_of_the_true_poses(
    bunnymoose: Program, truth: dict[str, dict[str, Pose]], tmp_path: Path, data_folder: Path
) -> None:
    write_profile(data_folder, "[freeze]\nwatched_s = 0\n")  # movers are tested below
    script = str(EVENING / "evening.toml")
    out = bunnymoose.output("play", "--script", script, "--no-screen", "--json", "--games", tmp_path)
    lines: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    *rounds, last = lines
    true_poses = [truth[round_.clip.name] for round_ in read_script(EVENING / "evening.toml").rounds]
    read_poses = [{verdict["player"]: Pose.parse(verdict["pose"]) for verdict in line["verdicts"]} for line in rounds]
    game = game_of(read_poses)
    assert len(rounds) >= 12
    assert game.phase is Phase.OVER
    wrong = [
        (number, player, str(read[player]), str(pose))
        for number, (shown, read) in enumerate(zip(true_poses, read_poses, strict=True), 1)
        for player, pose in shown.items()
        if read[player] != pose
    ]
    assert len(wrong) <= MISREAD, wrong
    expected = [(standing.place, standing.player, standing.rear, standing.front) for standing in game.ranking]
    assert [
        (standing["place"], standing["player"], standing["rear"], standing["front"]) for standing in last["ranking"]
    ] == expected
    assert all(Path(line["clip"]).is_file() for line in rounds)


def test_mover_is_reported_and_a_brief_tongue_is_ignored(
    bunnymoose: Program, truth: dict[str, dict[str, Pose]], tmp_path: Path
) -> None:
    cards = "RABBIT*2 TONGUE+2 R.WD-2 REVERSE TONGUE+1 L.?F-2"
    script = tmp_path / "two.toml"
    script.write_text(
        'edition = "first"\nplayers = ["Red", "Blue", "Green", "Yellow"]\n'
        + "".join(f"[[round]]\nclip = '{EVENING / name}'\ncards = '{cards}'\nbam_s = 1.8\n" for name in SPECIAL)
    )
    out = bunnymoose.output("play", "--script", script, "--no-screen", "--json", "--games", tmp_path)
    moved, blink = [json.loads(line)["verdicts"] for line in out.splitlines()[:2]]
    assert moved[1]["pose"] == str(truth["moved.mp4"]["Green"])
    assert [verdict["moved"] for verdict in moved] == [False, True, False]
    assert 2.0 <= moved[1]["moved_s"] <= 2.5
    tongues = [pose.tongue for pose in truth["blink.mp4"].values()]
    assert [Pose.parse(verdict["pose"]).tongue for verdict in blink] == tongues
    assert not any(verdict["moved"] for verdict in blink)


NAMES = ("Zdenka", "Ambrosius", "Leocadia", "Wenceslaus")


def test_log_of_a_round_contains_no_names(bunnymoose: Program, tmp_path: Path, data_folder: Path) -> None:
    write_profile(data_folder, QUICK_FREEZE)
    script = tmp_path / "Leocadias evening.toml"
    script.write_text(
        f"players = {json.dumps(NAMES)}\n[[round]]\nclip = '{EVENING / 'round_01.mp4'}'\n"
        f"bet = 'Leocadia'\ncards = 'RABBIT*2 TONGUE+2 R.WD-2 REVERSE TONGUE+1 L.?F-2'\nbam_s = 1.8\n"
    )
    games = str(tmp_path / "games")
    assert "Zdenka" in bunnymoose.output("play", "--script", script, "--no-screen", "--json", "--games", games)
    (file,) = (data_folder / "bunnymoose" / "logs").iterdir()
    lines = file.read_text("utf-8").splitlines()
    assert sum("bunnymoose_cv.referee.referee: round 1 is judged:" in line for line in lines) == 1
    assert not [line for line in lines for name in (*NAMES, str(tmp_path), "round_01", "://") if name in line]
    assert file.stat().st_size < 10_000
