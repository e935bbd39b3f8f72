"""Commands for a camera: `bunnymoose cameras`, `calibrate` and `mirror`."""

import json
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture import camera_list
from bunnymoose_cv.capture.camera_list import CameraFound, CameraMode, CameraStep, step_file
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.cli import calibrate_command
from bunnymoose_cv.session.practice.practice import PracticeSession, PracticeState
from bunnymoose_cv.vision import reader as reader_module
from tests.doubles import CannedReader, party_image, row_reading
from tests.media import write_clip
from tests.program import Program
from tests.unit.calibration.streaming import streamed, with_noise

pytestmark = pytest.mark.usefixtures("data_folder")

FOUND = (
    CameraFound(0, "Integrated Camera", "/dev/video0"),
    CameraFound(2, "Webcam", "/dev/video2", (CameraMode(1920, 1080, 30), CameraMode(640, 480, 0))),
)


def test_cameras_lists_each_camera_with_its_modes(bunnymoose: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_list, "list_cameras", lambda: FOUND)
    assert bunnymoose.output("cameras") == (
        "  0  Integrated Camera\n  2  Webcam\n     1920×1080 at 30 frames a second\n     640×480\n"
    )
    assert bunnymoose.objects("cameras", "--json") == [
        {"number": 0, "name": "Integrated Camera", "modes": []},
        {
            "number": 2,
            "name": "Webcam",
            "modes": [{"size": [1920, 1080], "frames_per_s": 30}, {"size": [640, 480], "frames_per_s": None}],
        },
    ]


def test_cameras_without_a_camera_reports_it_and_succeeds(bunnymoose: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_list, "list_cameras", tuple)
    code, out, err = bunnymoose("cameras", "--json")
    assert (code, out) == (0, "")
    assert err == "This computer has no camera: plug one in, or play from a stream or a clip\n"


FIXTURES = Path(__file__).parents[3] / "fixtures"


def lines_of(out: str) -> dict[str, dict[str, object]]:
    return {line["line"]: line for line in map(json.loads, out.splitlines())}


@pytest.mark.parametrize(
    ("mirrored", "level", "code"), [(False, "good", 0), (True, "bad", 1)], ids=["as it is", "mirrored"]
)
def test_calibrate_checks_a_network_camera_and_detects_mirroring(
    bunnymoose: Program, *, mirrored: bool, level: str, code: int
) -> None:
    image = cv2.flip(read_image(FIXTURES / "players" / "0032.jpg"), 1)  # the raised left hand becomes the right one
    shown = np.asarray(cv2.flip(image, 1) if mirrored else image, np.uint8)
    with streamed(with_noise(shown)) as address:
        ended, out, err = bunnymoose("calibrate", "--camera", address, "--ask", "--json")
    lines = lines_of(out)
    assert {"picture", "upright", "rate", "light", "focus", "distance", "room", "mirror", "speed"} <= lines.keys()
    assert lines["mirror"]["level"] == level
    bad = {line for line, finding in lines.items() if finding["level"] == "bad"} - {
        "rate"
    }  # a busy computer drops frames
    assert bad == ({"mirror"} if mirrored else set())
    assert ended == code or lines["rate"]["level"] == "bad"
    assert "hold your right hand up" in err
    assert tomllib.loads(step_file().read_text("utf-8"))["step"] in {step.value for step in CameraStep}
    for finding in lines.values():
        assert (finding["remedy"] is None) is (finding["level"] == "good")


def test_frozen_camera_is_reported_with_its_cause(bunnymoose: Program) -> None:
    with streamed([read_image(FIXTURES / "scenes" / "two_1.jpg")]) as address:
        code, out, _ = bunnymoose("calibrate", "--camera", address, "--no-ask", "--json")
    assert code == 1
    assert [(finding["line"], finding["cause"]) for finding in lines_of(out).values()] == [("picture", "frozen")]


