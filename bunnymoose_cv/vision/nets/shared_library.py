"""Turns of model calls and model creation in MediaPipe's shared library.

MediaPipe 0.10.31 sets the C signatures of its functions anew with every model that is created
(`mediapipe_c_utils.create_python_wrapper`). A call in another thread at that moment may read what was freed.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


class SharedLibrary:
    """Readers-writer lock: calls run side by side, creation of models excludes them and goes first."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._calls = 0
        self._creating = 0

    @contextmanager
    def call(self) -> Iterator[None]:
        """Call a model's function; waits while a model is created."""
        with self._changed:
            self._changed.wait_for(lambda: not self._creating)
            self._calls += 1
        try:
            yield
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    @contextmanager
    def creation(self) -> Iterator[None]:
        """Create models; waits for the calls that run."""
        with self._changed:
            self._creating += 1
            self._changed.wait_for(lambda: not self._calls)
            try:
                yield
            finally:
                self._creating -= 1
                self._changed.notify_all()


MEDIAPIPE: Final = SharedLibrary()
"""Lock of this process."""
