"""Control of the freeze: which cue counts, what it starts, and the way back from it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bunnymoose_cv.cues.cue import Cue, Maker
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.table_cues import BEFORE_BAM

if TYPE_CHECKING:
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.session.bam_judging import BamJudging
    from bunnymoose_cv.session.dealer_control import DealerControl
    from bunnymoose_cv.session.table_cues import TableCues


class FreezeControl:
    """Gate from cues to the freeze. Belongs to the session's thread.

    Attributes:
        paused: whether the table pauses, so that no cue counts.
    """

    def __init__(self, referee: Referee, cues: TableCues, dealer: DealerControl, judging: BamJudging) -> None:
        self._referee, self._cues, self._dealer, self._judging = referee, cues, dealer, judging
        self.paused = False
        self._went_on_s = float("-inf")

    def pause(self, *, paused: bool) -> None:
        """Pause the table, or let it go on: what was shouted in the pause is no Bam, and the next may come at once."""
        if self.paused and not paused:
            self._cues.dismiss()
            self._went_on_s = time.monotonic()
        self.paused = paused

    def expect(self, seen_s: float) -> None:
        """Expect Bam soon, since a hunter was seen that may end the deal; see `Session.expect_bam`."""
        if self._referee.game.phase is Phase.DEALING and not self._referee.game.first_pass:
            self._cues.expect(seen_s)

    def make(self, maker: Maker, who: str, made_s: float) -> None:
        """Make a cue by hand, and freeze; a cue that does not count is ignored."""
        if self._counts(Cue(made_s, maker)):
            self._cues.make(maker, made_s)
            self.take_cue(who)

    def take_cue(self, who: str | None = None) -> None:
        """Freeze at the cue that nobody has taken yet, if there is one and it counts."""
        cue = self._cues.take()
        if cue is not None and self._counts(cue):
            self._freeze(cue, who)

    def judge_hunter(self, laid_s: float) -> None:
        """Freeze at a hunter, which ends the deal and a pause: Bam, by whomever else it is said."""
        self.paused = False
        cue = self._cues.make(Maker.DEALER, laid_s)
        heard = self._cues.take()
        self._freeze(cue or heard or Cue(laid_s, Maker.DEALER))

    def judge_dealt_hunter(self) -> None:
        """Say Bam for the dealer's hunter, and freeze when it was heard."""
        self._judging.say_bam()
        self.judge_hunter(time.monotonic())

    def start_over(self) -> None:
        """Forget announcements, notices, the last and the expected Bam and the deal, which no longer stand."""
        self._dealer.rest()
        self._cues.dismiss()
        self._cues.hunter_seen = False
        self._judging.forget()

    def _counts(self, cue: Cue) -> bool:
        """Tell if a cue may freeze; one that was made while the last was judged meant that one, in a pause none."""
        meant_for_this = cue.maker is Maker.SCRIPT or cue.time_s >= self._judging.ended_s
        shouted_in_pause = cue.maker is Maker.SOUND and cue.time_s < self._went_on_s  # it is recognised later
        in_pause = self.paused or shouted_in_pause
        return meant_for_this and not in_pause and self._referee.game.phase in BEFORE_BAM

    def _freeze(self, cue: Cue, who: str | None = None) -> None:
        self._dealer.rest()
        self._cues.hunter_seen = False
        if not self._judging.judge(cue, who):
            self._cues.dismiss()  # nothing else notices the same Bam, and the next may come as soon as people like
