"""Calibrations at the table follow the name; exempt parts are not asked about, corrections are labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.adaptation.application import calibrated
from bunnymoose_cv.calibration.adaptation.log_odds import AdaptedField
from bunnymoose_cv.calibration.adaptation.player_calibration import FieldCalibration, PlayerCalibration
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Antler, Pose, Side, Spread, Tongue
from bunnymoose_cv.vision.video.tracker import Follower
from tests.conftest import StillFootage

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

NARROW = PlayerCalibration({AdaptedField.SPREAD: FieldCalibration((-40.0,), 1.0)})
"""Turns every wide antler into a compact one."""


def test_without_a_calibration_the_reading_is_the_very_same(reader: Reader, party: FrameReading) -> None:
    assert calibrated(party.players[0], PlayerCalibration(), reader) is party.players[0]


def test_one_field_moves_and_the_others_stay(reader: Reader, party: FrameReading) -> None:
    before = party.players[1]
    after = calibrated(before, NARROW, reader)
    for side in Side:
        old, new = before.headgear[side].probabilities, after.headgear[side].probabilities
        assert isinstance(new.headgear, Antler)
        assert new.headgear.spread is Spread.COMPACT
        assert replace(new, wide=old.wide) == old


@pytest.mark.parametrize(
    ("exempt", "pose"),
    [
        (Exemption.LEFT_HAND, "TF TF"),
        (Exemption.RIGHT_HAND, "SS SS"),
        (Exemption.TONGUE, "SS TF"),
        (Exemption.DOWN, "SS TF"),
    ],
)
def test_exempt_parts_are_neither_judged_nor_asked_about(
    reader: Reader, party: FrameReading, exempt: Exemption, pose: str
) -> None:
    out = replace(party.players[0], tongue=reader.tongue_reading(party.players[0].player.head, 0.5))
    after = calibrated(out, PlayerCalibration(exempt=frozenset({exempt})), reader)
    assert str(replace(after.pose, tongue=Tongue.IN)) == pose
    assert ("tongue" in after.unclear) is (exempt is not Exemption.TONGUE)
    total = sum(probability for _, probability in after.probabilities.poses())
    assert total == pytest.approx(1.0, abs=1e-6)


def test_a_calibration_follows_the_player_and_corrections_are_labels(
    tmp_path: Path, reader: Reader, party: FrameReading
) -> None:
    started = GameStarted(("Red", "Blue", "Green"), rules_for())
    with GameFile.create(tmp_path / "game", started, who="test") as file:
        referee = Referee(
            file,
            Follower(reader, 2),
            reader,
            say=lambda _: None,
            keeper=None,
            tell=lambda _: None,
            calibrations={"Green": NARROW},
        )
        referee.bam("test")
        judged = referee.judge(StillFootage(party.picture, 0.0, 0.4, 3.0), 0.4)
        assert [str(seat.pose) for seat in judged.seats] == ["SS TF", "CU CU"]
        assert [str(player.pose) for player in judged.agreed.players] == ["SS TF", "CU CU"]
        assert [str(player.pose) for player in judged.frozen.reading.players] == ["SS TF", "WU WU"]
        assert not any(seat.movement for seat in referee.watch(StillFootage(party.picture, 0.0, 0.4, 3.0)).seats)
        referee.put_right("Green", Pose.parse("WU WU"))
        (label,) = referee.labels["Green"]
        assert str(label.shown) == "WU WU"
        assert label.left.spread > 0  # what the networks said, not the calibration
