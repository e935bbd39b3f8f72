"""The evening as it is lived: people, cues, camera, dealer and voice meet in one loop on a thread of its own.

Whatever blocks is done by others on threads of their own.
"""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self, TypeVar

from bunnymoose_cv.calibration.checks.check_words import fault_with_remedy
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.cue import Cue, Maker
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.correction_effects import changes
from bunnymoose_cv.referee.dealer import BAM, Dealer
from bunnymoose_cv.referee.round_reader import NoReadingError
from bunnymoose_cv.rules.events import Bam, BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.fold import stands_already
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.quiet_check import QuietCheck
from bunnymoose_cv.session.table_cues import TableCues
from bunnymoose_cv.session.table_state import CameraState, DealState, LatestReading, TableState
from bunnymoose_cv.voice.phrases import tell_camera_back, tell_camera_lost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from threading import Event

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.card_photo import CardPhoto
    from bunnymoose_cv.session.dealer_setup import DealerSetup
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.video_source import Moment, VideoSource

_logger = logging.getLogger(__name__)

_Result = TypeVar("_Result")

PAUSE_S: Final = 0.02
"""Timeout of the loop that waits for commands, where nothing else is due."""

GLIMPSE_S: Final = 0.066
"""From one look at the waiting table to the next at least: what is spared is there for the pages that show it."""

FIRST_WORD_S: Final = 1.0
"""Longest delay of the verdicts, before the first of them is heard."""

SAME_FRAME_S: Final = 0.001
"""Frames nearer than this are one."""

BEFORE_BAM: Final = (Phase.BETTING, Phase.DEALING)

STANDS_ALREADY: Final = Phrase("That is what stands already: nothing has changed.")
"""Answer to a correction that corrects nothing."""

CLOSED: Final = Phrase("The game has been left: nothing more can happen in it. Go on with it, or begin another.")


class LaidMeanwhileError(InputError):
    """Another card was laid after these were seen; it may be one of them."""


