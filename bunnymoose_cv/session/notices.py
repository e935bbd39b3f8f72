"""Notices that stop nothing: a full disk, a voice that hangs, a camera that is gone."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Notices:
    """Thread-safe store of the sentences that stand.

    Args:
        tell: is given each sentence that is told in passing, at once.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: list[str] = []
        self._lasting: dict[str, str] = {}
        self._lock = Lock()

    def tell(self, sentence: str) -> None:
        """Add a transient notice; it stands until the round is over."""
        with self._lock:
            if sentence not in self._told:
                self._told.append(sentence)
        self._tell(sentence)

    def keep(self, what: str, sentence: str) -> None:
        """Set or clear a lasting notice.

        Args:
            what: has the trouble; one sentence stands for each.
            sentence: what to tell people; empty when it is over.
        """
        with self._lock:
            self._lasting[what] = sentence

    def forget(self) -> None:
        """Forget the transient notices, since the next round begins."""
        with self._lock:
            self._told.clear()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Standing notices, lasting ones first; none where all is well."""
        with self._lock:
            return (*filter(None, self._lasting.values()), *self._told)
