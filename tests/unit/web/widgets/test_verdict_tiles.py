"""The tiles of the verdicts stay as they are, under everybody's finger, while nothing that they show has changed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from nicegui import Client
from nicegui.page import page as nicegui_page

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.widgets.verdict_tiles import VerdictTiles

if TYPE_CHECKING:
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Action
    from tests.unit.web.judging import JudgedRound


@dataclass
class Table:
    """The host as far as tiles ask it."""

    state: TableState
    texts: Texts = field(default_factory=Texts)

    def at_table(self) -> Table:
        return self


class Owner:
    """A visitor who may do everything."""

    player = None

    def may(self, _action: Action, _about: str | None = None) -> bool:
        return True


def elements_after(*states: TableState) -> list[list[int]]:
    """The numbers of the elements on a page with the tiles after each state: what is built anew has new ones."""

    async def build() -> list[list[int]]:
        with Client(nicegui_page("/verdicts")) as client:
            table: Any = Table(states[0])
            visitor: Any = Owner()
            frame: Any = None
            tiles, numbers = VerdictTiles(table, visitor, frame), []
            for state in states:
                table.state = state
                tiles.show(state)
                numbers.append(sorted(client.elements))
            return numbers

    return asyncio.run(build())


def test_nothing_is_built_anew_when_it_is_known_that_nobody_moved(judged_round: JudgedRound) -> None:
    frozen = judged_round.asked
    assert frozen.judged is not None
    watched = replace(frozen, version=frozen.version + 1, judged=replace(frozen.judged))
    asked, later, told = elements_after(frozen, watched, judged_round.told)
    assert asked == later != told
