"""Changes by the last correction: announcements, figures and the ranking, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.correction_effects import ChangedFigure
    from bunnymoose_cv.session.table_state import TableState


def changes_html(state: TableState, texts: Texts) -> Markup:
    """Effects of the newest correction until the next round begins, on the ranking while it is the one that stands."""
    if state.changes is None:
        return drawing("")
    return render(
        "verdicts/changes",
        texts,
        changed=state.changes,
        is_outdated=state.changes.after != state.game.ranking,
        figures=tuple(_figures(state.changes.figures, texts)),
        styles=styles_of(state.game.players, state.game.colours),
    )


def _figures(figures: tuple[ChangedFigure, ...], texts: Texts) -> Iterator[str]:
    """Figures after the last round that differs."""
    last = {figure.figure: figure for figure in figures}
    for figure in last.values():
        name = texts("moose") if figure.figure.animal is Animal.MOOSE else texts("rabbit")
        yield texts(
            "{player}’s {animal} after round {number}: space {after} instead of {before}",
            player=figure.figure.player,
            animal=name,
            number=figure.round_number,
            after=figure.after,
            before=figure.before,
        )
