"""Tables of figures in the terminal: shares with their 95 % intervals, one a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from training.evaluate.shares import Share


def share_table(first: str, counted: str, title: str, shares: Mapping[str, Share | None]) -> Table:
    """Table of shares by their names; a share that is None has no row.

    Args:
        first: heading of the names.
        counted: heading of the counts.
        title: of the table.
        shares: its rows.
    """
    table = figure_table(first, (counted, "of", "rate", "95 % interval"), title)
    for name, share in shares.items():
        if share is not None:
            table.add_row(name, *share_cells(share))
    return table


def figure_table(first: str, figures: Iterable[str], title: str) -> Table:
    """Empty table: a column of names, and columns of figures, which are justified to the right."""
    table = Table(first, title=title, title_justify="left")
    for column in figures:
        table.add_column(column, justify="right")
    return table


def share_cells(share: Share) -> tuple[str, str, str, str]:
    """Count, total, rate and 95 % interval of a share."""
    low, high = share.interval
    return str(share.count), str(share.total), f"{share.rate:.1%}", f"{low:.1%} – {high:.1%}"
