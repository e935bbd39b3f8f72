"""`bunnymoose judge`, `hand` and `face` with the real models, with text and JSON output."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from typer.core import TyperGroup

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.cli import COMMANDS
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.nets.worker_pool import MOST_WORKERS
from tests.program import CHECKOUT, PROGRAM, Program, run_python

CARDS = "MOOSE+2 RABBIT-1 R.WU+1"


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture(scope="module")
def clip(party_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip of 640 × 320 pixels, two seconds long, ten frames a second: a wall, and the party from 1 s on."""
    path = tmp_path_factory.mktemp("clip") / "round.mp4"
    party = np.asarray(cv2.resize(read_image(party_file), (640, 320), interpolation=cv2.INTER_AREA), np.uint8)
    wall = np.full_like(party, 90)
    write_film(path, (Frame(wall if number < 10 else party, number / 10) for number in range(20)))
    return path


def test_bad_sources_are_named_and_others_are_judged(bunnymoose: Program, party_file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "empty.jpg").touch()
    whole = cv2.imencode(".jpg", read_image(party_file))[1].tobytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "huge.bmp").write_bytes(b"BM" + bytes(16) + (30000).to_bytes(4, "little") * 2 + bytes(200))
    names = ("text.jpg", "empty.jpg", "cut.jpg", "missing.jpg", "huge.bmp")
    code, out, err = bunnymoose("judge", *(str(tmp_path / name) for name in names), party_file, "--json")
    assert code == 2
    assert [line["source"] for line in objects(out)] == [str(party_file)]
    sentences = err.splitlines()
    assert len(sentences) == len(names)
    for sentence, name in zip(sentences, names, strict=True):
        assert name in sentence
        assert "Traceback" not in sentence


