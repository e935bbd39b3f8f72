"""Source of readings while no game runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bunnymoose_cv.session.table_state import LatestReading


class ReadingSource(Protocol):
    """Whatever sees the table while no game runs: the set-up's preview, the practice."""

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look."""
