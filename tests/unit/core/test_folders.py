"""The user's data folder, settings, files and logs, and free memory."""

import logging
import os
import socket
import sys
import tomllib
from pathlib import Path

import platformdirs
import pytest
from pages import settings_page

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_forms import PlayerProfile, TableProfile
from bunnymoose_cv.core import log
from bunnymoose_cv.core.atomic_files import is_part, part_of, whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.exhaustion import has_address_space, has_room_in_memory
from bunnymoose_cv.core.folders import bundled, user_folder
from bunnymoose_cv.core.log import default_log_folder, evening_log
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.bam_file import default_bam_path
from bunnymoose_cv.record.game_store import default_games_folder
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.cards.deck_enrolment import default_deck_folder
from bunnymoose_cv.session.game_setup import FIRST_SETUP, default_setup_file
from bunnymoose_cv.session.practice.takes import default_takes_folder
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import default_access_file


def test_personal_files_are_readable_only_by_their_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    before = os.umask(0o022)
    try:
        (user_folder() / "profiles" / "players").mkdir(parents=True)  # as earlier versions made it
        profiles = default_profile_files()
        profiles.keep(PlayerProfile("Anna", frozenset({Exemption.LEFT_HAND})))
        profiles.keep(TableProfile("Kitchen", "C920", ("Ann", "Ben")))
        default_setup_file().write(FIRST_SETUP, ())
        Access.of_the_evening(default_access_file(8000), resume=False)
    finally:
        os.umask(before)
    files = [path for path in user_folder().rglob("*") if path.is_file()]
    assert len(files) == 4
    open_to_others = [path for path in files for about in (path, path.parent) if about.stat().st_mode & 0o077]
    assert open_to_others == []


def test_every_default_has_unit_source_and_range() -> None:
    tables = tomllib.loads(bundled("calibration/default.toml").read_text("utf-8"))
    settings = [limit for group in tables.values() for limit in group.values()]
    assert settings
    for limit in settings:
        assert set(limit) == {"value", "unit", "source", "range"}
        assert limit["range"][0] <= limit["value"] <= limit["range"][1]


def test_user_profile_overrides_only_the_settings_it_names(tmp_path: Path) -> None:
    own = tmp_path / "profile.toml"
    own.write_text("[people]\nhand_reach = 4\n")
    changed, default = load_settings(own), load_settings()
    assert changed.people.hand_reach == 4
    assert changed.people.smallest_face == default.people.smallest_face
    assert changed.headgear == default.headgear
    own.write_text("[camera]\nrotation_degrees = 270\nmirrored = true\n")
    camera = load_settings(own).camera
    assert (camera.rotation_degrees, camera.mirrored) == (270, True)
    assert isinstance(camera.rotation_degrees, int)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[camera]\nrotation_degrees = 45\n", "rotation_degrees .* turned by 0, 90, 180 or 270 degrees"),
        ('[camera]\nmirrored = "yes"\n', "mirrored .* outside its range"),
        ("[camera]\nlost_after_s = 3\n", "lost_after_s .* outside its range from 0.5 to 1.9"),
        ("[freeze]\nframes = 6.5\n", "freeze.frames .* has to be a whole number, not 6.5"),
        ("[people]\nhand_reach = 400\n", "hand_reach .* outside its range"),
        ("[people]\narm_reach = 4\n", "people.arm_reach, which is no limit"),
        ('[people]\nhand_reach = "far"\n', "hand_reach .* outside its range"),
        ("spread = 0.99\n", "has spread, but only groups of settings as in default.toml are allowed"),
        ("headgear = 0.99\n", "has headgear, but only groups"),
        ("[nonsense]\n", "has nonsense, but only groups"),
        ("[[headgear]]\nspread = 0.99\n", "has headgear, but only groups"),
        ("[people\n", "The settings file .* cannot be read"),
    ],
)
def test_invalid_profile_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    own = tmp_path / "profile.toml"
    own.write_text(text)
    with pytest.raises(InputError, match=sentence) as caught:
        load_settings(own)
    assert "\n" not in str(caught.value)
    assert "profile.toml" in str(caught.value)


def test_folder_in_place_of_the_settings_file_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "bunnymoose" / "profile.toml").mkdir(parents=True)
    with pytest.raises(InputError, match="cannot be read"):
        load_settings()


@pytest.mark.parametrize("target", ["moved.toml", "profile.toml"])
def test_broken_link_in_place_of_the_settings_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "bunnymoose").mkdir()
    (tmp_path / "bunnymoose" / "profile.toml").symlink_to(target)
    with pytest.raises(InputError, match="cannot be read"):
        load_settings()


PAGE = Path(__file__).parents[3] / "docs" / "reference" / "settings.md"


def test_settings_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == settings_page(), "make pages"


def test_settings_page_lists_every_setting() -> None:
    lines = settings_page().splitlines()
    names = [key for _, group in load_settings() for key in type(group).model_fields]
    assert len(names) > 20
    assert all(any(line.startswith(f"| `{name}` |") for line in lines) for name in names)


