"""The fixtures match their manifests and truths, and cover everything that a set must show.

The blind final test is `fixtures/test.csv`. The evening is a whole game. The two parts of the rounds share no player.
"""

import csv
import json
from fractions import Fraction
from typing import Any

import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.referee.script import read_script
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import Bam, BetPlaced, Event, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Antler, Pose, Side, Tongue, format_headgear
from bunnymoose_cv.vision.video.window import Window
from tests.fixture_media import FIXTURES, IMAGES, digest_of, manifest, media_files
from training.evaluate.round_benchmark import ClipTruth, SeatTruth, SetPart, read_round_set

COLUMNS = ["id", "file", "kind", "labels", "notes", "repo", "commit", "path", "licence"]
BUSHES = {
    *("one_hand", "mix", "fist", "open_palm", "two_fingers_away", "flat_hand", "three_fingers", "one_finger"),
    *("hand_at_face", "hand_at_shoulder", "hands_down"),
}
LIGHTS = {"daylight", "dim", "warm", "backlight", "studio"}


def rows(name: str) -> list[dict[str, str]]:
    with (FIXTURES / name).open(newline="") as file:
        return list(csv.DictReader(file))


def labels(row: dict[str, str]) -> dict[str, str]:
    return dict(label.split("=", 1) for label in row["labels"].split(";"))


def truth_of(row: dict[str, str]) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FIXTURES / row["file"]).with_suffix(".json").read_text())
    return content


def players(row: dict[str, str]) -> list[dict[str, Any]]:
    content = truth_of(row)
    found: list[dict[str, Any]] = content.get("players", [content])
    return found


def assert_all_is_shown(poses: list[Pose]) -> None:
    assert {headgear for pose in poses for headgear in (pose.left, pose.right)} == set(HEADGEARS)
    assert {pose.animal for pose in poses} == set(Animal)
    assert {pose.tongue for pose in poses} == set(Tongue)


ROWS, BLIND = rows("manifest.csv"), rows("test.csv")
EVERYBODY = [(row["id"], player) for row in ROWS for player in players(row)]


def test_manifest_lists_every_image_once() -> None:
    assert list(ROWS[0]) == COLUMNS
    listed = [row["file"] for row in ROWS]
    there = [
        str(path.relative_to(FIXTURES)) for kind in ("players", "scenes") for path in (FIXTURES / kind).glob("*.jpg")
    ]
    assert sorted(listed) == sorted(there)
    assert len({row["id"] for row in ROWS}) == len(ROWS)


def test_fixtures_have_enough_players_and_a_scene_for_each_seat_count() -> None:
    assert sum(row["kind"] == "player" for row in ROWS) >= 60
    assert {labels(row)["faces"] for row in ROWS if row["kind"] == "scene"} == {"2", "3", "4", "5"}


def test_labels_truth_and_image_size_agree() -> None:
    for row in ROWS:
        said, name = labels(row), row["id"]
        poses = [Pose.parse(pose) for pose in said["poses"].split("/")]
        assert [str(pose) for pose in poses] == [player["pose"] for player in players(row)], name
        assert int(said["faces"]) == len(poses), name
        if row["kind"] == "player":
            assert said.get("bush") == players(row)[0]["bush"], name
        image = manifest()[row["file"]]
        assert [image.width, image.height] == truth_of(row)["size"], name


def test_fields_of_each_players_truth_are_consistent() -> None:
    for name, player in EVERYBODY:
        pose = Pose.parse(player["pose"])
        assert (player["bush"] is None) == (pose.animal is not Animal.BUSH), name
        assert player["tongue"]["out"] == (pose.tongue is Tongue.OUT), name
        assert player["tongue"]["clear"], name
        for side in Side:
            shown = player[side.name.lower()]
            assert shown["headgear"] == format_headgear(pose.headgear(side)), name
            assert len(shown["joints_px"]) == 21, name
            assert shown["inside"] or shown["sort"] == "hand down", name
            if isinstance(pose.headgear(side), Antler):
                assert shown["thumb_to_temple"] < 0.5, f"{name}: an antler's thumb is on the temple"
                hides_spread = (shown["headgear"], shown["how"]) == ("WD", "fingers bent down")
                assert not hides_spread, f"{name}: bent fingers hide their spread"
            if shown["sort"] == "open palm away from the head":
                assert shown["thumb_to_temple"] >= 1.5, name


