"""Latency of a round of the demo clip, live at 1080p, and the rate of readings before it."""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.current_round import current_facts
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.referee.round_reader import RoundReader
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.vision.headgear.hand_shape import HandShapeNet
from bunnymoose_cv.vision.headgear.headgear_reader import HandNet
from bunnymoose_cv.vision.headgear.side_net import SideNet
from bunnymoose_cv.vision.nets.face_nets import FaceDetector, FaceNet
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.tongue import TongueReader
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window
from bunnymoose_cv.voice.speaker import Speaker
from training.bench.demo_clip import CARDS, CUE_S, DEMO_S, PLAYERS, full_hd_clip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.window_reader import WindowReadings

REPEATS: Final = 2

PATIENCE_S: Final = 0.5
"""Timeout of the next frame, seconds."""


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of a model, with its method and arguments."""

    owner: Any
    name: str
    arguments: tuple[Any, ...]


class _TimedTracker(Tracker):
    """Tracker that records the frames read in a freeze, and when the reading ended, by `time.monotonic()`."""

    def __init__(self, reader: Reader, players: int) -> None:
        super().__init__(reader, players)
        self.reader = reader
        self.came: dict[float, Frame | None] = {}
        self.done_s = 0.0

    def read_window(
        self, frame_at: Callable[[float], Frame | None], window: Window, enough: Callable[[PlayerReading], bool]
    ) -> WindowReadings:
        """See `Tracker.read_window`."""

        def noted(time_s: float) -> Frame | None:
            self.came[time_s] = frame_at(time_s)
            return self.came[time_s]

        readings = super().read_window(noted, window, enough)
        self.done_s = time.monotonic()
        return readings


FIRST_WORD: Final = "first word after the window's end, s"


def time_rounds(rounds: int) -> dict[str, float]:
    """Return medians of several rounds in seconds, each named; for the first word also the 90th percentile."""
    with tempfile.TemporaryDirectory() as folder:
        clip = full_hd_clip(Path(folder), DEMO_S)
        times = [_time_round(clip, Path(folder, f"game{number}")) for number in range(rounds)]
    medians = {name: statistics.median(times_of_round[name] for times_of_round in times) for name in times[0]}
    slow = np.quantile([times_of_round[FIRST_WORD] for times_of_round in times], 0.9, method="higher")
    return {**medians, f"{FIRST_WORD}, in 9 of 10 rounds": float(slow)}


def _glances(watcher: Watcher, tracker: Tracker, until_s: float) -> Iterator[FrameReading]:
    """Yield readings of the newest frame repeatedly, as in a waiting game."""
    seen_s = 0.0
    while time.monotonic() < until_s:
        frame = watcher.newest()
        if frame is not None and frame.time_s > seen_s:
            seen_s = frame.time_s
            yield tracker.read_quick(frame)
        else:
            watcher.wait_for(math.nextafter(seen_s, math.inf), PATIENCE_S)


def _eyes(stack: ExitStack, clip: Path, settings: Settings) -> tuple[Watcher, _TimedTracker]:
    watcher = stack.enter_context(Watcher(str(clip), View(), settings.camera))
    reader = stack.enter_context(Reader(settings))
    return watcher, _TimedTracker(reader, len(PLAYERS) - 1)


def _time_round(clip: Path, folder: Path) -> dict[str, float]:
    """Play one round, and return its stages in seconds."""
    settings = load_settings()
    said: list[tuple[float, str]] = []
    with ExitStack() as stack:
        speaker = stack.enter_context(Speaker())
        speaker.render("Moose ahead 3")
        watcher, tracker = _eyes(stack, clip, settings)
        file = stack.enter_context(GameFile.create(folder, GameStarted(PLAYERS, rules_for()), who="bench"))
        referee = Referee(
            file,
            tracker,
            tracker.reader,
            say=lambda line: said.append((time.monotonic(), line)),
            keeper=None,
            notify=lambda _: None,
            asks=False,
        )
        referee.bet("Bo")
        referee.record_cards(parse_table(CARDS))
        cue_s = watcher.frames(0, math.inf)[0].time_s + CUE_S
        began_s = time.monotonic()
        glances = sum(1 for _ in _glances(watcher, tracker, until_s=cue_s))
        watched_s = time.monotonic() - began_s
        referee.bam("bench")
        frozen = referee.judge(watcher, cue_s)
        done_s, (spoken_s, line) = tracker.done_s, said[0]
        speaker.render(line)
        heard_s = time.monotonic()
        window = Window.around(cue_s, settings.freeze)
        reader = RoundReader(tracker, tracker.reader, {}, AskPolicy(in_doubt=False))
        again = _time_again(tracker, window, partial(reader.is_sure, facts=current_facts(file.game, 1)))
    end_s = window.end_s
    return {
        "from the cue to the window's end, s": end_s - cue_s,
        "reading beyond the window's end, s": max(0.0, done_s - end_s),
        "agreeing, scoring, writing down, s": spoken_s - done_s,
        "making the first phrase, s": heard_s - spoken_s,
        FIRST_WORD: heard_s - end_s,
        "readings a second before the cue": glances / watched_s,
        "frames read": float(len(frozen.readings)),
        "model calls": float(again.calls),
        "reading the same frames at one go, s": again.reading_s,
        "its bare model calls, s": again.bare_s,
        "all work against bare model calls": (again.reading_s + heard_s - done_s) / again.bare_s,
    }


@dataclass(frozen=True, slots=True)
class _Again:
    """Times of reading the frames of a freeze again, with everything around the networks, and the networks alone."""

    calls: int
    reading_s: float
    bare_s: float


def _time_again(tracker: _TimedTracker, window: Window, enough: Callable[[PlayerReading], bool]) -> _Again:
    """Measure the time to read the frames of a freeze when all are available, and the time of the networks alone.

    Each is the shortest of several times, which is least affected by other load on the computer.
    """
    came = dict(tracker.came)

    def read_again() -> None:
        Tracker.read_window(tracker, came.get, window, enough)

    with _noted_calls() as calls:
        read_again()
    reading_s = min(_seconds(read_again) for _ in range(REPEATS))
    return _Again(len(calls), reading_s, min(_time_bare(calls) for _ in range(REPEATS)))


def _seconds(work: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    work()
    return time.perf_counter() - began_s


MODEL_CALLS: Final = (
    (FaceDetector, "look"),
    (Landmarkers, "face"),
    (Landmarkers, "hands"),
    (FaceNet, "faces"),
    (HandNet, "logits"),
    (HandShapeNet, "logits_at"),
    (SideNet, "answer"),
    (TongueReader, "_logit"),
)
"""Methods that run a network."""


@contextmanager
def _noted_calls() -> Iterator[list[_Call]]:
    """Record every call of a model inside `with`."""
    calls: list[_Call] = []

    def noting(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(self: Any, *arguments: Any) -> Any:
            calls.append(_Call(self, name, arguments))
            return call(self, *arguments)

        return noted

    usual = [(owner, name, getattr(owner, name)) for owner, name in MODEL_CALLS]
    for owner, name, call in usual:
        setattr(owner, name, noting(name, call))
    try:
        yield calls
    finally:
        for owner, name, call in usual:
            setattr(owner, name, call)


def _time_bare(calls: list[_Call]) -> float:
    """Time the same calls alone, on as many threads; the calls of each network follow each other."""
    looks = [call for call in calls if isinstance(call.owner, Landmarkers)]
    by_net: defaultdict[int, list[_Call]] = defaultdict(list)
    for call in calls:
        if not isinstance(call.owner, Landmarkers):
            by_net[id(call.owner)].append(call)
    with Workers() as workers:
        workers.map(lambda own, call: getattr(own, call.name)(*call.arguments), looks[:20])
        began_s = time.perf_counter()
        workers.map(lambda own, call: getattr(own, call.name)(*call.arguments), looks)
        workers.map(lambda _, own: [getattr(call.owner, call.name)(*call.arguments) for call in own], by_net.values())
        return time.perf_counter() - began_s
