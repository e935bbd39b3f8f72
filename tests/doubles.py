"""Test doubles: a canned reading, reader, tracker, footage, video source and speech engine.

With them the logic of a round runs without a network, a film or a voice. `tests/data/party.npz` holds the networks'
reading of the fixture `party_file`. `tests/unit/vision/test_reader.py` compares the two, and `python -m tests.doubles`
stores it again after a training.
"""

import wave
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.user_settings import Settings, load_settings
from bunnymoose_cv.cues.cue import Cue
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.referee.script import Script
from bunnymoose_cv.rules.game import Game
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Pose, Side, Spread, Tongue
from bunnymoose_cv.session.sources.video_source import Moment, NoVideoSource
from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.hands.assignment import Player
from bunnymoose_cv.vision.headgear.headgear_reader import reading_of
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.stages import FrameState
from bunnymoose_cv.vision.tongue import TongueReading
from bunnymoose_cv.vision.video.window import Window
from bunnymoose_cv.vision.video.window_reader import WindowReadings
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.voices import Voice, VoiceError

PLAYERS: Final = Path(__file__).parents[1] / "fixtures" / "players"
PARTY: Final = ("0001", "0009")
"""Players of the party, from left to right: a rabbit (`SS TF`) and a moose (`WU WU`)."""

_READ: Final = Path(__file__).with_name("data") / "party.npz"
_SEAT_PX: Final = 640
_BLANK: Final = 1.0
"""Standard deviation of the pixels of a face below which the image is blank there."""


@cache
def party_image() -> Image:
    """Return the image of the party, 1280 × 640 pixels."""
    return np.hstack([read_image(PLAYERS / f"{name}.jpg") for name in PARTY])


def party_reading(settings: Settings | None = None) -> FrameReading:
    """Return the networks' reading of the image of the party."""
    settings = settings or load_settings()
    return FrameReading(party_image(), 0.0, tuple(_party_player(seat, settings) for seat in (1, 2)))


def _party_player(seat: int, settings: Settings) -> PlayerReading:
    read = np.load(_READ)
    hands = {
        side: HandLandmarks(
            read[f"seat_{seat}_{side.name.lower()}_hand"],
            read[f"seat_{seat}_{side.name.lower()}_hand_world"],
            Side.LEFT if read[f"seat_{seat}_{side.name.lower()}_hand_is_left"] else Side.RIGHT,
            float(read[f"seat_{seat}_{side.name.lower()}_hand_confidence"]),
        )
        for side in Side
    }
    probabilities = {
        side: HeadgearProbabilities(*read[f"seat_{seat}_{side.name.lower()}_probabilities"].tolist()) for side in Side
    }
    player = Player(seat, Head(FaceLandmarks(read[f"seat_{seat}_face"])), hands)
    return player_reading(player, probabilities, float(read[f"seat_{seat}_tongue"]), settings)


def player_reading(
    player: Player, probabilities: dict[Side, HeadgearProbabilities], out: float, settings: Settings
) -> PlayerReading:
    """Return the reading of a player with the given probabilities."""
    headgear = {side: reading_of(player, side, probabilities[side], settings.headgear) for side in Side}
    return PlayerReading(player, headgear, TongueReading.of(out, settings.tongue).at_head(player.head))


def sure_of(headgear: Headgear, sure: float = 0.998) -> HeadgearProbabilities:
    """Return the probabilities of a headgear that is seen with near certainty."""
    rest = 1 - sure
    match headgear:
        case Antler(spread, direction):
            wide, up = (sure if yes else rest for yes in (spread is Spread.WIDE, direction is Direction.UP))
            return HeadgearProbabilities(sure, rest / 2, rest / 2, wide=wide, up=up)
        case Ear(place, form):
            straight, top = (sure if yes else rest for yes in (form is Form.STRAIGHT, place is Place.TOP))
            return HeadgearProbabilities(rest / 2, sure, rest / 2, straight=straight, top=top)
    return HeadgearProbabilities(rest / 2, rest / 2, sure)


def row_reading(poses: Sequence[str], seat_px: int = 160) -> FrameReading:
    """Return a canned reading of a row of players, each surely read.

    Args:
        poses: notation of every player's pose, from left to right.
        seat_px: width of a seat in the image; the image is a square per seat.
    """
    settings, scale = load_settings(), seat_px / _SEAT_PX
    players = []
    for seat, pose in enumerate(map(Pose.parse, poses), 1):
        shown = _party_player(2, settings).player
        moved = _moved(shown, seat, scale, (seat - shown.seat) * seat_px)
        out = 0.998 if pose.tongue is Tongue.OUT else 0.002
        players.append(player_reading(moved, {side: sure_of(pose.headgear(side)) for side in Side}, out, settings))
    image = cv2.resize(np.hstack([party_image()[:, _SEAT_PX:]] * len(players)), (seat_px * len(players), seat_px))
    return FrameReading(np.asarray(image, np.uint8), 0.0, tuple(players))


