"""Course of a round: bet, deal, cue, verdicts, scores, announcements in seat order, catch-up, corrections.

Events are on the disk before they are announced.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.referee.announcer import Announcer
from bunnymoose_cv.referee.event_writer import EventWriter
from bunnymoose_cv.referee.evidence_recorder import EvidenceRecorder, NoEvidence
from bunnymoose_cv.referee.game_history import dismissal, taken_back, told_poses
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.referee.open_questions import AskPolicy, OpenQuestions
from bunnymoose_cv.referee.round_reader import LateBam, NoReadingError, RoundReader
from bunnymoose_cv.referee.standing_round import standing_facts, standing_lines
from bunnymoose_cv.rules.dealing import deal
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    Correction,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.voice.phrases import ask_to_check, tell_moved

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import RoundFacts
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.tracker import Tracker

_logger = logging.getLogger(__name__)

PEOPLE: Final = Phrase("people")
"""Author of entries and corrections from the table in the game file."""


class Referee:
    """Referee of the rounds of one game; belongs to one thread.

    Args:
        file: the game that is kept; what happened in it before stands.
        tracker: reads the frames; None where there is no camera, and people say what everybody shows.
        say: is given each announcement, once it has been written down.
        keeper: keeps the evidence beside the game; None keeps none.
        tell: how a person is told what hinders the keeping; nothing of it stops the game.
        asks: whether a move in doubt waits for a person; else the likeliest reading stands.
        asks_everything: whether every unclear field does, also where no card on the table cares.
        exemptions: parts that are not judged of a player, by name: they follow the player from seat to seat.
    """

    def __init__(  # noqa: PLR0913 - everybody it knows
        self,
        file: GameFile,
        tracker: Tracker | None,
        reader: Reader | None,
        *,
        say: Callable[[str], object],
        keeper: EvidenceKeeper | None,
        tell: Callable[[str], None],
        asks: bool = True,
        asks_everything: bool = False,
        language: Language = Language.ENGLISH,
        exemptions: Mapping[str, frozenset[Exemption]] | None = None,
    ) -> None:
        self._file = file
        self._events = EventWriter(file, tell)
        self._asking = AskPolicy(in_doubt=asks, everything=asks_everything)
        self._reader = RoundReader(tracker, reader, exemptions or {}, self._asking)
        self._evidence = NoEvidence() if keeper is None else EvidenceRecorder(file, keeper, language)
        self._announcer = Announcer(say, language)
        self._tell = tell
        self._language = language
        self.judged: JudgedRound | None = None
        """The last judged round, which may be over."""
        self._bam: LateBam | None = None

    @property
    def game(self) -> Game:
        """The current state of the game."""
        return self._file.game

    @property
    def asks_everything(self) -> bool:
        """True if every unclear field waits for a person."""
        return self._asking.everything

    @property
    def asked(self) -> tuple[str, ...]:
        """Players of the open round who wait for a person: the move is in doubt, or they were not seen."""
        return self._questions.asked

    @property
    def asked_again(self) -> tuple[str, ...]:
        """Players of the last judged round whose verdict stands, but is in doubt since other cards were told."""
        return self._questions.asked_again

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Players of the open round whose pose is not written down: people may tell it, asked or not."""
        return self._questions.unjudged

    @property
    def _questions(self) -> OpenQuestions:
        judged = self.judged
        confirmed = (player for number, player in self._told if judged is not None and number == judged.number)
        return OpenQuestions(self.game, judged, self._asking, frozenset(confirmed), taken_back(self._file.entries))

    @property
    def _told(self) -> dict[tuple[int, str], Pose]:
        """Poses that people have told, here or in another program, by round and player."""
        return told_poses(self._file.standing)

    @property
    def _open_facts(self) -> RoundFacts:
        """Facts of the open round, as far as they are known; when the game is over, of the last one."""
        return standing_facts(self.game, self.game.round_number)

    def recall(self) -> tuple[str, ...]:
        """Recall a former referee's announcements, as far as they still stand; they are not repeated."""
        game = self.game
        if game.phase is Phase.FROZEN:
            self._announcer.recall(self._open_facts)
            return standing_lines(game, game.round_number, self._language)
        has_begun = game.phase is Phase.DEALING or game.bet is not None
        return () if has_begun or not game.rounds else standing_lines(game, len(game.rounds), self._language)

    # Before Bam.

    def bet(self, player: str, who: str = PEOPLE) -> None:
        """Bet on a player, as the narrator.

        Raises:
            IllegalEventError: nobody can bet so now.
        """
        self._events.append([BetPlaced(player)], Phrase("the narrator's bet"), who)

    def lay(self, cards: Table, who: str = PEOPLE) -> None:
        """Write down cards that people laid: one on the next pile, or all that lie on the table.

        Raises:
            IllegalEventError: no such cards can be laid now.
        """
        single = len(cards) == 1 and self.game.rules.piles > 1
        self._tell_cards(CardLaid(cards[0]) if single else TableLaid(cards), Phrase("told by people"), who)

    def lay_seen(self, cards: Table, who: str = PEOPLE) -> None:
        """Write down the frozen round's cards from a photograph: the first that are known, or others than were told.

        Raises:
            IllegalEventError: no such cards can lie there.
        """
        game = self.game
        event = TableLaid(cards) if game.first_pass else TableCorrected(game.round_number, cards)
        self._tell_cards(event, Phrase("seen on a photograph"), who)

    def deal_card(self, deck: Deck, random: Random) -> Card:
        """Lay the next card of the shuffled deck; a hunter after the first pass is Bam by itself.

        Raises:
            InputError: the deck has too few cards.
            IllegalEventError: no card is dealt now.
        """
        events = deal(self.game, deck, random)
        self._events.append(events, Phrase("dealt"), REFEREE)
        return next(event.card for event in events if isinstance(event, CardLaid))

    def bam(self, made_by: str, who: str | None = None) -> None:
        """Begin the freeze.

        Raises:
            IllegalEventError: Bam has been said already.
        """
        self._events.append([Bam()], Phrase("the cue was made by {maker}", maker=made_by), who or made_by)

    def dismiss(self, who: str = PEOPLE) -> bool:
        """Dismiss the last Bam: the round goes on as before it, whoever has been judged since.

        What was told since of the cards, the bet and older rounds still stands, as said by whoever told it.

        Returns:
            False where no Bam stands that could be taken back: a hunter ended the deal, or the next round has begun.
        """
        found = dismissal(self._file.standing)
        if found is None:
            return False
        self._events.take_back(found.taken_back, found.still_true, Phrase("that was no Bam"), who)
        self._forget_bam(found.round_number)
        return True

    @property
    def can_dismiss(self) -> bool:
        """True while `dismiss` would take a Bam back."""
        return dismissal(self._file.standing) is not None

    def forget_undone_bam(self) -> None:
        """Forget what was seen, kept, said and announced of a Bam that another program has undone."""
        game, judged = self.game, self.judged
        if game.phase is not Phase.FROZEN:
            last = game.round_number if judged is None else max(game.round_number, judged.number)
            for number in range(game.round_number, last + 1):
                self._forget_bam(number)

    def _forget_bam(self, number: int) -> None:
        """Forget what was seen, kept, said and announced of a Bam of the open round, which was taken back."""
        self._evidence.forget(number)
        self._forget_verdicts(number)

    def _forget_verdicts(self, number: int) -> None:
        """Forget what was read, said and announced of a round, so that it can be judged."""
        self._announcer.forget()
        if self.judged is not None and self.judged.number == number:
            self.judged = None

    # At Bam.

    def reset_tracking(self) -> None:
        """Forget everybody's place: other images come, of another clip or a camera that was lost."""
        self._reader.reset_tracking()

    def look(self, frame: Frame) -> FrameReading:
        """Look at the table while it waits; see `RoundReader.look`."""
        return self._reader.look(frame, len(self.game.seats))

    def ask_everybody(self) -> None:
        """Ask for every player's pose, since nothing can be seen at Bam."""
        self._announcer.begin()
        self._forget_bam(self.game.round_number)
        self._ask(self.asked)

    def judge(self, footage: Footage, cue_s: float, *, may_be_late: bool = False) -> JudgedRound:
        """Read the frames of the freeze as they come, write down what they show, and announce it.

        Args:
            cue_s: when Bam was said, on the clock of the footage.
            may_be_late: whether the frames come with an unknown delay after Bam, which the players tell.

        Raises:
            NoReadingError: there is no frame.
            IllegalEventError: Bam has not been said.
        """
        self._announcer.begin()
        facts = self._open_facts
        self._forget_verdicts(facts.number)
        bam = self._bam = self._reader.find_bam(facts, footage, cue_s) if may_be_late else LateBam(cue_s)
        # This forgets what an earlier Bam of the round left.
        self._evidence.buffer_footage(facts.number, bam.cue_s, footage)
        try:
            judged = self.judged = self._reader.read(facts, footage, bam.cue_s, bam.earlier)
        except NoReadingError:
            self._forget_bam(facts.number)  # a film without a frame of the freeze shows nothing
            raise
        self._write_down(self._questions.settled)
        counts = (
            len(judged.readings),
            sum(seat.reading is not None for seat in judged.seats),
            len(judged.seats),
            len(self.asked),
        )
        _logger.info("round %d is judged: %d frames, %d of %d seats seen, %d asked", judged.number, *counts)
        self._announce()
        self._ask(self.asked)
        return judged

    def watch(self, footage: Footage) -> JudgedRound:
        """Have the evidence kept, look for players who change their shape after the freeze, and tell who did."""
        judged = self.judged
        if judged is None:
            raise AssertionError("judge comes before watch")
        kept, asked_before = self._evidence.store_readings(judged, self._announcer.said), self.asked_again
        judged = self.judged = replace(self._reader.watch(judged, footage, self._bam), kept=kept)
        moved = [seat.player for seat in judged.seats if seat.movement]
        if moved:
            self._announcer.say(tell_moved(moved, self._language))
        self._ask([each for each in self.asked_again if each not in asked_before])
        self._evidence.complete(judged, self._announcer.said, footage)
        return judged

    def finish_evidence(self, recorded: Callable[[int], tuple[Footage, float] | None]) -> None:
        """Have kept what an interrupted program left of the rounds before: readings, images, films.

        Nothing is announced. What is lost is told.

        Args:
            recorded: footage of a round, by its number, and the cue's time on its clock; None where it is gone.
        """
        self._evidence.recover(self._reader, recorded, self._tell)

    def needs_no_frame(self, number: int, reading: PlayerReading) -> bool:
        """Tell if a reading is sure enough for the cards of a round, or as a whole where they are not known yet."""
        return self._reader.is_sure(reading, standing_facts(self.game, number))

    # What people say afterwards.

    def correct_pose(self, player: str, pose: Pose, round_number: int | None = None, who: str = PEOPLE) -> None:
        """Put right a player's pose as a person tells it: an unclear one for the first time, else a correction.

        Args:
            round_number: of an older round; without one, of the open round, or of the last where none is judged.

        Raises:
            IllegalEventError: there was no such player in that round.
        """
        if round_number is None and player in self.unjudged:
            self._events.append([PosesJudged({player: pose})], Phrase("told by people: the reading was unclear"), who)
            self._announce()
            return
        number = self._correctable_round(player) if round_number is None else round_number
        before = self.game
        self._events.append([PoseCorrected(number, player, pose)], Phrase("put right"), who)
        self.tell_correction(number, before, self.game)

    def correct_table(self, round_number: int, cards: Table, who: str = PEOPLE) -> None:
        """Put right the cards that lay on the piles in a round, the open one or an older one.

        Raises:
            IllegalEventError: there is no such round, or no such cards can lie there.
        """
        self._tell_cards(TableCorrected(round_number, cards), Phrase("put right"), who)

    def correct_bet(self, round_number: int, player: str | None, who: str = PEOPLE) -> None:
        """Put right the narrator's bet of a round: on somebody else, or on nobody.

        Raises:
            IllegalEventError: there is no such round, or nobody could bet so in it.
        """
        before = self.game
        self._events.append([BetCorrected(round_number, player)], Phrase("put right"), who)
        self.tell_correction(round_number, before, self.game)

    def undo(self, who: str = PEOPLE) -> None:
        """Take the newest event back.

        Raises:
            IllegalEventError: there is nothing to undo.
        """
        undone = self._file.standing[-1].event if self._file.standing else None
        before = self.game
        self._events.append([Undone()], Phrase("undone"), who)
        if before.phase is Phase.FROZEN and self.game.phase is not Phase.FROZEN:
            self._forget_bam(self.game.round_number)
        if isinstance(undone, Correction):
            self.tell_correction(undone.round_number, before, self.game)
        else:
            self._announcer.keep(self._open_facts)

    def tell_correction(self, number: int, before: Game, after: Game) -> None:
        """Say the moves that a correction has changed in a round, also one of another program.

        Args:
            before: the state before the correction, or before its undoing.
            after: the state since then.
        """
        if number <= min(len(before.rounds), len(after.rounds)):
            self._announcer.tell_correction(before.rounds[number - 1], after.rounds[number - 1])
        else:
            self._announce()

    # Verdicts, questions and announcements.

    def _write_down(self, poses: Mapping[str, Pose]) -> None:
        """Write down what the camera showed, as far as it stands without a question."""
        if poses:
            self._events.append([PosesJudged(poses)], Phrase("what the camera showed"), REFEREE)

    def _ask(self, players: Sequence[str]) -> None:
        if players:
            self._announcer.say(ask_to_check(players, self._language))

    def _tell_cards(self, event: Event, why: Phrase, who: str) -> None:
        """Write cards down, announce what they make known or change, and ask only whose move they put in doubt."""
        before = self._questions
        self._events.append([event], why, who)
        self._write_down(self._questions.settled_by_cards)
        if isinstance(event, TableCorrected):
            self.tell_correction(event.round_number, before.game, self.game)
        else:
            self._announce()
        was_frozen = before.game.phase is Phase.FROZEN
        asked_now = self.asked if was_frozen else ()  # of whom a hunter freezes the camera tells first
        asked_before = {*before.asked, *before.asked_again}
        self._ask([each for each in (*asked_now, *self.asked_again) if each not in asked_before])

    def _correctable_round(self, player: str) -> int:
        game = self.game
        is_open = game.phase is Phase.FROZEN or player in game.poses
        return game.round_number if is_open else max(1, len(game.rounds))

    def _announce(self) -> None:
        """Say all that is known and has not been said: the sure ones at once, the rest when people have looked."""
        closed, facts = self._events.take_closed(), self._open_facts
        if closed is not None:
            self._announcer.close(closed)
        elif self.game.phase is Phase.FROZEN and facts.cards:
            self._announcer.tell(facts)
