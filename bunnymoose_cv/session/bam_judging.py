"""Judging of one Bam: the verdicts from the cue to the first word, then the watch for players who move."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.referee.dealer import BAM
from bunnymoose_cv.referee.footage_frames import PATIENCE_S
from bunnymoose_cv.referee.round_reader import NoReadingError
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.referee.script import ScriptedRound
    from bunnymoose_cv.session.round_display import RoundDisplay
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.table_voice import TableVoice
    from bunnymoose_cv.session.video_source import Moment, VideoSource

_logger = logging.getLogger(__name__)

_AT_BAM_S: Final = 0.15
"""Age of the newest frame at Bam above which the source has a delay; a camera on a cable gives 10 a second and more."""

MAY_BE_LATE: Final = Phrase(
    "The camera’s pictures may come late over the network, so verdicts take longer and more is asked: "
    "let the check of the table measure the delay before the next game."
)
"""Notice about a network camera whose delay is not known."""


class BamJudging:
    """Judge of one Bam after the other. Belongs to the session's thread.

    Attributes:
        judging: whether Bam has been said, and nothing of its verdicts been heard yet.
        watching: whether players are watched who may move after the freeze.
        ended_s: when the last judging ended, in seconds of `time.monotonic()`.
    """

    def __init__(
        self,
        services: Services,
        video_source: VideoSource,
        referee: Referee,
        voice: TableVoice,
        display: RoundDisplay,
    ) -> None:
        self._services, self._video_source, self._referee = services, video_source, referee
        self._voice, self._display = voice, display
        self._changed: Observable[[]] = Observable()
        self.judging = self.watching = self._told_late = False
        self.ended_s = float("-inf")

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Register a listener for changes of `judging` and `watching`; see `Observable.listen`."""
        return self._changed.listen(callback)

    def say_bam(self) -> None:
        """Say Bam for a dealer, and wait until it was heard."""
        self._show(judging=True)
        self._voice.say_at_once(BAM)

    def judge(self, cue: Cue, who: str | None) -> bool:
        """Judge everybody at a cue, then watch who moves; ask for every pose where nothing is seen.

        From the cue to the first word the whole computer is the referee's: pages and evidence come after that.

        Args:
            cue: freezes the table, unless a hunter has done so.

        Returns:
            Whether the source shows the moment.
        """
        self._show(judging=True)
        try:
            moment = self._video_source.moment(cue)
            with self._services.keeper.quiet(), self._voice.first_word_awaited():
                if self._referee.game.phase is not Phase.FROZEN:
                    self._enter_script(None if moment is None else moment.script)
                    with self._display.clear_if_round_begins(self._referee.game):
                        self._referee.bam(cue.maker.value, who)
                seen = self._has_read(moment)
            self._show(watching=seen)
            if moment is not None and seen:
                self._referee.watch(moment.footage)
        finally:
            self.ended_s = time.monotonic()
            self._show()
        return moment is not None

    def forget(self) -> None:
        """Clear and silence everything about a Bam that was taken back."""
        self._display.clear()
        self._voice.silence()

    def _enter_script(self, script: ScriptedRound | None) -> None:
        """Enter the facts of a scripted round that nobody has entered."""
        referee = self._referee
        if script is None:
            return
        if script.bet is not None and referee.game.phase is Phase.BETTING and referee.game.bet is None:
            with self._display.clear_if_round_begins(referee.game):
                referee.bet(script.bet, Maker.SCRIPT.value)
        if script.cards is not None and referee.game.first_pass:
            with self._display.clear_if_round_begins(referee.game):
                referee.lay(script.cards, Maker.SCRIPT.value)

    def _has_read(self, moment: Moment | None) -> bool:
        """Judge the frames of a moment; tell if they show anybody."""
        if moment is None:
            self._referee.ask_everybody()
            return False
        if moment.script is not None:
            self._referee.reset_tracking()
        if moment.may_be_late and not self._told_late:
            self._told_late = True
            self._services.notices.tell(MAY_BE_LATE)
        self._look_until_bam(moment)
        try:
            self._referee.judge(moment.footage, moment.cue_s, may_be_late=moment.may_be_late)
        except NoReadingError as error:
            _logger.info("Bam without a reading")
            self._services.notices.tell(error.sentence)
            self._referee.ask_everybody()
            return False
        return True

    def _look_until_bam(self, moment: Moment) -> None:
        """Go on looking at the table while frames from before Bam still arrive, as they do with a known delay.

        What is seen shortly before Bam spares reading more frames after it.
        """
        seen_s = -math.inf
        while moment.script is None and not moment.may_be_late:
            frame = self._video_source.newest()
            if frame is None or not seen_s < frame.time_s < moment.cue_s - _AT_BAM_S:
                break
            seen_s = frame.time_s
            self._referee.look(frame)
            moment.footage.wait_for(math.nextafter(seen_s, math.inf), PATIENCE_S)

    def _show(self, *, judging: bool = False, watching: bool = False) -> None:
        self.judging, self.watching = judging, watching
        self._changed.tell()
