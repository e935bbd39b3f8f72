"""Factory of games and uses of the camera that a test chooses one by one."""

from collections.abc import Callable
from typing import Any, Final

from bunnymoose_cv.web.live.session_factory import SessionFactory

_METHODS: Final = ("session", "go_on", "left", "last_table", "preview", "practice", "warm_up", "check")


class Openings(SessionFactory):
    """Factory whose methods are functions of the test; a method without one opens and finds nothing."""

    def __init__(self, **functions: Callable[..., Any]) -> None:
        assert set(functions) <= set(_METHODS)
        for name in _METHODS:
            setattr(self, name, functions.get(name, lambda *_: None))
