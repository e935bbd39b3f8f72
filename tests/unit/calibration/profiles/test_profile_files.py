"""Files of profiles: round trip, damage named, one file for every spelling of a name."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles, kind_of
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.profile_text import DamagedProfileError
from bunnymoose_cv.calibration.profiles.table_profile import TableProfile
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.exemptions import Exemption
from tests.unit.calibration.profiles.example_profile import ANNA

if TYPE_CHECKING:
    from pathlib import Path


def test_a_player_reads_as_written(tmp_path: Path) -> None:
    files = ProfileFiles(tmp_path)
    path = files.keep(ANNA)
    assert files.find(ProfileKind.PLAYER, "änne “o’”") == ANNA
    assert "WU CD t" in path.read_text("utf-8")
    files.delete(ProfileKind.PLAYER, ANNA.name)
    assert files.find(ProfileKind.PLAYER, ANNA.name) is None


@pytest.mark.parametrize(
    "damage",
    [b"\xff\xfe", b"format = 2", b"[[[", b'format = 1\nkind = "table"', b"a = " + b"[" * 100],
)
def test_a_damaged_profile_is_named_and_the_default_used(tmp_path: Path, damage: bytes) -> None:
    files = ProfileFiles(tmp_path)
    path = files.keep(ANNA)
    files.keep(PlayerProfile("Ben", frozenset({Exemption.DOWN})))
    path.write_bytes(damage)
    with pytest.raises(DamagedProfileError, match=path.name):
        files.find(ProfileKind.PLAYER, ANNA.name)
    told: list[str] = []
    found = PlayerProfiles(files).calibrations([ANNA.name, "Ben", "Nobody"], load_settings(), told.append)
    assert list(found) == ["Ben"]
    assert len(told) == 1
    listed = files.list(ProfileKind.PLAYER)
    assert [each.name for each in listed.profiles] == ["Ben"]
    assert len(listed.damaged) == 1


def test_a_profile_of_a_newer_program_and_one_out_of_reach_are_not_called_damaged(tmp_path: Path) -> None:
    files = ProfileFiles(tmp_path)
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
