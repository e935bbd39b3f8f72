"""Game at the terminal: keys become commands to the session, and states of the session become tables."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.live import Live

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.cli.play.terminal_view import KEYS, TableView, reasons_grid
from bunnymoose_cv.cli.tables import ranking_grid, show_round
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.cli.terminal.keyboard import SpecialKey
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.output.game_json import played_round_json, ranking_json
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import CardLaid
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.player_names import name_key, player_and_rest
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.rules.provenance import PEOPLE
from bunnymoose_cv.session.session import UNCHANGED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from rich.console import Console, RenderableType

    from bunnymoose_cv.cli.terminal.keyboard import Keyboard, KeyPress
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_state import TableState

_ENTER: Final = "\r\n"
_BACKSPACE: Final = "\x7f\x08"


@dataclass(slots=True)
class Prompt:
    """Open question at the prompt; `over` when its line has been submitted or cancelled."""

    question: str
    answer: Callable[[str], None]
    text: str = ""
    over: bool = False

    def press(self, key: str | SpecialKey) -> None:
        """Process the next key: Enter submits the line, Escape cancels it."""
        if key is SpecialKey.ESCAPE:
            self.over = True
        elif not isinstance(key, str):
            return
        elif key in _ENTER:
            self.over = True
            self.answer(self.text.strip())
        elif key in _BACKSPACE:
            self.text = self.text[:-1]
        elif key.isprintable():
            self.text += key


PAUSE_S: Final = 0.02
"""Timeout of the wait for a key, after which new states are shown."""

REFRESH_S: Final = 0.1
"""Interval between redraws of the screen."""


class TerminalGame:
    """Loop of keys and output, until the user leaves or nothing more can happen; then the session is closed."""

    def __init__(self, session: Session, keyboard: Keyboard, console: Console, *, as_json: bool) -> None:
        self._session = session
        self._keyboard = keyboard
        self._console = console
        self._as_json = as_json
        self._states: SimpleQueue[TableState] = SimpleQueue()
        self._view = TableView()
        self._prompt: Prompt | None = None
        self._left = self._ended = False
        self._shown_rounds = self._rounds_before = len(self._state.game.rounds)
        self._shown_entries = len(self._state.entries)
        self._keys: dict[str | SpecialKey, Callable[[KeyPress], Future[None] | None]] = {
            " ": partial(self._bam, Maker.KEY),
            "\n": partial(self._bam, Maker.KEY),
            "\r": partial(self._bam, Maker.KEY),
            SpecialKey.PAGE_DOWN: partial(self._bam, Maker.CLICKER),
            SpecialKey.PAGE_UP: partial(self._bam, Maker.CLICKER),
            "b": lambda _: self._ask(f"Bet on {', '.join(self._state.game.seats)}:", self._bet),
            "c": lambda _: self._ask("Cards:", lambda text: self._session.submit_cards(parse_table(text), PEOPLE)),
            "s": lambda _: self._session.deal(),
            "d": lambda _: self._try(lambda: self._session.dismiss(PEOPLE), "That was no Bam: the round goes on."),
            "k": lambda _: self._ask("Who shows what (Blue WU CD t; an older round: 2 Blue WU CD t):", self._correct),
            "t": lambda _: self._ask("Whose verdict:", self._contest),
            "u": lambda _: self._session.undo(PEOPLE),
            "r": lambda _: self._replay(),
            "p": lambda _: self._pause(),
            "q": lambda _: self._leave(),
        }

    def play(self) -> None:
        """Run the loop; raise an `InputError` if the images end before a round does, without a keyboard."""
        stop = self._session.listen(self._states.put)
        self._states.put(self._state)  # a clip may be over before the listener is registered
        self._session.listen_to_lines(lambda line: self._console.print(line, style="bold", markup=False))
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            shown_s = float("-inf")
            while not self._left and self._session.running:
                self._handle_key()
                self._follow()
                if time.monotonic() >= shown_s + REFRESH_S:
                    shown_s = time.monotonic()
                    live.update(self._shown(), refresh=True)
        self._session.close()
        stop()
        self._follow()
        standings = self._state.game.ranking
        if self._as_json:
            echo(json_line({"ranking": ranking_json(standings)}))
        else:
            self._console.print(ranking_grid(standings))
        if self._ended:
            self._refuse_an_early_end(self._state.game)

    @property
    def _state(self) -> TableState:
        return self._session.state

    def _handle_key(self) -> None:
        press = self._keyboard.next(PAUSE_S)
        if press is None:
            return
        if self._prompt is not None:
            prompt = self._prompt
            self._try(lambda: prompt.press(press.key))
            if prompt.over and self._prompt is prompt:
                self._prompt = None
        elif (action := self._keys.get(press.key)) is not None:
            self._try(lambda: action(press))

    def _try(self, action: Callable[[], Future[None] | None], done: str = "") -> None:
        """Run an action of the user; a refusal is shown as a message."""
        self._view.message = ""
        try:
            wanted = action()
        except InputError as error:
            self._view.message = str(error)
            return
        if wanted is not None:
            wanted.add_done_callback(lambda answer: self._show_answer(answer, done))

    def _show_answer(self, answer: Future[Any], done: str) -> None:
        error = answer.exception()
        if error is None:
            self._view.message = done or self._view.message
        elif isinstance(error, InputError):
            self._view.message = str(error)

    def _ask(self, question: str, answer: Callable[[str], Future[None] | None]) -> None:
        self._prompt = Prompt(question, lambda text: self._try(lambda: answer(text)))

    def _bam(self, maker: Maker, press: KeyPress) -> Future[None]:
        return self._session.bam(maker, maker.value, press.time_s)

    def _bet(self, text: str) -> Future[None]:
        return self._session.bet(_player(text, self._state.game.seats), PEOPLE)

    def _correct(self, text: str) -> None:
        """Parse and apply `Blue WU CD t`, `2 Blue WU CD t`, or only a pose if just one player is asked."""
        asked, players = self._state.asked, self._state.game.players
        number, _, rest = text.partition(" ")
        if not number.isdecimal():
            number, rest = "", text
        named = player_and_rest(rest, players)
        if named is None and len(asked) == 1:
            named, number = (asked[0], rest), ""
        if named is None:
            problem = Phrase("nobody has that name: begin with {names},", names=", ".join(players))
            raise NotationError(text, 0, problem)
        player, pose = named
        corrected = self._session.correct_pose(player, Pose.parse(pose), PEOPLE, int(number) if number else None)
        corrected.add_done_callback(self._show_correction)

    def _show_correction(self, answer: Future[bool]) -> None:
        is_unchanged = answer.exception() is None and not answer.result()
        self._show_answer(answer, UNCHANGED if is_unchanged else "")

    def _contest(self, text: str) -> None:
        judged = self._state.judged
        if judged is None:
            raise InputError("Nobody has been judged yet in this session: “bunnymoose contest” shows older rounds.")
        player = _player(text, tuple(seat.player for seat in judged.seats))
        seat = next(seat for seat in judged.seats if seat.player == player)
        self._console.print(reasons_grid(seat))
        if judged.kept is not None:
            self._console.print(str(judged.kept.still), markup=False, soft_wrap=True)

    def _replay(self) -> None:
        judged = self._state.judged
        if judged is None or judged.kept is None or not judged.kept.replay.is_file():
            raise InputError("There is no replay yet: it is made within some seconds after the round.")
        if typer.launch(str(judged.kept.replay)):
            raise InputError(f"Nothing here opens films by itself: open {judged.kept.replay} by hand.")

    def _pause(self) -> None:
        pauses = not self._state.paused
        self._try(lambda: self._session.pause(pauses), "Paused: p goes on." if pauses else "")

    def _leave(self) -> None:
        self._left = True

    def _follow(self) -> None:
        with suppress(Empty):
            while True:
                self._show(self._states.get_nowait())

    def _show(self, state: TableState) -> None:
        for entry in state.entries[self._shown_entries :]:
            if isinstance(entry.event, CardLaid) and entry.event.from_deck:
                self._console.print(str(entry.event.card), markup=False)
        self._shown_entries = len(state.entries)
        if not (state.judging or state.watching):
            self._show_closed_rounds(state)
        if not self._keyboard.there:
            self._ended = state.camera is CameraState.ENDED
            is_over = state.game.phase is Phase.OVER and self._shown_rounds == len(state.game.rounds)
            self._left = self._ended or is_over

    def _show_closed_rounds(self, state: TableState) -> None:
        """Show each finished round once."""
        rounds, judged = state.game.rounds, state.judged
        for played in rounds[self._shown_rounds :]:
            seen = judged if judged is not None and judged.number == played.facts.number else None
            if self._as_json:
                echo(json_line(played_round_json(played, seen)))
            else:
                show_round(self._console, played, seen)
        self._shown_rounds = len(rounds)

    def _refuse_an_early_end(self, game: Game) -> None:
        """Raise an `InputError` if the images ended before a given Bam or any Bam, or if the round lacks cards."""
        if game.phase is Phase.OVER:
            return
        to_come = ", ".join(f"{bam_s:g}" for bam_s in self._session.bams_to_come_s)
        if to_come:
            raise InputError(f"The pictures ended before Bam at {to_come} s: name an earlier moment with --at.")
        known, piles = len(game.table), game.rules.piles
        if game.phase is Phase.FROZEN and known < piles:
            raise InputError(
                f"Round {game.round_number} has no verdicts: {known} of its {piles} cards were given, "
                "so name all of them with --cards."
            )
        if self._shown_rounds == self._rounds_before:
            raise InputError("The pictures ended and no round was judged: give the time of Bam with --at SECONDS.")

    def _shown(self) -> RenderableType:
        keys = KEYS if self._keyboard.there else ""
        line = keys if self._prompt is None else f"{self._prompt.question} {self._prompt.text}▏"
        latest_reading = self._session.latest_reading
        if latest_reading is not None:
            self._view.saw(latest_reading, time.monotonic())
        return self._view.render(self._state, line)


def _player(text: str, seats: Sequence[str]) -> str:
    """Return the only player with a seat's number, a name, or its beginning."""
    if text.isdecimal() and 1 <= int(text) <= len(seats):
        return seats[int(text) - 1]
    key = name_key(text)
    meant = [name for name in seats if key and name_key(name).startswith(key)]
    exactly = [name for name in meant if name_key(name) == key]
    if len(exactly or meant) != 1:
        raise InputError(f"Who is “{text}”? Type one of {', '.join(seats)}, or the number of the seat.")
    return (exactly or meant)[0]
