"""The players on the set-up page: names in the order round the table, each with colour and symbol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from nicegui import html

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS
from bunnymoose_cv.web.live.player_styles import LOOKS
from bunnymoose_cv.web.live.setup_choices import LONGEST_NAME
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.element import Element
    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.web.server.host import Host

COLOURS: Final = (
    Phrase("Red"),
    Phrase("Blue"),
    Phrase("Green"),
    Phrase("Yellow"),
    Phrase("Orange"),
    Phrase("Purple"),
)
"""Names of the styles, in their order."""

_TELLS: Final = "(event) => emit(event.target.value)"


class PlayerSettings:
    """The list of players on a page; built where it is made.

    Args:
        host: whose choices are changed.
        changed: is told when others play, or in another order.
    """

    def __init__(self, host: Host, changed: Callable[[], None]) -> None:
        self._host = host
        self._changed = changed
        self._rows: list[_Row] = []
        self._version = 0
        self._list: Region[int] = Region(html.ol().classes("who-plays"), self._build)
        self._list.show(self._version)
        with html.div().classes("row"):
            self._add = html.button(host.texts("Add a player"), type="button").classes("button").on("click", self._more)
        self._offer()

    @property
    def _players(self) -> tuple[str, ...]:
        return self._host.choices.players

    def _build(self, _: int) -> None:
        self._rows = []
        for index, player in enumerate(self._players):
            with html.li().classes("row tight"):
                self._rows.append(self._build_row(index, player))
        self._label()

    def _build_row(self, index: int, player: str) -> _Row:
        number = index + 1
        colour = html.button(type="button").classes("button plain player colour").on("click", partial(self._dye, index))
        colour.props["data-focus"] = f"colour-{number}"
        # Not `value`: the page would put that back each time that anything on it changes.
        field = html.input_(maxlength=LONGEST_NAME, defaultValue=player).classes("field grow")
        field.props("autocomplete=off autocapitalize=words spellcheck=false")
        field.props["aria-label"] = self._host.texts("Name of player {number}", number=number)
        field.props["data-focus"] = f"name-{number}"
        field.on("input", partial(self._rename, index), js_handler=_TELLS)
        up = html.button("↑", type="button").classes("button plain").on("click", partial(self._move_up, index))
        up.props["data-focus"] = f"up-{number}"
        up.props("disabled" if index == 0 else "")
        leave = html.button("✕", type="button").classes("button plain").on("click", partial(self._leave, index))
        leave.props["data-focus"] = f"leave-{number}"
        leave.props("disabled" if len(self._players) <= FEWEST_PLAYERS else "")
        return _Row(colour, up, leave)

    def _is_stale(self) -> bool:
        """Show the players anew where another page has changed who plays, instead of acting on somebody else."""
        stale = len(self._rows) != len(self._players)
        if stale:
            self._play(list(range(len(self._players))))
        return stale

    def _rename(self, index: int, event: GenericEventArguments) -> None:
        if self._is_stale():
            return
        names = list(self._players)
        names[index] = str(event.args).strip()[:LONGEST_NAME]
        self._host.choices = replace(self._host.choices, players=tuple(names))
        self._label()

    def _move_up(self, index: int) -> None:
        if self._is_stale():
            return
        order = list(range(len(self._players)))
        order[index - 1 : index + 1] = index, index - 1
        self._play(order)

    def _leave(self, index: int) -> None:
        if self._is_stale():
            return
        self._play([each for each in range(len(self._players)) if each != index])

    def _more(self) -> None:
        """One player more, called like a colour that nobody is called yet."""
        if self._is_stale():
            return
        choices, colours = self._host.choices, self._host.choices.colours
        named = (self._host.texts(colour) for colour in COLOURS)
        name = next(name for name in named if name not in choices.players)
        free = (look.number for look in LOOKS if look.number not in colours)
        self._host.choices = replace(
            choices, players=(*choices.players, name), colours=(*colours, next(free)) if colours else ()
        )
        self._play(list(range(len(self._players))))

    def _dye(self, index: int) -> None:
        """The next colour; who has it takes the old one."""
        if self._is_stale():
            return
        choices = self._host.choices
        colours = list(choices.colours) or [choices.looks[player].number for player in choices.players]
        old, new = colours[index], colours[index] % len(LOOKS) + 1
        colours = [{old: new, new: old}.get(colour, colour) for colour in colours]
        self._host.choices = replace(choices, colours=tuple(colours))
        self._label()

    def _play(self, order: list[int]) -> None:
        """Set the players, in this order."""
        choices = self._host.choices
        self._host.choices = replace(
            choices,
            players=tuple(choices.players[each] for each in order),
            colours=tuple(choices.colours[each] for each in order) if choices.colours else (),
        )
        self._version += 1
        self._list.show(self._version)
        self._offer()
        self._changed()

    def _offer(self) -> None:
        self._add.props(remove="disabled") if len(self._players) < MOST_PLAYERS else self._add.props("disabled")

    def _label(self) -> None:
        """Show everybody's colour and symbol, and tell what each button does to whom."""
        texts, choices = self._host.texts, self._host.choices
        for player, row in zip(choices.players, self._rows, strict=True):
            look = choices.looks[player]
            colour = texts(COLOURS[look.number - 1])
            row.colour.style(look.style)
            row.colour.clear()
            with row.colour:
                html.span(look.symbol).classes("symbol").props("aria-hidden=true")
            row.colour.props["aria-label"] = texts(
                "Figures of {player}: {colour}. Take others", player=player, colour=colour
            )
            row.up.props["aria-label"] = texts("Let {player} sit one place earlier", player=player)
            row.leave.props["aria-label"] = texts("{player} does not play", player=player)


@dataclass(frozen=True, slots=True)
class _Row:
    """Controls beside a player's name."""

    colour: Element
    up: Element
    leave: Element
