"""The user's own folder holds all that the program keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import platformdirs

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.core.log import default_log_folder
from bunnymoose_cv.core.user_folder import user_folder
from bunnymoose_cv.cues.bam_file import default_bam_path
from bunnymoose_cv.record.game_store import default_games_folder
from bunnymoose_cv.session.deck_enrolment import default_deck_folder
from bunnymoose_cv.session.practice.takes import default_takes_folder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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


def test_the_environment_moves_the_folder_on_every_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: usual)
    for told, folder in ((str(tmp_path), tmp_path / "bunnymoose"), ("data", usual), ("", usual)):
        monkeypatch.setenv("XDG_DATA_HOME", told)
        assert user_folder() == folder
    monkeypatch.delenv("XDG_DATA_HOME")
    assert user_folder() == usual
