"""Observables: listeners to events and to the newest snapshot of a state, each with an unsubscribe function."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable


Arguments = ParamSpec("Arguments")


class Observable(Generic[Arguments]):
    """Listeners to one kind of event, called in the order of registration; true while there is a listener.

    Listeners may be added, removed and called on any thread, also while others are being called.
    """

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[Arguments, object]] = {}

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def listen(self, callback: Callable[Arguments, object]) -> Callable[[], None]:
        """Register a listener for each event. Return its unsubscribe function, which may be called again."""
        listening = object()
        self._listeners[listening] = callback

        def end() -> None:
            self._listeners.pop(listening, None)

        return end

    def notify(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        """Call all listeners on the caller's thread; the exception of a listener is raised here."""
        for callback in tuple(self._listeners.values()):
            callback(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class VersionedState:
    """Snapshot of a state; `version` rises with every published snapshot."""

    version: int = field(default=0, kw_only=True)


State = TypeVar("State", bound=VersionedState)


class Published(Generic[State]):
    """Newest snapshot of a state, readable on any thread and published on the thread that owns the state."""

    def __init__(self, first: State) -> None:
        self.state = first
        self._changes: Observable[[State]] = Observable()

    def listen(self, callback: Callable[[State], None]) -> Callable[[], None]:
        """Register a listener for each snapshot. It is called on the publishing thread, so it must return soon."""
        return self._changes.listen(callback)

    def publish(self, state: State) -> None:
        """Replace the newest snapshot, and call the listeners."""
        self.state = replace(state, version=self.state.version + 1)
        self._changes.notify(self.state)