def test_seats_are_ordered_from_left_to_right() -> None:
    for row in ROWS:
        if row["kind"] == "scene":
            lefts = [player["face_px"][0] for player in players(row)]
            assert lefts == sorted(lefts), row["id"]


def test_fixtures_cover_every_headgear_bush_and_tongue() -> None:
    singles = [players(row)[0] for row in ROWS if row["kind"] == "player"]
    for side in ("left", "right"):
        assert {player[side]["headgear"] for player in singles} == {format_headgear(headgear) for headgear in HEADGEARS}
    assert {player["bush"] for player in singles} == {*BUSHES, None}
    for animal in Animal:
        tongues = {Pose.parse(p["pose"]).tongue for p in singles if Pose.parse(p["pose"]).animal is animal}
        assert tongues == set(Tongue)
    assert {labels(row)["light"] for row in ROWS} == LIGHTS
    assert any(player["tongue"]["mouth"] == "open" for player in singles), "an open mouth is not a tongue"


def test_demo_clip_freezes_five_players_after_bam() -> None:
    demo = json.loads((FIXTURES / "demo.json").read_text())
    assert [player["pose"] for player in demo["players"]] == demo["poses"].split("/")
    assert len(demo["players"]) == 5
    assert len(parse_table(demo["cards"])) >= 4
    clip = manifest()[demo["file"]]
    assert clip.codec == "h264 yuv420p"
    assert [clip.width, clip.height] == demo["size"]
    assert clip.frames / demo["frames_a_second"] >= demo["bam_s"] + 1


def test_images_and_demo_clip_stay_small() -> None:
    images = [FIXTURES / row["file"] for row in ROWS]
    assert sum(path.stat().st_size for path in (*images, FIXTURES / "demo.mp4")) < 20_000_000


SINGLES = [players(row)[0] for row in BLIND if row["kind"] == "player"]


def test_every_blind_image_is_listed_once() -> None:
    listed = sorted(row["file"] for row in BLIND)
    assert listed == sorted(f"test/{path.name}" for path in (FIXTURES / "test").glob("*.jpg"))
    assert len({row["id"] for row in BLIND}) == len(BLIND)


def test_blind_set_has_enough_players_and_rows_of_every_length() -> None:
    assert len(SINGLES) >= 300
    faces = [labels(row)["faces"] for row in BLIND if row["kind"] == "scene"]
    assert len(faces) >= 20
    assert set(faces) == {"2", "3", "4", "5"}


def test_blind_seeds_are_not_training_seeds() -> None:
    assert all(10_000 <= int(row["id"][1:].split("_")[0]) < 20_000 for row in BLIND if row["kind"] == "player")


def test_blind_labels_match_the_truth() -> None:
    for row in BLIND:
        said, people = labels(row), players(row)
        assert said["poses"].split("/") == [player["pose"] for player in people]
        assert said.get("between", "/".join("" for _ in people)).split("/") == [player["between"] for player in people]
        for name in ("skin", "age", "hair", "beard", "glasses", "hat"):
            assert len(said[name].split("/")) == len(people), name


def test_blind_poses_match_the_truth_of_both_sides() -> None:
    for player in (player for row in BLIND for player in players(row)):
        pose = Pose.parse(player["pose"])
        for side in Side:
            shown = player[side.name.lower()]
            assert shown["headgear"] == format_headgear(pose.headgear(side))
            assert bool(shown["between"]) == (f"{side.name.lower()}." in player["between"])
        assert player["tongue"]["out"] == (pose.tongue is Tongue.OUT)


def test_about_a_third_of_blind_players_are_hard_and_every_pose_is_covered() -> None:
    hard = [player for player in SINGLES if player["bush"] or player["between"]]
    assert 0.25 <= len(hard) / len(SINGLES) <= 0.55
    poses = [Pose.parse(player["pose"]) for player in SINGLES]
    assert {headgear for pose in poses for headgear in (pose.left, pose.right)} == set(HEADGEARS)
    assert {(pose.animal, pose.tongue) for pose in poses} == {
        (animal, tongue) for animal in Animal for tongue in Tongue
    }
    fields = {field for player in SINGLES for side in ("left", "right") for field in player[side]["between"]}
    assert fields == {"kind", "spread", "form", "place"}


