"""Worker pool: threads that each have their own landmarkers.

OpenCV gets the remaining cores, since more threads than cores would wait for each other.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self, TypeVar

import cv2

from bunnymoose_cv.vision.model_files import check_models
from bunnymoose_cv.vision.nets.face_nets import FaceDetector
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_WORKERS = 4
"""Largest number of workers. More do not help: a table has five players, and a laptop's other cores draw and speak."""


class Workers:
    """Pool of threads, each of which loads its landmarkers with its first task, after a check of all model files.

    Attributes:
        face_detector: the detector shared by all threads, since one image is searched at a time.
    """

    def __init__(self, count: int | None = None) -> None:
        check_models()
        cores = os.cpu_count() or 1
        count = count or min(MOST_WORKERS, cores)
        cv2.setNumThreads(max(1, cores - count))
        _share_heaps()
        self.face_detector = FaceDetector()
        self._pool = ThreadPoolExecutor(count, "landmarks")
        self._own = threading.local()
        self._loaded: list[Landmarkers] = []

    def map(self, look: Callable[[Landmarkers, Item], Result], items: Iterable[Item]) -> list[Result]:
        """Apply a function to every item on the workers, and return the results in order. Errors are raised here."""
        return list(self.begin(look, items))

    def begin(self, look: Callable[[Landmarkers, Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Start applying a function to every item. Iteration waits for the results, in order, and raises errors."""
        return self._pool.map(lambda item: look(self._landmarkers(), item), items)

    def close(self) -> None:
        """Finish the running work and release the models."""
        self._pool.shutdown()
        for landmarkers in self._loaded:
            landmarkers.close()
        self._loaded.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _landmarkers(self) -> Landmarkers:
        if not hasattr(self._own, "landmarkers"):
            self._own.landmarkers = Landmarkers()
            self._loaded.append(self._own.landmarkers)
        landmarkers: Landmarkers = self._own.landmarkers
        return landmarkers


_M_ARENA_MAX: Final = -8
_HEAPS: Final = 2


def _share_heaps() -> None:
    """Let all threads share two heaps on Linux.

    The C library gives every thread a heap of its own, up to eight per core, and keeps what the thread has freed.
    Threads come and go, so memory would grow by steps: in half an hour of `make soak` to 713 MB instead of 541 MB.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # only glibc has this function
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _HEAPS)
