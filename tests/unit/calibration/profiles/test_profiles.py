"""Profiles of players and tables: round trip, damage named, one file for every spelling of a name."""

import hashlib
import json
import tomllib
import unicodedata
from pathlib import Path
from typing import Final

import pytest

from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles, kind_of
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.profile_text import DamagedProfileError
from bunnymoose_cv.calibration.profiles.table_profile import LONGEST_CAMERA, TableProfile
from bunnymoose_cv.calibration.profiles.table_profiles import TableProfiles
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.exemptions import Exemption

ANNA = PlayerProfile("Änne “O’”", frozenset({Exemption.TONGUE}))


@pytest.fixture
def files(tmp_path: Path) -> ProfileFiles:
    return ProfileFiles(tmp_path)


EARLIER: Final = """
format = 1
kind = "player"
name = "Änne “O’”"
networks = "0123456789ab"
exempt = ["tongue"]

[[takes]]
source = "warm_up"
shown = "WU CD t"
left = [-0.01, -7.0, -7.5, -0.5, 6.0, 6.25, 6.0]
right = [-0.01, -7.0, -7.5, -0.5, 6.0, 6.25, 6.0]
tongue = -6.0
"""
"""Profile with takes, which programs wrote while the referee learnt from warm-ups."""


@pytest.mark.parametrize("content", [EARLIER, EARLIER.partition("[[takes]]")[0] + "takes = []"])
def test_takes_of_an_earlier_profile_are_dropped(files: ProfileFiles, content: str) -> None:
    path = files.keep(ANNA)
    path.write_text(content, "utf-8")
    assert files.find(ProfileKind.PLAYER, ANNA.name) == ANNA
    PlayerProfiles(files).exempt(ANNA.name, frozenset({Exemption.DOWN}))
    assert tomllib.loads(path.read_text("utf-8")) == {
        "format": 1,
        "kind": "player",
        "name": ANNA.name,
        "exempt": ["down"],
    }


@pytest.mark.parametrize("typed", ["ann❤", "Ann❤\ufe0f", "An\u200dn❤"])
def test_names_that_a_game_takes_for_one_have_one_profile(files: ProfileFiles, typed: str) -> None:
    players = PlayerProfiles(files)
    players.exempt("Ann❤", frozenset({Exemption.TONGUE}))
    found = players.find(typed)
    assert found is not None
    assert found.exempt == {Exemption.TONGUE}
    players.exempt(typed, frozenset({Exemption.DOWN}))
    assert len(files.list(ProfileKind.PLAYER).profiles) == 1


def test_a_player_reads_as_written(files: ProfileFiles) -> None:
    path = files.keep(ANNA)
    assert files.find(ProfileKind.PLAYER, "änne “o’”") == ANNA
    assert 'exempt = ["tongue"]' in path.read_text("utf-8")
    files.delete(ProfileKind.PLAYER, ANNA.name)
    assert files.find(ProfileKind.PLAYER, ANNA.name) is None


@pytest.mark.parametrize(
    "damage",
    [b"\xff\xfe", b"format = 2", b"[[[", b'format = 1\nkind = "table"', b"a = " + b"[" * 100],
)
def test_a_damaged_profile_is_named_and_the_default_used(files: ProfileFiles, damage: bytes) -> None:
    path = files.keep(ANNA)
    files.keep(PlayerProfile("Ben", frozenset({Exemption.DOWN})))
    path.write_bytes(damage)
    with pytest.raises(DamagedProfileError, match=path.name):
        files.find(ProfileKind.PLAYER, ANNA.name)
    told: list[str] = []
    found = PlayerProfiles(files).exemptions([ANNA.name, "Ben", "Nobody"], told.append)
    assert found == {"Ben": {Exemption.DOWN}}
    assert len(told) == 1
    listed = files.list(ProfileKind.PLAYER)
    assert [each.name for each in listed.profiles] == ["Ben"]
    assert len(listed.damaged) == 1


def test_a_profile_of_a_newer_program_and_one_out_of_reach_are_not_called_damaged(files: ProfileFiles) -> None:
    files.keep(ANNA).write_text("format = 2")
    with pytest.raises(DamagedProfileError, match="newer version of this program: update the program"):
        files.find(ProfileKind.PLAYER, ANNA.name)
    files.path(ProfileKind.PLAYER, "Ben").mkdir()
    told = {str(each) for each in files.list(ProfileKind.PLAYER).damaged}
    assert any("cannot be read (Is a directory)" in each for each in told)
    assert not any("damaged" in each for each in told)


def stored_by_an_older_program(files: ProfileFiles, profile: PlayerProfile | TableProfile, typed: str) -> Path:
    """Move a profile to where it lay while names were stored as they were typed."""
    path = files.keep(profile)
    plain = typed.strip().casefold()
    older = path.with_name(f"an-{hashlib.sha256(plain.encode()).hexdigest()[:8]}.toml")
    older.write_text(
        path.read_text("utf-8").replace(f'"{profile.name}"', json.dumps(typed, ensure_ascii=False)), "utf-8"
    )
    path.unlink()
    return older


