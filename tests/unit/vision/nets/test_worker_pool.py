"""Division of the cores between workers and OpenCV; the workers' findings are tested elsewhere."""

from __future__ import annotations

import os

import cv2
import pytest

from bunnymoose_cv.vision.nets.worker_pool import Workers


@pytest.mark.parametrize(("cores", "threads"), [(None, 1), (1, 1), (2, 1), (4, 1), (6, 2), (16, 12)])
def test_opencv_has_the_cores_that_are_left(cores: int | None, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cv2.getNumThreads()
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    try:
        with Workers():
            assert cv2.getNumThreads() == threads
    finally:
        cv2.setNumThreads(before)
