"""Control of the freeze: which cue counts, the judging of each Bam, and the way back from it."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.cue import Cue, CueGate, Maker
from bunnymoose_cv.cues.sound_cues import SoundCues
from bunnymoose_cv.referee.freeze_frames import PATIENCE_S
from bunnymoose_cv.referee.round_reader import NoReadingError
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.play.dealer_control import BAM
from bunnymoose_cv.session.table_state import TablePhase, idle_phase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.referee.script import ScriptedRound
    from bunnymoose_cv.session.play.dealer_control import DealerControl
    from bunnymoose_cv.session.play.table_output import RoundDisplay, TableVoice
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.sources.quiet_check import CameraWatch
    from bunnymoose_cv.session.sources.video_source import Moment, VideoSource

_logger = logging.getLogger(__name__)

EXPECTED_S: Final = 6.0
"""Time after the hunter was seen apart from the row in which a doubtful sound counts as Bam."""

_AT_BAM_S: Final = 0.15
"""Age of the newest frame at Bam above which the source has a delay; a camera on a cable gives 10 a second and more."""

MAY_BE_LATE: Final = Phrase(
    "The camera’s pictures may come late over the network, so verdicts take longer and more is asked: "
    "let the check of the table measure the delay before the next game."
)


class FreezeControl:
    """Gate from cues (keys, the learnt sound, planned moments, the dealer) to the freeze, and judge of each Bam.

    Belongs to the session's thread; sound arrives on a thread of its own.

    Args:
        answer: processes answers to questions while the judge waits and watches.
        changed: called when a Bam enters another phase.

    Attributes:
        bams_s: the times to come at which Bam is said automatically, in seconds from the first frame.
        met_nobody: whether the camera saw no player at the last Bam.
        hunter_seen: whether the hunter lies apart from the row, so that Bam is near.
    """

    def __init__(  # noqa: PLR0913 - everything that a Bam starts
        self,
        services: Services,
        video_source: VideoSource,
        referee: Referee,
        voice: TableVoice,
        display: RoundDisplay,
        *,
        dealer: DealerControl,
        camera_watch: CameraWatch,
        answer: Callable[[], None],
        changed: Callable[[], None],
        bam: BamProfile | None,
        bams_s: Sequence[float],
    ) -> None:
        self._services, self._video_source, self._referee = services, video_source, referee
        self._voice, self._display, self._dealer, self._camera_watch = voice, display, dealer, camera_watch
        self._answer, self._changed = answer, changed
        self._gate = CueGate(keep_for=video_source.keep_for)
        self._sound = None if bam is None else SoundCues(bam, self._gate, services.notices.notify)
        self.bams_s = sorted(bams_s)
        self._first_frame_s: float | None = None
        self._entered: TablePhase | None = None
        self._judged_s = self._resumed_s = -math.inf
        self.met_nobody = self.hunter_seen = self._warned_of_delay = False
        if self._sound is not None:
            video_source.listen_to_sound(self._sound.hear)
            if services.speaker is not None:
                services.speaker.listen(self._sound.speaks)

    # Phases.

    @property
    def phase(self) -> TablePhase:
        """Current phase: that of a Bam, a pause, or the one that the game waits in."""
        return self._entered or idle_phase(self._referee.game)

    def _enter(self, phase: TablePhase | None) -> None:
        """Enter a phase of a Bam, or leave it for what the game waits for if None."""
        self._entered = phase
        self._changed()

    def pause(self, *, paused: bool) -> None:
        """Pause the table or resume. A shout during the pause is not a Bam, and the next Bam may follow at once."""
        if self.phase is TablePhase.PAUSED and not paused:
            self._gate.dismiss()
            self._resumed_s = time.monotonic()
        self._entered = TablePhase.PAUSED if paused else None

    def start_over(self) -> None:
        """Forget announcements, notices, the last and the expected Bam and the deal, which were undone."""
        self._dealer.rest()
        self._gate.dismiss()
        self.hunter_seen = self.met_nobody = False
        self._display.clear()
        self._voice.silence()

    # The deal and the cues that end it.

    def start_deal(self, tempo_s: float | None) -> None:
        """Start or resume the dealer, unless the camera is lost; see `DealerControl.deal`."""
        if self._camera_watch.camera is CameraState.LOST:
            raise InputError(Phrase("The dealer rests until the camera is back."))
        self._dealer.deal(tempo_s)

    def expect(self, seen_s: float) -> None:
        """Expect Bam soon, since a hunter was seen that may end the deal; see `Session.expect_bam`."""
        if self._referee.game.phase is not Phase.DEALING or self._referee.game.first_pass:
            return
        self.hunter_seen = True
        if self._sound is not None:
            self._sound.expect(seen_s, seen_s + EXPECTED_S)

    def make_due_cues(self) -> None:
        """Make the cues whose planned moments have come."""
        newest = self._video_source.newest() if self.bams_s else None
        if newest is None:
            return
        if self._first_frame_s is None:
            self._first_frame_s = newest.time_s
        while self.bams_s and newest.time_s >= self._first_frame_s + self.bams_s[0]:
            self._gate.make(Maker.SCRIPT, self._first_frame_s + self.bams_s.pop(0))

    def make(self, maker: Maker, author: str, made_s: float) -> None:
        """Make a cue by hand, and freeze; a cue that does not count is ignored."""
        try:
            if self._counts(Cue(made_s, maker)):
                self._gate.make(maker, made_s)
                self.take_cue(author)
        finally:
            self._video_source.keep_for(math.inf)

    def take_cue(self, author: str | None = None) -> None:
        """Freeze at the pending cue, if there is one and it counts."""
        cue = self._gate.wait(0)
        if cue is None:
            return
        try:
            if self._counts(cue):
                self._freeze(cue, author)
        finally:
            self._video_source.keep_for(math.inf)

    def judge_hunter(self, laid_s: float) -> None:
        """Freeze at a hunter, which ends the deal and a pause: it is Bam, no matter who else says it."""
        cue = self._gate.make(Maker.DEALER, laid_s)
        heard = self._gate.wait(0)
        try:
            self._freeze(cue or heard or Cue(laid_s, Maker.DEALER))
        finally:
            self._video_source.keep_for(math.inf)

    def judge_dealt_hunter(self) -> None:
        """Say Bam for the dealer's hunter, and freeze once it has been heard."""
        self._enter(TablePhase.JUDGING)
        self._voice.say_at_once(BAM)
        self.judge_hunter(time.monotonic())

    def _counts(self, cue: Cue) -> bool:
        """Return whether a cue may freeze the table.

        A cue from the time of the last judging meant that Bam; a cue from a pause meant none. While the camera is lost,
        only a person who presses Bam freezes the table, to enter the poses afterwards.
        """
        meant_last_bam = cue.maker is not Maker.SCRIPT and cue.time_s < self._judged_s
        shouted_in_pause = cue.maker is Maker.SOUND and cue.time_s < self._resumed_s  # it is recognised later
        seen = self._camera_watch.camera is not CameraState.LOST or cue.maker in {Maker.KEY, Maker.BUTTON}
        return self.phase is TablePhase.WAITING and seen and not meant_last_bam and not shouted_in_pause

    # Judging.

    def _freeze(self, cue: Cue, author: str | None = None) -> None:
        self._dealer.rest()
        self.hunter_seen = False
        if not self._judge(cue, author):
            self._gate.dismiss()  # nothing else notices the same Bam, and the next may come as soon as people like

    def _judge(self, cue: Cue, author: str | None) -> bool:
        """Judge all players at a cue, then watch who moves; return False if the source does not show the moment.

        If nothing is seen, every pose is asked for. From the cue to the first word the whole computer is the referee's:
        evidence comes after that, and so do pages unless they ask something.
        """
        self._enter(TablePhase.JUDGING)
        try:
            moment = self._video_source.moment(cue)
            with self._services.keeper.quiet(), self._voice.first_word_awaited(self._answer):
                if self._referee.game.phase is not Phase.FROZEN:
                    self._enter_script(None if moment is None else moment.script)
                    with self._display.clear_if_round_begins(self._referee.game):
                        self._referee.bam(cue.maker.value, author)
                has_read = self._has_read(moment)
                judged = self._referee.judged if has_read else None
                is_anybody_seen = judged is not None and any(seat.reading is not None for seat in judged.seats)
                self.met_nobody = self._video_source.camera is not CameraState.NONE and not is_anybody_seen
                after_verdicts = TablePhase.WATCHING if has_read else None
                if self._referee.questions.asked:
                    self._enter(after_verdicts)
            if self.phase is TablePhase.JUDGING:
                self._enter(after_verdicts)
            if moment is not None and has_read:
                self._referee.watch(moment.footage, self._answer)
        finally:
            self._judged_s = time.monotonic()
            self._enter(None)
        return moment is not None

    def _enter_script(self, script: ScriptedRound | None) -> None:
        """Enter the facts of a scripted round that have not been entered by hand."""
        referee = self._referee
        if script is None:
            return
        if script.bet is not None and referee.game.phase is Phase.BETTING and referee.game.bet is None:
            with self._display.clear_if_round_begins(referee.game):
                referee.bet(script.bet, Maker.SCRIPT.value)
        if script.cards is not None and referee.game.first_pass:
            with self._display.clear_if_round_begins(referee.game):
                referee.record_cards(script.cards, Maker.SCRIPT.value)

    def _has_read(self, moment: Moment | None) -> bool:
        """Judge the frames of a moment; return whether there were any."""
        if moment is None:
            self._referee.ask_everybody()
            return False
        if moment.script is not None:
            self._referee.reset_tracking()
        if moment.may_be_late and not self._warned_of_delay:
            self._warned_of_delay = True
            self._services.notices.notify(MAY_BE_LATE)
        self._look_until_bam(moment)
        try:
            self._referee.judge(moment.footage, moment.cue_s, may_be_late=moment.may_be_late)
        except NoReadingError as error:
            _logger.info("Bam without a reading")
            self._services.notices.notify(error.sentence)
            self._referee.ask_everybody()
            return False
        return True

    def _look_until_bam(self, moment: Moment) -> None:
        """Go on looking at the table while frames from before Bam still arrive, as they do with a known delay.

        A look shortly before Bam saves reading more frames after it.
        """
        seen_s = -math.inf
        while moment.script is None and not moment.may_be_late:
            frame = self._video_source.newest()
            if frame is None or not seen_s < frame.time_s < moment.cue_s - _AT_BAM_S:
                break
            seen_s = frame.time_s
            self._referee.look(frame)
            moment.footage.wait_for(math.nextafter(seen_s, math.inf), PATIENCE_S)
