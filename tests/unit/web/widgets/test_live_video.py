"""Live video: overlay in step with the image, and who is seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.web.live.live_image import STANDS_STILL
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.widgets.live_video import LiveVideoWatch, OverlaySync
from tests.unit.web.states import PLAYERS, ROUND, state_after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.web.live.player_styles import PlayerStyle


def test_what_is_drawn_over_people_keeps_step_with_their_image(party: FrameReading) -> None:
    styles = [LatestReading(number, party) for number in (1, 2, 3)]
    in_step, asked = OverlaySync(), (0, 1, 1, 2, *[2] * STANDS_STILL)
    assert [in_step.shown(styles[index]).number for index in asked] == [1, 1, 1, 2, *[2] * (STANDS_STILL - 1), 3]


@dataclass
class _Session:
    state: TableState


@dataclass
class _Host:
    """A host as far as the live video asks it."""

    latest_reading: LatestReading | None
    session: _Session | None
    texts: Texts = field(default_factory=Texts)

    @property
    def styles(self) -> Mapping[str, PlayerStyle]:
        return styles_of(PLAYERS)


def test_the_newest_look_is_shown_until_bam_is_judged(party: FrameReading) -> None:
    nobody = replace(party, players=())
    told: Any = _Host(LatestReading(1, party), _Session(state_after()))
    watch = LiveVideoWatch(told)
    first = watch.parts()
    assert "#over-" in first["overlay"]
    assert "? Not seen: Yellow" in first["seats"]
    assert watch.parts() is first, "nothing is drawn anew without a new look"
    told.session.state = state_after(judging=True)
    told.latest_reading = LatestReading(2, nobody)
    assert watch.parts() is first, "the picture stands still"
    told.session.state = state_after(*ROUND)
    for _ in range(STANDS_STILL + 1):
        last = watch.parts()
    assert "Nobody is seen" in last["seats"]
    told.latest_reading = LatestReading(3, party)
    for _ in range(STANDS_STILL + 1):
        last = watch.parts()
    assert "Everybody moves one seat on." in last["seats"]
    assert PLAYERS[1] not in last["overlay"], "between rounds nobody is named"


def test_without_a_game_or_a_camera_nothing_follows() -> None:
    for session in (None, _Session(state_after())):
        host: Any = _Host(None, session)
        assert LiveVideoWatch(host).parts() == {}
