"""Header, list of keys and place of notices, the same on every page, however that reaches the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.widgets.key_words import KeyWords


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
