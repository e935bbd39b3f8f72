"""`bunnymoose doctor`: its checks for each kind of computer, and a run on this one."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level
from bunnymoose_cv.capture.camera_list import CameraFound
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.cli.doctor import command, devices, place, software
from bunnymoose_cv.cli.doctor.devices import (
    CameraFacts,
    SourceKind,
    check_camera,
    check_camera_free,
    check_camera_image,
    check_camera_permission,
    check_installed_voice,
    check_sound_in,
    check_sound_out,
)
from bunnymoose_cv.cli.doctor.place import check_disk, check_folders, check_network, check_reading_speed
from bunnymoose_cv.cli.doctor.software import (
    check_cv2,
    check_libraries,
    check_model_files,
    check_platform,
    check_python,
)
from bunnymoose_cv.core import user_settings
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.vision.model_files import ModelFile, ModelState
from tests.doubles import CannedReader, row_reading
from tests.program import Program
from tests.quick import write_profile

GOOD, WEAK, BAD = Level.GOOD, Level.WEAK, Level.BAD
VOICES = {Language.ENGLISH: "Great Britain"}
REFUSED = CameraFacts(permitted=False, owner="the group video")
SEEN = CameraFacts(("Webcam",), "Webcam", (1920, 1080))
BLIND = CameraFacts(("Webcam",), "Webcam", problem="Webcam cannot be opened.", holders=("zoom",))


@pytest.mark.parametrize(
    ("finding", "level", "words"),
    [
        (check_python((3, 10)), BAD, "3.10"),
        (check_python((3, 11)), GOOD, "3.11"),
        (check_python((3, 15)), WEAK, "3.15"),
        (check_platform("linux", "x86_64", (2, 27)), BAD, "glibc 2.27"),
        (check_platform("linux", "x86_64", (2, 28)), GOOD, "glibc 2.28"),
        (check_platform("linux", "x86_64"), BAD, "no glibc"),
        (check_platform("linux", "aarch64", (2, 36)), BAD, "aarch64"),
        (check_platform("darwin", "arm64", (13, 6)), BAD, "macOS 13.6"),
        (check_platform("darwin", "arm64", (14, 0)), GOOD, "macOS 14.0"),
        (check_platform("darwin", "x86_64", (14, 0)), BAD, "darwin on x86_64"),
        (check_platform("win32", "AMD64"), GOOD, "Windows"),
        (check_platform("win32", "ARM64"), BAD, "ARM64"),
        (check_libraries(()), GOOD, "All"),
        (check_libraries(("av",)), BAD, "av"),
        (check_cv2(("opencv-python",)), GOOD, "alone"),
        (check_cv2(("opencv-contrib-python", "opencv-python")), WEAK, "pip uninstall opencv-contrib-python,"),
        (check_cv2(()), BAD, "opencv-python"),
        (check_model_files({"hand": ModelState.READY}), GOOD, "All 1"),
        (check_model_files({"hand": ModelState.READY, "face": ModelState.DAMAGED}), BAD, "face is damaged"),
        (check_camera(SEEN), GOOD, "Webcam"),
        (check_camera(CameraFacts()), BAD, "Plug one in"),
        (check_camera(REFUSED), BAD, "permission"),
        (check_camera(replace(REFUSED, asked="0")), BAD, "permission"),
        (check_camera_permission(SEEN, "linux"), GOOD, "may be used"),
        (check_camera_permission(REFUSED, "linux"), BAD, "usermod -aG video $USER"),
        (check_camera_permission(CameraFacts(permitted=False, owner="iTerm"), "darwin"), BAD, "Allow iTerm in"),
        (check_camera_permission(CameraFacts(permitted=False), "win32"), BAD, "desktop apps"),
        (check_camera_free(SEEN), GOOD, "No other"),
        (check_camera_free(BLIND), BAD, "Close zoom"),
        (check_camera_free(CameraFacts(size=(1280, 720), holders=("obs",))), WEAK, "Close obs"),
        (check_camera_image(SEEN), GOOD, "1920×1080"),
        (check_camera_image(CameraFacts(size=(640, 480))), WEAK, "640×480"),
        (check_camera_image(BLIND), BAD, "Plug the camera in again"),
        (check_camera_image(CameraFacts(problem="It refuses.", kind=SourceKind.STREAM)), BAD, "in a player"),
        (check_camera_image(CameraFacts(problem="There is none.", kind=SourceKind.OTHER)), BAD, "Name a camera"),
        (check_camera_image(CameraFacts(size=(640, 480), kind=SourceKind.STREAM)), WEAK, "where the stream is made"),
        (check_camera_image(CameraFacts(size=(640, 480), kind=SourceKind.OTHER)), WEAK, "larger pictures"),
        (check_sound_out("aplay", ("Loudspeaker",), "linux"), GOOD, "Loudspeaker"),
        (check_sound_out("", (), "linux"), WEAK, "alsa-utils"),
        (check_sound_out("aplay", (), "linux"), WEAK, "loudspeaker"),
        (check_sound_in(("Headset",)), GOOD, "Headset"),
        (check_sound_in(()), WEAK, "space bar"),
        (check_installed_voice(VOICES, "", Language.ENGLISH), GOOD, "Great Britain"),
        (check_installed_voice(VOICES, "", Language.CZECH), WEAK, "Čeština"),
        (check_installed_voice({}, "There is no voice.", Language.ENGLISH), WEAK, "There is no voice."),
        (check_network(("192.168.1.5",), ""), GOOD, "192.168.1.5"),
        (check_network((), ""), WEAK, "no local network"),
        (check_network(("192.168.1.5",), "ufw"), WEAK, "sudo ufw allow 8642/tcp"),
        (check_network(("192.168.1.5",), "the macOS firewall"), WEAK, "TCP port 8642"),
    ],
    ids=lambda value: value.line.value if isinstance(value, Finding) else "",
)
def test_finding_has_the_level_and_remedy_for_its_facts(finding: Finding, level: Level, words: str) -> None:
    assert finding.level is level
    assert words in f"{finding.sentence} {finding.remedy}"


@pytest.mark.parametrize(
    ("free_bytes", "level", "words"),
    [(10**10, GOOD, "10.0 GB are free in"), (10**9, WEAK, "Make room"), (10**7, BAD, "Make room")],
)
def test_little_room_on_the_disk_is_reported(
    monkeypatch: pytest.MonkeyPatch, free_bytes: int, level: Level, words: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free_bytes))
    finding = check_disk()
    assert finding.level is level
    assert words in f"{finding.sentence} {finding.remedy}"


@pytest.mark.parametrize(
    ("players", "seconds", "level", "words"),
    [
        (5, 0.4, GOOD, "quick enough: five players are read in 0.4 s."),
        (5, 1.5, WEAK, "is slow: five players are read in 1.5 s, and up to 0.7 s is"),
        (5, 1.5, WEAK, "Close other programs"),
        (5, 9.0, WEAK, "quicker computer"),
        (4, 0.4, BAD, "4 were read"),
    ],
)
def test_slow_reading_is_reported(
    monkeypatch: pytest.MonkeyPatch, players: int, seconds: float, level: Level, words: str
) -> None:
    monkeypatch.setattr(place, "Reader", lambda settings: CannedReader(row_reading(("WU WU",)), settings))
    monkeypatch.setattr(place, "time_five", lambda *_: (players, seconds))
    finding = check_reading_speed(user_settings.load_settings())
    assert finding.level is level
    assert words in f"{finding.sentence} {finding.remedy}"


def test_reader_that_does_not_open_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> CannedReader:
        raise InputError("It is damaged")

    monkeypatch.setattr(place, "Reader", refuse)
    finding = check_reading_speed(user_settings.load_settings())
    assert (finding.level, finding.sentence) == (BAD, "The referee cannot read a picture: It is damaged.")


def test_bad_finding_without_remedy_is_rejected() -> None:
    with pytest.raises(ValueError, match="remedy"):
        Finding(CheckLine.DISK, BAD, "The disk is full.")


def test_this_python_version_is_accepted() -> None:
    assert check_python(sys.version_info[:2]).level is not BAD


DEMO = Path(__file__).parents[4] / "fixtures" / "demo.mp4"


@pytest.fixture(autouse=True)
def _one_reading_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "MEASURED_S", 0.0)


@pytest.fixture
def no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer without a camera."""
    monkeypatch.setattr(devices, "list_cameras", tuple)


