"""Practice of one player: frames go in, hints come out.

The newest frames are read and put together as at Bam, so that practice tells what the referee would have seen.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.session.practice.lesson import Lesson
from bunnymoose_cv.session.practice.takes import NOTHING, Consent
from bunnymoose_cv.vision.video.freeze import agree
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from random import Random

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.session.practice.lesson import LessonState
    from bunnymoose_cv.session.practice.takes import Takes
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading

TOGETHER_S: Final = 0.5
"""Length of the time whose frames are aggregated."""

SETTLED_S: Final = 0.2
"""A hand must be still for the last so much of it to have settled."""


@dataclass(frozen=True, slots=True, eq=False)
class PracticeState:
    """State of a practice.

    Attributes:
        reading: the newest frame with everybody in it; None before the first.
        consent: what people asked to be kept.
        problem: one sentence for people where a take was not kept; else empty.
    """

    lesson: LessonState
    reading: FrameReading | None = None
    consent: Consent = NOTHING
    kept: int = 0
    problem: str = ""


class Practice:
    """Practice from the first frame to the last. Belongs to one thread at a time.

    Attributes:
        state: what there is to show, anew after each call.
    """

    def __init__(self, reader: Reader, random: Random, takes: Takes) -> None:
        """Ask for a first pose; nothing is kept until people wish it."""
        self._reader = reader
        self._tracker = Tracker(reader)
        self._lesson = Lesson(random)
        self._takes = takes
        self._readings: deque[FrameReading] = deque()
        self.state = PracticeState(self._lesson.state, kept=len(takes))

    def see(self, frame: Frame) -> PracticeState:
        """Read the next frame.

        Args:
            frame: unmirrored, later than the one before.
        """
        self._readings.append(self._tracker.read(frame))
        while self._readings[0].time_s < frame.time_s - TOGETHER_S:
            self._readings.popleft()
        agreed = self._together(frame.time_s)
        lesson = self._lesson.look(nearest(agreed), frame.time_s)
        self.state = replace(self.state, lesson=lesson, reading=agreed)
        if lesson.held >= 1:
            self._keep()
        return self.state

    def reset_tracking(self) -> None:
        """Forget where the player was: other images come, of another camera or after a gap."""
        self._readings.clear()
        self._tracker.forget()

    def skip(self) -> PracticeState:
        """Go on to another pose."""
        self.state = replace(self.state, lesson=self._lesson.skip())
        return self.state

    def accept_as_shown(self) -> PracticeState:
        """Accept the asked pose as shown, whatever is read: keep a take, if takes are wished, and go on.

        Raises:
            InputError: nobody is seen, so there is nothing to insist on.
        """
        if self.state.lesson.seen is None:
            raise InputError(Phrase("Nobody is seen: sit so that the camera sees your face and both your hands."))
        self._keep()
        return self.skip()

    def give_consent(self, consent: Consent) -> PracticeState:
        """Keep takes from now on, or keep none any more."""
        self.state = replace(self.state, consent=consent, problem="")
        return self.state

    def delete_takes(self) -> PracticeState:
        """Delete all takes that were ever kept, and keep no more.

        Raises:
            TakesError: it cannot be taken away.
        """
        self._takes.delete()
        self.state = replace(self.state, consent=NOTHING, kept=0, problem="")
        return self.state

    def _together(self, now_s: float) -> FrameReading:
        """Put the frames of the last moment together."""
        window = Window(
            cue_s=now_s - SETTLED_S,
            start_s=now_s - TOGETHER_S,
            end_s=now_s,
            watched_until_s=now_s,
            step_s=TOGETHER_S,
            tongue_s=self._reader.settings.freeze.tongue_s,
        )
        return agree(list(self._readings), window, self._reader)

    def _keep(self) -> None:
        """Keep what is seen with its label, as far as people wish it; a disk that refuses stops no practice."""
        seen, reading = self.state.lesson.seen, self.state.reading
        if seen is None or reading is None:
            return
        try:
            kept = self._takes.keep(self.state.consent, self.state.lesson.asked, seen, reading.image)
        except InputError as error:
            self.state = replace(self.state, consent=NOTHING, problem=error.sentence)
        else:
            self.state = replace(self.state, kept=self.state.kept + kept)


def nearest(reading: FrameReading) -> PlayerReading | None:
    """Choose the player nearest to the camera; None where nobody is seen."""
    return max(reading.players, key=lambda player: player.player.head.eye_distance, default=None)
