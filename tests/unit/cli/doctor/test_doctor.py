"""`bunnymoose doctor`: its checks for each kind of computer, and a run on this very one."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level
from bunnymoose_cv.capture.camera_list import CameraFound
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.cli.doctor import camera_facts, command, place_facts, software_facts, sound_facts
from bunnymoose_cv.cli.doctor.computer import (
    CameraFacts,
    NetworkFacts,
    Platform,
    SoundFacts,
    SourceKind,
    SpeedFacts,
    StorageFacts,
)
from bunnymoose_cv.cli.doctor.device_checks import (
    check_camera,
    check_camera_free,
    check_camera_image,
    check_camera_permission,
    check_installed_voice,
    check_sound_in,
    check_sound_out,
)
from bunnymoose_cv.cli.doctor.place_checks import check_disk, check_folders, check_network, check_reading_speed
from bunnymoose_cv.cli.doctor.software_checks import (
    check_cv2,
    check_libraries,
    check_model_files,
    check_platform,
    check_python,
)
from bunnymoose_cv.core import user_settings
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.vision.model_files import ModelFile, ModelState
from tests.doubles import CannedReader, row_reading
from tests.program import Program
from tests.quick import write_profile

GOOD, WEAK, BAD = Level.GOOD, Level.WEAK, Level.BAD
HOME = Path("home")
ALL = SoundFacts("aplay", ("Loudspeaker",), ("Headset",), {Language.ENGLISH: "Great Britain"})
MUTE = SoundFacts("", (), (), {}, "There is no voice.")
REFUSED = CameraFacts(permitted=False, owner="the group video")
SEEN = CameraFacts(("Webcam",), "Webcam", (1920, 1080))
BLIND = CameraFacts(("Webcam",), "Webcam", problem="Webcam cannot be opened.", holders=("zoom",))


@pytest.mark.parametrize(
    ("finding", "level", "words"),
    [
        (check_python((3, 10)), BAD, "3.10"),
        (check_python((3, 11)), GOOD, "3.11"),
        (check_python((3, 15)), WEAK, "3.15"),
        (check_platform(Platform("linux", "x86_64", (2, 27))), BAD, "glibc 2.27"),
        (check_platform(Platform("linux", "x86_64", (2, 28))), GOOD, "glibc 2.28"),
        (check_platform(Platform("linux", "x86_64")), BAD, "no glibc"),
        (check_platform(Platform("linux", "aarch64", (2, 36))), BAD, "aarch64"),
        (check_platform(Platform("darwin", "arm64", (13, 6))), BAD, "macOS 13.6"),
        (check_platform(Platform("darwin", "arm64", (14, 0))), GOOD, "macOS 14.0"),
        (check_platform(Platform("darwin", "x86_64", (14, 0))), BAD, "darwin on x86_64"),
        (check_platform(Platform("win32", "AMD64")), GOOD, "Windows"),
        (check_platform(Platform("win32", "ARM64")), BAD, "ARM64"),
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
        (check_camera_image(BLIND), BAD, "Plug the camera in anew"),
        (check_camera_image(CameraFacts(problem="It refuses.", kind=SourceKind.STREAM)), BAD, "in a player"),
        (check_camera_image(CameraFacts(problem="There is none.", kind=SourceKind.OTHER)), BAD, "Name a camera"),
        (check_camera_image(CameraFacts(size=(640, 480), kind=SourceKind.STREAM)), WEAK, "where the stream is made"),
        (check_camera_image(CameraFacts(size=(640, 480), kind=SourceKind.OTHER)), WEAK, "larger pictures"),
        (check_sound_out(ALL, "linux"), GOOD, "Loudspeaker"),
        (check_sound_out(MUTE, "linux"), WEAK, "alsa-utils"),
        (check_sound_out(SoundFacts("aplay", (), (), {}), "linux"), WEAK, "loudspeaker"),
        (check_sound_in(ALL), GOOD, "Headset"),
        (check_sound_in(MUTE), WEAK, "space bar"),
        (check_installed_voice(ALL, Language.ENGLISH), GOOD, "Great Britain"),
        (check_installed_voice(ALL, Language.CZECH), WEAK, "Čeština"),
        (check_installed_voice(MUTE, Language.ENGLISH), WEAK, "There is no voice."),
        (check_disk(StorageFacts(HOME, 10**10)), GOOD, "10.0 GB"),
        (check_disk(StorageFacts(HOME, 10**9)), WEAK, "Make room"),
        (check_disk(StorageFacts(HOME, 10**7)), BAD, "Make room"),
        (check_folders(StorageFacts(HOME, 0)), GOOD, "can be written"),
        (check_folders(StorageFacts(HOME, 0, (HOME,))), BAD, "home cannot"),
        (check_network(NetworkFacts(("192.168.1.5",), 8642)), GOOD, "192.168.1.5"),
        (check_network(NetworkFacts((), 8642)), WEAK, "no local network"),
        (check_network(NetworkFacts(("192.168.1.5",), 8642, "ufw")), WEAK, "sudo ufw allow 8642/tcp"),
        (check_network(NetworkFacts(("192.168.1.5",), 8642, "the macOS firewall")), WEAK, "TCP port 8642"),
        (check_reading_speed(SpeedFacts(5, 0.4)), GOOD, "quick enough: five players are read in 0.4 s."),
        (check_reading_speed(SpeedFacts(5, 1.5)), WEAK, "is slow: five players are read in 1.5 s, and up to 0.7 s is"),
        (check_reading_speed(SpeedFacts(5, 1.5)), WEAK, "Close other programs"),
        (check_reading_speed(SpeedFacts(5, 9.0)), WEAK, "quicker computer"),
        (check_reading_speed(SpeedFacts(4, 0.4)), BAD, "4 were read"),
        (check_reading_speed(SpeedFacts(problem="It cannot read.")), BAD, "cannot read"),
    ],
    ids=lambda value: value.line.value if isinstance(value, Finding) else "",
)
def test_a_computer_gets_its_level_and_its_remedy(finding: Finding, level: Level, words: str) -> None:
    assert finding.level is level
    assert words in f"{finding.sentence} {finding.remedy}"


def test_a_bad_finding_needs_a_remedy() -> None:
    with pytest.raises(ValueError, match="remedy"):
        Finding(CheckLine.DISK, BAD, "The disk is full.")


def test_this_python_is_one_that_it_takes() -> None:
    assert check_python(sys.version_info[:2]).level is not BAD


DEMO = Path(__file__).parents[4] / "fixtures" / "demo.mp4"


@pytest.fixture(autouse=True)
def _one_reading_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place_facts, "MEASURED_S", 0.0)


@pytest.fixture
def no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer without a camera."""
    monkeypatch.setattr(camera_facts, "list_cameras", tuple)