@pytest.fixture
def reads_five(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that reads five players instantly, without a network."""
    reading = row_reading(("WU WU",) * 5)
    monkeypatch.setattr(place, "Reader", lambda settings: CannedReader(reading, settings))


def findings(out: str) -> dict[str, dict[str, str | None]]:
    return {finding["name"]: finding for finding in map(json.loads, out.splitlines())}


@pytest.mark.usefixtures("no_camera")
def test_doctor_fails_without_a_camera(bunnymoose: Program) -> None:
    code, out, err = bunnymoose("doctor", "--json")
    found = findings(out)
    assert code == 1
    assert "no game can be played" in err
    assert f"1 of {len(found)} checks is bad: " in err
    assert [name for name, finding in found.items() if finding["state"] == "bad"] == ["camera"]
    assert "five players are read in" in str(found["speed"]["sentence"])
    assert all((finding["remedy"] is None) == (finding["state"] == "good") for finding in found.values())


@pytest.mark.usefixtures("no_camera", "reads_five")
def test_doctor_passes_with_a_working_source(bunnymoose: Program) -> None:
    code, out, err = bunnymoose("doctor", "--camera", DEMO)
    assert (code, len(err.splitlines())) == (0, 1)
    assert "bunnymoose calibrate" in err
    assert any(line.split()[:3] == ["good", "camera", "picture"] for line in out.splitlines())


@pytest.mark.usefixtures("no_camera", "reads_five")
def test_unreachable_camera_is_named(bunnymoose: Program) -> None:
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
def test_wrong_source_gets_no_advice_about_camera_permissions(
    monkeypatch: pytest.MonkeyPatch, where: str, sentence: str, remedy: str
) -> None:
    webcam = CameraFound(0, "Webcam", "/dev/video0")
    monkeypatch.setattr(devices, "list_cameras", lambda: (webcam,))
    limits = user_settings.load_settings()
    monkeypatch.setattr(devices, "installed_voices", lambda: ({}, ""))
    (image, *_) = command.device_findings(where, "linux", limits)
    assert (image.line, image.level) == (CheckLine.CAMERA_IMAGE, Level.BAD)
    assert sentence in image.sentence
    assert remedy in str(image.remedy)


@pytest.mark.parametrize("where", ["0", "webc", "/dev/video0", None])
def test_local_camera_is_found_by_each_of_its_names(monkeypatch: pytest.MonkeyPatch, where: str | None) -> None:
    monkeypatch.setattr(devices, "list_cameras", lambda: (CameraFound(0, "Webcam", "/dev/video0"),))
    monkeypatch.setattr(devices, "_tried", lambda facts, _: facts)
    facts = devices.camera_facts(where, user_settings.load_settings().camera)
    assert (facts.kind, facts.found) == (SourceKind.CAMERA, ("Webcam",))


def test_refused_camera_is_reported_as_missing_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[CameraFound, ...]:
        raise UnreadableError("The camera may not be used by you")

    monkeypatch.setattr(devices, "list_cameras", refuse)
    facts = devices.camera_facts(None, user_settings.load_settings().camera)
    assert not facts.permitted
    assert facts.asked == ""


def test_program_using_the_camera_is_named(tmp_path: Path) -> None:
    for number, (name, file) in enumerate([("zoom", "/dev/video0"), ("editor", "/home/text")], 10**9):
        folder = tmp_path / str(number) / "fd"
        folder.mkdir(parents=True)
        (folder.parent / "comm").write_text(f"{name}\n")
        try:
            (folder / "3").symlink_to(file)
        except OSError:
            pytest.skip("this system has no links")
    assert devices.programs_with_a_camera(tmp_path) == ("zoom",)


@pytest.mark.usefixtures("reads_five")
def test_damaged_profile_is_a_bad_finding(bunnymoose: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_profile(tmp_path, "[people\n")
    code, out, _ = bunnymoose("doctor", "--json")
    assert code == 1
    assert findings(out)["profile"]["state"] == "bad"


@pytest.mark.parametrize(
    ("folder", "writable"), [("new/folder", True), ("data", False), ("data/bunnymoose", False), (".", True)]
)
def test_unwritable_data_folder_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str, *, writable: bool
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    monkeypatch.setattr(place, "user_folder", lambda: tmp_path / folder)
    finding = check_folders()
    words = "The program's folders can be" if writable else f"{tmp_path / folder} cannot be"
    assert finding.sentence == f"{words} written."
    assert finding.level is (GOOD if writable else BAD)
    assert (finding.remedy is None) is writable
    assert check_disk().sentence.endswith(f" GB are free in {tmp_path / folder}.")


def test_library_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "_LIBRARIES", ("os", "no_such_library"))
    assert software.missing_libraries() == ("no_such_library",)


def test_state_of_every_model_is_checked() -> None:
    assert len(software.model_states()) == len(ModelFile)
