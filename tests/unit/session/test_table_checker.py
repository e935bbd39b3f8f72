"""The check of the table: what it keeps of what it hears, and once more when people ask."""

from __future__ import annotations

from itertools import groupby
from threading import Event, Semaphore
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.session import table_checker
from bunnymoose_cv.session.table_checker import CheckStep, TableChecker
from bunnymoose_cv.session.video_source import NoVideoSource
from tests.unit.session.microphone import Microphone

if TYPE_CHECKING:
    import pytest

    from bunnymoose_cv.session.table_checker import CheckState
    from bunnymoose_cv.vision.reader import Reader


def test_no_sound_is_gathered_once_the_check_is_over(quick_reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_checker, "LOOK_S", 0.0)
    microphone, over = Microphone(), Event()

    def saw(state: CheckState) -> None:
        if state.step is CheckStep.OVER:
            over.set()

    checker = TableChecker(microphone, quick_reader)
    checker.listen(saw)
    with checker:
        assert over.wait(30.0)
        microphone.play(Sound(np.zeros(48_000, np.int16), 48_000))
        assert checker._sound.newest is None


def test_it_is_checked_again_when_people_ask(quick_reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_checker, "LOOK_S", 0.0)
    steps, over = list[CheckStep](), Semaphore(0)

    def saw(state: CheckState) -> None:
        steps.append(state.step)
        if state.step is CheckStep.OVER:
            assert [finding.cause for finding in state.findings] == [CheckCause.NO_IMAGE]
            over.release()

    checker = TableChecker(NoVideoSource(), quick_reader)
    checker.listen(saw)
    with checker:
        assert over.acquire(timeout=30.0)
        checker.again()
        assert over.acquire(timeout=30.0)
    assert [step for step, _ in groupby(steps)] == [CheckStep.LOOK, CheckStep.OVER] * 2
