"""Latency of one reading on one core: side and mouth, beside MediaPipe's own on the same crops.

Nothing else should be running while it measures.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import cv2

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.faces.face_mesh import FACE_CROPS, face_of, refine_face
from bunnymoose_cv.vision.hands.hand_search import WHOLE_HEAD
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.tongue import TongueReader
from training.evaluate.datasets import RowKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.vision.hands.assignment import Player
    from training.evaluate.datasets import Row

IMAGES: Final = 20
"""Number of images of players that are measured, from the beginning of a set."""

ROUNDS: Final = 5
"""Repetitions of each reading; the first round warms up and does not count."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Latency of one stage.

    Attributes:
        stage: name of the timed work.
        median_ms: the median, in milliseconds.
        slow_ms: 90th percentile in milliseconds.
        count: number of measurements.
    """

    stage: str
    median_ms: float
    slow_ms: float
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A player and the image that shows it."""

    image: Image
    player: Player


def timings(rows: Iterable[Row], settings: Settings) -> tuple[Timing, ...]:
    """Time every reading on the players of a set, with OpenCV on one thread.

    Raises:
        InputError: the set has no image in which a player with a hand is found.
    """
    shown = list(_shown(rows, settings))
    if not any(own.player.hands for own in shown):
        raise InputError("The set shows no player with a hand at the head to time: name one of players")
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with Landmarkers() as landmarkers:
            return tuple(_timed(stage, runs) for stage, runs in _stages(shown, settings, landmarkers).items())
    finally:
        cv2.setNumThreads(threads)


def _shown(rows: Iterable[Row], settings: Settings) -> Iterator[Shown]:
    people = [row for row in rows if row.kind not in {RowKind.HAND, RowKind.MOUTH}][:IMAGES]
    with Reader(settings) as reader:
        for row in people:
            image = read_image(row.image)
            for reading in reader.read(image).players:
                yield Shown(image, reading.player)


def _stages(shown: list[Shown], settings: Settings, landmarkers: Landmarkers) -> dict[str, list[Callable[[], object]]]:
    """Return the timed calls of each stage, one for each hand or each head."""
    headgear, tongues = HeadgearReader(settings.headgear), TongueReader(settings.tongue)
    return {
        "our reading of one side with a hand": [
            _reading_of_hand(headgear, own, side) for own in shown for side in own.player.hands
        ],
        "our reading of one side's picture": [
            partial(headgear.look_at_side, own.image, own.player.head, side) for own in shown for side in Side
        ],
        "our reading of one mouth": [partial(tongues.read, own.image, own.player.head) for own in shown],
        "our look at one face": [
            partial(refine_face, landmarkers.face_net, own.image, face_of(own.player.head)) for own in shown
        ],
        "MediaPipe's hands of one head": [partial(landmarkers.hands, whole_head_crop(own)) for own in shown],
        "MediaPipe's mesh of one face": [partial(landmarkers.face, face_crop(own)) for own in shown],
    }


def _reading_of_hand(reader: HeadgearReader, own: Shown, side: Side) -> Callable[[], object]:
    """Return the call that reads a player with one hand. The answer of the side network for the other side is known."""
    head = own.player.head
    player = replace(own.player, hands={side: own.player.hands[side]})
    answers = {(head, side.other): reader.look_at_side(own.image, head, side.other)}
    return partial(reader.read, own.image, player, answers)


def whole_head_crop(own: Shown) -> Image:
    """Return the crop in which `hand_search.py` first looks for a head's hands."""
    head = own.player.head
    return WHOLE_HEAD.cut(own.image, head.place(WHOLE_HEAD, Side.LEFT), head.eye_distance).image


def face_crop(own: Shown) -> Image:
    """Return the crop in which `face_mesh.py` first looks at a face."""
    box = own.player.head.box
    return FACE_CROPS[0].cut(own.image, box.centre, max(box.width, box.height)).image


def _timed(stage: str, runs: list[Callable[[], object]]) -> Timing:
    for run in runs:
        run()
    times_ms = sorted(milliseconds(run) for _ in range(ROUNDS - 1) for run in runs)
    return Timing(stage, statistics.median(times_ms), times_ms[int(0.9 * len(times_ms))], len(times_ms))


def milliseconds(run: Callable[[], object]) -> float:
    """Return the time that one run takes, in milliseconds."""
    start = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - start)


def timing_line(timings: Iterable[Timing]) -> dict[str, Any]:
    """Return the JSON object of `evaluate --time`: median and 90th percentile of each stage, in milliseconds."""
    return {
        "timings": {
            timing.stage: {
                "median_ms": round(timing.median_ms, 3),
                "slow_ms": round(timing.slow_ms, 3),
                "n": timing.count,
            }
            for timing in timings
        }
    }
