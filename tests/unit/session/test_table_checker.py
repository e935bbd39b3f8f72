"""The check of the table: what it keeps of what it hears."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.session import table_checker
from bunnymoose_cv.session.table_checker import CheckStep, TableChecker
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
