"""Judgement of a single moment outside a game: readings, aggregation, scores, announcements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.phrases import NARRATOR, announce
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.referee.freeze_frames import SAME_TIME_S
from bunnymoose_cv.referee.question import ReadPose, judge_move
from bunnymoose_cv.rules.round import Verdict, announcements
from bunnymoose_cv.rules.scoring import score, species_of
from bunnymoose_cv.vision.video.freeze import agree
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.pose import Animal
    from bunnymoose_cv.rules.scoring import Score
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading


class BetError(InputError):
    """Error of a bet on an empty seat."""


@dataclass(frozen=True, slots=True)
class JudgingContext:
    """Context that an image is judged in: cards, bet, names.

    Attributes:
        cards: the top cards of the piles; empty if only poses are wanted.
        bet: the seat that the narrator bet on, counted from 1 at the image's left.
        names: the players' names from seat 1 on; there may be too few.
        asks_everything: whether every unclear field is asked about, even if it changes no score.
        at_bam: whether the image shows a freeze of the game, in which hands beside heads are mostly headgear.
    """

    rules: Rules
    cards: Table = ()
    bet: int | None = None
    names: tuple[str, ...] = ()
    asks_everything: bool = False
    at_bam: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPlayer:
    """One player of a judgement.

    Attributes:
        name: the player's name; None if it was not given.
        species: the animal that the player counts as under the rules in force.
        score: the player's score; None without cards.
        move: the probability of its move; None without cards.
    """

    name: str | None
    reading: PlayerReading
    species: Animal
    score: Score | None
    move: JudgedMove | None = None

    @property
    def called(self) -> str:
        """The player's name or, without one, the seat."""
        return self.name or f"Seat {self.reading.seat}"

    @property
    def banner(self) -> str | None:
        """Announcement about this player alone; None without cards."""
        if self.score is None:
            return None
        return announce(self.score.species, self.score.total, [self.name] if self.name else ())


@dataclass(frozen=True, slots=True)
class Announced:
    """One announcement and the seats that it is about."""

    seats: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Bet:
    """The seat that the narrator bet on, and that player's score, which the narrator's figures copy."""

    seat: int
    copied: Score

    @property
    def text(self) -> str:
        """Announcement of the bet."""
        return announce(self.copied.species, self.copied.total, [NARRATOR])


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """One image, or one moment of a clip, judged.

    Attributes:
        reading: the agreed reading; its image is the one to show, its time the moment that was judged.
        players: the players from left to right.
        announced: the announcements in seat order, look-alikes together.
        bet: the score that the narrator's figures copy; None without a bet.
    """

    reading: FrameReading
    players: tuple[JudgedPlayer, ...]
    announced: tuple[Announced, ...]
    bet: Bet | None

    @property
    def said(self) -> tuple[str, ...]:
        """Lines that are said, the narrator's copy last."""
        lines = tuple(announced.text for announced in self.announced)
        return lines if self.bet is None else (*lines, self.bet.text)

    @property
    def banners(self) -> dict[int, str]:
        """Announcement for each seat, without the look-alikes; empty without cards."""
        return {player.reading.seat: player.banner for player in self.players if player.banner is not None}


class Judge:
    """Judge by a fixed context; the caller closes the reader."""

    def __init__(self, reader: Reader, context: JudgingContext) -> None:
        self._reader = reader
        self._context = context

    def judge(self, frames: Sequence[Frame], time_s: float) -> Judgement:
        """Judge the frames of one moment together; raise a `BetError` if the bet is on an empty seat.

        Args:
            frames: one or more unmirrored frames in order of time; an image is one frame.
            time_s: the time of the moment, returned in the reading.
        """
        context = self._context
        window = Window.around(time_s, self._reader.settings.freeze)
        if not context.at_bam:
            window = replace(window, headgear_prior=1.0)
        seen = Tracker(self._reader).read_window(partial(_frame_from, frames), window, self._needs_no_frame)
        reading = replace(agree(seen.frames, window, self._reader), time_s=time_s)
        if context.bet is not None and not 1 <= context.bet <= len(reading.players):
            raise BetError(f"nobody sits in seat {context.bet} to bet on: {_players_words(len(reading.players))}")
        players = tuple(self._judge_player(player) for player in reading.players)
        verdicts = [Verdict(player.called, player.reading.seat, player.score) for player in players if player.score]
        copied = None if context.bet is None else players[context.bet - 1].score
        bet = Bet(context.bet, copied) if context.bet and copied else None
        return Judgement(reading, players, tuple(_announce_verdicts(verdicts)), bet)

    def _needs_no_frame(self, reading: PlayerReading) -> bool:
        """Return whether a reading is sure enough for the cards or, without cards, in every field."""
        move = self._judge_player(reading).move
        return not (reading.unclear if move is None else move.asked)

    def _judge_player(self, player: PlayerReading) -> JudgedPlayer:
        context = self._context
        name = context.names[player.seat - 1] if player.seat <= len(context.names) else None
        species = species_of(player.pose, context.rules.tongue)
        if not context.cards:
            return JudgedPlayer(name, player, species, None)
        move = judge_move(ReadPose.of(player), context.cards, context.rules, self._reader.settings.questions.move)
        if context.asks_everything:
            move = replace(move, asked=bool(player.unclear))
        return JudgedPlayer(name, player, species, score(player.pose, context.cards, context.rules), move)


def _frame_from(frames: Sequence[Frame], time_s: float) -> Frame | None:
    """Return the first of the frames that is not older than a time; a single frame is returned at any time."""
    later = (frame for frame in frames if frame.time_s >= time_s - SAME_TIME_S)
    return frames[0] if len(frames) == 1 else next(later, None)


def _announce_verdicts(verdicts: Sequence[Verdict]) -> Iterator[Announced]:
    """Announce verdicts, look-alikes together; a player alone without a name."""
    for said in announcements(verdicts):
        names = said.players if len(verdicts) > 1 else ()
        text = announce(said.score.species, said.score.total, names)
        yield Announced(tuple(verdict.seat for verdict in said.verdicts), text)


def _players_words(count: int) -> str:
    if count == 0:
        return "the picture shows no players"
    if count == 1:
        return "the picture shows 1 player, so name seat 1"
    return f"the picture shows {count} players, so name a seat from 1 to {count}"
