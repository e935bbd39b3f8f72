"""Publisher of state snapshots: puts the table together from its parts, and tells listeners."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bunnymoose_cv.core.published import Published
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.session.table_state import TableState

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.bam_judging import BamJudging
    from bunnymoose_cv.session.camera_watch import CameraWatch
    from bunnymoose_cv.session.dealer_control import DealerControl
    from bunnymoose_cv.session.freeze_control import FreezeControl
    from bunnymoose_cv.session.round_display import RoundDisplay
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.table_cues import TableCues


@dataclass(frozen=True, slots=True)
class TableParts:
    """Parts of a session whose state is published."""

    services: Services
    referee: Referee
    display: RoundDisplay
    camera_watch: CameraWatch
    cues: TableCues
    dealer: DealerControl
    judging: BamJudging
    freeze: FreezeControl


class StatePublisher:
    """Newest state snapshot and its listeners. Belongs to the session's thread, `state` and `listen` to any."""

    def __init__(self, parts: TableParts) -> None:
        self._parts = parts
        self._texts = Texts(parts.services.language)
        self._published = Published(replace(self._snapshot(), version=1))

    @property
    def state(self) -> TableState:
        """Newest snapshot."""
        return self._published.state

    def listen(self, callback: Callable[[TableState], None]) -> Callable[[], None]:
        """Register a listener for each snapshot; see `Published.listen`."""
        return self._published.listen(callback)

    @property
    def is_outdated(self) -> bool:
        """Tell if the game or its problems are others than were published."""
        return self._problem() != self.state.problem or self._parts.services.file.game is not self.state.game

    def publish(self) -> None:
        """Take a snapshot, and tell the listeners."""
        self._published.publish(self._snapshot())

    def _snapshot(self) -> TableState:
        parts = self._parts
        file, referee, display, judging = parts.services.file, parts.referee, parts.display, parts.judging
        return TableState(
            game=file.game,
            entries=file.entries,
            folder=file.folder,
            camera=parts.camera_watch.camera,
            problem=self._problem(),
            paused=parts.freeze.paused,
            judging=judging.judging,
            asked=() if judging.judging else referee.asked,
            judged=referee.judged,
            deal=parts.dealer.state,
            said=tuple(display.said),
            changes=display.changes,
            asked_again=() if judging.judging else referee.asked_again,
            asks_everything=referee.asks_everything,
            watching=judging.watching,
            photo=display.photo,
            hunter=parts.cues.hunter_seen,
            dismissible=referee.can_dismiss,
        )

    def _problem(self) -> str:
        sentences = map(self._texts, self._parts.services.notices.sentences)
        return " ".join(each if each.endswith(".") else f"{each}." for each in sentences)
