"""Video source of a running game, for a check beside it: opens nothing, and rests while Bam is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.camera_state import CameraState
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Samples
    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.video_source import Moment


class SessionVideoSource:
    """Frames of a session, whose sound is left to the session."""

    has_sound = True
    stream = None

    def __init__(self, session: Session) -> None:
        self._session = session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Release nothing: the session goes on."""

    @property
    def camera(self) -> CameraState:
        """State of the session's camera."""
        return self._session.state.camera

    @property
    def problem(self) -> str:
        """Message of the session for people."""
        return self._session.state.problem

    def newest(self) -> Frame | None:
        """Newest frame; None while the whole computer belongs to the referee."""
        return None if self._session.state.judging else self._session.newest()

    def follow(self, game: Game) -> None:
        """Ignore the game: the session follows it."""

    def moment(self, cue: Cue) -> Moment | None:
        """Return no moment: this source judges none."""

    def recorded(self, number: int) -> Moment | None:
        """Return no moment: this source records none."""

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        """Ignore the listener: the session listens itself."""
