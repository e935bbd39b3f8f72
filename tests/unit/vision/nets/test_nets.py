"""ONNX networks, locking of MediaPipe's library, and the division of the cores."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Event

import cv2
import numpy as np
import pytest

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.vision.model_files import ModelError
from bunnymoose_cv.vision.nets.mediapipe import SharedLibrary
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob
from bunnymoose_cv.vision.nets.worker_pool import Workers

MODEL = bundled("models/side.onnx")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.99999])
def test_damaged_or_missing_network_is_one_sentence(tmp_path: Path, share: float) -> None:
    content = MODEL.read_bytes()
    damaged = tmp_path / "side.onnx"
    damaged.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ModelError) as refusal:
        OnnxNet(damaged)
    assert str(refusal.value) == f"The model side.onnx in {tmp_path} is damaged: install bunnymoose again"
    damaged.unlink()
    with pytest.raises(ModelError) as refusal:
        OnnxNet(damaged)
    assert str(refusal.value) == f"The model side.onnx is missing in {tmp_path}: install bunnymoose again"


def test_batch_is_scaled_to_0_to_1() -> None:
    image = np.full((4, 6, 3), (0, 51, 255), np.uint8)
    batch = blob([image, image])
    assert batch.shape == (2, 3, 4, 6)
    np.testing.assert_allclose(batch[1, :, 0, 0], (0.0, 0.2, 1.0))


PATIENCE_S = 30
MOMENT_S = 0.2
"""Time in which a call that is not blocked would have finished."""


def test_calls_run_concurrently() -> None:
    library, both = SharedLibrary(), Barrier(2)

    def call() -> None:
        with library.call():
            both.wait(PATIENCE_S)

    with ThreadPoolExecutor(2) as pool:
        for called in [pool.submit(call), pool.submit(call)]:
            called.result(PATIENCE_S)


@pytest.mark.parametrize(("first", "second"), [("call", "creation"), ("creation", "call")])
def test_calls_and_model_creation_exclude_each_other(first: str, second: str) -> None:
    library, entered, other_entered = SharedLibrary(), Event(), Event()

    def hold() -> bool:
        with getattr(library, first)():
            entered.set()
            return other_entered.wait(MOMENT_S)

    def enter() -> None:
        assert entered.wait(PATIENCE_S)
        with getattr(library, second)():
            other_entered.set()

    with ThreadPoolExecutor(2) as pool:
        holding, coming = pool.submit(hold), pool.submit(enter)
        assert not holding.result(PATIENCE_S)
        coming.result(PATIENCE_S)
    assert other_entered.is_set()


def test_failed_call_releases_the_lock() -> None:
    library = SharedLibrary()
    for turn in (library.call, library.creation, library.call):
        with suppress(ZeroDivisionError), turn():
            _ = 1 / 0
    with library.creation():
        pass


@pytest.mark.parametrize(("cores", "threads"), [(None, 1), (1, 1), (2, 1), (4, 1), (6, 2), (16, 12)])
def test_opencv_uses_the_remaining_cores(cores: int | None, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cv2.getNumThreads()
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    try:
        with Workers():
            assert cv2.getNumThreads() == threads
    finally:
        cv2.setNumThreads(before)
