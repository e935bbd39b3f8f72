"""Turns in MediaPipe's library: calls side by side, creation alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, Event

from bunnymoose_cv.vision.nets.shared_library import SharedLibrary

PATIENCE_S = 30


def test_calls_run_side_by_side() -> None:
    library, both = SharedLibrary(), Barrier(2)

    def call() -> None:
        with library.call():
            both.wait(PATIENCE_S)

    with ThreadPoolExecutor(2) as pool:
        for called in [pool.submit(call), pool.submit(call)]:
            called.result(PATIENCE_S)


def test_a_model_is_created_while_nobody_calls() -> None:
    library, calls, ends = SharedLibrary(), Event(), Event()
    order: list[str] = []

    def call() -> None:
        with library.call():
            calls.set()
            ends.wait(PATIENCE_S)
            order.append("call ends")

    def create() -> None:
        with library.creation():
            order.append("created")

    with ThreadPoolExecutor(2) as pool:
        called = pool.submit(call)
        assert calls.wait(PATIENCE_S)
        created = pool.submit(create)
        ends.set()
        called.result(PATIENCE_S)
        created.result(PATIENCE_S)
    assert order == ["call ends", "created"]


def test_a_fault_gives_the_turn_back() -> None:
    library = SharedLibrary()
    for turn in (library.call, library.creation, library.call):
        with suppress(ZeroDivisionError), turn():
            _ = 1 / 0
    with library.creation():
        pass
