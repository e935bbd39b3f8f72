"""Playing of a round by hand, a microphone that hears what a test plays, and a camera that shows one image."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.capture.sound import Samples, Sound
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.video_source import NoVideoSource

CARDS = parse_table("L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2")
MOOSE = Pose.parse("WU WU")
PHONE = "Blue's phone"


def done(wanted: Future[Any]) -> None:
    """Wait for a command."""
    wanted.result(60.0)


def show_to_the_table(session: Session, pose: Pose = MOOSE) -> None:
    """Enter a pose for each asked player."""
    for player in session.state.asked:
        done(session.correct_pose(player, pose, PHONE))


def play_by_hand(session: Session) -> None:
    """Play a round without a camera."""
    done(session.submit_cards(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    show_to_the_table(session)


class StillCamera(NoVideoSource):
    """Camera that shows one image.

    Args:
        image: the shown image, which a test may change.
        step_s: the time in seconds that passes on its clock with every look.
    """

    camera = CameraState.WATCHING

    def __init__(self, image: Image, step_s: float) -> None:
        self.image = image
        self._step_s, self.looks = step_s, 0

    def newest(self) -> Frame | None:
        self.looks += 1
        return Frame(self.image, self.looks * self._step_s)


class Microphone(NoVideoSource):
    """Video source with sound only."""

    _hear: Callable[[Samples, int, float], None]

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> None:
        self._hear = callback

    def play(self, sound: Sound) -> None:
        """Play a sound in pieces of a fiftieth of a second."""
        step = sound.rate // 50
        for first in range(0, len(sound.samples), step):
            self._hear(sound.samples[first : first + step], sound.rate, sound.start_s + first / sound.rate)
