"""The referee as dealer: begin, rest, tempo, and the poem with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import DealState

SLOWEST_S, FASTEST_S, STEP_S = 8.0, 1.0, 0.5
"""Seconds from one line of the poem to the next, as the sliders offer them."""

_PARTS: Final = ("dealer", "tempo", "poem")


def dealer_parts(deal: DealState | None, texts: Texts) -> Mapping[str, Markup]:
    """Controls of the dealer by part; all empty where nobody can deal but people."""
    if deal is None:
        return dict.fromkeys(_PARTS, drawing(""))
    deals = deal.line is not None
    lines = [f"{line.draw} {line.lay}" for line in deal.poem]
    tempo = {"tempo_s": deal.tempo_s, "fastest": FASTEST_S, "slowest": SLOWEST_S, "step": STEP_S}
    return {
        "dealer": render("cards/dealer", texts, deals=deals),
        "tempo": render("cards/tempo", texts, deals=deals, **tempo),
        "poem": render("cards/poem", texts, lines=lines, now=deal.line),
    }
