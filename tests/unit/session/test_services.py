"""Services of a game: what people told in it is learnt when they close."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PoseCorrected, PosesJudged
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.services import Spoken, open_services

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.vision.readings import FrameReading

POSE = Pose.parse("WU WU")
STARTED = GameStarted(("Red", "Blue", "Green"), rules_for())


def test_a_correction_goes_to_the_profile_of_its_player(tmp_path: Path, party: FrameReading) -> None:
    files = ProfileFiles(tmp_path / "profiles")
    profiles = PlayerProfiles(files)
    files.keep(PlayerProfile("Green", frozenset({Exemption.DOWN})))
    spoken = Spoken(Language.ENGLISH, aloud=False)
    with (
        GameFile.create(tmp_path / "game", STARTED, who="test") as file,
        open_services(file, None, spoken, pytest.fail, profiles) as services,
    ):
        referee = services.referee(pytest.fail, asks=False)
        seats = [SimpleNamespace(player=name) for name in ("Blue", "Green")]
        frozen = SimpleNamespace(players=[SimpleNamespace(reading=reading) for reading in party.players])
        judged: Any = SimpleNamespace(number=1, seats=seats, frozen=frozen)
        services.labels.remember(judged)
        file.append([Bam(), PosesJudged({"Blue": POSE, "Green": POSE})], "a test", REFEREE)
        file.append(PoseCorrected(1, "Green", Pose.parse("CU CD")), "a test", "Anna")
        assert list(referee.labels) == ["Green"]
    kept = profiles.find("Green")
    assert kept is not None
    assert [str(take.shown) for take in kept.takes] == ["CU CD"]
    assert profiles.find("Blue") is None