def test_blind_faces_vary_in_size() -> None:
    widths = [player["face_px"][2] for player in SINGLES]
    assert min(widths) < 45
    assert max(widths) > 130


def test_all_fixtures_together_stay_small() -> None:
    kept = [path for path in FIXTURES.rglob("*") if path.is_file() and "render" not in path.parts]
    assert sum(path.stat().st_size for path in kept) < 60_000_000


EVENING_FOLDER = FIXTURES / "evening"
EVENING = read_script(EVENING_FOLDER / "evening.toml")
TRUTH: dict[str, Any] = json.loads((EVENING_FOLDER / "truth.json").read_text())
EVENING_CLIPS = {clip["clip"]: clip for clip in TRUTH["clips"]}


def poses(clip: dict[str, Any]) -> dict[str, Pose]:
    return {player["player"]: Pose.parse(player["pose"]) for player in clip["players"]}


def played() -> list[Game]:
    """Return the evening's game at every Bam and at its end, with the true poses."""
    events: list[Event] = [GameStarted(EVENING.players, EVENING.rules)]
    games = []
    for round_ in EVENING.rounds:
        assert round_.bet is not None
        assert round_.cards is not None
        events += [BetPlaced(round_.bet), TableLaid(round_.cards), Bam()]
        games.append(fold(events))
        events.append(PosesJudged(poses(EVENING_CLIPS[round_.clip.name])))
    return [*games, fold(events)]


def test_evening_rounds_make_a_whole_game() -> None:
    *rounds, last = played()
    assert len(rounds) == 12
    assert last.phase is Phase.OVER
    assert len(last.ranking) == 4


def test_evening_players_sit_where_the_rules_put_them() -> None:
    for game, each in zip(played(), EVENING.rounds, strict=False):
        clip = EVENING_CLIPS[each.clip.name]
        assert clip["narrator"] == game.narrator
        assert [(player["player"], player["seat"]) for player in clip["players"]] == [
            (player, seat) for seat, player in enumerate(game.seats, 1)
        ]


def test_evening_faces_are_ordered_from_left_to_right() -> None:
    for clip in EVENING_CLIPS.values():
        lefts = [player["face_px"][0] for player in clip["players"]]
        assert lefts == sorted(lefts)


def test_evening_covers_every_pose_element() -> None:
    shown = [pose for clip in EVENING_CLIPS.values() for pose in poses(clip).values()]
    assert_all_is_shown(shown)


def test_evening_hands_and_tongues_are_clearly_visible() -> None:
    for clip in EVENING_CLIPS.values():
        for player in clip["players"]:
            assert player["between"] == ""
            for side in (player["left"], player["right"]):
                assert side["sort"] == "hand down" or (side["inside"] and side["visible"] >= 0.45)


def test_evening_clips_are_small_h264_and_last_beyond_bam() -> None:
    assert EVENING_CLIPS
    for name in EVENING_CLIPS:
        assert (EVENING_FOLDER / name).stat().st_size < 1_000_000, name
        clip = manifest()[f"evening/{name}"]
        assert (clip.codec, clip.width, clip.height) == ("h264 yuv420p", 1280, 720), name
        assert clip.last_s >= TRUTH["bam_s"] + 1, name


def test_evening_has_a_mover_after_bam_and_a_brief_tongue() -> None:
    moved, blink = EVENING_CLIPS["moved.mp4"]["moved"], EVENING_CLIPS["blink.mp4"]["blink"]
    assert TRUTH["bam_s"] < moved["from_s"] < moved["to_s"]
    assert Pose.parse(moved["pose"]) != poses(EVENING_CLIPS["moved.mp4"])[EVENING.players[moved["seat"]]]
    assert blink["from_s"] < TRUTH["bam_s"] < blink["to_s"]
    assert poses(EVENING_CLIPS["blink.mp4"])[EVENING.players[blink["seat"]]].tongue is Tongue.IN


ROUNDS_FOLDER = FIXTURES / "rounds"
ROUND_CLIPS = read_round_set(ROUNDS_FOLDER).clips
SEATS = [seat for clip in ROUND_CLIPS for seat in clip.players]

MOST_BYTES_OF_A_ROUND = 90_000
"""Maximum size of a clip, which bounds the size of the repository."""


FREEZE = load_settings().freeze


