"""Turns in MediaPipe's library: calls side by side, creation alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, Event

from bunnymoose_cv.vision.nets.shared_library import SharedLibrary

PATIENCE_S = 30
MOMENT_S = 0.2
"""Time in which what must wait would have come through."""


def test_calls_run_side_by_side() -> None:
    library, both = SharedLibrary(), Barrier(2)

    def call() -> None:
        with library.call():
            both.wait(PATIENCE_S)

    with ThreadPoolExecutor(2) as pool:
        for called in [pool.submit(call), pool.submit(call)]:
            called.result(PATIENCE_S)


def test_a_model_is_created_while_nobody_calls() -> None:
    library, calls, created = SharedLibrary(), Event(), Event()

    def call() -> bool:
        with library.call():
            calls.set()
            return created.wait(MOMENT_S)

    def create() -> None:
        assert calls.wait(PATIENCE_S)
        with library.creation():
            created.set()

    with ThreadPoolExecutor(2) as pool:
        called, creating = pool.submit(call), pool.submit(create)
        assert not called.result(PATIENCE_S)
        creating.result(PATIENCE_S)
    assert created.is_set()


def test_nobody_calls_while_a_model_is_created() -> None:
    library, creates, called = SharedLibrary(), Event(), Event()

    def create() -> bool:
        with library.creation():
            creates.set()
            return called.wait(MOMENT_S)

    def call() -> None:
        assert creates.wait(PATIENCE_S)
        with library.call():
            called.set()

    with ThreadPoolExecutor(2) as pool:
        creating, calling = pool.submit(create), pool.submit(call)
        assert not creating.result(PATIENCE_S)
        calling.result(PATIENCE_S)
    assert called.is_set()


def test_a_fault_gives_the_turn_back() -> None:
    library = SharedLibrary()
    for turn in (library.call, library.creation, library.call):
        with suppress(ZeroDivisionError), turn():
            _ = 1 / 0
    with library.creation():
        pass
