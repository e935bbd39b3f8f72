"""Provenance of a game's state: authors of poses, undone verdicts, the Bam that can be dismissed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Mapping

REFEREE: Final = Phrase("referee")
"""Author of events that the referee wrote, such as what the camera showed."""

PEOPLE: Final = Phrase("people")
"""Author of entries from the table as a whole."""

NOBODY: Final = Phrase("nobody")
"""Author of the likeliest poses, which count if a question is not answered in time."""

BY_CAMERA: Final = frozenset({REFEREE, NOBODY})
"""Authors of verdicts that come from the camera instead of a person."""


@dataclass(frozen=True, slots=True)
class PoseSource:
    """Source of one player's pose in one round.

    Attributes:
        event: the index of the event that judged it, among the events that have not been undone.
        judged_by: the author of that event.
        author: the author of the pose that counts: of the judgement, or of the last correction.
    """

    event: int
    judged_by: str
    author: str


@dataclass(frozen=True, slots=True)
class BamMark:
    """Round of a Bam, and the index of its event (or of the hunter that ended the deal) among those not undone."""

    round_number: int
    event: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """Provenance of a game's state, carried along by the fold.

    Attributes:
        sources: the source of each pose, by round and player.
        undone_verdicts: players whose verdict by the camera was undone and who have not been judged since. An undo of
            earlier events (the cards, Bam) clears them, so that the camera may judge again.
        dismissible_bam: the newest Bam, also after its round is over; None once the next round has begun.
    """

    sources: Mapping[tuple[int, str], PoseSource] = field(default_factory=dict)
    undone_verdicts: frozenset[str] = frozenset()
    dismissible_bam: BamMark | None = None

    def players_corrected(self, round_number: int) -> frozenset[str]:
        """Return the players of a round whose pose no longer comes from the referee alone."""
        return frozenset(
            player
            for (number, player), source in self.sources.items()
            if number == round_number and source.author != REFEREE
        )
