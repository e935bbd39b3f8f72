"""The corrections of a round: what was put right, by whom and when, and taking the newest back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.web.art.art_names import pose_name
from bunnymoose_cv.web.live.authors import author_name

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.game_file import Entry


def corrections_list(entries: tuple[Entry, ...], undo: Callable[[], Awaitable[object]] | None, texts: Texts) -> None:
    """Build the list.

    Args:
        entries: the corrections that stand, the newest last.
        undo: takes the newest back; None where that is not possible now.
        texts: in the language of the table.
    """
    html.h2(texts("Corrections"))
    if not entries:
        html.p(texts("Nothing has been put right in this round.")).classes("quiet")
    with html.ol().classes("stack tight"):
        for entry in entries:
            with html.li():
                html.strong(correction_words(entry, texts))
                html.span(correction_author(entry, texts)).classes("quiet")
    if undo is not None:
        button = html.button(texts("Take the newest back"), type="button").classes("button").on("click", undo)
        button.props("aria-keyshortcuts=u data-focus=undo")


def correction_words(entry: Entry, texts: Texts) -> str:
    """Describe a correction."""
    match entry.event:
        case PoseCorrected(_, player, pose):
            return texts("{player}: {pose}", player=player, pose=pose_name(pose, texts))
        case TableCorrected(_, cards):
            return texts("The cards: {cards}", cards=" ".join(map(str, cards)))
        case BetCorrected(_, None):
            return texts("There was no bet")
        case BetCorrected(_, str(player)):
            return texts("The bet: {player}", player=player)
    raise AssertionError(entry.event)


def correction_author(entry: Entry, texts: Texts) -> str:
    """Name the author and time of a correction, on this computer's clock."""
    return texts("{who}, {time}", who=author_name(entry.who, texts), time=f"{entry.time.astimezone():%H:%M}")
