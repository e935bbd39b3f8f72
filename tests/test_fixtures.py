"""The fixtures are what the manifest says: files, truths, and everything that a fixture set must cover."""

import csv
import json
from pathlib import Path
from typing import Any

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Antler, Pose, Side, Tongue, format_headgear
from tests.fixture_media import manifest

FIXTURES = Path(__file__).parent.parent / "fixtures"
COLUMNS = ["id", "file", "kind", "labels", "notes", "repo", "commit", "path", "licence"]
BUSHES = {
    "one_hand",
    "mix",
    "fist",
    "open_palm",
    "two_fingers_away",
    "flat_hand",
    "three_fingers",
    "one_finger",
    "hand_at_face",
    "hand_at_shoulder",
    "hands_down",
}
LIGHTS = {"daylight", "dim", "warm", "backlight", "studio"}


def rows() -> list[dict[str, str]]:
    with (FIXTURES / "manifest.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def labels(row: dict[str, str]) -> dict[str, str]:
    return dict(label.split("=", 1) for label in row["labels"].split(";"))


def truth(row: dict[str, str]) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FIXTURES / row["file"]).with_suffix(".json").read_text())
    return content


def players(row: dict[str, str]) -> list[dict[str, Any]]:
    content = truth(row)
    found: list[dict[str, Any]] = content.get("players", [content])
    return found


ROWS = rows()
EVERYBODY = [(row["id"], player) for row in ROWS for player in players(row)]


def test_manifest_lists_every_image_once() -> None:
    assert list(ROWS[0]) == COLUMNS
    listed = [row["file"] for row in ROWS]
    there = [
        str(path.relative_to(FIXTURES)) for kind in ("players", "scenes") for path in (FIXTURES / kind).glob("*.jpg")
    ]
    assert sorted(listed) == sorted(there)
    assert len({row["id"] for row in ROWS}) == len(ROWS)


def test_there_are_enough_single_players_and_a_scene_for_each_number_of_seats() -> None:
    assert sum(row["kind"] == "player" for row in ROWS) >= 60
    assert {labels(row)["faces"] for row in ROWS if row["kind"] == "scene"} == {"2", "3", "4", "5"}


def test_labels_and_truth_agree_and_the_image_has_their_size() -> None:
    for row in ROWS:
        said, name = labels(row), row["id"]
        poses = [Pose.parse(pose) for pose in said["poses"].split("/")]
        assert [str(pose) for pose in poses] == [player["pose"] for player in players(row)], name
        assert int(said["faces"]) == len(poses), name
        if row["kind"] == "player":
            assert said.get("bush") == players(row)[0]["bush"], name
        image = manifest()[row["file"]]
        assert [image.width, image.height] == truth(row)["size"], name


def test_truth_of_a_player_is_of_one_widget() -> None:
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


def test_seats_run_from_left_to_right_in_the_image() -> None:
    for row in ROWS:
        if row["kind"] == "scene":
            lefts = [player["face_px"][0] for player in players(row)]
            assert lefts == sorted(lefts), row["id"]


def test_everything_that_can_be_shown_is_shown() -> None:
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


def test_fixtures_stay_small() -> None:
    images = [FIXTURES / row["file"] for row in ROWS]
    assert sum(path.stat().st_size for path in (*images, FIXTURES / "demo.mp4")) < 20_000_000
