"""Course of a round: bet, deal, cue, verdicts, scores, announcements in seat order, catch-up, corrections.

An event is on the disk before it is announced.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.phrases import announce_movement
from bunnymoose_cv.announcements.questions import announce_unanswered
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.referee.current_round import Announcer, current_facts, current_lines
from bunnymoose_cv.referee.game_recorder import EventWriter, EvidenceRecorder, NoEvidence
from bunnymoose_cv.referee.open_questions import AskPolicy, OpenQuestions, RecalledRound
from bunnymoose_cv.referee.round_reader import LateBam, NoReadingError, RoundReader
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
from bunnymoose_cv.rules.open_round import deal
from bunnymoose_cv.rules.provenance import NOBODY, PEOPLE, REFEREE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from bunnymoose_cv.capture.footage import Footage
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import RoundFacts
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.vision.video.tracker import Tracker

_logger = logging.getLogger(__name__)


class Referee:
    """Referee of the rounds of one game; belongs to one thread. An illegal event raises an `IllegalEventError`.

    Args:
        file: the stored game, which may have begun earlier.
        tracker: reads the frames; None without a camera, when players enter the poses.
        say: called with each announcement after its event is stored.
        ask: called with each question and its player; None uses `say`.
        keeper: keeps the evidence beside the game; None keeps none.
        notify: called with a sentence about trouble with storage, which does not stop the game.
        asks: whether a move in doubt waits for a person. If not, the likeliest reading counts.
        asks_everything: whether every unclear field waits for a person, even if it changes no score.
        exemptions: the parts of each player that are not judged, by name.
    """

    def __init__(  # noqa: PLR0913 - the collaborators and options of a game
        self,
        file: GameFile,
        tracker: Tracker | None,
        reader: Reader | None,
        *,
        say: Callable[[str], object],
        ask: Callable[[str, str], object] | None = None,
        keeper: EvidenceKeeper | None,
        notify: Callable[[str], None],
        asks: bool = True,
        asks_everything: bool = False,
        language: Language = Language.ENGLISH,
        exemptions: Mapping[str, frozenset[Exemption]] | None = None,
    ) -> None:
        self._file = file
        self._events = EventWriter(file, notify)
        self._asking = AskPolicy(in_doubt=asks, everything=asks_everything)
        self._reader = RoundReader(tracker, reader, exemptions or {}, self._asking)
        self._evidence = NoEvidence() if keeper is None else EvidenceRecorder(file, keeper, notify, language)
        self._announcer = Announcer(say, ask or (lambda line, _: say(line)), language)
        self._language = language
        self.judged: JudgedRound | None = None
        """The last judged round, which may be over."""
        self._bam: LateBam | None = None
        self._recalled: RecalledRound | None = None

    @property
    def game(self) -> Game:
        """The current state of the game."""
        return self._file.game

    @property
    def questions(self) -> OpenQuestions:
        """Open questions about the last judged round."""
        return OpenQuestions(self.game, self.judged, self._asking, self._recalled)

    @property
    def _open_facts(self) -> RoundFacts:
        """Known facts of the open round or, when the game is over, of the last one."""
        return current_facts(self.game, self.game.round_number)

    def recall(self) -> tuple[str, ...]:
        """Return the announcements of a former referee that are still valid; they are not repeated."""
        game = self.game
        if game.phase is Phase.FROZEN:
            self._announcer.recall(self._open_facts)
            return current_lines(game, game.round_number, self._language)
        has_begun = game.phase is Phase.DEALING or game.bet is not None
        return () if has_begun or not game.rounds else current_lines(game, len(game.rounds), self._language)

    # Before Bam.

    def bet(self, player: str, author: str = PEOPLE) -> None:
        """Bet on a player, as the narrator; raise an `IllegalEventError` if this bet is not allowed now."""
        self._events.append([BetPlaced(player)], Phrase("the narrator's bet"), author)

    def record_cards(self, cards: Table, author: str = PEOPLE) -> None:
        """Record cards that players laid: one on the next pile, or those of all piles."""
        single = len(cards) == 1 and self.game.rules.piles > 1
        self._record_card_event(CardLaid(cards[0]) if single else TableLaid(cards), Phrase("told by people"), author)

    def record_seen_cards(self, cards: Table, author: str = PEOPLE) -> None:
        """Record the frozen round's cards from a photograph, as the first known ones or as a correction."""
        game = self.game
        event = TableLaid(cards) if game.first_pass else TableCorrected(game.round_number, cards)
        self._record_card_event(event, Phrase("seen on a photograph"), author)

    def deal_card(self, deck: Deck, random: Random) -> Card:
        """Deal and return the next card of the shuffled deck; a hunter after the first pass is itself a Bam.

        Raise an `InputError` if the deck has too few cards.
        """
        events = deal(self.game, deck, random)
        self._events.append(events, Phrase("dealt"), REFEREE)
        return next(event.card for event in events if isinstance(event, CardLaid))

    def bam(self, made_by: str, author: str | None = None) -> None:
        """Begin the freeze; raise an `IllegalEventError` if Bam has been said already."""
        self._events.append([Bam()], Phrase("the cue was made by {maker}", maker=made_by), author or made_by)

    def dismiss(self, author: str = PEOPLE) -> bool:
        """Dismiss the last Bam with its verdicts; return False if that is impossible, as the next round has begun.

        Later entries about the cards, the bet and older rounds remain, with their authors.
        """
        round_number = self._events.dismiss_bam(Phrase("that was no Bam"), author)
        if round_number is not None:
            self._forget_bam(round_number)
        return round_number is not None

    def forget_undone_bam(self) -> None:
        """Forget readings, evidence and announcements of a Bam that another program has undone."""
        game, judged = self.game, self.judged
        if game.phase is not Phase.FROZEN:
            last = game.round_number if judged is None else max(game.round_number, judged.number)
            for number in range(game.round_number, last + 1):
                self._forget_bam(number)

    def _forget_bam(self, number: int) -> None:
        """Forget readings, evidence and announcements of a Bam of the open round that was undone."""
        self._evidence.forget(number)
        self._forget_verdicts(number)

    def _forget_verdicts(self, number: int) -> None:
        """Forget readings and announcements of a round, so that it can be judged."""
        self._announcer.forget()
        if self.judged is not None and self.judged.number == number:
            self.judged = None
        if self._recalled is not None and self._recalled.number == number:
            self._recalled = None

    # At Bam.

    def reset_tracking(self) -> None:
        """Forget the players' places, since images of another clip or of a camera that was lost follow."""
        self._reader.reset_tracking()

    def look(self, frame: Frame) -> FrameReading:
        """Look at the waiting table; see `RoundReader.look`."""
        return self._reader.look(frame, len(self.game.seats))

    def ask_everybody(self) -> None:
        """Ask for every player's pose, since Bam cannot be seen."""
        self._announcer.begin()
        self._forget_bam(self.game.round_number)
        self._ask(self.questions.asked)

    def judge(self, footage: Footage, cue_s: float, *, may_be_late: bool = False) -> JudgedRound:
        """Read the frames of the freeze as they arrive, record the verdicts, and announce them.

        Raise a `NoReadingError` if no frame shows the freeze.

        Args:
            cue_s: the time of Bam on the clock of the footage.
            may_be_late: whether the frames have an unknown delay after Bam, which is estimated from the players.
        """
        self._announcer.begin()
        facts = self._open_facts
        self._forget_verdicts(facts.number)
        bam = self._bam = self._reader.find_bam(facts, footage, cue_s) if may_be_late else LateBam(cue_s)
        self._evidence.buffer_footage(facts.number, bam.cue_s, footage)
        try:
            judged = self.judged = self._reader.read(facts, footage, bam.cue_s, bam.earlier)
        except NoReadingError:
            self._forget_bam(facts.number)  # a film without a frame of the freeze shows nothing
            raise
        self._record_poses(self.questions.settled)
        counts = (
            len(judged.readings),
            sum(seat.reading is not None for seat in judged.seats),
            len(judged.seats),
            len(self.questions.asked),
        )
        _logger.info("round %d is judged: %d frames, %d of %d seats seen, %d asked", judged.number, *counts)
        self._ask(self.questions.asked)
        self._announce()
        return judged

    def watch(self, footage: Footage, between: Callable[[], None] = lambda: None) -> JudgedRound:
        """Store the evidence, look for players who change their shape after the freeze, and announce them.

        Before each frame `between` is called; it may correct poses, and nothing else.
        """
        judged = self.judged
        if judged is None:
            raise AssertionError("judge comes before watch")
        between()
        kept, asked_before = self._evidence.store_readings(judged, self._announcer.said), self.questions.asked_again
        watched = replace(self._reader.watch(judged, footage, self._bam, between), kept=kept)
        if self.judged is not judged:  # another program has undone its Bam
            return watched
        judged = self.judged = watched
        moved = [seat.player for seat in judged.seats if seat.movement]
        if moved:
            self._announcer.say(announce_movement(moved, self._language))
        self._ask([player for player in self.questions.asked_again if player not in asked_before])
        self._evidence.complete(judged, self._announcer.said, footage)
        return judged

    def finish_evidence(self, recorded: Callable[[int], tuple[Footage, float] | None]) -> None:
        """Complete the evidence of earlier rounds without announcing verdicts again; see `EvidenceRecorder.recover`.

        The readings of a frozen round are recalled, so that its questions have a likeliest answer again.
        """
        self._evidence.recover(self._reader, recorded)
        if self.game.phase is Phase.FROZEN:
            number = self.game.round_number
            self._recalled = RecalledRound(number, self._evidence.stored_readings(number))

    # Corrections.

    def correct_pose(self, player: str, pose: Pose, round_number: int | None = None, author: str = PEOPLE) -> None:
        """Record a pose that a person entered: as the missing verdict or as a correction.

        A round number of None means the open round or, before its verdicts, the last one.
        """
        if round_number is None and player in self.questions.unjudged:
            self._events.append(
                [PosesJudged({player: pose})], Phrase("told by people: the reading was unclear"), author
            )
            self._announce()
            return
        number = self._correctable_round(player) if round_number is None else round_number
        before = self.game
        self._events.append([PoseCorrected(number, player, pose)], Phrase("put right"), author)
        self.announce_correction(number, before, self.game)

    def settle_unanswered(self) -> None:
        """Record and announce the likeliest answers to open questions; they can be corrected like any verdict."""
        likeliest = self.questions.likeliest
        if likeliest:
            self._events.append([PosesJudged(likeliest)], Phrase("nobody answered: the likeliest counts"), NOBODY)
            self._announcer.say(announce_unanswered(tuple(likeliest), self._language))
            self._announce()

    def correct_table(self, round_number: int, cards: Table, author: str = PEOPLE) -> None:
        """Correct the cards of a round, the open one or an older one."""
        self._record_card_event(TableCorrected(round_number, cards), Phrase("put right"), author)

    def correct_bet(self, round_number: int, player: str | None, author: str = PEOPLE) -> None:
        """Correct the narrator's bet of a round to another player or, if None, to no bet."""
        before = self.game
        self._events.append([BetCorrected(round_number, player)], Phrase("put right"), author)
        self.announce_correction(round_number, before, self.game)

    def undo(self, author: str = PEOPLE) -> None:
        """Undo the newest event; raise an `IllegalEventError` if every event has been undone."""
        undone = self._file.standing[-1].event if self._file.standing else None
        before = self.game
        self._events.append([Undone()], Phrase("undone"), author)
        if before.phase is Phase.FROZEN and self.game.phase is not Phase.FROZEN:
            self._forget_bam(self.game.round_number)
        if isinstance(undone, Correction):
            self.announce_correction(undone.round_number, before, self.game)
        else:
            self._announcer.keep(self._open_facts)

    def announce_correction(self, number: int, before: Game, after: Game) -> None:
        """Announce the moves that a correction, here or in another program, has changed in a round."""
        if number <= min(len(before.rounds), len(after.rounds)):
            self._announcer.announce_correction(before.rounds[number - 1], after.rounds[number - 1])
        else:
            self._announce()

    # Verdicts, questions and announcements.

    def _record_poses(self, poses: Mapping[str, Pose]) -> None:
        """Record the camera's verdicts that need no question."""
        if poses:
            self._events.append([PosesJudged(poses)], Phrase("what the camera showed"), REFEREE)

    def _ask(self, players: Sequence[str]) -> None:
        """Ask about the doubts of each player who was seen, and ask people to check all others."""
        self._announcer.ask_about(players, self.questions.answers_about(players))

    def _record_card_event(self, event: Event, why: Phrase, author: str) -> None:
        """Record cards, announce the moves that they decide or change, and ask about new doubts only."""
        before = self.questions
        self._events.append([event], why, author)
        self._record_poses(self.questions.settled_by_cards)
        was_frozen = before.game.phase is Phase.FROZEN
        asked_now = self.questions.asked if was_frozen else ()  # if a hunter freezes the table, the camera judges first
        asked_before = {*before.asked, *before.asked_again}
        self._ask([player for player in (*asked_now, *self.questions.asked_again) if player not in asked_before])
        if isinstance(event, TableCorrected):
            self.announce_correction(event.round_number, before.game, self.game)
        else:
            self._announce()

    def _correctable_round(self, player: str) -> int:
        game = self.game
        is_open = game.phase is Phase.FROZEN or player in game.poses
        return game.round_number if is_open else max(1, len(game.rounds))

    def _announce(self) -> None:
        """Announce all known verdicts that have not been announced.

        Sure players who may have the same pose as a player who is asked about are announced together with that player.
        """
        closed, facts = self._events.take_closed(), self._open_facts
        if closed is not None:
            self._announcer.close(closed)
        elif self.game.phase is Phase.FROZEN and facts.cards:
            self._announcer.announce(facts, self.questions.possible_look_alikes)
