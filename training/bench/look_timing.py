"""Cold looks at rows of players, beside the bare calls that a look requires and beside plain MediaPipe.

A look is cold if nothing is known from an earlier image: the image is decoded and searched, and all players are read.
The models are open, and the first look is not counted.
"""

from __future__ import annotations

import statistics
import sys
from functools import partial
from operator import methodcaller
from threading import local
from typing import TYPE_CHECKING, Final

import cv2
import mediapipe
from mediapipe.tasks.python import BaseOptions, vision

from bunnymoose_cv.capture.images import decode_image
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.hand_features import features, features_at_head
from bunnymoose_cv.vision.headgear.headgear_reader import HandNet
from bunnymoose_cv.vision.headgear.logit_scaling import Seen
from bunnymoose_cv.vision.headgear.side_net import SideNet, cut_side
from bunnymoose_cv.vision.model_files import ModelFile, model_path
from bunnymoose_cv.vision.nets.face_nets import FaceDetector
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.tongue import CROPS, SHIPPED_NET, MouthPlace
from training.bench.demo_clip import IN_CLIP, row_image
from training.bench.network_timing import Shown, face_crop, milliseconds, whole_head_crop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.readings import FrameReading

    BareCall: TypeAlias = Callable[[Landmarkers], object]

GROWTH: Final = (1, 2, IN_CLIP, 8, 12)
"""Numbers of players for which the growth of the cost is measured."""

BARE, LOOK = "bare calls together, ms", "cold look, ms"


def time_looks(counts: Sequence[int], rounds: int) -> dict[int, dict[str, float]]:
    """Return the figures of cold looks at rows of different lengths, named with their units.

    The rows take turns, so that load on the computer affects all alike. The first turn is not counted.
    """
    with Reader() as reader, Workers() as workers:
        rows = {players: _Row(players, reader, workers) for players in counts}
        turns = [{players: row.time_once() for players, row in rows.items()} for _ in range(rounds + 1)][1:]
    return {players: row.figures([turn[players] for turn in turns]) for players, row in rows.items()}


class _Row:
    """An image of a row of players, as a JPEG in memory, with the calls that are timed on it."""

    def __init__(self, players: int, reader: Reader, workers: Workers) -> None:
        decode = partial(decode_image, cv2.imencode(".jpg", row_image(players))[1].tobytes(), "the row of players")
        self._look: Callable[[], FrameReading] = lambda: reader.read(decode())
        self._reading = self._look()
        self._workers = workers
        self._bare = bare_calls(decode, self._reading)

    def time_once(self) -> dict[str, float]:
        """Time the look, then each group of bare calls on as many threads as the look had, in milliseconds."""
        look_ms = milliseconds(self._look)
        bare_ms = {name: milliseconds(partial(self._run, calls)) for name, calls in self._bare.items()}
        return {**bare_ms, BARE: sum(bare_ms.values()), LOOK: look_ms}

    def _run(self, calls: Sequence[BareCall]) -> None:
        self._workers.map(lambda landmarkers, call: call(landmarkers), calls)

    def figures(self, times: Sequence[dict[str, float]]) -> dict[str, float]:
        """Return the medians of some times, and the numbers of what the look found."""
        players = [player.player for player in self._reading.players]
        medians_ms = {name: statistics.median(time[name] for time in times) for name in times[0]}
        return {
            "players found": len(players),
            "hands found": sum(len(player.hands) for player in players),
            **medians_ms,
            "cold look against bare calls": medians_ms[LOOK] / medians_ms[BARE],
        }


def bare_calls(decode: Callable[[], object], reading: FrameReading) -> dict[str, list[BareCall]]:
    """Return the calls that a look at an image requires, by group. Their crops are cut beforehand."""
    own = _OwnNets()
    shown = [Shown(reading.image, player.player) for player in reading.players]
    return {
        "decoding of the image, ms": [lambda _: decode()],
        "one look for faces, ms": [lambda _: own.faces.find_quick(reading.image, FACES.doubtful)],
        "a mesh a player, ms": [methodcaller("face", face_crop(player)) for player in shown],
        "one call for hands a player, ms": [methodcaller("hands", whole_head_crop(player)) for player in shown],
        "networks a side, ms": [own.call_for_side(player, side) for player in shown for side in Side],
        "network a mouth, ms": [own.call_for_mouth(player) for player in shown],
    }


class _OwnNets(local):
    """Networks of our own, one set for each thread."""

    def __init__(self) -> None:
        self.faces = FaceDetector()
        self._side, self._hand, self._mouth = SideNet(), HandNet(), OnnxNet(SHIPPED_NET)

    def call_for_side(self, shown: Shown, side: Side) -> BareCall:
        """Return a call of the hand network for the joints, or of the side network if no hand was found on the side."""
        head, hand = shown.player.head, shown.player.hands.get(side)
        if hand is None:
            cut = cut_side(shown.image, head, side)
            return lambda _: self._side.answer(cut)
        joints = features(features_at_head(hand, head, side))
        return lambda _: self._hand.logits(joints, Seen.JOINTS)

    def call_for_mouth(self, shown: Shown) -> BareCall:
        """Return a call of the tongue network for the first crop of a mouth."""
        mouth = MouthPlace.of(shown.player.head.face).cut(shown.image, CROPS[0])
        return lambda _: self._mouth.run(blob([mouth]))


def time_plain(rounds: int) -> dict[str, float]:
    """Return the figures of MediaPipe alone on the whole image of five, named with their units.

    The thresholds are MediaPipe's defaults, the model files are ours. The first call of each is not counted.
    """
    image = mediapipe.Image(mediapipe.ImageFormat.SRGB, cv2.cvtColor(row_image(IN_CLIP), cv2.COLOR_BGR2RGB))
    face, hand = (BaseOptions(str(model_path(file))) for file in (ModelFile.FACE_LANDMARKER, ModelFile.HAND_LANDMARKER))
    face_options = vision.FaceLandmarkerOptions(face, num_faces=IN_CLIP)
    hand_options = vision.HandLandmarkerOptions(hand, num_hands=2 * IN_CLIP)
    with (
        vision.FaceLandmarker.create_from_options(face_options) as faces,
        vision.HandLandmarker.create_from_options(hand_options) as hands,
    ):
        detects = {"faces, ms": partial(faces.detect, image), "hands, ms": partial(hands.detect, image)}
        return {
            "players found": len(faces.detect(image).face_landmarks),
            "hands found": len(hands.detect(image).hand_landmarks),
            **{name: statistics.median(milliseconds(run) for _ in range(rounds)) for name, run in detects.items()},
        }


def memory_of_looks() -> float | None:
    """Return the peak of this process's resident memory after two looks at the row of five, in megabytes.

    It has to be measured first, since networks that were loaded before would count too. None if not on Linux.
    """
    if sys.platform != "linux":
        return None
    import resource  # noqa: PLC0415 - not on Windows

    with Reader() as reader:
        for _ in range(2):
            reader.read(row_image(IN_CLIP))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
