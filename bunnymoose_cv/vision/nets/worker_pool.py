"""Worker pool: threads with landmarkers of their own.

OpenCV gets the remaining cores; more threads than cores would wait for each other.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self, TypeVar

import cv2

from bunnymoose_cv.vision.model_files import check_models
from bunnymoose_cv.vision.nets.face_detector import FaceDetector
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType


Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_WORKERS = 4
"""Largest number of workers; more bring nothing: a table has five players and a laptop's other cores draw and speak."""


class Workers:
    """A pool of threads; the landmarkers of each are loaded when its first work comes.

    Attributes:
        face_detector: one for all threads, since one image is searched at a time.

    Raises:
        ModelError: a model is missing or damaged, which is told before any work begins.
    """

    def __init__(self, count: int | None = None) -> None:
        check_models()
        cores = os.cpu_count() or 1
        count = count or min(MOST_WORKERS, cores)
        cv2.setNumThreads(max(1, cores - count))
        self.face_detector = FaceDetector()
        self._pool = ThreadPoolExecutor(count, "landmarks")
        self._own = threading.local()
        self._loaded: list[Landmarkers] = []

    def map(self, look: Callable[[Landmarkers, Item], Result], items: Iterable[Item]) -> list[Result]:
        """Let the workers look at every item; the results come in the items' order, an error is raised here."""
        return list(self.begin(look, items))

    def begin(self, look: Callable[[Landmarkers, Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Begin to look at every item; results are waited for, and errors raised, when iterated."""
        return self._pool.map(lambda item: look(self._landmarkers(), item), items)

    def close(self) -> None:
        """Finish the running work and release the models."""
        self._pool.shutdown()
        for landmarkers in self._loaded:
            landmarkers.close()
        self._loaded.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _landmarkers(self) -> Landmarkers:
        if not hasattr(self._own, "landmarkers"):
            self._own.landmarkers = Landmarkers()
            self._loaded.append(self._own.landmarkers)
        landmarkers: Landmarkers = self._own.landmarkers
        return landmarkers