@pytest.mark.parametrize("typed", [unicodedata.normalize("NFD", "Änne Ö"), "Änne\xa0Ö", "Änne  Ö"])
@pytest.mark.parametrize(
    "profile", [PlayerProfile("Änne Ö", frozenset({Exemption.DOWN})), TableProfile("Änne Ö", "C920")]
)
def test_a_profile_stored_under_another_spelling_is_found_replaced_and_deleted(
    tmp_path: Path, profile: PlayerProfile | TableProfile, typed: str
) -> None:
    files, kind = ProfileFiles(tmp_path), kind_of(profile)
    older = stored_by_an_older_program(files, profile, typed)
    found = files.find(kind, "änne ö")
    assert found is not None
    assert (found.name, files.path(kind, typed)) == (profile.name, older)
    files.keep(found)
    assert [each.name for each in files.list(kind).profiles] == [profile.name]
    assert not older.exists()
    older = stored_by_an_older_program(files, profile, typed)
    files.delete(kind, profile.name)
    assert not older.exists()
    with pytest.raises(InputError, match="There is no profile"):
        files.delete(kind, profile.name)


@pytest.mark.parametrize("name", ["", " ", "x" * 61, "a\nb"])
def test_an_improper_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        ProfileFiles(tmp_path).keep(PlayerProfile(name))


def test_the_last_table_is_the_one_used_last(files: ProfileFiles) -> None:
    tables = TableProfiles(files)
    files.keep(TableProfile("Kitchen", "C920", ("Ann", "Ben"), "2026-01-01T00:00:00+00:00"))
    table = tables.use(TableProfile("Cellar", "rtsp://x"))
    assert tables.last() == table


def test_the_table_of_a_game_is_remembered_under_the_name_that_people_gave_it(files: ProfileFiles) -> None:
    tables = TableProfiles(files)
    files.keep(TableProfile("Kitchen", "C920", ("Ann", "Ben")))
    tables.remember("C920", ("Ann", "Cleo", "Dan"), pytest.fail)
    kitchen = tables.last()
    assert kitchen is not None
    assert (kitchen.name, kitchen.players) == ("Kitchen", ("Ann", "Cleo", "Dan"))
    stream = "rtsp://192.168.1.20/" + "x" * 80
    tables.remember(stream, ("Ann",), pytest.fail)
    assert tables.find("Kitchen") == kitchen
    assert stream in {each.camera for each in files.list(ProfileKind.TABLE).profiles if isinstance(each, TableProfile)}


def test_a_delay_is_kept_with_the_table_of_its_camera_for_one_size(files: ProfileFiles) -> None:
    tables = TableProfiles(files)
    tables.keep_delay("rtsp://x", (1280, 720), 1.2345)
    tables.remember("rtsp://x", ("Ann", "Ben"), pytest.fail)
    assert tables.delay_of("rtsp://x", (1280, 720)) == 1.234
    assert tables.delay_of("rtsp://x", (1920, 1080)) is None
    assert tables.delay_of("rtsps://x", (1280, 720)) is None
    tables.keep_delay("rtsp://x", (1920, 1080), 0.5)
    assert tables.delay_of("rtsp://x", (1280, 720)) is None
    (table,) = tables.all
    assert (table.players, table.delay_s) == (("Ann", "Ben"), 0.5)


def test_a_table_without_a_game_is_not_offered_for_its_delay(files: ProfileFiles) -> None:
    tables = TableProfiles(files)
    tables.keep_delay("rtsp://x", (1280, 720), 0.0)
    assert tables.last() is None


@pytest.mark.parametrize("camera", ["KITCHEN", "Logitech " * 20 + "left", "rtsp://192.168.1.20/" + "y" * 600])
def test_a_camera_takes_no_other_tables_name(files: ProfileFiles, camera: str) -> None:
    tables = TableProfiles(files)
    others = {"C920": "Kitchen", "Logitech " * 20 + "right": None, "rtsp://192.168.1.20/" + "y" * 400: None}
    for other, name in others.items():
        tables.remember(other, ("Ann",), pytest.fail)
        if name is not None:
            files.keep(TableProfile(name, other, ("Ann",)))
    tables.remember(camera, ("Ben",), pytest.fail)
    stored = files.list(ProfileKind.TABLE)
    assert not stored.damaged
    players = {each.camera: each.players for each in stored.profiles if isinstance(each, TableProfile)}
    assert players == {**dict.fromkeys(others, ("Ann",)), camera[:LONGEST_CAMERA]: ("Ben",)}
    tables.remember(camera, ("Cleo",), pytest.fail)
    assert len(files.list(ProfileKind.TABLE).profiles) == len(stored.profiles)


def test_a_disk_that_refuses_a_table_is_told(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("in the way")
    told: list[str] = []
    TableProfiles(ProfileFiles(tmp_path)).remember("C920", ("Ann",), told.append)
    assert f"cannot be kept in {tmp_path / 'tables'}" in told[0]
    assert "make room, or give yourself the right to write there" in told[0]
