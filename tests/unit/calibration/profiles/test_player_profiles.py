"""Profiles of players: one for each name, learnt from corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.adaptation.labelled_take import TakeSource
from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.rules.exemptions import Exemption
from tests.unit.calibration.profiles.example_profile import take

if TYPE_CHECKING:
    from pathlib import Path


def test_only_players_with_a_profile_are_learnt_about(tmp_path: Path) -> None:
    files = ProfileFiles(tmp_path)
    players = PlayerProfiles(files)
    files.keep(PlayerProfile("Ann"))
    players.learn({"Ann": (take(TakeSource.CORRECTION),), "Ben": (take(TakeSource.CORRECTION),)}, print)
    assert [each.name for each in files.list(ProfileKind.PLAYER).profiles] == ["Ann"]
    kept = players.find("Ann")
    assert kept is not None
    assert kept.takes == (take(TakeSource.CORRECTION),)


@pytest.mark.parametrize("typed", ["ann❤", "Ann❤\ufe0f", "An\u200dn❤"])
def test_names_that_a_game_takes_for_one_have_one_profile(tmp_path: Path, typed: str) -> None:
    files = ProfileFiles(tmp_path)
    players = PlayerProfiles(files)
    players.exempt("Ann❤", frozenset({Exemption.TONGUE}))
    found = players.find(typed)
    assert found is not None
    assert found.exempt == {Exemption.TONGUE}
    players.exempt(typed, frozenset({Exemption.DOWN}))
    assert len(files.list(ProfileKind.PLAYER).profiles) == 1
