"""The warm-up guide asks for each pose once, keeps what it learnt, and nothing of a round left off."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Queue
from typing import TYPE_CHECKING, Self

import pytest

from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.session.warmup import warm_up_guide
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase, WarmUpView
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

RABBIT, MOOSE, NARRATOR = "Änne", "Ben", "Cleo"
STEP_S = 0.5


class StillSource(NoVideoSource):
    """A camera before people who do not stir; its clock goes on with each look."""

    def __init__(self, party: FrameReading) -> None:
        self._party, self._time_s = party, 0.0
        self.camera = CameraState.WATCHING

    def newest(self) -> Frame:
        self._time_s += STEP_S
        return Frame(self._party.image, self._time_s)


@dataclass
class Table:
    """A guide before such a camera, and what it said."""

    guide: WarmUpGuide
    source: StillSource
    files: ProfileFiles
    said: list[str]

    @property
    def store(self) -> PlayerProfiles:
        """Profiles of the players."""
        return PlayerProfiles(self.files)

    def until(self, is_so: Callable[[WarmUpView], bool]) -> WarmUpView:
        """The first state of a kind; waits for it."""
        states: Queue[WarmUpView] = Queue()
        stop = self.guide.listen(states.put)
        state = self.guide.state
        while not is_so(state):
            state = states.get(timeout=60)
        stop()
        return state

    def over(self) -> WarmUpView:
        return self.until(lambda state: state.phase is WarmUpPhase.OVER)


@pytest.fixture
def table(reader: Reader, party: FrameReading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    class StillTracker:
        """Reads the same in each frame."""

        def __init__(self, *_: object) -> None:
            """Open nothing."""

        def read(self, frame: Frame) -> FrameReading:
            return replace(party, time_s=frame.time_s)

        read_quick = read

        def forget(self) -> Self:
            return self

    monkeypatch.setattr(warm_up_guide, "Tracker", StillTracker)
    monkeypatch.setattr(warm_up_guide, "PAUSE_S", 0.0)
    with opened(reader, party, tmp_path) as table:
        yield table


@contextmanager
def opened(reader: Reader, party: FrameReading, folder: Path) -> Iterator[Table]:
    source, files, said = StillSource(party), ProfileFiles(folder), list[str]()
    store = PlayerProfiles(files)
    store.exempt(MOOSE, frozenset({Exemption.TONGUE}))
    with WarmUpGuide(source, reader, (RABBIT, MOOSE, NARRATOR), store, said.append) as guide:
        guide.sit((MOOSE, RABBIT)).result()
        yield Table(guide, source, files, said)


def test_each_pose_is_asked_once_and_everybody_in_the_row_is_learnt(table: Table) -> None:
    table.guide.begin().result()
    over = table.over()
    assert table.said == [step.words for step in STEPS]
    rabbit, moose = table.store.find(RABBIT), table.store.find(MOOSE)
    assert rabbit is not None
    assert moose is not None
    assert {str(take.shown) for take in rabbit.takes} == {"TS TS", "SF SF"}
    assert {str(take.shown) for take in moose.takes} == {"WU WU", "CD CD"}
    assert moose.exempt == {Exemption.TONGUE}
    assert table.store.find(NARRATOR) is None
    assert [str(pose) for pose in over.understood[MOOSE].missed] == ["TS TS", "SF SF", "-- -- t"]
    assert set(over.understood) == {RABBIT, MOOSE}
    assert over.round is None


def test_one_person_is_done_again_and_the_others_keep_theirs(table: Table) -> None:
    table.guide.begin().result()
    before = table.over().understood
    moose = table.store.find(MOOSE)
    table.guide.begin(frozenset({RABBIT})).result()
    assert table.guide.state.asked == {RABBIT}
    for _ in STEPS:
        table.guide.skip().result()
    over = table.over()
    assert over.understood[MOOSE] == before[MOOSE]
    assert table.store.find(MOOSE) == moose


def test_a_round_that_is_left_off_keeps_nothing(table: Table) -> None:
    table.guide.begin().result()
    table.until(lambda state: state.round is not None and state.round.number > 1)
    table.guide.leave_off().result()
    assert table.guide.state.phase is WarmUpPhase.SEATING
    assert table.store.find(RABBIT) is None


def test_images_that_end_are_told_and_nothing_is_kept(table: Table) -> None:
    table.guide.begin().result()
    table.source.camera = CameraState.ENDED
    state = table.until(lambda state: state.phase is WarmUpPhase.SEATING)
    assert state.problem == warm_up_guide.ENDED
    assert table.store.find(RABBIT) is None
    with pytest.raises(InputError, match="The pictures ended"):
        table.guide.begin().result()


def test_nobody_in_the_row_is_one_sentence(table: Table) -> None:
    table.guide.sit(()).result()
    with pytest.raises(InputError, match="Nobody sits in the row"):
        table.guide.begin().result()


def test_what_is_not_judged_is_kept_at_once_and_a_profile_that_says_nothing_is_deleted(table: Table) -> None:
    assert table.guide.state.exempt[MOOSE] == {Exemption.TONGUE}
    table.guide.exempt(RABBIT, frozenset({Exemption.DOWN})).result()
    rabbit = table.store.find(RABBIT)
    assert rabbit is not None
    assert rabbit.exempt == {Exemption.DOWN}
    table.guide.exempt(RABBIT, frozenset()).result()
    assert table.store.find(RABBIT) is None


def test_a_damaged_profile_is_told_and_stops_no_other(table: Table) -> None:
    path = table.files.path(ProfileKind.PLAYER, MOOSE)
    path.write_text("[[[")
    table.guide.begin().result()
    over = table.over()
    assert f"{path} is damaged" in over.problem
    assert set(over.understood) == {RABBIT}
    assert [each.name for each in table.files.list(ProfileKind.PLAYER).profiles] == [RABBIT]