@pytest.mark.usefixtures("reads_the_party")
def test_calibrate_hears_a_recorded_bam(bunnymoose: Program, tmp_path: Path) -> None:
    image, sound = party_image()[::2, ::2], read_sound(FIXTURES / "sounds/slap/take_1.ogg")
    clip = write_clip(tmp_path / "bam.mkv", with_noise(image), sound, 20, "mjpeg")
    code, out, err = bunnymoose("calibrate", "--camera", clip, "--no-ask", "--language", "de")
    assert "Das Bam ist zu hören" in out
    assert "gut       Mikrofon" in out
    assert code == 0
    assert "Sag einmal „Bam!“" in err


@pytest.mark.parametrize("words", [["calibrate"], ["mirror", "--no-screen"]])
def test_missing_camera_is_one_sentence(bunnymoose: Program, tmp_path: Path, words: list[str]) -> None:
    err = bunnymoose.refusal(*words, "--camera", tmp_path / "none.mp4")
    assert err.startswith("There is no camera, clip or folder")


@pytest.mark.usefixtures("reads_the_party")
def test_unwritable_camera_step_is_one_sentence_beside_the_findings(bunnymoose: Program, data_folder: Path) -> None:
    data_folder.write_text("no folder")
    code, out, err = bunnymoose("calibrate", "--camera", FIXTURES / "demo.mp4", "--no-ask", "--json")
    assert (code, "speed" in lines_of(out)) == (2, True)
    assert err.startswith(f"What the camera is asked for cannot be kept in {step_file()} (")
    assert err.count("\n") == 1


@pytest.mark.usefixtures("reads_the_party")
def test_interrupted_check_exits_with_130(bunnymoose: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(calibrate_command, "_next", leave)
    code, _, err = bunnymoose("calibrate", "--camera", FIXTURES / "demo.mp4", "--no-ask")
    assert (code, "Traceback" in err) == (130, False)


ASKS_WU_WU_FIRST = "205"
"""Seed with which the practice asks for `WU WU` first."""


@pytest.fixture
def holding_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seven seconds of a player who holds two wide antlers up."""
    reading = row_reading(("WU WU",), 320)
    monkeypatch.setattr(reader_module, "Reader", lambda settings: CannedReader(reading, settings))
    folder = tmp_path / "still"
    folder.mkdir()
    cv2.imwrite(str(tmp_path / "still.jpg"), reading.image)
    for number in range(70):
        (folder / f"{number:03}.jpg").symlink_to(tmp_path / "still.jpg")
    return folder


def test_mirror_counts_an_agreed_pose_and_asks_for_the_next(
    bunnymoose: Program, holding_still: Path, data_folder: Path
) -> None:
    *looks, end = bunnymoose.objects("mirror", "--camera", holding_still, "--seed", ASKS_WU_WU_FIRST, "--json")
    agreed = [look for look in looks if look["number"] == 1 and look["seen"] is not None]
    assert {(look["asked"], look["seen"], look["hint"]) for look in agreed} == {("WU WU", "WU WU", None)}
    after = [look for look in looks if look["number"] == 2]
    assert after
    assert all(look["done"] == 1 and look["hint"] for look in after if look["seen"])
    assert all(earlier != later for earlier, later in pairwise(looks))
    assert end["done"] == 1
    assert end["tallies"]["spread"] == {"agreed": 1, "asked": 1}
    assert end["tallies"]["form"] == {"agreed": 0, "asked": 0}
    assert not [*data_folder.rglob("takes")]  # takes are kept only on request


@pytest.mark.usefixtures("reads_the_party")
def test_mirror_of_a_single_picture_ends(bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listen to the practice only after its last state."""
    listen = PracticeSession.listen

    def is_last(state: PracticeState) -> bool:
        return state.camera is CameraState.ENDED and state.reading is not None

    def listen_late(session: PracticeSession, callback: Callable[[PracticeState], None]) -> Callable[[], None]:
        last = Event()
        stop = listen(session, lambda state: last.set() if is_last(state) else None)
        assert is_last(session.state) or last.wait(60)
        stop()
        return listen(session, callback)

    monkeypatch.setattr(PracticeSession, "listen", listen_late)
    cv2.imwrite(str(tmp_path / "party.png"), party_image()[::2, ::2])
    look, end = bunnymoose.objects("mirror", "--camera", tmp_path / "party.png", "--json")
    assert (look["number"], end["done"]) == (1, 0)
