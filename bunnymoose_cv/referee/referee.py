"""The round: bet, deal, cue, verdicts, scores, events, announcements in seat order, catch-up, rotation, the next.

The one place that knows everybody. What is announced has been written down before.
"""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.correction_effects import said
from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.record.game_file import EventNotStoredError
from bunnymoose_cv.referee.announcer import Announcer
from bunnymoose_cv.referee.correction_labels import CorrectionLabels
from bunnymoose_cv.referee.evidence_recovery import EvidenceRecovery
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.referee.question import ReadPose, judge_move
from bunnymoose_cv.referee.round_reader import NoReadingError, RoundReader
from bunnymoose_cv.rules.dealing import deal
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    PoseCorrected,
    PosesJudged,
    RoundEvent,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.round import Verdict
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.voice.phrases import ask_to_check, tell_moved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake
    from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.replay import Footage
    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.deck import Deck, Rules
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import Round
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.tracker import Tracker

_logger = logging.getLogger(__name__)

PEOPLE: Final = Phrase("people")
"""Author of entries and corrections from the table in the game file."""


class Referee:
    """Runs the rounds of one game. Belongs to one thread.

    Args:
        file: the game that is kept; what happened in it before stands.
        tracker: reads the frames; None where there is no camera, and people say what everybody shows.
        reader: what the tracker reads with.
        say: is given each announcement, once it has been written down.
        keeper: keeps the evidence beside the game; None keeps none.
        tell: how a person is told what hinders the keeping; nothing of it stops the game.
        asks: whether a move in doubt waits for a person; else the likeliest reading stands.
        asks_everything: whether every unclear field does, also where no card on the table cares.
        language: of the announcements.
        calibrations: of players who were calibrated, by name: they follow the player from seat to seat.
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
        calibrations: Mapping[str, PlayerCalibration] | None = None,
    ) -> None:
        self._file = file
        self._labels = CorrectionLabels()
        self._reader = RoundReader(tracker, reader, calibrations or {}, self.needs_no_frame)
        self._keeper = keeper
        self._tell = tell
        self._asks = asks
        self._asks_everything = asks_everything
        self._language = language
        self._announcer = Announcer(say, language)
        self._confirmed: Counter[str] = Counter()  # how often people have put whom right since the last Bam
        self._closed: Round | None = None  # a round that is over and not yet announced to its end
        self.judged: JudgedRound | None = None
        """The last judged round, which may be over."""

    @property
    def game(self) -> Game:
        """The current state of the game."""
        return self._file.game

    @property
    def asks_everything(self) -> bool:
        """True if every unclear field waits for a person."""
        return self._asks_everything

    @property
    def asked(self) -> tuple[str, ...]:
        """Players of the open round who wait for a person: the move is in doubt, or they were not seen."""
        waiting = self._waiting_for_cards
        return tuple(each for each in self.unjudged if each not in waiting)

    @property
    def asked_again(self) -> tuple[str, ...]:
        """Players of the last judged round whose verdict stands, but is in doubt since other cards were told."""
        judged, game = self.judged, self.game
        if judged is None or not self._asks or self._asks_everything:
            return ()
        told = self._told_of(judged.number)
        if told is None:
            return ()
        over = judged.number <= len(game.rounds)
        standing = game.rounds[judged.number - 1].facts.poses if over else game.poses
        return tuple(
            seat.player
            for seat in judged.seats
            if standing.get(seat.player) == seat.pose
            and not self._confirmed[seat.player]
            and self._is_in_doubt(seat, *told)
        )

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Players of the open round whose pose is not written down: people may tell it, asked or not."""
        game = self.game
        return tuple(each for each in game.seats if each not in game.poses) if game.phase is Phase.FROZEN else ()

    @property
    def labels(self) -> dict[str, tuple[LabelledTake, ...]]:
        """Labels from what people put right of remembered readings, by player."""
        return self._labels.by_player

    def recall(self) -> tuple[str, ...]:
        """Recall a former referee's announcements, as far as they still stand; they are not repeated."""
        game, language = self.game, self._language
        if game.phase is Phase.FROZEN:
            judged = () if game.first_pass else tuple(self._open_verdicts())
            lines = self._announcer.recall(judged, game.narrator, game.bet)
            return (*lines, *((ask_to_check(self.asked, language),) if self.asked else ()))
        begun = game.phase is Phase.DEALING or game.bet is not None
        return () if begun or not game.rounds else said(game.rounds[-1], language)

    # Before Bam.

    def bet(self, player: str, who: str = PEOPLE) -> None:
        """The narrator bets on a player.

        Raises:
            IllegalEventError: nobody can bet so now.
        """
        self._append([BetPlaced(player)], Phrase("the narrator's bet"), who)

    def lay(self, cards: Table, who: str = PEOPLE) -> None:
        """People laid cards and told which: one on the next pile, or all that lie on the table.

        Raises:
            IllegalEventError: no such cards can be laid now.
        """
        single = len(cards) == 1 and self.game.rules.piles > 1
        self._tell_cards(CardLaid(cards[0]) if single else TableLaid(cards), Phrase("told by people"), who)

    def lay_seen(self, cards: Table, who: str = PEOPLE) -> None:
        """A photograph shows the cards of the frozen round, the first that are known or others than were told.

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
        self._append(events, Phrase("dealt"), REFEREE)
        return next(event.card for event in events if isinstance(event, CardLaid))

    def bam(self, made_by: str, who: str | None = None) -> None:
        """The freeze begins.

        Args:
            made_by: what made the cue: a key, a sound.
            who: made it, where that is known.

        Raises:
            IllegalEventError: Bam has been said already.
        """
        self._append([Bam()], Phrase("the cue was made by {maker}", maker=made_by), who or made_by)

    def dismiss(self, who: str = PEOPLE) -> bool:
        """The last Bam was none: the round goes on as before it, whoever has been judged since.

        What was told since of the cards, the bet and older rounds still stands, as said by whoever told it.

        Args:
            who: says so.

        Returns:
            False where no Bam stands that could be taken back: a hunter ended the deal, or the next round has begun.
        """
        standing = self._file.standing
        events = [entry.event for entry in standing]
        bam = _newest_bam(events)
        if bam is None:
            return False
        number, taken_back = fold(events[:bam]).round_number, standing[bam:]
        still_true = [entry for entry in taken_back[1:] if not _is_of_bam(entry.event, number)]
        self._write(lambda: self._file.take_back(len(taken_back), still_true, Phrase("that was no Bam"), who))
        self._forget_bam(number)
        return True

    @property
    def can_dismiss(self) -> bool:
        """True while `dismiss` would take a Bam back."""
        return _newest_bam([entry.event for entry in self._file.standing]) is not None

    def _forget_bam(self, number: int) -> None:
        """Forget what was seen, kept, said and announced of a Bam of the open round, which was taken back."""
        if self._keeper is not None:
            self._keeper.forget(number)
        self._forget_verdicts(number)

    def _forget_verdicts(self, number: int) -> None:
        """Forget what was read, said and announced of a round, so that it can be judged."""
        self._labels.forget(number)
        self._announcer.forget()
        if self.judged is not None and self.judged.number == number:
            self.judged = None

    # At Bam.

    def look_afresh(self) -> None:
        """Other pictures come, of another clip or a camera that was lost: nobody's place is known any more."""
        self._reader.look_afresh()

    def look(self, frame: Frame) -> FrameReading:
        """Look at the table while it waits; see `RoundReader.look`."""
        return self._reader.look(frame, len(self.game.seats))

    def ask_everybody(self) -> None:
        """Ask for every player's pose, since nothing can be seen at Bam."""
        self._announcer.begin()
        self._forget_bam(self.game.round_number)
        self._announcer.say(ask_to_check(self.asked, self._language))

    def judge(self, footage: Footage, cue_s: float) -> JudgedRound:
        """Read the frames of the freeze as they come, write down what they show, and announce it.

        Args:
            footage: what the camera sees.
            cue_s: when Bam was said, on its clock.

        Raises:
            NoReadingError: there is no frame.
            IllegalEventError: Bam has not been said.
        """
        self._announcer.begin()
        game = self.game
        self._forget_verdicts(game.round_number)
        if self._keeper is not None:  # it forgets what an earlier Bam of the round left
            self._keeper.hold(game.round_number, cue_s, footage)
        try:
            self.judged = self._reader.read(game.round_number, game.seats, footage, cue_s)
        except NoReadingError:
            self._forget_bam(game.round_number)  # a film without a frame of the freeze shows nothing
            raise
        self._confirmed.clear()
        self._decide(self.judged.seats)
        seats = self.judged.seats
        counts = (
            len(self.judged.readings),
            sum(seat.reading is not None for seat in seats),
            len(seats),
            len(self.asked),
        )
        _logger.info("round %d is judged: %d frames, %d of %d seats seen, %d asked", game.round_number, *counts)
        self._announce()
        if self.asked:
            self._announcer.say(ask_to_check(self.asked, self._language))
        return self.judged

    def watch(self, footage: Footage) -> JudgedRound:
        """Have the evidence kept, look for players who change their shape after the freeze, and tell who did.

        Args:
            footage: as `judge` was given.
        """
        judged = self.judged
        if judged is None:
            raise AssertionError("judge comes before watch")
        kept = None if self._keeper is None else self._keeper.keep(self._evidence(judged, self._announcer.said))
        self.judged = replace(self._reader.watch(judged, footage), kept=kept)
        moved = [seat.player for seat in self.judged.seats if seat.movement]
        if moved:
            self._announcer.say(tell_moved(moved, self._language))
        if self._keeper is not None:
            self._keeper.complete(self._evidence(self.judged, self._announcer.said), footage)
        return self.judged

    def finish_evidence(self, recorded: Callable[[int], tuple[Footage, float] | None]) -> None:
        """Have kept what an interrupted program left of the rounds before: readings, pictures, films.

        Nothing is announced. What is lost is told.

        Args:
            recorded: footage of a round, by its number, and the cue's time on its clock; None where it is gone.
        """
        if self._keeper is not None:
            recovery = EvidenceRecovery(
                self._file, self._keeper, self._reader, self._lines_of, self._evidence, self._tell
            )
            recovery.finish(recorded)

    def _lines_of(self, number: int) -> tuple[str, ...]:
        """All that was announced of a round, as far as it still stands."""
        rounds = self.game.rounds
        return said(rounds[number - 1], self._language) if number <= len(rounds) else self.recall()

    def needs_no_frame(self, number: int, reading: PlayerReading) -> bool:
        """Tell if a reading is sure enough for the cards of a round, or as a whole where they are not known yet."""
        threshold, told = self._reader.threshold, self._told_of(number)
        if self._asks_everything:
            return not reading.unclear
        if told is None:
            return ReadPose.of(reading).probability >= threshold
        return not judge_move(ReadPose.of(reading), *told, threshold).asked

    def _told_of(self, number: int) -> tuple[Table, Rules] | None:
        """The cards of a round and its rules; None where the cards are not known yet."""
        game = self.game
        if number <= len(game.rounds):
            facts = game.rounds[number - 1].facts
            return facts.cards, facts.rules
        if number != game.round_number or game.phase is not Phase.FROZEN or game.first_pass:
            return None
        return game.table, game.round_rules

    # What people say afterwards.

    def put_right(self, player: str, pose: Pose, round_number: int | None = None, who: str = PEOPLE) -> None:
        """A person says what a player shows, or showed: of an unclear one for the first time, else as a correction.

        Args:
            player: whose.
            pose: what it is.
            round_number: of an older round; without one, of the open round, or of the last where none is judged.
            who: says so.

        Raises:
            IllegalEventError: there was no such player in that round.
        """
        if round_number is None and player in self.unjudged:
            number = self.game.round_number
            self._append([PosesJudged({player: pose})], Phrase("told by people: the reading was unclear"), who)
            self._learn(number, player, pose)
            self._announce()
            return
        number = self._correctable_round(player) if round_number is None else round_number
        before = self.game.rounds
        self._append([PoseCorrected(number, player, pose)], Phrase("put right"), who)
        self._learn(number, player, pose)
        self._announce_correction(number, before)

    def _learn(self, number: int, player: str, pose: Pose) -> None:
        """Remember the log-odds of a round's reading beside what a person says that it shows; of several the last."""
        judged = self.judged
        if judged is None or judged.number != number:
            return
        self._confirmed[player] += 1
        self._labels.learn(judged, player, pose)

    def _unlearn(self, number: int, players: tuple[str, ...]) -> None:
        """Forget what people last said of players in a round, since it is taken back."""
        if self.judged is not None and self.judged.number == number:
            self._confirmed -= Counter(players)
        for player in players:
            self._labels.take_back(number, player)

    def correct_table(self, round_number: int, cards: Table, who: str = PEOPLE) -> None:
        """A person says that other cards lay on the piles in a round, the open one or an older one.

        Raises:
            IllegalEventError: there is no such round, or no such cards can lie there.
        """
        self._tell_cards(TableCorrected(round_number, cards), Phrase("put right"), who)

    def correct_bet(self, round_number: int, player: str | None, who: str = PEOPLE) -> None:
        """A person says that the narrator had bet on somebody else in a round, or on nobody.

        Raises:
            IllegalEventError: there is no such round, or nobody could bet so in it.
        """
        before = self.game.rounds
        self._append([BetCorrected(round_number, player)], Phrase("put right"), who)
        self._announce_correction(round_number, before)

    def undo(self, who: str = PEOPLE) -> None:
        """Take the newest event back.

        Raises:
            IllegalEventError: there is nothing to undo.
        """
        undone = self._file.standing[-1].event if self._file.standing else None
        frozen, before = self.game.phase is Phase.FROZEN, self.game.rounds
        self._append([Undone()], Phrase("undone"), who)
        if isinstance(undone, PoseCorrected):
            self._unlearn(undone.round_number, (undone.player,))
        elif isinstance(undone, PosesJudged):
            self._unlearn(self.game.round_number, tuple(undone.poses))
        elif frozen and self.game.phase is not Phase.FROZEN:
            self._forget_bam(self.game.round_number)
        game = self.game
        self._announcer.keep(game.poses, game.narrator, game.bet)
        if isinstance(undone, PoseCorrected | TableCorrected | BetCorrected):
            self._announce_correction(undone.round_number, before)

    # Who is asked.

    def _decide(self, seats: Sequence[JudgedSeat]) -> None:
        """Write down what stands without a question."""
        stand = {seat.player: seat.pose for seat in seats if self._stands(seat)}
        if stand:
            self._append([PosesJudged(stand)], Phrase("what the camera showed"), REFEREE)

    def _stands(self, seat: JudgedSeat) -> bool:
        """Tell if nobody needs to be asked about a seat of the open round."""
        game = self.game
        if not self._asks:
            return True
        if self._asks_everything or seat.reading is None:
            return not seat.unclear
        if game.first_pass:  # a pose that is sure enough as a whole makes a sure move on every table
            return ReadPose.of(seat.reading).probability >= self._threshold
        return not self._is_in_doubt(seat, game.table, game.round_rules)

    def _is_in_doubt(self, seat: JudgedSeat, cards: Table, rules: Rules) -> bool:
        """Tell if the move of a seat is in doubt; that of a player who was not seen always is."""
        move = seat.move(cards, rules, self._threshold)
        return move is None or move.asked

    @property
    def _waiting_for_cards(self) -> set[str]:
        """Players who were seen in the open round, while the cards are missing that tell if a doubt matters."""
        judged, game = self.judged, self.game
        if judged is None or judged.number != game.round_number or not game.first_pass:
            return set()
        waits = self._asks and not self._asks_everything
        return {seat.player for seat in judged.seats if waits and seat.reading is not None}

    @property
    def _threshold(self) -> float:
        return 1.0 if self.judged is None else self.judged.threshold

    def _tell_cards(self, event: Event, why: Phrase, who: str) -> None:
        """Write cards down, announce what they make known or change, and ask only whose move they put in doubt."""
        asked_before, before = {*self.asked, *self.asked_again}, self.game.rounds
        froze_before = self.game.phase is Phase.FROZEN
        self._append([event], why, who)
        judged, game = self.judged, self.game
        if judged is not None and judged.number == game.round_number and not (game.first_pass or self._asks_everything):
            self._decide([seat for seat in judged.seats if seat.player in self.unjudged])
        if isinstance(event, TableCorrected):
            self._announce_correction(event.round_number, before)
        else:
            self._announce()
        asked_now = self.asked if froze_before else ()  # of whom a hunter freezes the camera tells first
        asked = [each for each in (*asked_now, *self.asked_again) if each not in asked_before]
        if asked:
            self._announcer.say(ask_to_check(asked, self._language))

    def _correctable_round(self, player: str) -> int:
        game = self.game
        is_open = game.phase is Phase.FROZEN or player in game.poses
        return game.round_number if is_open else max(1, len(game.rounds))

    # Keeping, writing and announcing.

    def _evidence(self, judged: JudgedRound, lines: Sequence[str]) -> RoundEvidence:
        rounds = self.game.rounds
        over = len(rounds) >= judged.number
        return RoundEvidence(
            number=judged.number,
            cue_s=judged.cue_s,
            players=tuple(seat.player for seat in judged.seats),
            readings=judged.readings,
            agreed=judged.agreed,
            verdicts=rounds[judged.number - 1].verdicts if over else tuple(self._open_verdicts()),
            said=tuple(lines),
            moved={seat.seat: seat.movement.time_s for seat in judged.seats if seat.movement},
            language=self._language,
        )

    def _open_verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts of those who are judged in the open round."""
        game = self.game
        for number, player in enumerate(game.seats, 1):
            if player in game.poses:
                yield Verdict(player, number, score(game.poses[player], game.table, game.round_rules))

    def _append(self, events: Sequence[Event], why: str, who: str) -> None:
        self._write(lambda: self._file.append(events, why, who))

    def _write(self, write: Callable[[], object]) -> None:
        """Write events down; where that fails the game goes on in memory, and people are told."""
        before = len(self.game.rounds)
        try:
            write()
        except EventNotStoredError as error:
            _logger.warning("%d events stand in memory only", self._file.unkept, exc_info=True)
            self._tell(error.sentence)
        if len(self.game.rounds) > before:
            self._closed = self.game.rounds[-1]

    def _announce(self) -> None:
        """Say all that is known and has not been said: the sure ones at once, the rest when people have looked."""
        closed, game = self._closed, self.game
        if closed is not None:
            self._announcer.close(closed)
            self._closed = None
        elif game.phase is Phase.FROZEN and not game.first_pass:
            self._announcer.tell(tuple(self._open_verdicts()), game.narrator, game.bet)

    def _announce_correction(self, number: int, before: Sequence[Round]) -> None:
        """Say the moves that a correction has changed in a round; `before` are the rounds that were over before it."""
        if number <= min(len(before), len(self.game.rounds)):  # another program may have taken rounds back
            self._announcer.tell_correction(before[number - 1], self.game.rounds[number - 1])
        else:
            self._announce()


def _newest_bam(standing: Sequence[Event]) -> int | None:
    """Place of the last round's Bam among what stands; None where a hunter was Bam, or a later round has begun."""
    bam = max((place for place, event in enumerate(standing) if isinstance(event, Bam)), default=None)
    if bam is None:
        return None
    rounds = len(fold(standing[:bam]).rounds)
    of_rounds = (place for place, event in enumerate(standing) if place > bam and isinstance(event, RoundEvent))
    return None if any(len(fold(standing[:place]).rounds) > rounds for place in of_rounds) else bam


def _is_of_bam(event: Event, number: int) -> bool:
    """Tell if an event says what somebody showed at the Bam of a round."""
    return isinstance(event, PosesJudged) or (isinstance(event, PoseCorrected) and event.round_number == number)
