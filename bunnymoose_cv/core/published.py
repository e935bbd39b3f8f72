"""Published state: the newest snapshot, and listeners to the next."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from bunnymoose_cv.core.observable import Observable

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class VersionedState:
    """Snapshot of a state; `version` rises with every one that is published."""

    version: int = field(default=0, kw_only=True)


State = TypeVar("State", bound=VersionedState)


class Published(Generic[State]):
    """Newest snapshot of a state, for every thread; published on the one to which the state belongs."""

    def __init__(self, first: State) -> None:
        self.state = first
        self._changes: Observable[[State]] = Observable()

    def listen(self, callback: Callable[[State], None]) -> Callable[[], None]:
        """Register a listener for each snapshot, called on the publishing thread, so it returns soon.

        Returns:
            What ends the listening.
        """
        return self._changes.listen(callback)

    def publish(self, state: State) -> None:
        """Let a snapshot follow the newest one, and tell the listeners."""
        self.state = replace(state, version=self.state.version + 1)
        self._changes.tell(self.state)
