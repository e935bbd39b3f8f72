"""Running evening: commands from any thread, carried out one after the other on an actor thread.

Between commands the thread takes turns: other programs' entries, camera, cues, dealer, a look at the table. Whatever
blocks is done by others on threads of their own.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final, Self, TypeVar

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.referee.dealer import BAM
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.bam_judging import BamJudging
from bunnymoose_cv.session.camera_watch import CameraWatch
from bunnymoose_cv.session.corrections import Corrections
from bunnymoose_cv.session.dealer_control import DealerControl
from bunnymoose_cv.session.external_entries import ExternalEntries
from bunnymoose_cv.session.freeze_control import FreezeControl
from bunnymoose_cv.session.quiet_check import IdleTableReader
from bunnymoose_cv.session.round_display import RoundDisplay
from bunnymoose_cv.session.state_publisher import StatePublisher, TableParts
from bunnymoose_cv.session.table_cards import TableCards
from bunnymoose_cv.session.table_cues import TableCues
from bunnymoose_cv.session.table_voice import TableVoice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.cues.cue import Maker
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.card_photo import CardPhoto
    from bunnymoose_cv.session.dealer_setup import DealerSetup
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.table_state import LatestReading, TableState
    from bunnymoose_cv.session.video_source import VideoSource

_logger = logging.getLogger(__name__)

_Result = TypeVar("_Result")

PAUSE_S: Final = 0.02
"""Timeout of the loop that waits for commands, where nothing else is due."""

STANDS_ALREADY: Final = Phrase("That is what stands already: nothing has changed.")
"""Answer to a correction that corrects nothing."""

CLOSED: Final = Phrase("The game has been left: nothing more can happen in it. Go on with it, or begin another.")


class Session:
    """Thread-safe entry point of one game at a table, from `with` to its end.

    A command is carried out on the session's thread; its `Future` tells when, and fails with an `InputError` whose
    sentence is for people. Listeners are called on that thread, so they return soon.

    Args:
        asks: whether a move in doubt waits for a person; else the likeliest reading stands.
        asks_everything: whether every unclear field does.
        dealing: set-up of the built-in dealer; None leaves dealing to people.
        bams_s: when Bam is said by itself, in seconds from the first frame.
    """

    def __init__(  # noqa: PLR0913 - options of an evening
        self,
        services: Services,
        video_source: VideoSource,
        *,
        asks: bool = True,
        asks_everything: bool = False,
        dealing: DealerSetup | None = None,
        bam: BamProfile | None = None,
        bams_s: Sequence[float] = (),
    ) -> None:
        self.language = services.language
        self.texts = Texts(services.language)
        self._services = services
        self._video_source = video_source
        self._display = RoundDisplay(services.notices)
        self._voice = TableVoice(services, self._display)
        self._referee = referee = services.referee(self._voice.announce, asks=asks, asks_everything=asks_everything)
        self._display.said.extend(referee.recall())
        self._camera_watch = CameraWatch(services, video_source, referee, self._voice)
        self._idle_table = IdleTableReader(video_source, referee, services.notices)
        self._cues = TableCues(services, video_source, bam, bams_s)
        self._dealer = DealerControl(dealing, referee, self._display)
        self._judging = BamJudging(services, video_source, referee, self._voice, self._display)
        self._freeze = FreezeControl(referee, self._cues, self._dealer, self._judging)
        self._cards = TableCards(referee, self._display, self._cues, self._freeze)
        self._corrections = Corrections(services, referee, self._display, self._freeze)
        self._external = ExternalEntries(services, referee, self._display, self._freeze)
        parts = TableParts(
            services,
            referee,
            self._display,
            self._camera_watch,
            self._cues,
            self._dealer,
            self._judging,
            self._freeze,
        )
        self._publisher = StatePublisher(parts)
        self._judging.listen(self._publish)
        self._closed = False
        self._actor = ActorThread("session", self._turn, first_turn_s=PAUSE_S, ended=self._tell_fault, refusal=CLOSED)

    # Beginning and end.

    def __enter__(self) -> Self:
        """Open the video source, and begin.

        Raises:
            InputError: the source cannot be opened.
        """
        self._video_source.__enter__()
        self._referee.finish_evidence(self._recorded)
        self._video_source.follow(self._referee.game)
        self._camera_watch.begin()
        self._publish()
        self._actor.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None:
            self._actor.raise_fault()

    def close(self) -> None:
        """End after the command that is under way; the game can be gone on with another time."""
        if not self._closed:
            self._closed = True
            self._actor.stop()
            self._video_source.__exit__()

    @property
    def running(self) -> bool:
        """Tell if commands are carried out; False before the beginning and when the session is over."""
        return self._actor.running

    # State and listeners.

    @property
    def state(self) -> TableState:
        """Newest state snapshot."""
        return self._publisher.state

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest look at the waiting table."""
        return self._idle_table.latest_reading

    @property
    def bams_to_come_s(self) -> tuple[float, ...]:
        """Moments of Bam, told beforehand, that have not come, in seconds from the first frame."""
        return self._cues.bams_to_come_s

    def newest(self) -> Frame | None:
        """Newest frame, unmirrored; None where there is none."""
        return self._video_source.newest()

    def listen(self, callback: Callable[[TableState], None]) -> Callable[[], None]:
        """Register a listener for state snapshots.

        Returns:
            What stops the listening.
        """
        return self._publisher.listen(callback)

    def listen_to_lines(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Register a listener for each line as it is said, of the poem and of announcements.

        Returns:
            What stops the listening.
        """
        return self._voice.listen(callback)

    # Commands.

    def bet(self, player: str, who: str) -> Future[None]:
        """Place the narrator's bet on a player."""
        return self._submit(lambda: self._bet(player, who))

    def lay(self, cards: Table, who: str, *, after: int | None = None) -> Future[None]:
        """Lay one card on the next pile, or all that lie; a hunter after the first pass is Bam.

        Args:
            after: how many cards the round had laid when these were seen; where it has laid others since, the
                `Future` fails with a `LaidMeanwhileError`. None lays them in any case.
        """
        told_s = time.monotonic()
        return self._submit(lambda: self._cards.lay(cards, who, told_s, after))

    def see_cards(self, photo: CardPhoto, who: str) -> Future[None]:
        """Take a photograph of the frozen round's cards, and lay them once nobody needs to be asked."""
        return self._submit(lambda: self._cards.see(photo, who))

    def settle_card(self, pile: int, card: Card, who: str) -> Future[None]:
        """Settle which card lies on a pile of the photograph."""
        return self._submit(lambda: self._cards.settle(pile, card, who))

    def deal(self, tempo_s: float | None = None) -> Future[None]:
        """Let the dealer begin, or go on; with another tempo where one is given, seconds from line to line."""
        return self._submit(lambda: self._dealer.deal(tempo_s))

    def rest(self) -> Future[None]:
        """Let the dealer rest until somebody lets it go on."""
        return self._submit(self._dealer.rest)

    def expect_bam(self, seen_s: float) -> Future[None]:
        """Expect Bam soon, since the hunter was seen apart from the row; a sound or a key has to confirm it.

        Args:
            seen_s: when, on the clock of `time.monotonic()`.
        """
        return self._submit(lambda: self._freeze.expect(seen_s))

    def bam(self, maker: Maker, who: str, time_s: float | None = None) -> Future[None]:
        """Request a freeze by Bam; while the table pauses or waits for a person it is none.

        Args:
            time_s: when, where that is not now, seconds of `time.monotonic()`.
        """
        made_s = time.monotonic() if time_s is None else time_s
        return self._submit(lambda: self._freeze.make(maker, who, made_s))

    def dismiss(self, who: str, *, after: int | None = None) -> Future[None]:
        """Take the last Bam back, since it was none.

        Args:
            after: number of entries that who says so has seen; where anything was taken back since, the `Future`
                fails. None takes the last Bam back in any case.
        """
        return self._submit(lambda: self._corrections.dismiss(who, after))

    def answer(self, player: str, pose: Pose, who: str, round_number: int) -> Future[None]:
        """Answer the question about a player of a round; one that is no longer open is answered already."""
        return self._submit_correction(lambda: self._corrections.answer(player, pose, who, round_number))

    def correct_pose(self, player: str, pose: Pose, who: str, round_number: int | None = None) -> Future[bool]:
        """Correct the pose of a player, in this round or an earlier one; see `Referee.correct_pose`.

        Returns:
            Whether it was written down: what stands already is no correction (`STANDS_ALREADY`).
        """
        return self._submit_correction(lambda: self._corrections.correct_pose(player, pose, who, round_number))

    def correct_table(self, round_number: int, cards: Table, who: str) -> Future[bool]:
        """Correct the cards that lay on the piles; whether it was written down, see `correct_pose`."""
        return self._submit_correction(lambda: self._corrections.correct_table(round_number, cards, who))

    def correct_bet(self, round_number: int, player: str | None, who: str) -> Future[bool]:
        """Correct the narrator's bet, to another player or to nobody; see `correct_pose` for the result."""
        return self._submit_correction(lambda: self._corrections.correct_bet(round_number, player, who))

    def undo(self, who: str, *, after: int | None = None, keeps_bam: bool = False) -> Future[None]:
        """Take the newest event back; a correction too.

        Args:
            after: number of entries that who takes it back has seen; where there are others since, the `Future`
                fails. None takes the newest back in any case.
            keeps_bam: whether a Bam is refused, which only `dismiss` takes back then.
        """
        return self._submit(lambda: self._corrections.undo(who, after, keeps_bam=keeps_bam))

    def pause(self, paused: bool) -> Future[None]:  # noqa: FBT001 - the one thing that is told
        """Pause the table, or let it go on."""
        return self._submit(lambda: self._freeze.pause(paused=paused))

    def say(self, line: str) -> Future[None]:
        """Let the table hear and read a line."""
        return self._submit(lambda: self._voice.announce(line))

    # On the actor thread.

    def _submit(self, command: Callable[[], _Result]) -> Future[_Result]:
        """Queue a command; the state is published after it."""

        def carry_out() -> _Result:
            result = command()
            self._publish()
            return result

        return self._actor.submit(carry_out)

    def _submit_correction(self, correct: Callable[[], _Result]) -> Future[_Result]:
        """Queue a correction; those of other programs are shown and said before it."""

        def correct_after_others() -> _Result:
            self._external.take_in()
            return correct()

        return self._submit(correct_after_others)

    def _bet(self, player: str, who: str) -> None:
        """Place a bet; one that stands is not written down again, so that an undo takes it back."""
        game = self._referee.game
        if (game.phase, game.bet) == (Phase.BETTING, player):
            return
        with self._display.clear_if_round_begins(game):
            self._referee.bet(player, who)

    def _turn(self) -> float:
        """Take one turn between commands."""
        try:
            if self._external.take_in_if_due():
                self._publish()
            if self._camera_watch.watch():
                self._publish()
            self._cues.make_those_due()
            self._freeze.take_cue()
            if not self._freeze.paused:
                self._deal_on()
                self._idle_table.look()
        except InputError as error:
            _logger.warning("a turn of the session failed", exc_info=True)
            self._dealer.rest()
            self._services.notices.tell(error.sentence)
        if self._publisher.is_outdated:
            self._publish()
        return PAUSE_S

    def _deal_on(self) -> None:
        """Lay the dealer's next card and recite its line, if it is due."""
        line = self._dealer.deal_on()
        if line is None:
            return
        if line == BAM:
            self._freeze.judge_dealt_hunter()
        else:
            self._voice.say(line)
        self._publish()

    def _publish(self) -> None:
        self._video_source.follow(self._referee.game)
        self._publisher.publish()

    def _recorded(self, number: int) -> tuple[Footage, float] | None:
        """Footage of a round before, and its cue's time; None where it is gone."""
        moment = self._video_source.recorded(number)
        return None if moment is None else (moment.footage, moment.cue_s)

    def _tell_fault(self, fault: BaseException | None) -> None:
        if fault is not None:
            _logger.error("the session broke", exc_info=fault)
            self._services.notices.tell(Phrase("The program made a mistake: close it, and go on with --resume."))
            self._publish()
