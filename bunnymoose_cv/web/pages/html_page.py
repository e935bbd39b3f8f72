"""Pages as HTML: a frame that stays, and parts that a stream of events replaces when they change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.live.event_stream import Snapshot, digests
from bunnymoose_cv.web.pages.page_header import header, keys_sheet, notices
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

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
