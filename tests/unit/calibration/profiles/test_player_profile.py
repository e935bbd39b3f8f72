"""Profile of one player: takes are bounded, and those of other networks say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.adaptation.labelled_take import TakeSource
from bunnymoose_cv.calibration.profiles.player_profile import MOST_CORRECTIONS, PlayerProfile, fingerprint
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.vision import model_files
from bunnymoose_cv.vision.model_files import ModelError
from tests.unit.calibration.profiles.example_profile import ANNA, take

if TYPE_CHECKING:
    from pathlib import Path


def test_corrections_stay_beside_the_warm_up_and_are_bounded() -> None:
    profile = ANNA.corrected([take(TakeSource.CORRECTION, tongue=float(number % 10)) for number in range(100)])
    assert len(profile.takes) == 1 + MOST_CORRECTIONS
    again = profile.warmed_up([take(TakeSource.WARM_UP), take(TakeSource.WARM_UP)])
    assert len(again.takes) == 2 + MOST_CORRECTIONS


def test_takes_of_other_networks_say_nothing() -> None:
    old = PlayerProfile("Ann", frozenset({Exemption.DOWN}), ANNA.takes * 4, "of yesterday")
    calibration = old.calibration(load_settings())
    assert calibration.exempt == {Exemption.DOWN}
    assert not calibration.fields
    assert old.corrected([]).takes == ()


def test_a_missing_network_is_one_sentence_here_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_files, "models_folder", lambda: tmp_path)
    with pytest.raises(ModelError, match=r"The model headgear.onnx is missing in .*: install bunnymoose again"):
        fingerprint.__wrapped__()
