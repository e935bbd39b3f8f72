"""Pages as HTML: a header, a frame that stays, and parts that a stream of events replaces when they change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.live.event_stream import Snapshot, digests
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.widgets.key_words import KeyWords

_SCRIPTS: Final = ("house", "parts", "commands")


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page at one moment.

    Attributes:
        sheets: further style sheets, by name without ending.
        scripts: further scripts, likewise.
        keys: effects of keys; without them there is no list of keys.
        again_s: seconds until it is to be made anew though nobody tells of a change; None for never.
    """

    template: str
    title: str
    parts: Mapping[str, Markup]
    sheets: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    keys: tuple[KeyWords, ...] = ()
    again_s: float | None = None

    def snapshot(self, visitor: Visitor, texts: Texts) -> Snapshot:
        """Content as streams compare it: a page whose frame differs is loaded anew."""
        whose = visitor.role, visitor.is_still_so
        frame = (self.template, texts.language, self.title, whose, self.keys, tuple(self.parts))
        return Snapshot(repr(frame), self.parts, self.again_s)

    def document(self, visitor: Visitor, texts: Texts, stream: str) -> Markup:
        """The whole page.

        Args:
            stream: address of its events.
        """
        return render(
            self.template,
            texts,
            title=self.title,
            parts=self.parts,
            sheets=("house", *self.sheets),
            scripts=(*_SCRIPTS, *self.scripts),
            header=header(visitor, self.title, texts, with_keys=bool(self.keys)),
            keys_sheet=keys_sheet(self.keys, texts),
            notices=notices(texts),
            stream=stream,
            seen=".".join(digests(self.snapshot(visitor, texts))),
        )


def header(visitor: Visitor, title: str, texts: Texts, *, with_keys: bool) -> Markup:
    """Header with home link, navigation, theme, full screen and key list."""
    return render("header", texts, ways=_ways(visitor, texts), title=title, keys=with_keys)


def keys_sheet(keys: Sequence[KeyWords], texts: Texts) -> Markup:
    """The dialog that lists the keys; nothing where there are none."""
    return render("keys_sheet", texts, keys=keys) if keys else Markup()


def notices(texts: Texts) -> Markup:
    """The place at the foot of the page where scripts tell what went wrong."""
    return render("notices", texts)


def _ways(visitor: Visitor, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Addresses and names of the other pages that this visitor may see."""
    table, cards = (urls.TABLE, texts("Table")), (urls.CARDS, texts("Cards"))
    verdicts, phones = (urls.VERDICTS, texts("Verdicts")), (urls.JOIN, texts("Phones"))
    history, practice = (urls.HISTORY, texts("History")), (urls.PRACTICE, texts("Practice"))
    return {
        Role.OWNER: (table, cards, verdicts, history, practice, phones, (urls.SETUP, texts("New game"))),
        Role.PLAYER: ((urls.PHONE, texts("My page")), table, cards, verdicts),
        Role.GUEST: (table, verdicts, phones),
    }[visitor.role]


def no_game_page(title: str, texts: Texts, keys: tuple[KeyWords, ...], *, begins: bool = False) -> HtmlPage:
    """Build the page.

    Args:
        title: of the page that there would be.
        begins: whether the visitor can begin a game.
    """
    parts = {"no-game": render("round/no_game", texts, begins=begins)}
    return HtmlPage("no_game", title, parts, sheets=("table",), keys=keys)
