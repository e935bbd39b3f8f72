"""Clock of open questions: after a reminder, the likeliest answers count."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.questions import remind

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.play.table_output import TableVoice
    from bunnymoose_cv.session.services import Services

REMINDER_S: Final = 10.0


class AnswerClock:
    """Clock of the questions with a time limit. Belongs to the session's thread.

    It starts again with every event at the table, such as another answer, and when a pause ends. The likeliest answers
    count at `until`, in seconds of `time.monotonic()`; None while stopped.
    """

    def __init__(self, services: Services, referee: Referee, voice: TableVoice) -> None:
        self._services, self._referee, self._voice = services, referee, voice
        self._answer_s = 0.0 if services.reader is None else services.reader.settings.questions.answer_s
        self.until: float | None = None
        self._remind_s: float | None = None
        self._counted: tuple[tuple[str, ...], int] | None = None  # players and entries of the running clock

    def follow(self, *, may_run: bool) -> None:
        """Start, restart or stop the clock, which may run while the table neither judges nor pauses."""
        players = tuple(self._referee.questions.likeliest) if may_run and self._answer_s else ()
        counted = (players, len(self._services.file.entries)) if players else None
        if counted == self._counted:
            return
        self._counted = counted
        self.until = self._remind_s = None
        if counted is not None:
            self.until = monotonic() + self._answer_s
            self._remind_s = self.until - self._answer_s + REMINDER_S if self._answer_s > REMINDER_S else None

    @property
    def is_over(self) -> bool:
        """Return whether the likeliest answers count now."""
        return self.until is not None and monotonic() >= self.until

    def settle(self) -> None:
        """Let the likeliest answers count; the clock starts again with the next event."""
        self.until = self._remind_s = self._counted = None
        self._referee.settle_unanswered()

    def remind_if_due(self) -> None:
        """Remind players of open questions, once."""
        if self._counted is not None and self._remind_s is not None and monotonic() >= self._remind_s:
            self._remind_s = None
            players, _ = self._counted
            self._voice.say(remind(players, self._services.language))
