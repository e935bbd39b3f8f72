"""Pages as HTML: a header, a fixed frame, and parts that a stream of events replaces when they change."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from markupsafe import Markup

from bunnymoose_cv.announcements.phrases import announce_camera_lost
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.live.streams import Snapshot, digests
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host

_SCRIPTS: Final = ("house", "parts", "commands")

Keys: TypeAlias = "Mapping[tuple[str, ...], str]"
"""Keys with the same effect, and that effect in words."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page at one moment.

    Attributes:
        sheets: further style sheets, without ending, as are the scripts.
        keys: the list that `?` opens; if it is empty, the page has none.
        again_s: the seconds until the page is built again even without a change; None for never.
    """

    template: str
    title: str
    parts: Mapping[str, Markup]
    sheets: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    keys: Keys = field(default_factory=dict)
    again_s: float | None = None

    def snapshot(self, visitor: Visitor, texts: Texts) -> Snapshot:
        """Return the content as streams compare it: a page whose frame differs is reloaded."""
        whose = visitor.role, visitor.has_same_role
        frame = (self.template, texts.language, self.title, whose, self.keys, tuple(self.parts))
        return Snapshot(repr(frame), self.parts, self.again_s)

    def document(self, visitor: Visitor, texts: Texts, stream: str) -> Markup:
        """Render the whole page, with the address of its events."""
        return render(
            self.template,
            texts,
            title=self.title,
            parts=self.parts,
            sheets=("house", *self.sheets),
            scripts=(*_SCRIPTS, *self.scripts),
            ways=_ways(visitor, texts),
            keys=[*self.keys.items(), (("?",), texts("These keys"))] if self.keys else (),
            at_table=visitor.role is Role.OWNER,
            stream=stream,
            seen=".".join(digests(self.snapshot(visitor, texts))),
        )


def camera_banner(host: Host) -> str:
    """Return the sentence for every page while the camera of the game is lost, otherwise an empty one."""
    session = host.session
    if session is None or session.state.camera is not CameraState.LOST:
        return ""
    return announce_camera_lost(session.texts.language)


def with_camera_banner(page: HtmlPage, host: Host) -> HtmlPage:
    """Return a page with that sentence, unless its headline contains it."""
    sentence = camera_banner(host)
    shown = "" if sentence in page.parts.get("headline", "") else sentence
    return replace(page, parts={**page.parts, "camera-banner": Markup.escape(shown)})


def _ways(visitor: Visitor, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the addresses and names of the pages in the visitor's navigation."""
    table, cards = (urls.TABLE, texts("Table")), (urls.CARDS, texts("Cards"))
    verdicts, phones = (urls.VERDICTS, texts("Verdicts")), (urls.JOIN, texts("Phones"))
    how_to_play = (urls.HOW_TO_PLAY, texts("How to play"))
    history, practice = (urls.HISTORY, texts("History")), (urls.PRACTICE, texts("Practice"))
    films = (urls.FILMS, texts("Films"))
    return {
        Role.OWNER: (table, cards, verdicts, history, practice, phones, (urls.SETUP, texts("New game"))),
        Role.PLAYER: ((urls.PHONE, texts("My page")), table, cards, verdicts, films, how_to_play),
        Role.GUEST: (table, verdicts, films, phones, how_to_play),
    }[visitor.role]


def no_game_page(title: str, texts: Texts, keys: Keys, *, begins: bool = False) -> HtmlPage:
    """Build the page that replaces another one while no game is running; `begins` lets the visitor begin one."""
    parts = {"no-game": render("round/no_game", texts, begins=begins)}
    return HtmlPage("no_game", title, parts, sheets=("table",), keys=keys)
