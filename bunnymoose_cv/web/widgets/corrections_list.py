"""The corrections of a round: what was put right, by whom and when, and taking the newest back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.web.art.art_names import pose_name
from bunnymoose_cv.web.auth.authors import author_name
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.game_file import Entry


def corrections_html(entries: tuple[Entry, ...], texts: Texts, *, may_undo: bool) -> Markup:
    """The list.

    Args:
        entries: the corrections that stand, the newest last.
        may_undo: whether the newest can be taken back now.
    """
    told = [(correction_words(entry, texts), correction_author(entry, texts)) for entry in entries]
    return render("contest/corrections", texts, entries=told, may_undo=may_undo)


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
