"""Number of entries of the game that a page has shown, which commands.js sends along with what people press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.templates.rendering import drawing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.session.table_state import TableState

ENTRIES: Final = "entries"
"""Name of the part, and of the field in a form."""


def entries_part(state: TableState) -> Mapping[str, Markup]:
    """The part, for pages that take something back."""
    return {ENTRIES: drawing(f'<data value="{len(state.entries)}"></data>')}
