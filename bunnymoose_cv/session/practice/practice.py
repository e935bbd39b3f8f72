"""Practice of one player before a video source, from frames to hints.

The newest frames are read and aggregated as at Bam, so that practice shows the readings of the referee.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import VersionedState
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.session.practice.lesson import Lesson
from bunnymoose_cv.session.practice.takes import NOTHING, Consent
from bunnymoose_cv.session.source_actor import SourceActor
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.vision.video.freeze import agree
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path
    from random import Random

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.session.practice.lesson import LessonState
    from bunnymoose_cv.session.practice.takes import Takes
    from bunnymoose_cv.session.sources.video_source import VideoSource
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

TOGETHER_S: Final = 0.5
"""Duration over which frames are aggregated."""

SETTLED_S: Final = 0.2
"""Final part of that duration in which a hand must be still to have settled."""


PAUSE_S: Final = 0.03

CLOSED: Final = Phrase("The mirror is closed: open it again.")


@dataclass(frozen=True, slots=True, eq=False)
class PracticeState(VersionedState):
    """State of a practice, with the number of kept takes.

    `problem` is a sentence about trouble with camera or disk, otherwise empty.
    """

    lesson: LessonState
    reading: FrameReading | None = None
    consent: Consent = NOTHING
    kept: int = 0
    camera: CameraState = CameraState.WATCHING
    problem: str = ""
    over: bool = False


class PracticeSession(SourceActor[PracticeState]):
    """Thread-safe practice before a video source, from `with` to its end; takes are kept only with consent."""

    def __init__(self, source: VideoSource, reader: Reader, random: Random, takes: Takes) -> None:
        self._reader, self._tracker, self._lesson, self._takes = reader, Tracker(reader), Lesson(random), takes
        self._readings: deque[FrameReading] = deque()
        self._disk_problem = ""
        actor = ActorThread(
            "practice", self._turn, first_turn_s=PAUSE_S, ended=lambda _: self._show(over=True), refusal=CLOSED
        )
        super().__init__(source, actor, PracticeState(self._lesson.state, kept=len(takes)))

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest look; None before the first."""
        state = self.state
        return None if state.reading is None else LatestReading(state.version, state.reading)

    @property
    def takes_folder(self) -> Path:
        """Folder of takes."""
        return self._takes.folder

    def skip(self) -> Future[None]:
        """Ask for another pose."""
        return self._actor.submit(lambda: self._show(lesson=self._lesson.skip()))

    def accept_as_shown(self) -> Future[None]:
        """Accept the asked pose as shown, even if another is read: keep a take, given consent, and go on.

        The `Future` fails with an `InputError` if no player is seen.
        """
        return self._actor.submit(self._accept)

    def give_consent(self, consent: Consent) -> Future[None]:
        """Keep takes from now on, or stop keeping them."""
        return self._actor.submit(lambda: self._change_consent(consent))

    def delete_takes(self) -> Future[None]:
        """Delete all takes, and stop keeping them; the `Future` fails with a `TakesError` if that fails."""
        return self._actor.submit(self._delete)

    # On the actor thread.

    def _accept(self) -> None:
        if self.state.lesson.seen is None:
            raise InputError(Phrase("Nobody is seen: sit so that the camera sees your face and both your hands."))
        kept = self._keep(self.state.lesson, self.state.reading)
        self._show(lesson=self._lesson.skip(), **kept)

    def _change_consent(self, consent: Consent) -> None:
        self._disk_problem = ""
        self._show(consent=consent)

    def _delete(self) -> None:
        self._takes.delete()
        self._disk_problem = ""
        self._show(consent=NOTHING, kept=0)

    def _turn(self) -> float:
        """Read the next frame; the wait for commands gives the camera time for it."""
        if self._source.camera is not self.state.camera:
            self._readings.clear()
            self._tracker.forget()
            self._show()
        elif (frame := self._frames.take()) is not None:
            self._see(frame)
        return PAUSE_S

    def _see(self, frame: Frame) -> None:
        self._readings.append(self._tracker.read(frame))
        while self._readings[0].time_s < frame.time_s - TOGETHER_S:
            self._readings.popleft()
        agreed = self._aggregate(frame.time_s)
        nearest = max(agreed.players, key=lambda player: player.player.head.eye_distance, default=None)
        lesson = self._lesson.look(nearest, frame.time_s)
        kept = self._keep(lesson, agreed) if lesson.held >= 1 else {}
        self._show(lesson=lesson, reading=agreed, **kept)

    def _aggregate(self, now_s: float) -> FrameReading:
        window = Window(
            cue_s=now_s - SETTLED_S,
            start_s=now_s - TOGETHER_S,
            end_s=now_s,
            watched_until_s=now_s,
            step_s=TOGETHER_S,
            tongue_s=self._reader.settings.freeze.tongue_s,
        )
        return agree(list(self._readings), window, self._reader)

    def _keep(self, lesson: LessonState, reading: FrameReading | None) -> dict[str, Any]:
        """Keep a take as far as there is consent, and return the changes of the state; the disk may refuse it."""
        if lesson.seen is None or reading is None:
            return {}
        try:
            kept = self._takes.keep(self.state.consent, lesson.asked, lesson.seen, reading.image)
        except InputError as error:
            self._disk_problem = error.sentence
            return {"consent": NOTHING}
        return {"kept": self.state.kept + kept}

    def _show(self, **changes: Any) -> None:
        camera = self._source.camera  # read before its problem, so that a lost camera is never shown without one
        problem = self._source.problem or self._disk_problem
        self._published.publish(replace(self.state, camera=camera, problem=problem, **changes))
