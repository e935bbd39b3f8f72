"""Set-up in two tabs: what one has changed the other shows anew, and acts on nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.widgets.player_settings import PlayerSettings

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class _Host:
    choices: Choices


def tab_of(host: _Host, rows: int) -> PlayerSettings:
    """A tab that was built for so many players; its list notes that it is built anew."""
    tab = cast("Any", PlayerSettings.__new__(PlayerSettings))
    tab._host, tab._changed, tab._version = host, lambda: None, 0
    tab._rows = [None] * rows
    tab.shown = []
    tab._list = SimpleNamespace(show=tab.shown.append)
    tab._offer = lambda: None
    return cast("PlayerSettings", tab)


ACTS: dict[str, Callable[[Any], None]] = {
    "rename": lambda tab: tab._rename(4, SimpleNamespace(args="Eve")),
    "move up": lambda tab: tab._move_up(4),
    "leave": lambda tab: tab._leave(4),
    "dye": lambda tab: tab._dye(4),
    "add": lambda tab: tab._more(),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_tab_that_is_behind_shows_itself_anew(act: Callable[[Any], None]) -> None:
    host = _Host(Choices(("A", "B", "C"), rules_for(), speaks=False))
    tab = cast("Any", tab_of(host, rows=5))
    act(tab)
    assert host.choices.players == ("A", "B", "C")
    assert tab.shown == [1]