def window(clip: ClipTruth) -> Window:
    return Window.around(clip.cue_s, FREEZE)


def test_every_round_clip_is_listed_and_small() -> None:
    assert sorted(clip.clip for clip in ROUND_CLIPS) == sorted(file.name for file in ROUNDS_FOLDER.glob("*.mp4"))
    assert all((ROUNDS_FOLDER / clip.clip).stat().st_size <= MOST_BYTES_OF_A_ROUND for clip in ROUND_CLIPS)


def test_round_clips_vary_in_seats_frame_rate_and_behaviour() -> None:
    assert len(SEATS) >= 300
    assert {len(clip.players) for clip in ROUND_CLIPS} == {2, 3, 4, 5}
    assert min(clip.frames_a_second for clip in ROUND_CLIPS) == 10
    assert max(clip.frames_a_second for clip in ROUND_CLIPS) == 30
    assert any(clip.passer for clip in ROUND_CLIPS)
    assert {seat.twist for seat in SEATS} == {
        *("steady", "early", "late", "changed mind", "tongue for a blink", "turns the head"),
        *("reaches across a neighbour", "stands up", "moves after Bam"),
    }


def test_round_clips_cover_every_pose_element() -> None:
    shown = [Pose.parse(seat.pose) for seat in SEATS]
    assert_all_is_shown(shown)


def test_parts_share_no_player_and_a_third_of_clips_is_for_reporting() -> None:
    people = {
        part: {seat.person for clip in ROUND_CLIPS if clip.part is part for seat in clip.players} for part in SetPart
    }
    assert not people[SetPart.CHOOSE] & people[SetPart.REPORT]
    reported = sum(clip.part is SetPart.REPORT for clip in ROUND_CLIPS)
    assert reported == pytest.approx(len(ROUND_CLIPS) / 3, abs=1)


def held_at_bam(seat: SeatTruth, clip: ClipTruth) -> str:
    """Return the pose that a seat holds at the end of the window."""
    return [pose for from_s, pose in seat.poses if from_s <= window(clip).end_s][-1]


def test_truth_of_every_round_clip_is_consistent() -> None:
    for clip in ROUND_CLIPS:
        assert [seat.seat for seat in clip.players] == list(range(1, len(clip.players) + 1)), clip.clip
        eyes_px = [seat.eyes_px[0] for seat in clip.players]
        assert eyes_px == sorted(eyes_px), clip.clip
        assert len({seat.person for seat in clip.players}) == len(clip.players), clip.clip
        for seat in clip.players:
            check_seat(seat, clip)


def check_seat(seat: SeatTruth, clip: ClipTruth) -> None:
    where = f"{clip.clip}, seat {seat.seat}"
    assert seat.pose == held_at_bam(seat, clip), where
    assert seat.eyes_x_px[0] - 0.1 <= seat.eyes_px[0] <= seat.eyes_x_px[1] + 0.1, where
    assert (seat.moved_s is not None) == (seat.twist == "moves after Bam"), where
    if seat.moved_s is not None:
        assert window(clip).end_s < seat.moved_s[0] < seat.moved_s[1] <= window(clip).watched_until_s, where
        assert Pose.parse(seat.poses[-1][1]) != Pose.parse(seat.pose), where


def test_round_clips_match_their_truth_and_cover_the_watch_for_moves() -> None:
    for clip in ROUND_CLIPS:
        media = manifest()[f"rounds/{clip.clip}"]
        assert (media.codec, (media.width, media.height)) == ("h264 yuv420p", clip.size), clip.clip
        assert Fraction(media.rate) == clip.frames_a_second, clip.clip
        assert media.frames / clip.frames_a_second >= window(clip).watched_until_s, clip.clip


def test_manifest_lists_every_file_with_its_hash() -> None:
    there = {path.relative_to(FIXTURES).as_posix(): digest_of(path) for path in media_files()}
    assert there == {name: media.sha256 for name, media in manifest().items()}, "python -m tests.fixture_media"
    assert len(there) > 700


def test_every_image_and_clip_could_be_decoded() -> None:
    seen = [media for media in manifest().values() if not media.file.startswith("sounds/")]
    assert [media.file for media in seen if not (media.width and media.height and media.frames)] == []
    assert sum(media.file.endswith(tuple(IMAGES)) for media in seen) > 600
