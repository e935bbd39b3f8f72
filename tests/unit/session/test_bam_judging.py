"""Judging of a Bam: nothing is shown before the first word, and no fault leaves the table judging."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.held_footage import HeldFootage
from bunnymoose_cv.capture.jpeg_frame import FrameRun
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.video_source import Moment, NoVideoSource
from tests.unit.session.playing import CARDS, PHONE, done

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.session.session import Session
    from tests.doubles import CannedVideoSource

    OpenSitting = Callable[..., Session]


def test_nothing_is_shown_before_the_first_word(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bunnymoose_cv.session.table_voice.FIRST_WORD_S", 60.0)
    session = open_sitting(canned_evening, asks=False, aloud=True)
    speaker = session._services.speaker
    assert speaker is not None
    shown: list[bool] = []
    speaker.listen(lambda _: shown.append(not session.state.judging))
    done(session.bam(Maker.KEY, PHONE))
    assert shown[0] is False


def test_a_source_that_fails_at_bam_does_not_leave_the_table_judging(open_sitting: OpenSitting) -> None:
    class Failing(NoVideoSource):
        def moment(self, cue: Cue) -> Moment | None:
            raise InputError(f"The clip of the {cue.maker.value} is gone.")

    session = open_sitting(Failing())
    with pytest.raises(InputError, match="The clip of the key is gone"):
        done(session.bam(Maker.KEY, PHONE))
    assert (session.state.judging, session.state.game.phase) == (False, Phase.BETTING)


def test_a_camera_that_shows_nothing_at_bam_has_everybody_asked_aloud(open_sitting: OpenSitting) -> None:
    class Dark(NoVideoSource):
        def moment(self, cue: Cue) -> Moment:
            return Moment(HeldFootage(FrameRun([]), None), cue.time_s)

    session = open_sitting(Dark())
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.KEY, PHONE))
    assert session.state.said == ("Blue, Green and Yellow, please check",)
    assert "The camera showed nothing at Bam" in session.state.problem
