"""The evening of `fixtures/evening` is a whole game, and its truth is of one piece with its script and clips."""

import json
from pathlib import Path
from typing import Any

from bunnymoose_cv.referee.script import read_script
from bunnymoose_cv.rules.events import Bam, BetPlaced, Event, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Pose, Tongue
from tests.fixture_media import manifest

FOLDER = Path(__file__).parent.parent / "fixtures" / "evening"
EVENING = read_script(FOLDER / "evening.toml")
TRUTH: dict[str, Any] = json.loads((FOLDER / "truth.json").read_text())
CLIPS = {clip["clip"]: clip for clip in TRUTH["clips"]}


def poses(clip: dict[str, Any]) -> dict[str, Pose]:
    return {player["player"]: Pose.parse(player["pose"]) for player in clip["players"]}


def played() -> list[Game]:
    """The game after every event when everybody shows what the truth says."""
    events: list[Event] = [GameStarted(EVENING.players, EVENING.rules)]
    games = []
    for each in EVENING.rounds:
        assert each.bet is not None
        assert each.cards is not None
        events += [BetPlaced(each.bet), TableLaid(each.cards), Bam()]
        games.append(fold(events))
        events.append(PosesJudged(poses(CLIPS[each.clip.name])))
    return [*games, fold(events)]


def test_the_rounds_are_a_whole_game() -> None:
    *rounds, last = played()
    assert len(rounds) == 12
    assert last.phase is Phase.OVER
    assert len(last.ranking) == 4


def test_everybody_sits_where_the_rules_put_them() -> None:
    for game, each in zip(played(), EVENING.rounds, strict=False):
        clip = CLIPS[each.clip.name]
        assert clip["narrator"] == game.narrator
        assert [(player["player"], player["seat"]) for player in clip["players"]] == [
            (player, seat) for seat, player in enumerate(game.seats, 1)
        ]


def test_faces_run_from_left_to_right() -> None:
    for clip in CLIPS.values():
        lefts = [player["face_px"][0] for player in clip["players"]]
        assert lefts == sorted(lefts)


def test_all_headgears_and_animals_and_tongues_are_shown() -> None:
    shown = [pose for clip in CLIPS.values() for pose in poses(clip).values()]
    assert {headgear for pose in shown for headgear in (pose.left, pose.right)} >= set(HEADGEARS)
    assert {pose.animal for pose in shown} == set(Animal)
    assert {pose.tongue for pose in shown} == set(Tongue)


def test_hands_and_tongues_are_clearly_seen() -> None:
    for clip in CLIPS.values():
        for player in clip["players"]:
            assert player["between"] == ""
            for side in (player["left"], player["right"]):
                assert side["sort"] == "hand down" or (side["inside"] and side["visible"] >= 0.45)


def test_clips_play_and_go_on_after_bam() -> None:
    assert CLIPS
    for name in CLIPS:
        assert (FOLDER / name).stat().st_size < 1_000_000, name
        clip = manifest()[f"evening/{name}"]
        assert (clip.codec, clip.width, clip.height) == ("h264 yuv420p", 1280, 720), name
        assert clip.last_s >= TRUTH["bam_s"] + 1, name


def test_somebody_moves_after_bam_and_a_tongue_is_out_for_a_blink() -> None:
    moved, blink = CLIPS["moved.mp4"]["moved"], CLIPS["blink.mp4"]["blink"]
    assert TRUTH["bam_s"] < moved["from_s"] < moved["to_s"]
    assert Pose.parse(moved["pose"]) != poses(CLIPS["moved.mp4"])[EVENING.players[moved["seat"]]]
    assert blink["from_s"] < TRUTH["bam_s"] < blink["to_s"]
    assert poses(CLIPS["blink.mp4"])[EVENING.players[blink["seat"]]].tongue is Tongue.IN
