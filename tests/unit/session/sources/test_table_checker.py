"""Checks of the table: findings by sound and image, and reports of lasting faults only."""

from itertools import groupby
from threading import Semaphore
from typing import ClassVar

import numpy as np
import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, fault_with_remedy
from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.session.sources import table_checker
from bunnymoose_cv.session.sources.quiet_check import LASTS_S, QuietCheck
from bunnymoose_cv.session.sources.table_checker import CheckState, CheckStep, TableChecker
from bunnymoose_cv.session.sources.video_source import Stream
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.unit.session.playing import Microphone, StillCamera


def test_a_check_can_be_repeated_and_gathers_no_sound_afterwards(
    quick_canned_reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_checker, "LOOK_S", 0.0)
    microphone, steps, over = Microphone(), list[CheckStep](), Semaphore(0)

    def saw(state: CheckState) -> None:
        steps.append(state.step)
        if state.step is CheckStep.OVER:
            assert [finding.cause for finding in state.findings] == [CheckCause.NO_IMAGE]
            over.release()

    checker = TableChecker(microphone, quick_canned_reader)
    checker.listen(saw)
    with checker:
        assert over.acquire(timeout=30.0)
        microphone.play(Sound(np.zeros(48_000, np.int16), 48_000))
        assert checker._sound.newest is None
        checker.again()
        assert over.acquire(timeout=30.0)
    assert [step for step, _ in groupby(steps)] == [CheckStep.LOOK, CheckStep.OVER] * 2


class LateStream(StillCamera):
    """Camera in the network that keeps measured delays."""

    stream: Stream | None = None

    def __init__(self, image: Image, *, hears_microphone: bool = False, keeps: bool = True) -> None:
        super().__init__(image, step_s=0.1)
        self.kept: list[float] = []
        self.stream = Stream(0.5, hears_microphone, self._keep)
        self._keeps = keeps

    def _keep(self, delay_s: float) -> bool:
        self.kept.append(delay_s)
        return self._keeps


class CannedMeter:
    """Meter that finds a delay of 1.2 s in the third frame."""

    came_s: ClassVar[list[float]] = []

    def see(self, image: Image, came_s: float) -> None:
        del image
        self.came_s.append(came_s)

    def delay_by_pattern(self) -> float | None:
        return 1.2 if len(self.came_s) >= 3 else None

    def delay_by_claps(self, sound: Sound | None) -> None:
        assert sound is None


def check_of(source: LateStream, reader: Reader, **how: bool) -> tuple[list[CheckStep], list[Finding]]:
    """Return the steps of a check of a stream, and its findings about the delay."""
    steps, over = list[CheckStep](), Semaphore(0)

    def saw(state: CheckState) -> None:
        steps.append(state.step)
        if state.step is CheckStep.HAND:
            checker.skip()  # skips no later question
        if state.step is CheckStep.OVER:
            over.release()

    checker = TableChecker(source, reader, **how)
    checker.listen(saw)
    with checker:
        assert over.acquire(timeout=30.0)
    return steps, [finding for finding in checker.state.findings if finding.line is CheckLine.DELAY]


@pytest.fixture
def quick_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check without long looks and questions; the canned meter measures."""
    for name in ("LOOK_S", "HAND_S", "BAM_S"):
        monkeypatch.setattr(table_checker, name, 0.2)
    monkeypatch.setattr(table_checker, "_MEASURED_EACH_S", 0.0)
    monkeypatch.setattr(table_checker, "DelayMeter", CannedMeter)
    monkeypatch.setattr(TableChecker, "_choose_step", lambda *_: None)
    CannedMeter.came_s.clear()


@pytest.mark.usefixtures("quick_check")
@pytest.mark.parametrize("keeps", [True, False])
def test_the_delay_of_a_stream_is_measured_and_kept(
    quick_canned_reader: Reader, party: FrameReading, *, keeps: bool
) -> None:
    source = LateStream(party.image, keeps=keeps)
    steps, (finding,) = check_of(source, quick_canned_reader)
    assert CheckStep.DELAY in steps
    assert source.kept == [1.2]
    assert min(CannedMeter.came_s) > 0.5  # the delay that was subtracted is added again
    assert finding.value == 1.2
    assert finding.level is (Level.GOOD if keeps else Level.WEAK)
    assert "come 1.2 s late" in finding.sentence


@pytest.mark.usefixtures("quick_check")
def test_the_question_about_the_delay_ends_without_an_answer(
    quick_canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_checker, "DELAY_S", 0.2)
    monkeypatch.setattr(CannedMeter, "delay_by_pattern", lambda _: None)
    source = LateStream(party.image)
    steps, (finding,) = check_of(source, quick_canned_reader)
    assert CheckStep.DELAY in steps
    assert (source.kept, finding.cause) == ([], CheckCause.LATE)


@pytest.mark.usefixtures("quick_check")
def test_a_delay_that_cannot_be_measured_is_reported_without_a_question(
    quick_canned_reader: Reader, party: FrameReading
) -> None:
    steps, (finding,) = check_of(LateStream(party.image), quick_canned_reader, on_screen=False)
    assert CheckStep.DELAY not in steps
    assert finding.cause is CheckCause.LATE
    assert check_of(LateStream(party.image), quick_canned_reader, asks=False)[1] == []


def seen(check: QuietCheck, image: Image, start_s: float, end_s: float) -> list[CheckCause | None]:
    """Return the causes reported while the same table is read eight times a second."""
    times_s = np.arange(start_s, end_s, 0.125)
    reported = [check.see(FrameReading(image, float(time_s), ())) for time_s in times_s]
    return [None if finding is None else finding.cause for finding in reported]


def test_only_lasting_faults_are_reported_and_later_cleared(party: FrameReading) -> None:
    good, black = party.image, np.zeros_like(party.image)
    check = QuietCheck()
    assert set(seen(check, good, 0, 10)) == {None}
    assert set(seen(check, black, 10, 13)) == {None}  # a person walks past
    assert set(seen(check, good, 13, 15)) == {None}
    causes = seen(check, black, 15, 15 + 2 * LASTS_S)
    first = causes.index(CheckCause.BLACK)
    assert LASTS_S <= first * 0.125 <= LASTS_S + 2
    assert set(causes[first:]) == {CheckCause.BLACK}
    assert seen(check, good, 40, 43)[-1] is None


def test_players_who_are_read_well_get_no_notice(party: FrameReading) -> None:
    check = QuietCheck()
    assert all(check.see(FrameReading(party.image, number * 0.5, party.players)) is None for number in range(40))


def test_a_fault_is_reported_with_a_remedy(party: FrameReading) -> None:
    check = QuietCheck()
    reported = [check.see(FrameReading(np.zeros_like(party.image), float(number), ())) for number in range(10)]
    assert reported[-1] is not None
    assert fault_with_remedy(reported[-1]).startswith("The picture is black. Open the shutter")


def test_a_camera_that_returns_in_another_mode_is_still_judged(party: FrameReading) -> None:
    check = QuietCheck()
    upright = np.ascontiguousarray(np.swapaxes(party.image, 0, 1))
    for number, image in enumerate((party.image, upright, np.zeros_like(party.image), upright[::2, ::2])):
        assert check.see(FrameReading(image, 2.0 * number, ())) is None
