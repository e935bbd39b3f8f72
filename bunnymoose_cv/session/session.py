"""Running evening: commands from any thread, executed in sequence on an actor thread.

Between commands the thread takes turns: entries of other programs, camera, cues, dealer, a look at the table. Blocking
work is done on other threads.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final, Self, TypeVar

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Published
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.session.play.answer_clock import AnswerClock
from bunnymoose_cv.session.play.corrections import Corrections
from bunnymoose_cv.session.play.dealer_control import BAM, DealerControl
from bunnymoose_cv.session.play.freeze_control import FreezeControl
from bunnymoose_cv.session.play.table_cards import TableCards
from bunnymoose_cv.session.play.table_output import RoundDisplay, TableVoice
from bunnymoose_cv.session.sources.quiet_check import CameraWatch, IdleTableReader
from bunnymoose_cv.session.table_state import TablePhase, TableState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from bunnymoose_cv.capture.footage import Footage
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.cues.cue import Maker
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.cards.card_photo import CardPhoto
    from bunnymoose_cv.session.game_setup import DealerSetup
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.sources.video_source import VideoSource
    from bunnymoose_cv.session.table_state import LatestReading

_logger = logging.getLogger(__name__)

_Result = TypeVar("_Result")

PAUSE_S: Final = 0.02

UNCHANGED: Final = Phrase("Nothing has changed: it was already like that.")
CLOSED: Final = Phrase("The game was left, so nothing can be changed in it. Go on with it, or begin another.")


class Session:
    """Thread-safe entry point of one game at a table, from `with` to its end.

    Each command runs on the session's thread; its `Future` completes afterwards, or fails with an `InputError` whose
    sentence is for users. Listeners are called on that thread, so they must return soon.

    Args:
        asks: whether a move in doubt waits for a person. If not, the likeliest reading counts.
        dealing: the set-up of the built-in dealer; None leaves dealing to the players.
        bams_s: the times at which Bam is said automatically, in seconds from the first frame.
    """

    def __init__(  # noqa: PLR0913 - options of an evening
        self,
        services: Services,
        video_source: VideoSource,
        *,
        asks: bool = True,
        dealing: DealerSetup | None = None,
        bam: BamProfile | None = None,
        bams_s: Sequence[float] = (),
    ) -> None:
        self.language = services.language
        self.texts = Texts(services.language)
        self._services, self._video_source = services, video_source
        self._actor = ActorThread("session", self._turn, first_turn_s=PAUSE_S, ended=self._report_fault, refusal=CLOSED)
        self._display = RoundDisplay(services.notices)
        self._voice = TableVoice(services, self._display)
        self._referee = referee = services.referee(self._voice.announce, self._voice.ask, asks=asks)
        self._display.said.extend(referee.recall())
        self._camera_watch = CameraWatch(services, video_source, referee, self._voice)
        self._idle_table = IdleTableReader(video_source, referee, services.notices)
        self._dealer = DealerControl(dealing, referee, self._display)
        self._freeze = FreezeControl(
            services,
            video_source,
            referee,
            self._voice,
            self._display,
            dealer=self._dealer,
            camera_watch=self._camera_watch,
            answer=self._actor.carry_out_urgent,
            changed=self._publish,
            bam=bam,
            bams_s=bams_s,
        )
        self._cards = TableCards(referee, self._display, self._freeze)
        self._corrections = Corrections(services, referee, self._display, self._freeze)
        self._answers = AnswerClock(services, referee, self._voice)
        self._published = Published(self._snapshot(version=1))
        self._closed = False

    # Start and end.

    def __enter__(self) -> Self:
        """Open the video source and start; raise an `InputError` if it cannot be opened."""
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
        """End after the current command; the game can be resumed later."""
        if not self._closed:
            self._closed = True
            self._actor.stop()
            self._video_source.__exit__()

    @property
    def running(self) -> bool:
        """Return whether commands are executed; False before the start and after the end."""
        return self._actor.running

    # State and listeners.

    @property
    def state(self) -> TableState:
        """Newest state snapshot."""
        return self._published.state

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest look at the waiting table."""
        return self._idle_table.latest_reading

    @property
    def bams_to_come_s(self) -> tuple[float, ...]:
        """Planned moments of Bam that have not come yet, in seconds from the first frame."""
        return tuple(self._freeze.bams_s)

    def newest(self) -> Frame | None:
        """Return the newest frame, unmirrored; None without one."""
        return self._video_source.newest()

    def listen(self, callback: Callable[[TableState], None]) -> Callable[[], None]:
        """Register a listener for state snapshots; return the unsubscribe function."""
        return self._published.listen(callback)

    def listen_to_lines(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Register a listener for each spoken line of poem and announcements; return the unsubscribe function."""
        return self._voice.listen(callback)

    # Commands.

    def bet(self, player: str, author: str) -> Future[None]:
        """Place the narrator's bet on a player."""
        return self._submit(lambda: self._cards.bet(player, author))

    def submit_cards(self, cards: Table, author: str, *, after: int | None = None) -> Future[None]:
        """Lay one card on the next pile, or those of all piles; a hunter after the first pass is Bam.

        The `Future` fails with a `LaidMeanwhileError` if there are others than the `after` cards that were laid in the
        round when these were seen; None does not check.
        """
        submitted_s = time.monotonic()
        return self._submit(lambda: self._cards.lay(cards, author, submitted_s, after))

    def submit_cards_one_by_one(
        self, cards: Table, author: str, *, after: int | None = None, expect: Callable[[], None] = lambda: None
    ) -> Future[None]:
        """Lay cards one by one, each on the next pile, until one cannot be laid; see `submit_cards`.

        Before each card `expect` is called, and raises an `InputError` if no further card may be laid.
        """
        submitted_s = time.monotonic()

        def lay_them() -> None:
            for more, card in enumerate(cards):
                expect()
                self._cards.lay((card,), author, submitted_s, None if after is None else after + more)
                self._publish()

        return self._submit(lay_them)

    def see_cards(self, photo: CardPhoto, author: str) -> Future[None]:
        """Take a photograph of the frozen round's cards, and lay them once none of them is in question."""
        return self._submit(lambda: self._cards.see(photo, author))

    def settle_card(self, pile: int, card: Card, author: str) -> Future[None]:
        """Set the card of a pile in the photograph."""
        return self._submit(lambda: self._cards.settle(pile, card, author))

    def deal(self, tempo_s: float | None = None) -> Future[None]:
        """Start or resume the dealer, with another tempo if given, in seconds from line to line."""
        return self._submit(lambda: self._freeze.start_deal(tempo_s))

    def rest(self) -> Future[None]:
        """Stop the dealer until it is resumed."""
        return self._submit(self._dealer.rest)

    def expect_bam(self, seen_s: float) -> Future[None]:
        """Expect Bam soon, since a frame (seconds of `time.monotonic()`) shows the hunter apart from the row.

        A sound or a key has to confirm it.
        """
        return self._submit(lambda: self._freeze.expect(seen_s))

    def bam(self, maker: Maker, author: str, time_s: float | None = None) -> Future[None]:
        """Request a freeze at a time of `time.monotonic()`, or now; ignored in a pause or while a person is asked."""
        made_s = time.monotonic() if time_s is None else time_s
        self._video_source.keep_for(made_s)  # its turn may come seconds later on a busy computer
        return self._submit(lambda: self._freeze.make(maker, author, made_s))

    def dismiss(self, author: str, *, after: int | None = None) -> Future[None]:
        """Dismiss the last Bam as a mistake.

        The `Future` fails if there was an undo after the `after` entries that the user has seen; None does not check.
        """
        return self._submit(lambda: self._corrections.dismiss(author, after))

    def answer(self, player: str, pose: Pose, author: str, round_number: int) -> Future[None]:
        """Answer the question about a player of a round; the `Future` fails if another answer has been given."""
        return self._submit(lambda: self._corrections.answer(player, pose, author, round_number), is_urgent=True)

    def correct_pose(self, player: str, pose: Pose, author: str, round_number: int | None = None) -> Future[bool]:
        """Correct the pose of a player, in this round or an earlier one; see `Referee.correct_pose`.

        The result is False if it changes nothing (see `UNCHANGED`).
        """
        return self._submit(lambda: self._corrections.correct_pose(player, pose, author, round_number), is_urgent=True)

    def correct_table(self, round_number: int, cards: Table, author: str) -> Future[bool]:
        """Correct the cards of a round; see `correct_pose` for the result."""
        return self._submit(lambda: self._corrections.correct_table(round_number, cards, author))

    def correct_bet(self, round_number: int, player: str | None, author: str) -> Future[bool]:
        """Correct the narrator's bet to another player or, if None, to no bet; see `correct_pose` for the result."""
        return self._submit(lambda: self._corrections.correct_bet(round_number, player, author))

    def undo(self, author: str, *, after: int | None = None, keeps_bam: bool = False) -> Future[None]:
        """Undo the newest event, which may be a correction.

        The `Future` fails if there are more than the `after` entries that the user has seen; None does not check. With
        `keeps_bam` the undo of a Bam is refused, so that only `dismiss` can undo it.
        """
        return self._submit(lambda: self._corrections.undo(author, after, keeps_bam=keeps_bam))

    def pause(self, paused: bool) -> Future[None]:  # noqa: FBT001 - the only argument
        """Pause or resume the table."""
        return self._submit(lambda: self._freeze.pause(paused=paused))

    def say(self, line: str) -> Future[None]:
        """Say and show a line."""
        return self._submit(lambda: self._voice.announce(line))

    # On the actor thread.

    def _submit(self, command: Callable[[], _Result], *, is_urgent: bool = False) -> Future[_Result]:
        """Queue a command; the state is published after it."""

        def execute() -> _Result:
            result = command()
            self._publish()
            return result

        return self._actor.submit(execute, is_urgent=is_urgent)

    def _turn(self) -> float:
        try:
            if self._corrections.take_in_if_due():
                self._publish()
            if self._camera_watch.watch():
                if self._camera_watch.camera.is_blind:
                    self._dealer.rest()  # no camera would see its Bam
                self._publish()
            self._settle_unanswered()
            self._freeze.make_due_cues()
            self._freeze.take_cue()
            if self._freeze.phase is not TablePhase.PAUSED:
                self._deal_on()
                self._idle_table.look()
        except InputError as error:
            _logger.warning("a turn of the session failed", exc_info=True)
            self._dealer.rest()
            self._services.notices.notify(error.sentence)
        if self._problem() != self.state.problem or self._services.file.game is not self.state.game:
            self._publish()
        return PAUSE_S

    def _deal_on(self) -> None:
        line = self._dealer.deal_on()
        if line is None:
            return
        if line == BAM:
            self._freeze.judge_dealt_hunter()
        else:
            self._voice.say(line)
        self._publish()

    def _settle_unanswered(self) -> None:
        """Remind players of open questions, or let the likeliest answers count, if either is due."""
        self._answers.remind_if_due()
        if self._answers.is_over:
            if not self._corrections.take_in():  # an answer in another program comes first
                self._answers.settle()
            self._publish()

    def _publish(self) -> None:
        referee, phase = self._referee, self._freeze.phase
        if phase is not TablePhase.JUDGING:
            self._voice.follow({*referee.questions.asked, *referee.questions.asked_again})
        self._answers.follow(may_run=phase not in {TablePhase.JUDGING, TablePhase.PAUSED})
        self._video_source.follow(referee.game)
        self._published.publish(self._snapshot())

    def _snapshot(self, version: int = 0) -> TableState:
        file, referee, phase = self._services.file, self._referee, self._freeze.phase
        is_judging = phase is TablePhase.JUDGING
        return TableState(
            game=file.game,
            entries=file.entries,
            folder=file.folder,
            camera=self._camera_watch.camera,
            problem=self._problem(),
            phase=phase,
            asked=() if is_judging else referee.questions.asked,
            judged=referee.judged,
            deal=self._dealer.state,
            said=tuple(self._display.said),
            changes=self._display.changes,
            asked_again=() if is_judging else referee.questions.asked_again,
            asks_everything=referee.questions.asking.everything,
            photo=self._display.photo,
            hunter=self._freeze.hunter_seen,
            answer_until=self._answers.until,
            met_nobody=self._freeze.met_nobody,
            version=version,
        )

    def _problem(self) -> str:
        sentences = map(self.texts, self._services.notices.sentences)
        return " ".join(sentence if sentence.endswith(".") else f"{sentence}." for sentence in sentences)

    def _recorded(self, number: int) -> tuple[Footage, float] | None:
        moment = self._video_source.recorded(number)
        return None if moment is None else (moment.footage, moment.cue_s)

    def _report_fault(self, fault: BaseException | None) -> None:
        if fault is not None:
            _logger.error("the session broke", exc_info=fault)
            self._services.notices.notify(Phrase("The program made a mistake: close it, and go on with --resume."))
            self._publish()
