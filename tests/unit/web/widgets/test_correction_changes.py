"""Changes by the last correction on a page."""

from __future__ import annotations

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.correction_effects import changes
from bunnymoose_cv.rules.events import PoseCorrected, PosesJudged
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.widgets.correction_changes import changes_html
from tests.unit.web.states import MOOSE, OVER, ROUND, state_after

CORRECTION = PoseCorrected(1, "Green", Pose.parse("TS TS"))
ASKED = (*ROUND, *OVER[3:5])
"""A round that is over, and a second one at Bam."""


@pytest.mark.parametrize("closed", [False, True])
def test_the_ranking_now_is_the_one_that_stands(*, closed: bool) -> None:
    before, after = state_after(*ASKED).game, state_after(*ASKED, CORRECTION).game
    judged = [PosesJudged(dict.fromkeys(after.seats, MOOSE))] if closed else []
    state = state_after(*ASKED, CORRECTION, *judged, changes=changes(before, after))
    shown = changes_html(state, Texts())
    assert "Green’s rabbit after round 1" in shown
    assert ("Ranking now" in shown) is not closed
    assert "The ranking stays as it was." not in shown
