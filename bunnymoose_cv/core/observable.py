"""Observable: listeners who are told of each change, and an end to each listening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable

Told = ParamSpec("Told")


class Observable(Generic[Told]):
    """Listeners to one kind of event, called in the order in which they came; true while anybody listens.

    Listeners may come, go and be told on any thread, also while others are told.
    """

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[Told, object]] = {}

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def listen(self, callback: Callable[Told, object]) -> Callable[[], None]:
        """Call somebody at each event from now on.

        Returns:
            What ends the listening; another call of it does nothing.
        """
        listening = object()
        self._listeners[listening] = callback

        def end() -> None:
            self._listeners.pop(listening, None)

        return end

    def tell(self, *args: Told.args, **kwargs: Told.kwargs) -> None:
        """Call all listeners, on the caller's thread; what one of them raises is raised here."""
        for callback in tuple(self._listeners.values()):
            callback(*args, **kwargs)
