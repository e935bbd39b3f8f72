"""Profiles of players and tables: round trip, damaged files, and one file for all spellings of a name."""

import hashlib
import json
import tomllib
import unicodedata
from pathlib import Path
from typing import Final

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.profile_forms import (
    LONGEST_CAMERA,
    DamagedProfileError,
    PlayerProfile,
    ProfileKind,
    TableProfile,
)
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
"""Profile with takes, as written by versions that learnt from warm-ups."""


@pytest.mark.parametrize("content", [EARLIER, EARLIER.partition("[[takes]]")[0] + "takes = []"])
def test_takes_of_an_older_profile_are_dropped(files: ProfileFiles, content: str) -> None:
    path = files.keep(ANNA)
    path.write_text(content, "utf-8")
    assert files.find(ProfileKind.PLAYER, ANNA.name) == ANNA
    files.exempt(ANNA.name, frozenset({Exemption.DOWN}))
    assert tomllib.loads(path.read_text("utf-8")) == {
        "format": 1,
        "kind": "player",
        "name": ANNA.name,
        "exempt": ["down"],
    }


@pytest.mark.parametrize("typed", ["ann❤", "Ann❤\ufe0f", "An\u200dn❤"])
def test_equal_names_share_one_profile(files: ProfileFiles, typed: str) -> None:
    files.exempt("Ann❤", frozenset({Exemption.TONGUE}))
    found = files.player(typed)
    assert found is not None
    assert found.exempt == {Exemption.TONGUE}
    files.exempt(typed, frozenset({Exemption.DOWN}))
    assert len(files.list(ProfileKind.PLAYER).profiles) == 1


def test_player_profile_round_trips(files: ProfileFiles) -> None:
    path = files.keep(ANNA)
    assert files.find(ProfileKind.PLAYER, "änne “o’”") == ANNA
    assert 'exempt = ["tongue"]' in path.read_text("utf-8")
    files.delete(ProfileKind.PLAYER, ANNA.name)
    assert files.find(ProfileKind.PLAYER, ANNA.name) is None


@pytest.mark.parametrize(
    "damage",
    [b"\xff\xfe", b"format = 2", b"[[[", b'format = 1\nkind = "table"', b"a = " + b"[" * 100],
)
def test_damaged_profile_is_reported_and_the_default_used(files: ProfileFiles, damage: bytes) -> None:
    path = files.keep(ANNA)
    files.keep(PlayerProfile("Ben", frozenset({Exemption.DOWN})))
    path.write_bytes(damage)
    with pytest.raises(DamagedProfileError, match=path.name):
        files.find(ProfileKind.PLAYER, ANNA.name)
    reported: list[str] = []
    found = files.exemptions([ANNA.name, "Ben", "Nobody"], reported.append)
    assert found == {"Ben": {Exemption.DOWN}}
    assert len(reported) == 1
    listed = files.list(ProfileKind.PLAYER)
    assert [profile.name for profile in listed.profiles] == ["Ben"]
    assert len(listed.damaged) == 1


def test_newer_or_inaccessible_profile_is_not_called_damaged(files: ProfileFiles) -> None:
    files.keep(ANNA).write_text("format = 2")
    with pytest.raises(DamagedProfileError, match="newer version of this program: update the program"):
        files.find(ProfileKind.PLAYER, ANNA.name)
    files.path(ProfileKind.PLAYER, "Ben").mkdir()
    reported = {str(problem) for problem in files.list(ProfileKind.PLAYER).damaged}
    assert any("cannot be read (Is a directory)" in sentence for sentence in reported)
    assert not any("damaged" in sentence for sentence in reported)


def stored_by_an_older_program(files: ProfileFiles, profile: PlayerProfile | TableProfile, typed: str) -> Path:
    """Move a profile to the path of older versions, which used the name as typed."""
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
    files, kind = ProfileFiles(tmp_path), profile.kind
    older = stored_by_an_older_program(files, profile, typed)
    found = files.find(kind, "änne ö")
    assert found is not None
    assert (found.name, files.path(kind, typed)) == (profile.name, older)
    files.keep(found)
    assert [listed.name for listed in files.list(kind).profiles] == [profile.name]
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


def test_last_table_is_the_most_recently_used(files: ProfileFiles) -> None:
    files.keep(TableProfile("Kitchen", "C920", ("Ann", "Ben"), "2026-01-01T00:00:00+00:00"))
    table = files.use_table(TableProfile("Cellar", "rtsp://x"))
    assert files.last_table() == table


def test_table_of_a_game_keeps_the_name_that_users_gave(files: ProfileFiles) -> None:
    files.keep(TableProfile("Kitchen", "C920", ("Ann", "Ben")))
    files.remember_table("C920", ("Ann", "Cleo", "Dan"), pytest.fail)
    kitchen = files.last_table()
    assert kitchen is not None
    assert (kitchen.name, kitchen.players) == ("Kitchen", ("Ann", "Cleo", "Dan"))
    stream = "rtsp://192.168.1.20/" + "x" * 80
    files.remember_table(stream, ("Ann",), pytest.fail)
    assert files.find(ProfileKind.TABLE, "Kitchen") == kitchen
    assert stream in {
        profile.camera for profile in files.list(ProfileKind.TABLE).profiles if isinstance(profile, TableProfile)
    }


def test_delay_is_stored_for_one_camera_and_size(files: ProfileFiles) -> None:
    files.keep_delay("rtsp://x", (1280, 720), 1.2345)
    files.remember_table("rtsp://x", ("Ann", "Ben"), pytest.fail)
    assert files.delay_of("rtsp://x", (1280, 720)) == 1.234
    assert files.delay_of("rtsp://x", (1920, 1080)) is None
    assert files.delay_of("rtsps://x", (1280, 720)) is None
    files.keep_delay("rtsp://x", (1920, 1080), 0.5)
    assert files.delay_of("rtsp://x", (1280, 720)) is None
    (table,) = files.tables
    assert (table.players, table.delay_s) == (("Ann", "Ben"), 0.5)


def test_a_table_without_a_game_is_not_offered_for_its_delay(files: ProfileFiles) -> None:
    files.keep_delay("rtsp://x", (1280, 720), 0.0)
    assert files.last_table() is None


@pytest.mark.parametrize("camera", ["KITCHEN", "Logitech " * 20 + "left", "rtsp://192.168.1.20/" + "y" * 600])
def test_new_table_does_not_reuse_the_name_of_another(files: ProfileFiles, camera: str) -> None:
    others = {"C920": "Kitchen", "Logitech " * 20 + "right": None, "rtsp://192.168.1.20/" + "y" * 400: None}
    for other, name in others.items():
        files.remember_table(other, ("Ann",), pytest.fail)
        if name is not None:
            files.keep(TableProfile(name, other, ("Ann",)))
    files.remember_table(camera, ("Ben",), pytest.fail)
    stored = files.list(ProfileKind.TABLE)
    assert not stored.damaged
    players = {profile.camera: profile.players for profile in stored.profiles if isinstance(profile, TableProfile)}
    assert players == {**dict.fromkeys(others, ("Ann",)), camera[:LONGEST_CAMERA]: ("Ben",)}
    files.remember_table(camera, ("Cleo",), pytest.fail)
    assert len(files.list(ProfileKind.TABLE).profiles) == len(stored.profiles)


def test_unwritable_table_is_reported(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("in the way")
    reported: list[str] = []
    ProfileFiles(tmp_path).remember_table("C920", ("Ann",), reported.append)
    assert f"cannot be kept in {tmp_path / 'tables'}" in reported[0]
    assert "make room, or give yourself the right to write there" in reported[0]
