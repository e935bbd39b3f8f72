"""Profiles of tables: the last one, and the table of a game that begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.table_profile import LONGEST_CAMERA, TableProfile
from bunnymoose_cv.calibration.profiles.table_profiles import TableProfiles

if TYPE_CHECKING:
    from pathlib import Path


def test_the_last_table_is_the_one_used_last(tmp_path: Path) -> None:
    files = ProfileFiles(tmp_path)
    tables = TableProfiles(files)
    files.keep(TableProfile("Kitchen", "C920", ("Ann", "Ben"), "2026-01-01T00:00:00+00:00"))
    table = tables.use(TableProfile("Cellar", "rtsp://x"))
    assert tables.last() == table


def test_the_table_of_a_game_is_remembered_under_the_name_that_people_gave_it(tmp_path: Path) -> None:
    files = ProfileFiles(tmp_path)
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


@pytest.mark.parametrize("camera", ["KITCHEN", "Logitech " * 20 + "left", "rtsp://192.168.1.20/" + "y" * 600])
def test_a_camera_takes_no_other_tables_name(tmp_path: Path, camera: str) -> None:
    files = ProfileFiles(tmp_path)
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