def write(path: Path, text: str = "new") -> None:
    with whole_file(path) as part:
        part.write_text(text, "utf-8")


def test_writing_a_file_keeps_files_with_similar_names(tmp_path: Path) -> None:
    own = tmp_path / "y.wav.part"
    own.write_text("mine")
    write(tmp_path / "y.wav")
    assert own.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["y.wav", "y.wav.part"]
    assert is_part(part_of(tmp_path / "y.wav"))


@pytest.mark.parametrize("there", [True, False])
def test_writing_to_a_symlink_replaces_its_target(tmp_path: Path, *, there: bool) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    if there:
        target.write_text("old")
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert [path.name for path in target.parent.iterdir()] == ["target"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes and sockets in folders")
def test_writing_to_a_special_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        before = sorted(tmp_path.iterdir())
        for path, reason in (
            (folder, "it is a folder"),
            (folder.parent.__class__(), "it is a folder"),
            (pipe, "it is a pipe or a device"),
            (tmp_path / "link", "it is a pipe or a device"),
            (tmp_path / "socket", "it is a pipe or a device"),
        ):
            with pytest.raises(OSError, match=reason):
                write(path)
        assert sorted(tmp_path.iterdir()) == before
    assert pipe.is_fifo()


def test_data_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert user_folder() == tmp_path / "bunnymoose"
    kept = {
        default_games_folder(),
        default_log_folder(),
        default_bam_path(),
        default_deck_folder(),
        default_takes_folder(),
        default_profile_files().folder,
    }
    assert {path.parent for path in kept} == {user_folder()}
    assert len(kept) == 6


def test_absolute_xdg_data_home_is_used_on_every_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: usual)
    for value, folder in ((str(tmp_path), tmp_path / "bunnymoose"), ("data", usual), ("", usual)):
        monkeypatch.setenv("XDG_DATA_HOME", value)
        assert user_folder() == folder
    monkeypatch.delenv("XDG_DATA_HOME")
    assert user_folder() == usual


LOGGER = logging.getLogger("bunnymoose_cv.some.module")
ADDRESS = "rtsp://narrator:hunter2@192.0.2.7/stream"


def fail() -> None:
    """Raise an error whose text has a name and whose cause has an address."""
    raise InputError("Zdenka is no player") from OSError(ADDRESS)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_log_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    with evening_log(tmp_path / "logs"):
        LOGGER.info("the source is %s", "lost")
    (file,) = (tmp_path / "logs").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert file.read_text("utf-8").endswith(" INFO bunnymoose_cv.some.module: the source is lost\n")


def test_log_names_errors_by_class_and_line_without_their_text(tmp_path: Path) -> None:
    with evening_log(tmp_path):
        try:
            fail()
        except InputError:
            LOGGER.exception("a turn failed")
    text = next(tmp_path.iterdir()).read_text("utf-8")
    assert "Zdenka" not in text
    assert "hunter2" not in text
    assert "InputError at test_folders.py:" in text
    assert "OSError at " in text


def test_debug_library_and_late_messages_create_no_log_file(tmp_path: Path) -> None:
    with evening_log(tmp_path / "logs"):
        LOGGER.debug("not written")
        logging.getLogger("uvicorn.error").error(ADDRESS)
    LOGGER.error("too late")
    assert list(tmp_path.iterdir()) == []


def test_log_of_an_evening_is_at_most_two_files_of_limited_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MOST_BYTES", 1000)
    with evening_log(tmp_path):
        for number in range(100):
            LOGGER.info("line %d", number)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    assert all(file.stat().st_size <= 1000 for file in files)
    assert any("line 99\n" in file.read_text("utf-8") for file in files)


def test_only_logs_of_the_last_evenings_are_kept(tmp_path: Path) -> None:
    for day in range(1, 21):
        (tmp_path / f"2020-01-{day:02}.log").write_text("")
    with evening_log(tmp_path):
        LOGGER.info("a new evening")
    kept = sorted(file.name for file in tmp_path.iterdir())
    assert len(kept) == log.KEPT_EVENINGS
    assert kept[0] == "2020-01-12.log"


def test_missing_log_folder_does_not_stop_the_program(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("in the way")
    with evening_log(tmp_path / "logs"):
        LOGGER.error("nowhere to go")
    assert (tmp_path / "logs").read_text("utf-8") == "in the way"


def test_library_logs_nothing_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    LOGGER.error("quiet")
    assert capfd.readouterr().err == ""


MORE_THAN_THERE_IS = 1 << 60


def test_memory_has_room_for_a_megabyte_but_not_an_exabyte() -> None:
    assert has_room_in_memory(1 << 20)
    assert not has_room_in_memory(MORE_THAN_THERE_IS)


def test_address_space_is_checked_only_on_linux() -> None:
    assert has_address_space(1 << 20)
    assert has_address_space(MORE_THAN_THERE_IS) == (sys.platform != "linux")
