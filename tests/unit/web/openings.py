"""Table factory with replaceable methods."""

from collections.abc import Callable
from typing import Any, Final

from bunnymoose_cv.session.source_choice import OfferedSources
from bunnymoose_cv.session.table_factory import TableFactory

_METHODS: Final = (
    "game",
    "resume",
    "unfinished",
    "last_table",
    "preview",
    "practice",
    "warm_up",
    "check",
    "rehearse",
)


class Openings(TableFactory):
    """Table factory whose methods are functions of the test; other methods return None."""

    def __init__(self, **functions: Callable[..., Any]) -> None:
        assert set(functions) <= set(_METHODS)
        self.sources = OfferedSources()
        for name in _METHODS:
            setattr(self, name, functions.get(name, lambda *_: None))
