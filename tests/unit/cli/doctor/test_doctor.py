"""`bunnymoose doctor` on this very computer, with cameras in its network and with none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Level
from bunnymoose_cv.capture.camera_list import CameraFound
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.cli.doctor import camera_facts, command, place_facts, software_facts, sound_facts
from bunnymoose_cv.cli.doctor.computer import SourceKind
from bunnymoose_cv.core import user_settings
from bunnymoose_cv.vision.model_files import ModelFile
from tests.quick import write_profile

if TYPE_CHECKING:
    from collections.abc import Callable

DEMO = Path(__file__).parents[4] / "fixtures" / "demo.mp4"


@pytest.fixture(autouse=True)
def _one_reading_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place_facts, "MEASURED_S", 0.0)


def findings(out: str) -> dict[str, dict[str, str | None]]:
    return {finding["name"]: finding for finding in map(json.loads, out.splitlines())}


def test_without_a_camera_no_game_can_be_played(
    bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_facts, "list_cameras", tuple)
    code, out, err = bunnymoose("doctor", "--json")
    found = findings(out)
    assert code == 1
    assert "no game can be played" in err
    assert f"1 of {len(found)} checks is bad: " in err
    assert [name for name, finding in found.items() if finding["state"] == "bad"] == ["camera"]
    assert "five players are read in" in str(found["speed"]["sentence"])
    assert all((finding["remedy"] is None) == (finding["state"] == "good") for finding in found.values())


def test_with_a_source_that_gives_images_a_game_can_be_played(
    bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_facts, "list_cameras", tuple)
    code, out, err = bunnymoose("doctor", "--camera", str(DEMO))
    assert (code, len(err.splitlines())) == (0, 1)
    assert "bunnymoose calibrate" in err
    assert any(line.split()[:3] == ["good", "camera", "picture"] for line in out.splitlines())


def test_a_camera_that_cannot_be_reached_is_named(
    bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_facts, "list_cameras", tuple)
    code, out, _ = bunnymoose("doctor", "--camera", "nothing there", "--json")
    assert code == 1
    image = findings(out)["camera picture"]
    assert image["state"] == "bad"
    assert "nothing there" in str(image["sentence"])


@pytest.mark.parametrize(
    ("where", "sentence", "remedy"),
    [
        ("nosuch", "There is no camera, clip or folder “nosuch”", "Name a camera by its number or name"),
        ("7", "There is no camera, clip or folder “7”", "Name a camera by its number or name"),
        (__file__, "is no picture and no clip", "Name a camera by its number or name"),
        ("http://127.0.0.1:9/x", "http://127.0.0.1:9/x cannot be opened", "open the address in a player"),
    ],
)
def test_nothing_is_said_of_cameras_where_none_is_named(
    monkeypatch: pytest.MonkeyPatch, where: str, sentence: str, remedy: str
) -> None:
    """Whatever stands in this computer, a source that is no camera of it has no permission and no other user."""
    webcam = CameraFound(0, "Webcam", "/dev/video0")
    monkeypatch.setattr(camera_facts, "list_cameras", lambda: (webcam,))
    limits = user_settings.load_settings()
    monkeypatch.setattr(sound_facts, "_voices", lambda: ({}, ""))
    (image, *_) = command.device_findings(where, "linux", limits)
    assert (image.line, image.level) == (CheckLine.CAMERA_IMAGE, Level.BAD)
    assert sentence in image.sentence
    assert remedy in str(image.remedy)


@pytest.mark.parametrize("where", ["0", "webc", "/dev/video0", None])
def test_a_camera_of_this_computer_is_known_by_all_its_names(
    monkeypatch: pytest.MonkeyPatch, where: str | None
) -> None:
    monkeypatch.setattr(camera_facts, "list_cameras", lambda: (CameraFound(0, "Webcam", "/dev/video0"),))
    monkeypatch.setattr(camera_facts, "_tried", lambda facts, _: facts)
    facts = camera_facts.camera_facts(where, user_settings.load_settings().camera)
    assert (facts.kind, facts.found) == (SourceKind.CAMERA, ("Webcam",))


def test_a_refused_camera_is_a_matter_of_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[CameraFound, ...]:
        raise UnreadableError("The camera may not be used by you")

    monkeypatch.setattr(camera_facts, "list_cameras", refuse)
    facts = camera_facts.camera_facts(None, user_settings.load_settings().camera)
    assert not facts.permitted
    assert facts.asked == ""


def test_a_program_that_holds_the_camera_is_named(tmp_path: Path) -> None:
    for number, (name, file) in enumerate([("zoom", "/dev/video0"), ("editor", "/home/text")], 10**9):
        folder = tmp_path / str(number) / "fd"
        folder.mkdir(parents=True)
        (folder.parent / "comm").write_text(f"{name}\n")
        try:
            (folder / "3").symlink_to(file)
        except OSError:
            pytest.skip("this system has no links")
    assert camera_facts.programs_with_a_camera(tmp_path) == ("zoom",)


def test_a_damaged_profile_is_a_finding(
    bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_profile(tmp_path, "[people\n")
    code, out, _ = bunnymoose("doctor", "--json")
    assert code == 1
    assert findings(out)["profile"]["state"] == "bad"


@pytest.mark.parametrize(
    ("folder", "writable"), [("new/folder", True), ("data", False), ("data/bunnymoose", False), (".", True)]
)
def test_a_folder_that_cannot_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str, *, writable: bool
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    monkeypatch.setattr(place_facts, "user_folder", lambda: tmp_path / folder)
    facts = place_facts.storage_facts()
    assert facts.unwritable == (() if writable else (tmp_path / folder,))
    assert facts.free_bytes > 0


def test_a_library_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software_facts, "_LIBRARIES", ("os", "no_such_library"))
    assert software_facts.missing_libraries() == ("no_such_library",)


def test_all_models_are_looked_at() -> None:
    assert len(software_facts.model_states()) == len(ModelFile)
