"""Rules on the set-up page: edition, cards, poem and variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.deck import Variant, edition_names, load_edition
from bunnymoose_cv.web.live.setup_changes import LINES, SIMPLER
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.deck import Rules


def rules_html(rules: Rules, texts: Texts) -> Markup:
    """The rules, all in one form."""
    return render(
        "setup/rules",
        texts,
        rules=rules,
        editions=[load_edition(name) for name in edition_names()],
        lines=tuple(LINES),
        first_game=Variant.FIRST_GAME,
        simpler=[(variant, texts(name)) for variant, name in SIMPLER.items()],
    )
