"""The blind final test is what `fixtures/test.csv` says: all images listed, labels and truths agreeing, all shown."""

import csv
import json
from pathlib import Path
from typing import Any

from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Pose, Side, Tongue, format_headgear

FIXTURES = Path(__file__).parent.parent / "fixtures"
MOST_BYTES = 60_000_000


def rows() -> list[dict[str, str]]:
    with (FIXTURES / "test.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def labels(row: dict[str, str]) -> dict[str, str]:
    return dict(label.split("=", 1) for label in row["labels"].split(";"))


def players(row: dict[str, str]) -> list[dict[str, Any]]:
    truth = json.loads((FIXTURES / row["file"]).with_suffix(".json").read_text())
    found: list[dict[str, Any]] = truth.get("players", [truth])
    return found


ROWS = rows()
SINGLES = [players(row)[0] for row in ROWS if row["kind"] == "player"]


def test_every_image_is_listed_once() -> None:
    listed = sorted(row["file"] for row in ROWS)
    assert listed == sorted(f"test/{path.name}" for path in (FIXTURES / "test").glob("*.jpg"))
    assert len({row["id"] for row in ROWS}) == len(ROWS)


def test_there_are_enough_players_and_rows_of_every_length() -> None:
    assert len(SINGLES) >= 300
    faces = [labels(row)["faces"] for row in ROWS if row["kind"] == "scene"]
    assert len(faces) >= 20
    assert set(faces) == {"2", "3", "4", "5"}


def test_no_seed_is_one_of_training() -> None:
    assert all(10_000 <= int(row["id"][1:].split("_")[0]) < 20_000 for row in ROWS if row["kind"] == "player")


def test_labels_say_what_the_truth_says() -> None:
    for row in ROWS:
        said, people = labels(row), players(row)
        assert said["poses"].split("/") == [player["pose"] for player in people]
        assert said.get("between", "/".join("" for _ in people)).split("/") == [player["between"] for player in people]
        for name in ("skin", "age", "hair", "beard", "glasses", "hat"):
            assert len(said[name].split("/")) == len(people), name


def test_poses_are_those_of_the_sides() -> None:
    for player in (player for row in ROWS for player in players(row)):
        pose = Pose.parse(player["pose"])
        for side in Side:
            shown = player[side.name.lower()]
            assert shown["headgear"] == format_headgear(pose.headgear(side))
            assert bool(shown["between"]) == (f"{side.name.lower()}." in player["between"])
        assert player["tongue"]["out"] == (pose.tongue is Tongue.OUT)


def test_a_third_are_bushes_or_in_between_and_everything_is_shown() -> None:
    hard = [player for player in SINGLES if player["bush"] or player["between"]]
    assert 0.25 <= len(hard) / len(SINGLES) <= 0.55
    poses = [Pose.parse(player["pose"]) for player in SINGLES]
    assert {headgear for pose in poses for headgear in (pose.left, pose.right)} == set(HEADGEARS)
    assert {(pose.animal, pose.tongue) for pose in poses} == {
        (animal, tongue) for animal in Animal for tongue in Tongue
    }
    fields = {field for player in SINGLES for side in ("left", "right") for field in player[side]["between"]}
    assert fields == {"kind", "spread", "form", "place"}


def test_faces_are_small_and_large() -> None:
    widths = [player["face_px"][2] for player in SINGLES]
    assert min(widths) < 45
    assert max(widths) > 130


def test_all_fixtures_together_stay_small() -> None:
    kept = [path for path in FIXTURES.rglob("*") if path.is_file() and "render" not in path.parts]
    assert sum(path.stat().st_size for path in kept) < MOST_BYTES
