"""Networks that are loaded once per test worker and run once for each input.

A network is a pure function of its input, so tests can share its answers. Tests of the networks themselves, of threads
and of timings use the marker `bare_networks`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.nets import worker_pool
from bunnymoose_cv.vision.nets.face_nets import FaceNet
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet

Answer = TypeVar("Answer")


class SharedNetworks:
    """Loaded landmarkers and answers of all networks, shared by the tests of one worker.

    Attributes:
        is_on: whether answers are cached; if not, every network runs as in the program.
    """

    def __init__(self) -> None:
        self.is_on = True
        self._idle: list[Landmarkers] = []
        self._answers: dict[tuple[object, ...], Any] = {}
        self._lock = Lock()

    def answer(self, network: object, content: npt.NDArray[Any], run: Callable[[], Answer]) -> Answer:
        """Return the answer of a network, which runs if the input is new."""
        if not self.is_on:
            return run()
        digest = blake2b(np.ascontiguousarray(content).data, digest_size=16).digest()
        key = (network, content.shape, content.dtype.str, digest)
        if key not in self._answers:
            self._answers[key] = run()
        answer: Answer = self._answers[key]
        return answer

    def borrow(self) -> Landmarkers:
        """Return landmarkers that no other thread uses."""
        with self._lock:
            idle = self._idle.pop() if self.is_on and self._idle else None
        return idle or Landmarkers()

    def give_back(self, landmarkers: Landmarkers) -> None:
        """Keep landmarkers for the next reader."""
        with self._lock:
            self._idle.append(landmarkers)

    def close(self) -> None:
        """Release the landmarkers; without it the interpreter's exit prints an error."""
        while self._idle:
            self._idle.pop().close()


NETWORKS = SharedNetworks()


class SharedLandmarkers:
    """Landmarkers of one thread of a reader, which are borrowed when an image is new."""

    def __init__(self) -> None:
        self.face_net = FaceNet()
        self._borrowed = None if NETWORKS.is_on else NETWORKS.borrow()

    def face(self, image: Image) -> FaceLandmarks | None:
        return NETWORKS.answer("face", image, lambda: self._real.face(image))

    def hands(self, image: Image) -> tuple[HandLandmarks, ...]:
        return NETWORKS.answer("hands", image, lambda: self._real.hands(image))

    @property
    def _real(self) -> Landmarkers:
        if self._borrowed is None:
            self._borrowed = NETWORKS.borrow()
        return self._borrowed

    def close(self) -> None:
        if self._borrowed is not None:
            NETWORKS.give_back(self._borrowed)
            self._borrowed = None


@contextmanager
def shared_networks() -> Iterator[None]:
    """Let all readers of this process share networks and their answers."""
    load, run = OnnxNet.__init__, OnnxNet.run

    def load_and_name(self: OnnxNet, model: Path | bytes) -> None:
        load(self, model)
        vars(self)["name"] = model if isinstance(model, bytes) else str(model)

    def run_once(self: OnnxNet, batch: npt.NDArray[np.float32], output: str = "") -> npt.NDArray[np.float32]:
        return NETWORKS.answer((vars(self)["name"], output), batch, lambda: run(self, batch, output))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OnnxNet, "__init__", load_and_name)
        patch.setattr(OnnxNet, "run", run_once)
        patch.setattr(worker_pool, "Landmarkers", SharedLandmarkers)
        yield
    NETWORKS.close()