class Session:
    """One game at a table, from `with` to its end. Every method may be called from any thread.

    What people want is done on the session's own thread, one thing after the other; the `Future` tells when, and fails
    with an `InputError` whose sentence is for people.

    Args:
        services: what the game needs.
        video_source: what it looks at.
        asks: whether a move in doubt waits for a person; else the likeliest reading stands.
        asks_everything: whether every unclear field does.
        dealing: what the built-in dealer deals with; None leaves dealing to people.
        bam: the sound that means Bam, if one was learnt.
        bams_s: when Bam is said by itself, in seconds from the first frame.

    Attributes:
        language: of all that is said and shown.
        texts: in that language.
    """

    def __init__(  # noqa: PLR0913 - what meets at a table
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
        self._referee = services.referee(self._announce, asks=asks, asks_everything=asks_everything)
        self._dealing = dealing
        self._tempo_s = 0.0 if dealing is None else dealing.tempo_s
        self._dealer: Dealer | None = None
        self._cues = TableCues(services, video_source, bam, bams_s)
        self._seen_s = self._looked_s = self._judged_s = float("-inf")
        self._camera = CameraState.WATCHING
        self._paused = self._judging = self._watching = self._closed = False
        self._said = list(self._referee.recall())
        self._changes: Changes | None = None
        self._photo: CardPhoto | None = None
        self._published: Observable[TableState] = Observable()
        self._lines: Observable[str] = Observable()
        self._first_word: Event | None = None
        self._latest_reading: LatestReading | None = None
        self._quiet_check = QuietCheck()
        self._state = self._newest_state(version=1)
        self._actor = ActorThread("session", self._turn, first_turn_s=PAUSE_S, ended=self._tell_fault, refusal=CLOSED)

    # From any thread.

    def __enter__(self) -> Self:
        """Open what it looks at, and begin.

        Raises:
            InputError: that cannot be opened.
        """
        self._video_source.__enter__()
        self._referee.finish_evidence(self._recorded)
        self._video_source.follow(self._game)
        self._camera = self._video_source.camera
        self._publish()
        self._actor.start()
        return self

    def _recorded(self, number: int) -> tuple[Footage, float] | None:
        moment = self._video_source.recorded(number)
        return None if moment is None else (moment.footage, moment.cue_s)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None:
            self._actor.raise_fault()

    def close(self) -> None:
        """End what is being done and do nothing more; the game can be gone on with another time."""
        if not self._closed:
            self._closed = True
            self._actor.stop()
            self._video_source.__exit__()

    @property
    def running(self) -> bool:
        """Tell if what people want is done; False before the beginning and when the session is over."""
        return self._actor.running

    @property
    def state(self) -> TableState:
        """The current state of the table."""
        return self._state

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look at the waiting table."""
        return self._latest_reading

    @property
    def bams_to_come_s(self) -> tuple[float, ...]:
        """Moments of Bam, told beforehand, that have not come, in seconds from the first frame."""
        return self._cues.bams_to_come_s

    def newest(self) -> Frame | None:
        """The picture that is to be seen just now, unmirrored; None where there is none."""
        return self._video_source.newest()

    def listen(self, callback: Callable[[TableState], None]) -> Callable[[], None]:
        """Call somebody with each new state, on the session's thread, so return soon.

        Returns:
            What stops the listening.
        """
        return self._published.listen(callback)

    def listen_to_lines(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Call somebody with each line as it is said, poem and announcements, on the session's thread.

        Returns:
            What stops the listening.
        """
        return self._lines.listen(callback)

    def bet(self, player: str, who: str) -> Future[None]:
        """The narrator bets on a player."""
        return self._want(lambda: self._in_round(lambda: self._referee.bet(player, who)))

    def lay(self, cards: Table, who: str, *, after: int | None = None) -> Future[None]:
        """People tell which cards lie: one on the next pile, or all of them; a hunter after the first pass is Bam.

        Args:
            cards: those that lie.
            who: tells it.
            after: how many cards the round had laid when these were seen; where it has laid others since, the
                `Future` fails with a `LaidMeanwhileError`. None lays them in any case.
        """
        told_s = time.monotonic()
        return self._want(lambda: self._lay(cards, who, told_s, after))

    def see_cards(self, photo: CardPhoto, who: str) -> Future[None]:
        """A photograph of the cards of the frozen round came; they are laid once nobody needs to be asked."""
        return self._want(lambda: self._see_cards(photo, who))

    def expect_bam(self, seen_s: float) -> Future[None]:
        """The hunter was seen apart from the row: Bam is near. A sound or a key confirms it; it is none by itself.

        Args:
            seen_s: when, on the clock of `time.monotonic()`.
        """
        return self._want(lambda: self._expect_bam(seen_s))

    def settle_card(self, pile: int, card: Card, who: str) -> Future[None]:
        """Settle which card lies on a pile of the photograph."""
        return self._want(lambda: self._settle_card(pile, card, who))

    def deal(self, tempo_s: float | None = None) -> Future[None]:
        """The dealer begins, or goes on; with another tempo where one is given, seconds from line to line."""
        return self._want(lambda: self._deal(tempo_s))

    def rest(self) -> Future[None]:
        """The dealer rests until somebody lets it go on."""
        return self._want(self._rest)

    def bam(self, maker: Maker, who: str, time_s: float | None = None) -> Future[None]:
        """Request a freeze by Bam; while the table pauses or waits for a person it is none.

        Args:
            maker: by what.
            who: says it.
            time_s: when, where that is not now, seconds of `time.monotonic()`.
        """
        made_s = time.monotonic() if time_s is None else time_s
        return self._want(lambda: self._bam(maker, who, made_s))

    def dismiss(self, who: str) -> Future[None]:
        """The last Bam was none."""
        return self._want(lambda: self._dismiss(who))

    def answer(self, player: str, pose: Pose, who: str, round_number: int) -> Future[None]:
        """Answer the question about a player of a round; one that is no longer open is answered already."""
        return self._want(lambda: self._answer(player, pose, who, round_number))

    def put_right(self, player: str, pose: Pose, who: str, round_number: int | None = None) -> Future[bool]:
        """Correct the pose of a player, in this round or an earlier one; see `Referee.put_right`.

        Returns:
            Whether it was written down: what stands already is no correction (`STANDS_ALREADY`).
        """
        return self._want(lambda: self._put_right(player, pose, who, round_number))

    def correct_table(self, round_number: int, cards: Table, who: str) -> Future[bool]:
        """Correct the cards that lay on the piles; whether it was written down, see `put_right`."""
        return self._want(lambda: self._correct_table(round_number, cards, who))

    def correct_bet(self, round_number: int, player: str | None, who: str) -> Future[bool]:
        """Correct the narrator's bet, to another player or to nobody; whether it was written down, see `put_right`."""
        return self._want(lambda: self._correct_bet(round_number, player, who))

    def undo(self, who: str, *, keeps_bam: bool = False) -> Future[None]:
        """Take the newest event back; a correction too.

        Args:
            who: takes it back.
            keeps_bam: whether a Bam is refused, which only `dismiss` takes back then.
        """
        return self._want(lambda: self._undo(who, keeps_bam=keeps_bam))

    def pause(self, paused: bool) -> Future[None]:  # noqa: FBT001 - the one thing that is told
        """The table pauses, or goes on."""
        return self._want(lambda: self._pause(paused=paused))

    def say(self, line: str) -> Future[None]:
        """Let the table hear and read a line."""
        return self._want(lambda: self._announce(line))

    # What people want.

    def _want(self, wish: Callable[[], _Result]) -> Future[_Result]:
        def fulfil() -> _Result:
            result = wish()
            self._publish()
            return result

        return self._actor.submit(fulfil)

    def _in_round(self, action: Callable[[], object]) -> None:
        """Do what may begin a round; what was said in the last one is over then."""
        begins = self._game.phase is Phase.BETTING
        action()
        if begins:
            self._said, self._changes, self._photo = [], None, None
            self._services.notices.forget()

    def _lay(self, cards: Table, who: str, told_s: float, after: int | None) -> None:
        if after not in {None, self._game.laid}:
            raise LaidMeanwhileError(Phrase("Somebody has just laid a card: look once more."))
        before, self._cues.hunter_seen = self._game.phase, False
        self._in_round(lambda: self._referee.lay(cards, who))
        if before in BEFORE_BAM and self._game.phase is Phase.FROZEN:
            self._judge_hunter(told_s)

    def _see_cards(self, photo: CardPhoto, who: str) -> None:
        if self._game.phase is not Phase.FROZEN:
            raise InputError(Phrase("Photograph the cards once Bam has been said."))
        self._photo = photo.beside(self._game.table)
        self._lay_seen(who)

    def _settle_card(self, pile: int, card: Card, who: str) -> None:
        photo, game = self._photo, self._game
        if photo is None or photo.round_number != game.round_number or game.phase is not Phase.FROZEN:
            raise InputError(Phrase("The round is over: put its cards right on the page of its verdicts."))
        self._photo = photo.settled(pile, card)
        self._lay_seen(who)

    def _expect_bam(self, seen_s: float) -> None:
        if self._game.phase is Phase.DEALING and not self._game.first_pass:
            self._cues.expect(seen_s)

    def _lay_seen(self, who: str) -> None:
        """Lay what the photograph shows, as soon as every pile is known."""
        cards = None if self._photo is None else self._photo.cards
        if cards is not None and cards != self._game.table:
            self._referee.lay_seen(cards, who)

    def _bam(self, maker: Maker, who: str, made_s: float) -> None:
        if self._counts(Cue(made_s, maker)):
            self._cues.make(maker, made_s)
            self._freeze_at_cue(who)

    def _dismiss(self, who: str) -> None:
        self._cues.dismiss()
        if not self._referee.dismiss(who):
            raise InputError(Phrase("There is no Bam to take back: undo step by step."))
        self._start_over()

    def _undo(self, who: str, *, keeps_bam: bool) -> None:
        newest = self._services.file.standing[-1].event
        if keeps_bam and isinstance(newest, Bam):
            raise InputError(Phrase("Only Bam is left to take back: press “That was no Bam”."))
        if isinstance(newest, PoseCorrected | TableCorrected | BetCorrected):
            self._correct(lambda: self._referee.undo(who))
        else:
            self._referee.undo(who)
            self._start_over()

    def _start_over(self) -> None:
        """Forget announcements, notices and the deal, which no longer stand."""
        self._rest()
        self._services.notices.forget()
        self._said, self._changes, self._photo, self._cues.hunter_seen = [], None, None, False
        if self._services.speaker is not None:
            self._services.speaker.silence()

    def _answer(self, player: str, pose: Pose, who: str, round_number: int) -> None:
        if round_number == self._game.round_number and player in self._referee.unjudged:
            self._referee.put_right(player, pose, None, who)
        elif self._is_asked_again(player, round_number):
            self._correct(lambda: self._referee.put_right(player, pose, round_number, who))
        elif pose != self._pose_of(player, round_number):
            raise InputError(Phrase("Somebody has just answered: look once more."))

    def _put_right(self, player: str, pose: Pose, who: str, round_number: int | None) -> bool:
        """Put a pose right; the same pose is no correction, but answers what is asked again."""
        if round_number is None and player in self._referee.unjudged:
            self._referee.put_right(player, pose, None, who)
        elif pose != self._pose_of(player, round_number) or self._is_asked_again(player, round_number):
            self._correct(lambda: self._referee.put_right(player, pose, round_number, who))
        else:
            return False
        return True

    def _correct_table(self, round_number: int, cards: Table, who: str) -> bool:
        if stands_already(self._game, TableCorrected(round_number, cards)):
            return False
        self._correct(lambda: self._referee.correct_table(round_number, cards, who))
        return True

    def _correct_bet(self, round_number: int, player: str | None, who: str) -> bool:
        if stands_already(self._game, BetCorrected(round_number, player)):
            return False
        self._correct(lambda: self._referee.correct_bet(round_number, player, who))
        return True

    def _is_asked_again(self, player: str, round_number: int | None) -> bool:
        judged = self._referee.judged
        return judged is not None and round_number in {None, judged.number} and player in self._referee.asked_again

    def _pose_of(self, player: str, round_number: int | None) -> Pose | None:
        """Pose of a player that stands in a round; without one in the open round, or in the last."""
        game = self._game
        if round_number in {None, game.round_number} and player in game.poses:
            return game.poses[player]
        if round_number is None and game.phase is Phase.FROZEN:
            return None
        number = len(game.rounds) if round_number is None else round_number
        return game.rounds[number - 1].facts.poses.get(player) if 1 <= number <= len(game.rounds) else None

    def _correct(self, correct: Callable[[], None]) -> None:
        before = self._game
        correct()
        self._changes = changes(before, self._game, self.language)

    def _pause(self, *, paused: bool) -> None:
        self._paused = paused

    # The dealer.

    def _deal(self, tempo_s: float | None) -> None:
        dealing = self._dealing
        if dealing is None:
            raise InputError(Phrase("The cards are dealt by hand in this game: tell the referee which ones lie."))
        if self._game.phase not in BEFORE_BAM:
            raise InputError(Phrase("Nothing can be dealt now: the next round has to begin first."))
        self._tempo_s = tempo_s or self._tempo_s
        self._dealer = Dealer(
            dealing.poem,
            pile=lambda: self._game.laid,
            lay=lambda: self._referee.deal_card(dealing.deck, dealing.random),
            over=lambda: self._game.phase is Phase.FROZEN,
            say=self._recite,
            tempo_s=self._tempo_s,
        )

    def _rest(self) -> None:
        self._dealer = None

    def _deal_on(self) -> None:
        dealer = self._dealer
        if dealer is None or self._paused or not dealer.is_due(time.monotonic()):
            return
        self._in_round(lambda: dealer.turn(time.monotonic()))
        if self._game.phase is Phase.FROZEN:
            self._judge_hunter(time.monotonic())
        self._publish()

    def _recite(self, line: str) -> None:
        """Say a line of the poem; Bam at once, and it counts from when it was heard."""
        speaker = self._services.speaker
        if line == BAM:
            self._judging = True
            self._publish()
            if speaker is not None:
                speaker.silence()
        self._let_hear(line)
        if line == BAM and speaker is not None:
            speaker.wait()

    # Cues.

    def _freeze_at_cue(self, who: str | None = None) -> None:
        """The freeze begins with a cue; one while nobody can be judged is none."""
        cue = self._cues.take()
        if cue is not None and self._counts(cue):
            self._freeze(cue, who)

    def _counts(self, cue: Cue) -> bool:
        """Tell if a cue may freeze; one that was made while the last was judged meant that one."""
        meant_for_this = cue.maker is Maker.SCRIPT or cue.time_s >= self._judged_s
        return meant_for_this and not self._paused and self._game.phase in BEFORE_BAM

    def _judge_hunter(self, laid_s: float) -> None:
        """The hunter has ended the deal, and a pause: that is Bam, by whomever else it is said."""
        self._paused = False
        cue = self._cues.make(Maker.DEALER, laid_s)
        heard = self._cues.take()
        self._freeze(cue or heard or Cue(laid_s, Maker.DEALER))

    def _freeze(self, cue: Cue, who: str | None = None) -> None:
        """Judge everybody; where nothing is seen people say what everybody shows."""
        self._rest()
        self._judging, self._cues.hunter_seen = True, False
        self._publish()
        moment = self._video_source.moment(cue)
        try:
            with self._all_for_the_referee():
                if self._game.phase is not Phase.FROZEN:
                    self._lay_as_scripted(moment)
                    self._in_round(lambda: self._referee.bam(cue.maker.value, who))
                seen = self._has_looked_at(moment)
            self._judging, self._watching = False, seen
            self._publish()
            if moment is not None and seen:
                self._referee.watch(moment.footage)
        finally:
            self._judging = self._watching = False
            self._judged_s = time.monotonic()
            self._publish()

    @contextmanager
    def _all_for_the_referee(self) -> Iterator[None]:
        """From the cue to the first word the whole computer is the referee's: pages and evidence come after it."""
        self._first_word = None
        with self._services.keeper.quiet():
            yield
            if self._first_word is not None:
                self._first_word.wait(FIRST_WORD_S)

    def _lay_as_scripted(self, moment: Moment | None) -> None:
        """Enter a script's facts of its round that nobody has entered."""
        script = None if moment is None else moment.script
        if script is None:
            return
        if script.bet is not None and self._game.phase is Phase.BETTING and self._game.bet is None:
            bet = script.bet
            self._in_round(lambda: self._referee.bet(bet, Maker.SCRIPT.value))
        if script.cards is not None and self._game.first_pass:
            cards = script.cards
            self._in_round(lambda: self._referee.lay(cards, Maker.SCRIPT.value))

    def _has_looked_at(self, moment: Moment | None) -> bool:
        """Tell if the frames show the moment."""
        if moment is None:
            self._referee.ask_everybody()
            self._cues.dismiss()  # nothing else notices the same Bam, and the next may come as soon as people like
            return False
        if moment.script is not None:
            self._referee.look_afresh()
        try:
            self._referee.judge(moment.footage, moment.cue_s)
        except NoReadingError as error:
            _logger.info("Bam without a reading")
            self._services.notices.tell(error.sentence)
            return False
        return True

    # The loop.

    def _tell_fault(self, fault: BaseException | None) -> None:
        if fault is not None:
            _logger.error("the session broke", exc_info=fault)
            self._services.notices.tell(Phrase("The program made a mistake: close it, and go on with --resume."))
            self._publish()

    def _turn(self) -> float:
        try:
            self._watch_the_camera()
            self._cues.make_those_due()
            self._freeze_at_cue()
            self._deal_on()
            self._look()
        except InputError as error:
            _logger.warning("a turn of the session failed", exc_info=True)
            self._rest()
            self._services.notices.tell(error.sentence)
        if self._problem() != self._state.problem or self._game is not self._state.game:  # another program's correction
            self._publish()
        return PAUSE_S

    def _watch_the_camera(self) -> None:
        """Tell people when camera or microphone are lost and when they are back."""
        lost = "" if self._video_source.hears else Phrase("The microphone is gone: no shout is Bam until it is back.")
        self._services.notices.keep("microphone", lost)
        self._services.notices.keep("camera", self._video_source.problem)
        before, self._camera = self._camera, self._video_source.camera
        if self._camera is before:
            return
        if self._camera is CameraState.LOST:
            self._announce(tell_camera_lost(self.language))
        elif self._camera is CameraState.WATCHING:
            self._referee.look_afresh()
            self._announce(tell_camera_back(self.language))
        self._publish()

    def _look(self) -> None:
        """Look at the waiting table, so that people see what is seen and everybody's place is known at Bam."""
        now_s = time.monotonic()
        waits = self._game.phase in BEFORE_BAM or self._latest_reading is None  # after a restart the mirror is no blank
        if self._paused or not waits or now_s < self._looked_s + GLIMPSE_S:
            return
        frame = self._video_source.newest()
        if frame is None or frame.time_s < self._seen_s + SAME_FRAME_S:
            return
        self._looked_s, self._seen_s = now_s, frame.time_s
        number = 1 if self._latest_reading is None else self._latest_reading.number + 1
        self._latest_reading = LatestReading(number, self._referee.look(frame))
        fault = self._quiet_check.see(self._latest_reading.reading)
        self._services.notices.keep("table", "" if fault is None else fault_with_remedy(fault))

    # What everybody may know.

    @property
    def _game(self) -> Game:
        return self._referee.game

    def _announce(self, line: str) -> None:
        """An announcement: heard, and shown until the next round begins."""
        self._said.append(line)
        self._let_hear(line)

    def _let_hear(self, line: str) -> None:
        self._lines.tell(line)
        begun = self._services.say(line)
        self._first_word = self._first_word or begun

    def _publish(self) -> None:
        """Let everybody know what stands."""
        self._video_source.follow(self._game)
        self._state = self._newest_state(self._state.version + 1)
        self._published.tell(self._state)

    def _newest_state(self, version: int) -> TableState:
        file, referee = self._services.file, self._referee
        return TableState(
            version=version,
            game=file.game,
            entries=file.entries,
            folder=file.folder,
            camera=self._camera,
            problem=self._problem(),
            paused=self._paused,
            judging=self._judging,
            asked=() if self._judging else referee.asked,
            judged=referee.judged,
            deal=self._deal_state(),
            said=tuple(self._said),
            changes=self._changes,
            asked_again=() if self._judging else referee.asked_again,
            asks_everything=referee.asks_everything,
            watching=self._watching,
            photo=self._photo,
            hunter=self._cues.hunter_seen,
            dismissible=referee.can_dismiss,
        )

    def _deal_state(self) -> DealState | None:
        if self._dealing is None:
            return None
        return DealState(self._dealing.poem, None if self._dealer is None else self._dealer.line, self._tempo_s)

    def _problem(self) -> str:
        sentences = map(self.texts, self._services.notices.sentences)
        return " ".join(each if each.endswith(".") else f"{each}." for each in sentences)
