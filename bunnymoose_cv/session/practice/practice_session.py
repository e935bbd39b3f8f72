"""Practice session: practice before a video source, on a thread of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.published import VersionedState
from bunnymoose_cv.session.practice.practice import Practice
from bunnymoose_cv.session.source_actor import SourceActor
from bunnymoose_cv.session.table_state import LatestReading

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path
    from random import Random

    from bunnymoose_cv.session.practice.practice import PracticeState
    from bunnymoose_cv.session.practice.takes import Consent, Takes
    from bunnymoose_cv.session.video_source import VideoSource
    from bunnymoose_cv.vision.reader import Reader

PAUSE_S: Final = 0.03
"""Timeout of the wait for a command or for the next frame."""


@dataclass(frozen=True, slots=True, eq=False)
class PracticeSessionState(VersionedState):
    """State of a practice session.

    Attributes:
        problem: one sentence where camera or disk need people; else empty.
        over: whether it has been closed.
    """

    practice: PracticeState
    camera: CameraState
    problem: str
    over: bool = False


CLOSED: Final = Phrase("The mirror is closed: begin it again.")


class PracticeSession(SourceActor[PracticeSessionState]):
    """Thread-safe practice before a video source, from `with` to its end.

    Args:
        source: shows the player; closed with the session.
    """

    def __init__(self, source: VideoSource, reader: Reader, random: Random, takes: Takes) -> None:
        self._practice = Practice(reader, random, takes)
        self._takes = takes
        actor = ActorThread(
            "practice", self._turn, first_turn_s=PAUSE_S, ended=lambda _: self._show(over=True), refusal=CLOSED
        )
        super().__init__(source, actor, PracticeSessionState(self._practice.state, CameraState.WATCHING, ""))

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest look; None before the first."""
        state = self.state
        reading = state.practice.reading
        return None if reading is None else LatestReading(state.version, reading)

    @property
    def takes_folder(self) -> Path:
        """Folder of takes."""
        return self._takes.folder

    def skip(self) -> Future[None]:
        """Ask for another pose."""
        return self._do(self._practice.skip)

    def accept_as_shown(self) -> Future[None]:
        """Accept the asked pose as shown, whatever is read."""
        return self._do(self._practice.accept_as_shown)

    def give_consent(self, consent: Consent) -> Future[None]:
        """Keep takes from now on, or none any more."""
        return self._do(lambda: self._practice.give_consent(consent))

    def delete_takes(self) -> Future[None]:
        """Delete all takes."""
        return self._do(self._practice.delete_takes)

    def _do(self, deed: Callable[[], PracticeState]) -> Future[None]:
        def do_and_show() -> None:
            deed()
            self._show()

        return self._actor.submit(do_and_show)

    def _turn(self) -> float:
        """Read the next frame; waiting for commands gives the camera time for it."""
        if self._source.camera is not self.state.camera:
            self._practice.reset_tracking()
            self._show()
        elif (frame := self._frames.take()) is not None:
            self._practice.see(frame)
            self._show()
        return PAUSE_S

    def _show(self, *, over: bool = False) -> None:
        practice = self._practice.state
        problem = self._source.problem or practice.problem
        self._published.publish(PracticeSessionState(practice, self._source.camera, problem, over))