def _moved(player: Player, seat: int, scale: float, right_px: float) -> Player:
    offset = np.array([right_px, 0, 0], np.float32)
    hands = {side: replace(hand, points=hand.points * scale + offset) for side, hand in player.hands.items()}
    face = FaceLandmarks((player.head.face.points * scale + offset).astype(np.float32))
    return replace(player, seat=seat, head=replace(player.head, face=face), hands=hands)


def shrunk(reading: FrameReading, scale: float, right_px: float = 0.0) -> FrameReading:
    """Return a reading of the same players in a smaller image, which is faster to encode.

    Args:
        reading: reading in a larger image.
        scale: size of the smaller image and of the players in it.
        right_px: shift of the players to the right after scaling, in pixels.
    """
    height, width = (int(side * scale) for side in reading.image.shape[:2])
    image = np.asarray(cv2.resize(reading.image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    players = (
        replace(player, player=_moved(player.player, player.seat, scale, right_px)) for player in reading.players
    )
    return replace(reading, image=image, players=tuple(players))


def write_party(path: Path, frames: int, every_s: float = 0.1, sounds: Sequence[Sound] = ()) -> Path:
    """Write a film of the party, 640 × 320 pixels, and return its path."""
    image = np.ascontiguousarray(party_image()[::2, ::2])
    write_film(path, (Frame(image, number * every_s) for number in range(frames)), sounds)
    return path


EVENING_PX: Final = 426
"""Width of a seat in a canned row of three players as wide as the clips of `fixtures/evening`."""

PLAYS_CANNED: Final = """
from functools import partial
from bunnymoose_cv.vision import reader
from tests.doubles import EVENING_PX, CannedReader, row_reading
reader.Reader = partial(CannedReader, row_reading(("WU WU", "TS TS", "WU CD t"), EVENING_PX))
"""
"""Python that lets a program read the clips of `fixtures/evening` without a network."""

READS_PARTY: Final = """
from bunnymoose_cv.vision import reader
from tests.doubles import CannedReader, party_reading, shrunk
reader.Reader = lambda settings: CannedReader(shrunk(party_reading(settings), 0.5), settings)
"""
"""Python that lets a program read the clips of `write_party` without a network."""


class CannedReader(Reader):
    """Reader that finds canned players wherever the image is not blank, without a network.

    Args:
        reading: the players at their places in the image.
        settings: thresholds; the defaults if None.
    """

    def __init__(self, reading: FrameReading, settings: Settings | None = None) -> None:
        self.settings = settings or load_settings()
        self._is_closed = False
        self._canned = reading.players

    def search(self, image: Image) -> tuple[Head, ...]:
        return tuple(reading.player.head for reading in self._found(image))

    def _read(
        self,
        state: FrameState,
        time_s: float,
        effort: Effort,
        find_reused: Callable[[Player], PlayerReading | None],
    ) -> FrameReading:
        del effort, find_reused
        return FrameReading(state.image, time_s, tuple(self._found(state.image)))

    def close(self) -> None:
        self._is_closed = True

    def _found(self, image: Image) -> list[PlayerReading]:
        self._check(image)
        seen = [reading for reading in self._canned if _is_shown(reading, image)]
        return [replace(reading, player=replace(reading.player, seat=seat)) for seat, reading in enumerate(seen, 1)]


def _is_shown(reading: PlayerReading, image: Image) -> bool:
    box = reading.face
    face = image[int(box.y) : int(box.y + box.height), int(box.x) : int(box.x + box.width)]
    return bool(face.size) and float(face.std()) > _BLANK


@dataclass
class CannedTracker:
    """Tracker that reads the same in every frame.

    Attributes:
        reading: reading of each frame of the window.
        later: reading of each frame after the window; the same if None.
    """

    reading: FrameReading
    later: FrameReading | None = None

    def read_window(self, frame_at: Callable[[float], Frame | None], window: Window, _: object) -> WindowReadings:
        frames = filter(None, map(frame_at, window.read_s))
        return WindowReadings(tuple(replace(self.reading, time_s=frame.time_s) for frame in frames), ())

    def read_each(self, frames: Iterable[Frame], effort: Effort) -> list[FrameReading]:
        del effort
        return [replace(self.later or self.reading, time_s=frame.time_s) for frame in frames]


@dataclass(frozen=True)
class CannedFootage:
    """Footage of a round without movement: one image ten times a second, and a tone from the cue on."""

    image: Image
    start_s: float
    cue_s: float
    end_s: float

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        del patience_s
        return time_s <= self.end_s

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        times_s = np.arange(self.start_s, self.end_s + 0.01, 0.1)
        return (Frame(self.image, float(time_s)) for time_s in times_s if start_s <= time_s <= end_s)

    def sound(self, start_s: float, end_s: float) -> Sound:
        times_s = np.arange(start_s, end_s, 1 / 8000)
        tone = 12_000 * np.sin(times_s * 2000) * (times_s >= self.cue_s)
        return Sound(tone.astype(np.int16), 8000, start_s)

    def held(self, start_s: float, end_s: float) -> Self:
        del start_s, end_s
        return self


class CannedVideoSource(NoVideoSource):
    """Rounds of a script without their clips: every frame of every round is one image.

    Args:
        script: bets and cards of the rounds, and the times of their Bams.
        image: the image of every frame.
    """

    camera = CameraState.WATCHING

    def __init__(self, script: Script, image: Image) -> None:
        self._rounds = script.rounds
        self._image = image
        self._number = 1

    def newest(self) -> Frame:
        return Frame(self._image, 0.0)

    def follow(self, game: Game) -> None:
        self._number = game.round_number

    def moment(self, cue: Cue) -> Moment | None:
        del cue
        return self.recorded(self._number)

    def recorded(self, number: int) -> Moment | None:
        if number > len(self._rounds):
            return None
        scripted = self._rounds[number - 1]
        return Moment(CannedFootage(self._image, 0.0, scripted.bam_s, scripted.bam_s + 3.0), scripted.bam_s, scripted)


class CannedCamera(NoVideoSource):
    """Camera that shows one image, from three seconds before each Bam until three after it.

    Args:
        image: the image of every frame.
        bam_s: time of each Bam on the camera's clock, in seconds.
    """

    camera = CameraState.WATCHING

    def __init__(self, image: Image, bam_s: float) -> None:
        self._image, self._bam_s = image, bam_s

    def newest(self) -> Frame:
        return Frame(self._image, 0.0)

    def moment(self, cue: Cue) -> Moment | None:
        del cue
        return self.recorded(1)

    def recorded(self, number: int) -> Moment | None:
        del number
        return Moment(CannedFootage(self._image, self._bam_s - 3, self._bam_s, self._bam_s + 3), self._bam_s)


VOICES: Final = tuple(Voice(f"canned/{code}", name, code) for code, name in (("en", "English"), ("de", "German")))


class CannedSpeechEngine(Engine):
    """Speech engine without a process: each phrase is a tone whose pitch and length follow from its words."""

    def __init__(self) -> None:
        self.rendered: list[str] = []
        self.is_closed = False

    def voices(self) -> tuple[Voice, ...]:
        return VOICES

    def render(self, text: str, voice: Voice, rate: int, path: Path) -> None:
        if not text.strip():
            raise VoiceError("there is nothing to say")
        self.rendered.append(text)
        times_s = np.arange(0, 0.06 * len(text) * 160 / rate, 1 / 8000)
        pitch = 400 + sum(map(ord, text + voice.identifier)) % 400
        with wave.open(str(path), "wb") as sound:
            sound.setparams((1, 2, 8000, 0, "NONE", ""))
            sound.writeframes((12_000 * np.sin(times_s * pitch * 6.28)).astype(np.int16).tobytes())

    def close(self) -> None:
        self.is_closed = True


def store_party() -> None:
    """Store the networks' reading of the image of the party."""
    stored: dict[str, Any] = {}
    with Reader() as reader:
        for reading in reader.read(party_image()).players:
            seat = f"seat_{reading.seat}"
            stored |= {
                f"{seat}_face": reading.player.head.face.points,
                f"{seat}_tongue": reading.tongue.probability_out,
            }
            for side in Side:
                hand, name = reading.player.hands[side], f"{seat}_{side.name.lower()}"
                stored |= {
                    f"{name}_hand": hand.points,
                    f"{name}_hand_world": hand.world,
                    f"{name}_hand_is_left": hand.anatomical is Side.LEFT,
                    f"{name}_hand_confidence": hand.confidence,
                    f"{name}_probabilities": np.array(astuple(reading.headgear[side].probabilities)),
                }
    np.savez_compressed(_READ, **stored)


if __name__ == "__main__":
    store_party()
