"""Published state of the table: frozen, so that every thread and every page may read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.core.published import VersionedState

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.camera_state import CameraState
    from bunnymoose_cv.i18n.poem import PoemLine
    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.card_photo import CardPhoto
    from bunnymoose_cv.vision.readings import FrameReading


@dataclass(frozen=True, slots=True)
class DealState:
    """Progress of the built-in dealer.

    Attributes:
        poem: its lines, one a pile.
        line: the index of the line that is being recited; None while the dealer rests.
        tempo_s: seconds from one line to the next.
    """

    poem: tuple[PoemLine, ...]
    line: int | None
    tempo_s: float


@dataclass(frozen=True, slots=True, eq=False)
class TableState(VersionedState):
    """State of the table.

    Attributes:
        game: players, seats, piles, phase, bets, rounds, trail, ranking: the fold of all events.
        entries: those events, with when, why and who; the newest last.
        folder: where the game and its evidence are kept (record/round_folder.py reads it).
        problem: one sentence for people where camera, microphone, voice or disk need them; else empty.
        judging: whether Bam has been said, and nothing of its verdicts been heard yet.
        asked: whose shape in the open round waits for a person.
        asked_again: whose verdict in the last judged round stands, but is in doubt since other cards were told.
        asks_everything: whether every unclear field waits for a person, also where no card cares.
        judged: what was last seen, of the open round or the last one; None after a restart: then the evidence tells.
        deal: how far the dealer is; None where no poem is known.
        said: what was announced since the last bet or first card, in order.
        changes: what the last correction changed; None once the next round has begun.
        watching: whether it is still looked who moves after the freeze.
        hunter: whether the table camera sees the hunter apart from the row, so that Bam is near.
        photo: the newest photograph of the cards of the round; None where there is none.
        dismissible: whether the last Bam can be taken back, also when its round is over.
    """

    game: Game
    entries: tuple[Entry, ...]
    folder: Path
    camera: CameraState
    problem: str
    paused: bool
    judging: bool
    asked: tuple[str, ...]
    judged: JudgedRound | None
    deal: DealState | None
    said: tuple[str, ...]
    changes: Changes | None
    watching: bool = False
    asked_again: tuple[str, ...] = ()
    asks_everything: bool = False
    photo: CardPhoto | None = None
    hunter: bool = False
    dismissible: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LatestReading:
    """Newest look at the table.

    Attributes:
        number: rises with every look.
        reading: the frame that was read, when, and what it shows; its players carry seats.
    """

    number: int
    reading: FrameReading

    @classmethod
    def after(cls, before: LatestReading | None, reading: FrameReading) -> Self:
        """Number a reading as the one that follows."""
        return cls(1 if before is None else before.number + 1, reading)
