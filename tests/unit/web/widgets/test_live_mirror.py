"""Live mirror: overlay in step with the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.web.live.live_image import STANDS_STILL
from bunnymoose_cv.web.widgets.live_mirror import OverlaySync

if TYPE_CHECKING:
    from bunnymoose_cv.vision.readings import FrameReading


def test_what_is_drawn_over_people_keeps_step_with_their_picture(party: FrameReading) -> None:
    looks = [LatestReading(number, party) for number in (1, 2, 3)]
    in_step, asked = OverlaySync(), (0, 1, 1, 2, *[2] * STANDS_STILL)
    assert [in_step.shown(looks[index]).number for index in asked] == [1, 1, 1, 2, *[2] * (STANDS_STILL - 1), 3]
