"""Every check of the doctor: its state and its remedy for each kind of computer."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level
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
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.vision.model_files import ModelState

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
