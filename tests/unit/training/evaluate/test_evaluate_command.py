"""`python -m training.evaluate` on rendered players and broken lines."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import cv2
import numpy as np
import pytest

from bunnymoose_cv.record.game_store import GameStore
from training.evaluate import evaluated
from training.evaluate.datasets import Row
from training.evaluate.evaluated import Evaluated

Program = Callable[..., CompletedProcess[str]]


PLAYERS = Path(__file__).parents[4] / "fixtures" / "players"


def written(folder: Path, *lines: str) -> Path:
    path = folder / "manifest.csv"
    path.write_text("\n".join(["id,file,kind,labels,notes", *lines]) + "\n", "utf-8")
    return path


def objects(done: CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_bad_lines_are_named_and_others_are_evaluated(evaluate: Program, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((120, 120, 3), 128, np.uint8))
    (tmp_path / "text.jpg").write_text("no picture")
    player = PLAYERS / "0001.jpg"
    manifest = written(
        tmp_path,
        f"one,{player},face,faces=1;tongue=in;weather=fine,kept",
        "nobody,grey.png,player,poses=WU WU t,missed",
        "hand,grey.png,hand,fingers_out=index+middle;thumb=tucked;shape=straight,missed",
        f"unsure,{player},face,faces=1;tongue=out;ambiguous=1,read and not compared",
        "text,text.jpg,face,faces=1,",
        "gone,gone.jpg,face,faces=1,",
        f"kind,{player},animal,faces=1,",
        f"pose,{player},player,poses=XX WU,",
        f"ages,{player},player,poses=WU WU;age=12/70,",
    )
    done = evaluate(manifest, "--json")
    *images, last = objects(done)
    assert done.returncode == 2

    assert [image["id"] for image in images] == ["one", "nobody", "hand", "unsure"]
    one, nobody, hand, unsure = images
    assert (one["truth"], one["right"]["players"]) == ({"faces": 1, "tongue": "in"}, True)
    assert one["read"]["faces"] == len(one["read"]["poses"]) == len(one["read"]["unclear"]) == 1
    assert nobody["truth"] == {"faces": 1, "poses": ["WU WU t"]}
    assert nobody["read"] == {"faces": 0, "poses": [], "unclear": []}
    assert set(nobody["right"].values()) == {False}
    assert hand == {
        "id": "hand",
        "truth": {"kind": "ear", "form": "S"},
        "read": {"kind": None},
        "right": {"hand_kind": False, "hand_form": False},
    }
    assert (unsure["truth"], unsure["right"], unsure["read"]["faces"]) == ({}, {}, 1)

    assert last["fields"]["players"] == pytest.approx(
        {"n": 2, "right": 1, "rate": 0.5, "low": 0.0945312, "high": 0.9054688}
    )
    assert last["fields"]["pose"] == pytest.approx({"n": 1, "right": 0, "rate": 0.0, "low": 0.0, "high": 0.7934507})
    assert last["fields"]["kind"]["n"] == 2
    assert last["fields"]["hand_kind"]["n"] == 1
    assert set(last["shares"]) <= {"sure_wrong", "unclear"}

    sentences = [
        "unknown kind “animal”",
        "text.jpg is no picture",
        "gone.jpg: check the name",
        "“XX” is not a headgear",
    ]
    sentences += ["has age= for 2 seats and 1 people: write one value"]
    complaints = done.stderr.splitlines()
    assert len(complaints) == len(sentences)
    for complaint, sentence in zip(complaints, sentences, strict=True):
        assert sentence in complaint


def test_text_output_has_a_table_and_the_mistakes(evaluate: Program, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((120, 120, 3), 128, np.uint8))
    manifest = written(
        tmp_path, f"one,{PLAYERS / '0001.jpg'},group,faces=1,", "nobody,grey.png,scene,poses=WU WU/-- SS t,"
    )
    done = evaluate(manifest, "--floor", "players=1", "--floor", "pose_in_rows=0.5", "--floor", "tongue_in_rows=0")
    assert done.returncode == 1
    assert done.stderr == "pose_in_rows is right in 0.0%, below its floor of 50.0%\n"
    table, _, wrong = done.stdout.partition("\nnobody: ")
    assert [line.split()[1:9:2] for line in table.splitlines() if "│ pose" in line] == [
        ["pose_in_rows", "0", "2", "0.0%"]
    ]
    assert wrong.splitlines()[1:] == ["  shown  faces 2, poses WU WU / -- SS t", "  read   faces 0, poses –, unclear –"]
    assert "one: " not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([""], "MANIFEST is empty: name a file or a folder.\n"),
        (["A\nb"], "There is no A\\nb: check the name\n"),
        ([], "Name a manifest: python -m training.evaluate MANIFEST\n"),
        (["none.csv"], "There is no none.csv: check the name\n"),
        (["none.csv", "--before", "none.jsonl"], "There is no none.jsonl: check the name\n"),
        (["none.csv", "--floor", "poses=1"], "--floor poses=1 names no field: use one of players, faces_group, "),
        (["none.csv", "--floor", "pose"], "--floor pose has no rate: write it like --floor pose=0.9\n"),
        (["none.csv", "--floor", "pose=7"], "--floor pose=7 has no rate: write it like --floor pose=0.9\n"),
        (["none.csv", "--time", "--floor", "pose=1"], "--floor cannot be used with --time"),
        (["none.csv", "--time", "--part", "choose"], "--part cannot be used with --time"),
        (["--rounds", "--out", "pages", "--floor", "pose=1"], "--floor and --out cannot be used with --rounds"),
        (["--cues", "--before", "none.jsonl"], "--before cannot be used with --cues"),
        (["--cues", "--deck", "none.toml"], "--deck cannot be used with --cues"),
        (["--rounds", "--cues"], "--cues cannot be used with --rounds"),
        (["none.csv", "--part", "choose"], "--part cannot be used with a manifest of pictures"),
        (["none.csv", "--deck", "none.toml"], "--deck cannot be used with a manifest of pictures"),
    ],
)
def test_invalid_evaluate_command_is_one_sentence(evaluate: Program, arguments: list[str], sentence: str) -> None:
    done = evaluate(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


PEOPLE = "file,person,source,left,right,left_sure,right_sure,tongue\n"


@pytest.mark.parametrize(
    ("columns", "option", "name_of_list"),
    [
        (PEOPLE, "--floor", "a list of people"),
        (PEOPLE, "--deck", "a list of people"),
        ("file,cards\n", "--out", "a list of cards"),
    ],
)
def test_option_of_another_kind_of_list_is_refused(
    evaluate: Program, columns: str, option: str, name_of_list: str, tmp_path: Path
) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text(columns, "utf-8")
    done = evaluate(listed, option, "pose=1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{option} cannot be used with {name_of_list}")


def test_unwritable_pages_about_people_are_one_sentence(evaluate: Program, tmp_path: Path) -> None:
    listed = tmp_path / "people.csv"
    listed.write_text(f"{PEOPLE}{PLAYERS / '0001.jpg'},p1,ours,SS,TF,1,1,in\n", "utf-8")
    done = evaluate(listed, "--out", listed / "pages")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"The folder {listed / 'pages'} cannot be written to (")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("read", ["figures.md", "mistakes.md"])
def test_page_that_would_overwrite_an_input_is_refused_before_evaluation(
    evaluate: Program, tmp_path: Path, read: str
) -> None:
    listed = written(tmp_path, f"one,{PLAYERS / '0001.jpg'},player,poses=CU CU t,").rename(tmp_path / read)
    before = listed.read_bytes()
    done = evaluate(listed, "--out", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == f"{listed} is what the command reads, and would be overwritten: name another file with --out.\n"
    )
    assert listed.read_bytes() == before


def test_pages_inside_a_kept_game_are_refused(evaluate: Program, played_games: Path) -> None:
    game = GameStore(played_games).find("last").folder
    before = sorted(game.rglob("*"))
    done = evaluate(PLAYERS.parent / "manifest.csv", "--out", game / "rounds" / "01")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"lies in the kept game {game.name}" in done.stderr
    assert sorted(game.rglob("*")) == before


def test_pages_are_written_for_players_and_mouths(evaluate: Program, tmp_path: Path) -> None:
    wrong = written(tmp_path, f"one,{PLAYERS / '0001.jpg'},player,poses=CU CU t;light=dim,")
    first = evaluate(wrong, "--json")
    (tmp_path / "first.jsonl").write_text(first.stdout)
    done = evaluate(wrong, "--json", "--before", tmp_path / "first.jsonl", "--out", tmp_path / "pages")
    assert done.stderr == f"pages written to {tmp_path / 'pages'}\n"
    assert done.stdout == first.stdout
    assert {path.name for path in (tmp_path / "pages").iterdir()} >= {"figures.md", "mistakes.md", "one.jpg"}
    assert "| `pose` | 0 | 1 | 0.0% | 0.0% – 79.3% | 0 of 1, 0.0% |" in (tmp_path / "pages/figures.md").read_text(
        "utf-8"
    )

    mouth = PLAYERS.parent / "mouths" / "0005_4.jpg"
    (tmp_path / "mouths.csv").write_text(f"file,label\n{mouth},in\n{mouth},unclear\n")
    read, passed_over, last = objects(evaluate(tmp_path / "mouths.csv", "--json"))
    assert (read["id"], read["truth"], set(read["right"])) == ("0005_4", {"tongue": "in"}, {"mouth"})
    assert passed_over["right"] == {}
    assert last["fields"]["mouth"]["n"] == 1


def test_timings_include_mediapipe_for_comparison(evaluate: Program, tmp_path: Path) -> None:
    manifest = written(tmp_path, f"one,{PLAYERS / '0001.jpg'},player,poses=SS TF,")
    (timings,) = objects(evaluate(manifest, "--time", "--json"))
    named = {"our reading of one side with a hand", "our reading of one mouth", "MediaPipe's hands of one head"}
    assert timings["timings"].keys() > named
    for timing in timings["timings"].values():
        assert 0 < timing["median_ms"] <= timing["slow_ms"]
        assert timing["n"] >= 4


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize(
    ("name", "sentence"),
    [("people.csv", "it is a pipe or a device, and no file"), ("hands.npz", "is no file of landmarks")],
)
def test_named_pipe_is_refused_without_waiting(evaluate: Program, name: str, sentence: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    done = evaluate(tmp_path / name)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_fault_in_one_image_is_reported_and_others_are_evaluated(
    laboratory: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((120, 120, 3), 128, np.uint8))
    real = evaluated.evaluate

    def faulty(row: Row, *others: Any) -> Evaluated:
        if row.name == "bad":
            raise RuntimeError("a fault")
        return real(row, *others)

    monkeypatch.setattr("training.evaluate.image_evaluation.evaluate_row", faulty)
    manifest = written(tmp_path, "bad,grey.png,face,faces=1,", "good,grey.png,face,faces=1,")
    code, out, err = laboratory("evaluate", str(manifest), "--json")
    assert code == 2
    assert [json.loads(line).get("id") for line in out.splitlines()] == ["good", None]
    assert err == f"{tmp_path / 'grey.png'} cannot be used, by a fault of this program (RuntimeError: a fault)\n"


def test_unknown_part_of_the_rounds_is_refused(evaluate: Program, tmp_path: Path) -> None:
    done = evaluate(tmp_path, "--rounds", "--part", "best")
    assert (done.returncode, done.stderr.splitlines()) == (2, ["--part best is no part: use choose or report"])
