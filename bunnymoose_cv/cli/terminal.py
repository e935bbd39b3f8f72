"""The game at the terminal: keys, cues, camera and voice meet in one loop. Owns no rule, no reading and no words said.

Whatever blocks is done by others on threads of their own: frames come from the watcher, cues through their door, keys
from the keyboard, and the voice speaks by itself.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from queue import Empty, Queue
from typing import TYPE_CHECKING, Final

import typer
from rich.live import Live

from bunnymoose_cv.capture.watcher import SourceState
from bunnymoose_cv.cli.keyboard import SpecialKey
from bunnymoose_cv.cli.prompt import Prompt
from bunnymoose_cv.cli.rounds import ranking_grid, show_round
from bunnymoose_cv.cli.table_view import KEYS, TableView, reasons_grid
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.dealer import BAM, Dealer
from bunnymoose_cv.errors import InputError
from bunnymoose_cv.outside import PlayedRoundShape, RankingShape
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.voice.phrases import Language, tell_camera_back, tell_camera_lost

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from rich.console import Console, RenderableType

    from bunnymoose_cv.capture.watcher import Watcher
    from bunnymoose_cv.cli.keyboard import Keyboard, KeyPress
    from bunnymoose_cv.cues.cue import Cue, CueDoor
    from bunnymoose_cv.referee import Referee
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.catalogue.poem import PoemLine
    from bunnymoose_cv.vision.following import Follower
    from bunnymoose_cv.vision.reader import FrameReading
    from bunnymoose_cv.voice.speaker import Speaker

PAUSE_S: Final = 0.02
"""So long the loop waits for a key where there is nothing new to see."""

REFRESH_S: Final = 0.1
"""What people see is drawn anew this often."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """What the built-in dealer deals with.

    Attributes:
        deck: the cards.
        random: all its chance.
        poem: what it recites.
        tempo_s: seconds from one line to the next.
    """

    deck: Deck
    random: Random
    poem: Sequence[PoemLine]
    tempo_s: float


@dataclass(frozen=True, slots=True)
class Table:
    """What meets at the table.

    Attributes:
        referee: of the game.
        follower: what the referee reads frames with.
        watcher: the camera.
        door: where cues come in.
        keyboard: where keys come in.
        speaker: says what is announced; None stays silent.
        language: of what is said.
        console: shows the game to people.
        as_json: whether other programs read each round from stdout.
    """

    referee: Referee
    follower: Follower
    watcher: Watcher
    door: CueDoor
    keyboard: Keyboard
    speaker: Speaker | None
    language: Language
    console: Console
    as_json: bool


class TerminalGame:
    """Plays until people leave, or until nothing more can happen.

    Args:
        table: what meets there.
        heard: takes what was said, from the referee too.
        dealing: where the built-in dealer deals.
        bams_s: when Bam is said without a key, in seconds from the first frame.
    """

    def __init__(
        self, table: Table, heard: Heard, dealing: Dealing | None = None, bams_s: Sequence[float] = ()
    ) -> None:
        self._table = table
        self._referee = table.referee
        self._heard = heard
        self._dealing = dealing
        self._dealer: Dealer | None = None
        self._bams_s = sorted(bams_s)
        self._states: Queue[SourceState] = Queue()
        table.watcher.listen(self._states.put)
        self._view = TableView()
        self._prompt: Prompt | None = None
        self._paused = False
        self._hears = True
        self._left = False
        self._began_s: float | None = None
        self._seen_s = float("-inf")
        self._shown_rounds = len(table.referee.game.rounds)
        self._keys: dict[str | SpecialKey, Callable[[KeyPress], None]] = {
            " ": partial(self._bam, Maker.KEY),
            "\n": partial(self._bam, Maker.KEY),
            "\r": partial(self._bam, Maker.KEY),
            SpecialKey.PAGE_DOWN: partial(self._bam, Maker.CLICKER),
            SpecialKey.PAGE_UP: partial(self._bam, Maker.CLICKER),
            "b": lambda _: self._ask(f"Bet on {', '.join(self._referee.game.seats)}:", self._bet),
            "c": lambda _: self._ask("Cards:", self._lay),
            "s": lambda _: self._start_dealing(),
            "d": lambda _: self._dismiss(),
            "k": lambda _: self._ask("Who shows what (Blue WU CD t; an older round: 2 Blue WU CD t):", self._correct),
            "t": lambda _: self._ask("Whose verdict:", self._contest),
            "u": lambda _: self._undo(),
            "r": lambda _: self._replay(),
            "p": lambda _: self._pause(),
            "q": lambda _: self._leave(),
        }

    def play(self) -> None:
        """Play."""
        with Live(console=self._table.console, auto_refresh=False, transient=True) as live:
            shown_s = float("-inf")
            self._heard.show = lambda line: self._table.console.print(line, style="bold", markup=False)
            while not self._left:
                self._handle_key()
                self._handle_camera()
                self._handle_microphone()
                self._say_bam_in_time()
                self._freeze_at_cue()
                self._deal_on()
                self._show_closed_rounds()
                if not self._glance():
                    self._handle_key(PAUSE_S)
                if time.monotonic() >= shown_s + REFRESH_S:
                    shown_s = time.monotonic()
                    live.update(self._shown(), refresh=True)
        self._show_closed_rounds()
        self._show_ranking()

    # Keys.

    def _handle_key(self, timeout_s: float = 0.0) -> None:
        press = self._table.keyboard.next(timeout_s)
        if press is None:
            return
        if self._prompt is not None:
            prompt = self._prompt
            self._try(lambda: prompt.press(press.key))
            if prompt.over and self._prompt is prompt:
                self._prompt = None
        elif (action := self._keys.get(press.key)) is not None:
            self._try(lambda: action(press))

    def _try(self, action: Callable[[], None]) -> None:
        """Do what people want; where that cannot be done they read why."""
        self._view.message = ""
        try:
            action()
        except InputError as error:
            self._view.message = str(error)

    def _ask(self, question: str, answer: Callable[[str], None]) -> None:
        self._prompt = Prompt(question, answer)

    def _bam(self, maker: Maker, press: KeyPress) -> None:
        if not self._paused:
            self._table.door.make(maker, press.time_s)

    def _bet(self, text: str) -> None:
        self._referee.bet(_player(text, self._referee.game.seats))

    def _lay(self, text: str) -> None:
        self._referee.lay(parse_table(text))

    def _dismiss(self) -> None:
        self._table.door.dismiss()
        if not self._referee.dismiss():
            raise InputError("There is no Bam to take back: undo step by step with u.")
        self._shown_rounds = min(self._shown_rounds, len(self._referee.game.rounds))
        if self._table.speaker is not None:
            self._table.speaker.silence()
        self._view.message = "That was no Bam: the round goes on."

    def _correct(self, text: str) -> None:
        """`Blue WU CD t`, `2 Blue WU CD t`, or a pose alone where just one player is asked."""
        asked = self._referee.asked
        number, _, rest = text.partition(" ")
        if not number.isdecimal():
            number, rest = "", text
        player = next((name for name in sorted(self._players, key=len, reverse=True) if _begins(rest, name)), None)
        if player is None and len(asked) == 1:
            self._referee.put_right(asked[0], Pose.parse(rest))
            return
        if player is None:
            raise NotationError(text, 0, f"nobody is called so: begin with {', '.join(self._players)},")
        pose = Pose.parse(rest[len(player) :].strip())
        self._referee.put_right(player, pose, int(number) if number else None)

    @property
    def _players(self) -> tuple[str, ...]:
        return self._referee.game.players

    def _contest(self, text: str) -> None:
        judged = self._referee.judged
        if judged is None:
            raise InputError("Nobody has been judged yet in this sitting: “bunnymoose contest” shows older rounds.")
        player = _player(text, tuple(seat.player for seat in judged.seats))
        seat = next(seat for seat in judged.seats if seat.player == player)
        self._table.console.print(reasons_grid(seat))
        if judged.kept is not None:
            self._table.console.print(str(judged.kept.still), markup=False, soft_wrap=True)

    def _undo(self) -> None:
        self._referee.undo()
        self._shown_rounds = min(self._shown_rounds, len(self._referee.game.rounds))

    def _replay(self) -> None:
        judged = self._referee.judged
        if judged is None or judged.kept is None or not judged.kept.replay.is_file():
            raise InputError("There is no replay yet: it is made within some seconds after the round.")
        if typer.launch(str(judged.kept.replay)):
            raise InputError(f"Nothing here opens films by itself: open {judged.kept.replay} by hand.")

    def _pause(self) -> None:
        self._paused = not self._paused
        self._view.message = "Paused: p goes on." if self._paused else ""

    def _leave(self) -> None:
        self._left = True

    # Camera and cues.

    def _handle_camera(self) -> None:
        """Tell people when the camera is lost, back or over."""
        try:
            state = self._states.get_nowait()
        except Empty:
            return
        self._view.camera = self._table.watcher.trouble or ""
        if state is SourceState.LOST:
            self._heard(tell_camera_lost(self._table.language))
        elif state is SourceState.WATCHING and self._began_s is not None:
            self._referee.look_afresh()
            self._heard(tell_camera_back(self._table.language))
        elif state is SourceState.ENDED:
            self._left = not self._table.keyboard.there

    def _handle_microphone(self) -> None:
        """Tell people when the microphone is lost, and when it is back."""
        hears = self._table.watcher.hears
        if hears is not self._hears:
            self._hears = hears
            self._view.microphone = "" if hears else "The microphone is gone: no shout is Bam until it is back."

    def _say_bam_in_time(self) -> None:
        """Make the cues that were wanted at certain moments."""
        newest = self._table.watcher.newest()
        if newest is None:
            return
        if self._began_s is None:
            self._began_s = newest.time_s
        while self._bams_s and newest.time_s >= self._began_s + self._bams_s[0]:
            self._table.door.make(Maker.SCRIPT, self._began_s + self._bams_s.pop(0))

    def _freeze_at_cue(self) -> None:
        cue = self._table.door.wait(0)
        if cue is not None:
            self._try(lambda: self._freeze(cue))

    def _freeze(self, cue: Cue) -> None:
        """Judge everybody; a cue while nobody can be judged is none."""
        game = self._referee.game
        if self._paused or game.phase is Phase.OVER or (game.phase is Phase.FROZEN and cue.maker is not Maker.DEALER):
            return
        self._dealer = None
        if game.phase is not Phase.FROZEN:
            self._referee.bam(cue.maker.value)
        self._referee.judge(self._table.watcher, cue.time_s)
        self._referee.watch(self._table.watcher)

    def _glance(self) -> bool:
        """Read the newest frame, so that people see what the referee sees and everybody's place is known at Bam."""
        if self._paused or self._referee.game.phase not in {Phase.BETTING, Phase.DEALING}:
            return False
        frame = self._table.watcher.newest()
        if frame is None or frame.time_s <= self._seen_s:
            return False
        self._seen_s = frame.time_s
        reading: FrameReading = self._table.follower.glance(frame)
        self._view.saw(reading, time.monotonic())
        return True

    # The dealer.

    def _start_dealing(self) -> None:
        dealing = self._dealing
        if dealing is None:
            raise InputError("The cards are dealt by hand in this game: begin with --deal to have them dealt.")
        self._dealer = Dealer(
            dealing.poem,
            lay=lambda: self._referee.deal_card(dealing.deck, dealing.random),
            over=lambda: self._referee.game.phase is Phase.FROZEN,
            say=self._recite,
            tempo_s=dealing.tempo_s,
        )

    def _recite(self, line: str) -> None:
        """Say a line of the poem; Bam at once, and it counts from when it was heard."""
        speaker = self._table.speaker
        if line == BAM and speaker is not None:
            speaker.silence()
        self._heard(line)
        if line == BAM:
            if speaker is not None:
                speaker.wait()
            self._table.door.make(Maker.DEALER)

    def _deal_on(self) -> None:
        if self._dealer is None or self._paused or self._referee.game.phase not in {Phase.BETTING, Phase.DEALING}:
            return
        card = self._dealer.turn(time.monotonic())
        if card is not None:
            self._table.console.print(str(card), markup=False)

    # What is shown.

    def _shown(self) -> RenderableType:
        keys = KEYS if self._table.keyboard.there else ""
        line = keys if self._prompt is None else f"{self._prompt.question} {self._prompt.text}▏"
        return self._view.render(self._referee, line)

    def _show_closed_rounds(self) -> None:
        """Show each round once when it is over."""
        rounds, judged = self._referee.game.rounds, self._referee.judged
        for played in rounds[self._shown_rounds :]:
            seen = judged if judged is not None and judged.number == played.facts.number else None
            if self._table.as_json and seen is not None:
                typer.echo(PlayedRoundShape.of(played, seen).line())
            elif not self._table.as_json:
                show_round(self._table.console, played, seen)
        self._shown_rounds = len(rounds)
        if self._referee.game.phase is Phase.OVER and not self._table.keyboard.there:
            self._left = True

    def _show_ranking(self) -> None:
        standings = self._referee.game.ranking
        if self._table.as_json:
            typer.echo(RankingShape.of(standings).line())
        else:
            self._table.console.print(ranking_grid(standings))


class Heard:
    """What is said: heard by the speaker, where there is one, and shown."""

    def __init__(self, speaker: Speaker | None, language: Language) -> None:
        self._speaker = speaker
        self._language = language
        self.show: Callable[[str], object] = lambda _: None

    def __call__(self, line: str) -> None:
        """Let the table hear and read a line."""
        self.show(line)
        if self._speaker is not None:
            self._speaker.say(line, self._language)


def _begins(text: str, name: str) -> bool:
    """Whether a text begins with a name, in capitals or not."""
    return f"{text} ".casefold().startswith(f"{name} ".casefold())


def _player(text: str, seats: Sequence[str]) -> str:
    """The player that somebody means by a seat's number, a name, or its beginning.

    Raises:
        InputError: nobody is called so, or several are.
    """
    if text.isdecimal() and 1 <= int(text) <= len(seats):
        return seats[int(text) - 1]
    meant = [name for name in seats if text and name.casefold().startswith(text.casefold())]
    exactly = [name for name in meant if name.casefold() == text.casefold()]
    if len(exactly or meant) != 1:
        raise InputError(f"Who is “{text}”? Type one of {', '.join(seats)}, or the number of the seat.")
    return (exactly or meant)[0]
