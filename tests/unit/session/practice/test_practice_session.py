"""Practice session: looks on a thread of its own, does what people want, tells troubles, refuses when it is closed."""

from __future__ import annotations

from queue import SimpleQueue
from random import Random
from typing import TYPE_CHECKING, Self

import pytest

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.session.practice.practice_session import PracticeSession, PracticeSessionState
from bunnymoose_cv.session.practice.takes import Consent, Takes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.vision.reader import Reader

PATIENCE_S = 60.0


class HoldingStill:
    """A source of one image, ten times a second of its own time, until it is lost."""

    has_sound = True

    def __init__(self, image: Image) -> None:
        self.image = image
        self.camera = CameraState.WATCHING
        self.is_open = False
        self._looks = 0

    def __enter__(self) -> Self:
        self.is_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False

    @property
    def problem(self) -> str:
        return "The camera is gone." if self.camera is CameraState.LOST else ""

    def newest(self) -> Frame | None:
        if self.camera is CameraState.LOST:
            return None
        self._looks += 1
        return Frame(self.image, self._looks / 10)

    def follow(self, game: Game) -> None:
        """Show the same whatever is played."""

    def recorded(self, number: int) -> None:
        """No round was recorded."""

    def moment(self, cue: object) -> None:
        """Return no moment: nobody says Bam."""

    def listen_to_sound(self, callback: object) -> None:
        """Ignore the listener: the source is silent."""


@pytest.fixture
def source(player_file: Callable[[str], Path]) -> HoldingStill:
    return HoldingStill(read_image(player_file("0009")))


def wait_for(
    states: SimpleQueue[PracticeSessionState], shows: Callable[[PracticeSessionState], bool]
) -> PracticeSessionState:
    """The next state that shows something."""
    while not shows(state := states.get(timeout=PATIENCE_S)):
        pass
    return state


def test_it_tells_what_it_sees_and_does_what_people_want(reader: Reader, source: HoldingStill, tmp_path: Path) -> None:
    states: SimpleQueue[PracticeSessionState] = SimpleQueue()
    with PracticeSession(source, reader, Random(1), Takes(tmp_path)) as session:
        stop = session.listen(states.put)
        seen = wait_for(states, lambda state: state.practice.lesson.seen is not None)
        assert session.latest_reading is not None
        assert session.latest_reading.number >= seen.version
        session.skip().result(PATIENCE_S)
        assert session.state.practice.lesson.number == 2
        session.give_consent(Consent(takes=True)).result(PATIENCE_S)
        session.accept_as_shown().result(PATIENCE_S)
        assert (session.state.practice.kept, len(Takes(tmp_path))) == (1, 1)

        source.camera = CameraState.LOST
        lost = wait_for(states, lambda state: state.camera is CameraState.LOST)
        assert lost.problem == "The camera is gone."
        source.camera = CameraState.WATCHING
        back = wait_for(states, lambda state: state.camera is CameraState.WATCHING)
        assert back.problem == ""
        stop()
    assert session.state.over
    assert not source.is_open
    with pytest.raises(InputError, match="The mirror is closed"):
        session.skip().result(PATIENCE_S)
