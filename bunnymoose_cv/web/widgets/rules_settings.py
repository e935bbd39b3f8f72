"""Rules on the set-up page: edition, cards, poem and variants, so that no choice contradicts another."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from nicegui import html

from bunnymoose_cv.rules.deck import Rules, Variant, edition_names, load_edition, rules_for
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.element import Element
    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.web.server.host import Host

CHECKED: Final = "(event) => emit(event.target.checked)"

_LINES: Final = {4: Variant.FOUR_LINES, 6: None, 8: Variant.EIGHT_LINES}
"""The variant that makes a poem so long."""


class RulesSettings:
    """The rules on a page; built where it is made.

    Boxes and buttons show by themselves what was chosen: only where others are offered all is built anew, so that a
    quick second press is not lost with what it pressed.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._offered: Region[tuple[bool, bool]] = Region(html.div().classes("stack"), self._build)
        self._show()

    @property
    def _rules(self) -> Rules:
        return self._host.choices.rules

    def _show(self) -> None:
        self._offered.show((self._rules.edition.has_advanced_cards, self._rules.advanced))

    def _build(self, _: tuple[bool, bool]) -> None:
        rules, texts = self._rules, self._host.texts
        with _group(texts("Edition")):
            for name in edition_names():
                edition = load_edition(name)
                title = texts("{title} · trail of {spaces} spaces", title=texts(edition.title), spaces=edition.spaces)
                option("edition", title, chosen=name == rules.edition.name, choose=partial(self._choose_edition, name))
        if rules.edition.has_advanced_cards:
            with _group(texts("Cards")):
                told = texts("Advanced cards, with tongues")
                check(told, rules.advanced, lambda advanced: self._choose(advanced=advanced))
                if rules.advanced:
                    told = texts("A first game: without them until everybody has narrated once")
                    check(told, Variant.FIRST_GAME in rules.variants, partial(self._vary, Variant.FIRST_GAME))
        with _group(texts("Piles, and lines of the poem")):
            for lines in _LINES:
                option("lines", str(lines), chosen=rules.piles == lines, choose=partial(self._choose_lines, lines))
        with _group(texts("Simpler")):
            for variant, told in (
                (Variant.NO_SPECIES_CHANGE, texts("A tongue changes no moose into a rabbit")),
                (Variant.NO_TIMES_TWO, texts("No ×2 cards")),
                (Variant.NO_REVERSAL, texts("No ± cards")),
            ):
                check(told, variant in rules.variants, partial(self._vary, variant))

    def _choose_edition(self, name: str) -> None:
        self._choose(edition=name)

    def _choose_lines(self, lines: int) -> None:
        others = self._rules.variants - {Variant.FOUR_LINES, Variant.EIGHT_LINES}
        chosen = _LINES[lines]
        self._choose(variants=others if chosen is None else others | {chosen})

    def _vary(self, variant: Variant, wanted: bool) -> None:  # noqa: FBT001 - what a box tells
        variants = self._rules.variants
        self._choose(variants=variants | {variant} if wanted else variants - {variant})

    def _choose(
        self, *, edition: str | None = None, advanced: bool | None = None, variants: frozenset[Variant] | None = None
    ) -> None:
        """Other rules; a first game goes with the advanced cards that it leaves out at first."""
        loaded = load_edition(edition or self._rules.edition.name)
        advanced = self._rules.advanced if advanced is None else advanced
        chosen = self._rules.variants if variants is None else variants
        if not (loaded.has_advanced_cards and advanced):
            chosen -= {Variant.FIRST_GAME}
        rules = rules_for(loaded.name, advanced=advanced, variants=chosen)
        self._host.choices = replace(self._host.choices, rules=rules)
        self._show()


def _group(title: str) -> Element:
    group: Element = html.fieldset().classes("group")
    with group:
        html.legend(title)
    return group


def option(group: str, told: str, *, chosen: bool, choose: Callable[[], object]) -> None:
    """One of several that exclude each other.

    Args:
        group: the name that they share on the page.
        told: what it is.
        chosen: whether it stands.
        choose: is called when somebody takes it.
    """
    with html.label().classes("option"):
        button = html.input_(type="radio", name=group).on("change", lambda _: choose(), args=[])
        button.props["data-focus"] = f"{group}-{told}"
        button.props("checked" if chosen else "")
        html.span(told)


def check(told: str, chosen: bool, choose: Callable[[bool], object]) -> None:  # noqa: FBT001 - what the box shows
    """One that is taken or left.

    Args:
        told: what it is.
        chosen: whether it is taken.
        choose: is called with whether somebody takes it.
    """

    def take(event: GenericEventArguments) -> None:
        choose(bool(event.args))

    with html.label().classes("option"):
        box = html.input_(type="checkbox").on("change", take, js_handler=CHECKED)
        box.props["data-focus"] = told
        box.props("checked" if chosen else "")
        html.span(told)