@pytest.mark.bare_networks
def test_folder_is_judged_with_models_loaded_once(
    bunnymoose: Program, party_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("2.png", "10.png", "1.png"):
        (tmp_path / name).write_bytes(party_file.read_bytes())
    loaded = []
    load = Landmarkers.__init__

    def load_and_count(self: Landmarkers) -> None:
        loaded.append(self)
        load(self)

    monkeypatch.setattr(Landmarkers, "__init__", load_and_count)
    judged = bunnymoose.objects("judge", tmp_path, "--json", "--cards", CARDS)
    assert [line["source"] for line in judged] == [str(tmp_path / name) for name in ("1.png", "2.png", "10.png")]
    assert {line["players"][1]["score"]["say"] for line in judged} == {"Moose ahead 3"}
    assert len(loaded) <= MOST_WORKERS


def test_text_output_has_poses_reasons_points_and_announcements(
    bunnymoose: Program, party_file: Path, tmp_path: Path
) -> None:
    image, folder = tmp_path / "party [red].png", tmp_path / "judged"
    image.write_bytes(party_file.read_bytes())
    out = bunnymoose.output("judge", image, "--cards", CARDS, "--bet", "2", "--out", folder)
    assert "party [red].png" in out.replace("\n", "")
    for words in ("Seat 1", "SS TF", "right: floppy ear on top", "left: wide antler up", "thumb stuck out", "R.WU+1"):
        assert words in out.replace("?", "")  # a doubtful field is followed by a question mark
    assert out.splitlines()[-3:] == ["Seat 1: rabbit back 1", "Seat 2: moose ahead 3", "Narrator: moose ahead 3"]
    drawn = cv2.imread(str(folder / "party [red].jpg"))
    assert drawn is not None
    assert drawn.shape == (640, 1280, 3)
    assert (abs(drawn.astype(int) - read_image(party_file)).max(2) > 60).mean() > 0.01


def test_input_image_is_never_overwritten(bunnymoose: Program, party_file: Path, tmp_path: Path) -> None:
    original = tmp_path / "party.jpg"
    content = cv2.imencode(".jpg", read_image(party_file))[1].tobytes()
    original.write_bytes(content)
    code, _, err = bunnymoose("judge", original, "--out", tmp_path)
    assert (code, original.read_bytes()) == (2, content)
    assert "would be written over" in err


@pytest.mark.parametrize(
    ("options", "moments"),
    [
        (["--at", "1.4"], {1.4: 2}),
        (["--at", "0.1"], {0.1: 0}),
        (["--every", "0.8"], {0.0: 0, 0.8: 0, 1.6: 2}),
        ([], {1.0: 2}),
    ],
    ids=["at a moment", "at a moment without players", "every step", "the middle"],
)
def test_clip_is_judged_at_the_requested_times(
    bunnymoose: Program, clip: Path, tmp_path: Path, options: list[str], moments: dict[float, int]
) -> None:
    lines = bunnymoose.objects("judge", clip, "--json", "--out", tmp_path, *options)
    assert [line["time_s"] for line in lines] == pytest.approx(list(moments), abs=0.03)
    assert [len(line["players"]) for line in lines] == list(moments.values())
    assert len(list(tmp_path.glob("round-*.jpg"))) == len(moments)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--at", "1", "--every", "1"], "--at judges one moment and --every many: choose one of them"),
        (["--at", "-3"], "--at needs a moment in seconds, 0 or later, not -3"),
        (["--at", "nan"], "--at needs a finite number, not nan"),
        (["--every", "inf"], "--every needs a finite number, not inf"),
        (["--every", "0"], "--every needs at least 0.001 seconds, not 0"),
        (["--every", "1e-9"], "--every needs at least 0.001 seconds, not 1e-09"),
        (["--every", "nan"], "--every needs a finite number, not nan"),
        (["--bet", "1"], "--bet needs the cards: add --cards, such as --cards L.WU+1"),
        (["--speak"], "--speak needs the cards: add --cards, such as --cards L.WU+1"),
        (["--cards", "L.WU+1", "--bet", "0"], "There is no seat 0 to bet on: seats are counted from 1"),
        (["--cards", "L.XX+1"], "“XX” is not a card’s headgear"),
        (["--cards", ""], "a table needs at least one card"),
        (["--edition", "third"], "There is no edition “third”"),
    ],
)
def test_invalid_options_are_refused_before_reading(bunnymoose: Program, options: list[str], sentence: str) -> None:
    assert bunnymoose.refusal("judge", "missing.jpg", *options).startswith(sentence)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--cards", CARDS, "--bet", "3"], "party.png: nobody sits in seat 3 to bet on: the picture shows 2 players"),
        (["--out", "{file}"], "The folder {file} cannot be made"),
    ],
)
def test_errors_found_while_judging_are_one_sentence(
    bunnymoose: Program, party_file: Path, tmp_path: Path, options: list[str], sentence: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    err = bunnymoose.refusal("judge", party_file, *(option.format(file=file) for option in options))
    assert sentence.format(file=file) in err


def test_time_beyond_the_end_of_a_clip_is_refused(bunnymoose: Program, clip: Path) -> None:
    assert "has no moment 77 s: it lasts from 0 to 1.94 s" in bunnymoose.refusal("judge", clip, "--at", "77")


def test_truncated_clip_is_judged_with_a_warning(bunnymoose: Program, clip: Path, tmp_path: Path) -> None:
    cut, content = tmp_path / "cut.mp4", clip.read_bytes()
    cut.write_bytes(content[: len(content) * 9 // 10])
    code, out, err = bunnymoose("judge", cut, "--at", "0", "--json")
    assert (code, err.count("\n"), len(objects(out))) == (0, 1, 1)
    assert err.startswith(f"{cut} breaks off after 1.")
    assert bunnymoose("judge", clip, "--at", "0", "--json")[2] == ""


def test_image_from_standard_input_without_players_is_judged(
    bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = cv2.imencode(".png", np.full((120, 160, 3), 90, np.uint8))[1].tobytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(wall)))
    out = bunnymoose.output("judge", "-", "--json", "--out", tmp_path)
    assert objects(out) == [{"source": "standard input", "time_s": 0.0, "size": [160, 120], "players": []}]
    assert [path.name for path in tmp_path.iterdir()] == ["standard-input.jpg"]


def test_libraries_print_nothing(party_file: Path) -> None:
    """Run the whole program, because MediaPipe writes to the file descriptor directly."""
    done = run_python(PROGRAM, "judge", party_file, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(objects(done.stdout)) == 1


def commands() -> list[list[str]]:
    found: list[list[str]] = []
    for name, lazy in COMMANDS.items():
        command = lazy.load(name)
        inner = command.commands if isinstance(command, TyperGroup) else {}
        found += [[name], *([name, inner_name] for inner_name in inner)]
    return found


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_help_of_every_command_has_examples(bunnymoose: Program, command: list[str]) -> None:
    out = bunnymoose.output(*command, "--help")
    assert "<bool>" not in out  # a flag takes no value
    assert "For example" in out
    assert f"bunnymoose {' '.join(command)}" in out


def test_hand_and_face_report_findings_and_missing_file_exits_with_2(
    bunnymoose: Program, party_file: Path, tmp_path: Path
) -> None:
    hand, wall, missing = tmp_path / "hand.png", tmp_path / "wall.png", tmp_path / "missing.png"
    cv2.imwrite(str(hand), read_image(party_file)[100:400, 1000:1280])
    cv2.imwrite(str(wall), np.full((100, 100, 3), 90, np.uint8))
    sources = [str(path) for path in (hand, wall, missing)]

    code, out, err = bunnymoose("hand", *sources, "--json")
    assert (code, err.count("\n")) == (2, 1)
    found, nothing = objects(out)
    assert (found["source"], found["kind"]) == (str(hand), "antler")
    assert nothing.keys() == found.keys()
    assert {key: value for key, value in nothing.items() if value} == {"source": str(wall)}
    out = bunnymoose.output("hand", *sources[:2])
    assert "antler" in out.splitlines()[0]
    assert out.splitlines()[1] == f"{wall}: no hand found"

    code, out, err = bunnymoose("face", party_file, *sources[1:], "--json")
    assert (code, err.count("\n")) == (2, 1)
    assert [len(line["faces"]) for line in objects(out)] == [2, 0]
    out = bunnymoose.output("face", party_file, wall)
    assert out.splitlines()[0].count("tongue") == 2
    assert out.splitlines()[1] == f"{wall}: no face found"


def test_hand_refuses_a_clip(bunnymoose: Program) -> None:
    assert "is a clip and this takes only pictures" in bunnymoose.refusal("hand", CHECKOUT / "fixtures" / "demo.mp4")


def test_line_break_in_a_file_name_is_escaped(bunnymoose: Program, tmp_path: Path) -> None:
    wall = tmp_path / "a\nb.png"
    wall.write_bytes(cv2.imencode(".png", np.full((100, 100, 3), 90, np.uint8))[1].tobytes())
    code, out, _ = bunnymoose("face", wall)
    assert (code, out) == (0, f"{tmp_path}/a\\nb.png: no face found\n")