@pytest.fixture
def reads_five(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that reads five players at once, without a network."""
    reading = row_reading(("WU WU",) * 5)
    monkeypatch.setattr(place_facts, "Reader", lambda settings: CannedReader(reading, settings))


def findings(out: str) -> dict[str, dict[str, str | None]]:
    return {finding["name"]: finding for finding in map(json.loads, out.splitlines())}


@pytest.mark.usefixtures("no_camera")
def test_without_a_camera_no_game_can_be_played(bunnymoose: Program) -> None:
    code, out, err = bunnymoose("doctor", "--json")
    found = findings(out)
    assert code == 1
    assert "no game can be played" in err
    assert f"1 of {len(found)} checks is bad: " in err
    assert [name for name, finding in found.items() if finding["state"] == "bad"] == ["camera"]
    assert "five players are read in" in str(found["speed"]["sentence"])
    assert all((finding["remedy"] is None) == (finding["state"] == "good") for finding in found.values())


@pytest.mark.usefixtures("no_camera", "reads_five")
def test_with_a_source_that_gives_images_a_game_can_be_played(bunnymoose: Program) -> None:
    code, out, err = bunnymoose("doctor", "--camera", DEMO)
    assert (code, len(err.splitlines())) == (0, 1)
    assert "bunnymoose calibrate" in err
    assert any(line.split()[:3] == ["good", "camera", "picture"] for line in out.splitlines())


@pytest.mark.usefixtures("no_camera", "reads_five")
def test_a_camera_that_cannot_be_reached_is_named(bunnymoose: Program) -> None:
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


@pytest.mark.usefixtures("reads_five")
def test_a_damaged_profile_is_a_finding(bunnymoose: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
