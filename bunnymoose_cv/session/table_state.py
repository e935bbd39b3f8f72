"""Published state of the table, immutable so that every thread and every page may read it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.core.observable import VersionedState
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.live_source import CameraState
    from bunnymoose_cv.i18n.poem import PoemLine
    from bunnymoose_cv.record.game_corrections import Changes
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.cards.card_photo import CardPhoto
    from bunnymoose_cv.vision.readings import FrameReading


class TablePhase(Enum):
    """Phase of the table.

    Bam leads from WAITING to JUDGING, and the first word from there to WATCHING. When the watch ends, the table is
    ASKING until every pose is known, then WAITING for the next round or OVER. A pause begins and ends between Bams; a
    hunter that is laid leads from PAUSED to JUDGING.
    """

    WAITING = auto()
    JUDGING = auto()
    WATCHING = auto()
    ASKING = auto()
    PAUSED = auto()
    OVER = auto()


def idle_phase(game: Game) -> TablePhase:
    """Return the phase of a table that neither pauses nor judges: what its game waits for."""
    match game.phase:
        case Phase.FROZEN:
            return TablePhase.ASKING
        case Phase.OVER:
            return TablePhase.OVER
        case _:
            return TablePhase.WAITING


@dataclass(frozen=True, slots=True)
class DealState:
    """Progress of the built-in dealer; `line` is the index of the recited line, None while the dealer rests."""

    poem: tuple[PoemLine, ...]
    line: int | None
    tempo_s: float


@dataclass(frozen=True, slots=True, eq=False)
class TableState(VersionedState):
    """State of the table.

    Attributes:
        entries: all entries of the game file, the newest last.
        folder: the folder of the game and its evidence (record/round_folder.py reads it).
        problem: sentences about trouble with camera, microphone, voice or disk; empty without any.
        asked: the players of the open round who wait for a person.
        asked_again: the players of the last judged round with a verdict that is in doubt since the cards were changed.
        judged: the last judged round, open or over; None after a restart, when its evidence is read from the disk.
        said: the announcements since the last bet or first card, in order.
        changes: the effects of the last correction; None once the next round has begun.
        hunter: whether the table camera sees the hunter apart from the row, so that Bam is near.
        answer_until: the time at which the likeliest answers count, in seconds of `time.monotonic()`; None without a
            question, in a pause, and if the setting is off.
        met_nobody: whether the camera saw no player at the last Bam.
    """

    game: Game
    entries: tuple[Entry, ...]
    folder: Path
    camera: CameraState
    problem: str
    phase: TablePhase
    asked: tuple[str, ...]
    judged: JudgedRound | None
    deal: DealState | None
    said: tuple[str, ...]
    changes: Changes | None
    asked_again: tuple[str, ...] = ()
    asks_everything: bool = False
    photo: CardPhoto | None = None
    hunter: bool = False
    met_nobody: bool = False
    answer_until: float | None = None

    @property
    def paused(self) -> bool:
        """Return whether the table pauses, so that no cue counts."""
        return self.phase is TablePhase.PAUSED

    @property
    def judging(self) -> bool:
        """Return whether Bam has been said and none of its verdicts has been heard yet."""
        return self.phase is TablePhase.JUDGING

    @property
    def watching(self) -> bool:
        """Return whether the camera looks for players who move after the freeze."""
        return self.phase is TablePhase.WATCHING

    @property
    def dismissible(self) -> bool:
        """Return whether the last Bam can be dismissed, also when its round is over."""
        return self.game.provenance.dismissible_bam is not None

    @property
    def every_asked(self) -> tuple[str, ...]:
        """Players with an open question, in the open round or in one that is over."""
        return tuple(dict.fromkeys((*self.asked, *self.asked_again)))


@dataclass(frozen=True, slots=True, eq=False)
class LatestReading:
    """Newest look at the table, with the players' seats; `number` rises with every look."""

    number: int
    reading: FrameReading

    @classmethod
    def after(cls, before: LatestReading | None, reading: FrameReading) -> Self:
        """Number a reading as the next one."""
        return cls(1 if before is None else before.number + 1, reading)
