"""Sequences of commands at a table, with their effects: published states and stored events.

A hypothesis state machine found the sequences. `python -m tests.unit.session.sequences` runs it and writes
a new `sequences.txt`; look at the difference before keeping it.
"""

import math
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest import mock

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues import cue as cue_module
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.record.game_corrections import Changes
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules import game as rules_game
from bunnymoose_cv.rules.cards import format_table, parse_table
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.rules.events import Event, GameStarted
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.game_setup import GameSetup
from bunnymoose_cv.session.services import open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.video_source import NoVideoSource, VideoSource
from bunnymoose_cv.session.table_state import TableState
from tests.doubles import CannedCamera, CannedReader, row_reading
from tests.doubtful import BAM_S, party_with_doubt

RECORDED: Final = Path(__file__).with_name("sequences.txt")
PLAYERS: Final = ("Red", "Blue", "Green")
POSES: Final = ("WU WU", "CD WD", "TS TS", "SF TF t", "-- WU", "-- --")
CARDS: Final = ("L.WU+1", "B.WU+1/-1", "REVERSE", "RABBIT-3", "R.?F-1", "MOOSE*2", "HUNTER", "TONGUE+2")
TABLES: Final = ("L.WU+1 B.CD+2 MOOSE*2 TONGUE-1", "B.TS+1 R.SF-2 REVERSE RABBIT+3")
COUNT: Final = 200
TRIED: Final = 300
STEPS: Final = 12

_PATIENCE_S: Final = 60.0
_BEFORE_BAM: Final = (rules_game.Phase.BETTING, rules_game.Phase.DEALING)
_AT_ANY_TIME: Final = (
    "bet Green",
    "lay HUNTER",
    "late_lay L.WU+1",
    "bam",
    "answer Blue TS TS",
    "correct 0 Red WU WU",
    "correct_cards 1 B.TS+1 R.SF-2 REVERSE RABBIT+3",
    "correct_bet 1 nobody",
    "pause",
    "deal",
)
_POSE_PAIRS: Final = st.tuples(st.sampled_from(POSES), st.sampled_from(POSES))


class Table:
    """Table of three players with four piles, which takes commands as text.

    Bams without anything in between are one Bam, however slow the computer is.

    Args:
        folder: the folder of its games.
        seen: whether a camera sees the players. If not, poses are entered by hand.
    """

    def __init__(self, folder: Path, *, seen: bool) -> None:
        self._folder, self._seen = folder, seen
        self._number = 0
        self._stack = ExitStack()
        self._shown: dict[str, object] = {}
        self._events = 0
        self._open()

    @property
    def state(self) -> TableState:
        """Published state of the session."""
        return self._session.state

    def close(self) -> None:
        self._stack.close()

    def _open(self) -> None:
        started = GameStarted(PLAYERS, rules_for("second", variants=[Variant.FOUR_LINES]))
        row = row_reading(("TS TS", "WU WU"), seat_px=96)
        reader = self._stack.enter_context(CannedReader(row))
        reader = self._stack.enter_context(CannedReader(party_with_doubt(row, reader)))
        source: VideoSource = CannedCamera(row.image, BAM_S) if self._seen else NoVideoSource()
        games = GameStore(self._folder / str(self._number))
        file = self._stack.enter_context(open_game(games, started, source="table", resume=True))
        self._stack.enter_context(mock.patch.object(cue_module, "SAME_BAM_S", math.inf))
        setup = GameSetup(started.players, started.rules, speaks=False)
        services = self._stack.enter_context(open_services(file, reader, setup, lambda _: None))
        self._keeper = services.keeper
        self._session = self._stack.enter_context(Session(services, source))

    def run(self, command: str) -> Iterator[str]:
        """Carry out a command such as `bet Blue` or `answer Green WU WU`, and yield its effects, one line each."""
        yield f"> {command}"
        verb, _, words = command.partition(" ")
        try:
            getattr(self, f"_{verb}")(words)
        except InputError as error:
            yield f"refused: {error.sentence}"
        yield from self._changes()

    def _changes(self) -> Iterator[str]:
        state = self.state
        yield from (f"{entry.who}: {_event(entry.event)}" for entry in state.entries[self._events :])
        self._events = len(state.entries)
        shown = dict(_described(state))
        yield from (f"{name} = {value}" for name, value in shown.items() if self._shown.get(name) != value)
        self._shown = shown

    # The commands.

    def _bet(self, player: str) -> None:
        self._session.bet(player, "Red's phone").result(_PATIENCE_S)

    def _lay(self, cards: str) -> None:
        self._session.submit_cards(parse_table(cards), "people").result(_PATIENCE_S)

    def _late_lay(self, cards: str) -> None:
        self._session.submit_cards(parse_table(cards), "people", after=0).result(_PATIENCE_S)

    def _bam(self, _: str) -> None:
        self._session.bam(Maker.BUTTON, "Red's phone").result(_PATIENCE_S)

    def _answer(self, words: str) -> None:
        player, pose = words.split(" ", 1)
        self._session.answer(player, Pose.parse(pose), player, self.state.game.round_number).result(_PATIENCE_S)

    def _two_pages(self, words: str) -> None:
        """Answer on two pages before either has seen the other's answer."""
        player, pose = words.split(" ", 1)
        number = self.state.game.round_number
        first = self._session.answer(player, Pose.parse(pose), "screen", number)
        second = self._session.answer(player, Pose.parse("CU CU"), player, number)
        first.result(_PATIENCE_S)
        second.result(_PATIENCE_S)

    def _correct(self, words: str) -> None:
        number, player, pose = words.split(" ", 2)
        self._session.correct_pose(player, Pose.parse(pose), player, int(number) or None).result(_PATIENCE_S)

    def _correct_cards(self, words: str) -> None:
        number, cards = words.split(" ", 1)
        self._session.correct_table(int(number), parse_table(cards), "screen").result(_PATIENCE_S)

    def _correct_bet(self, words: str) -> None:
        number, player = words.split()
        chosen = None if player == "nobody" else player
        self._session.correct_bet(int(number), chosen, "screen").result(_PATIENCE_S)

    def _undo(self, _: str) -> None:
        self._session.undo("screen", keeps_bam=True).result(_PATIENCE_S)

    def _late_undo(self, _: str) -> None:
        self._session.undo("screen", after=len(self.state.entries) - 1).result(_PATIENCE_S)

    def _dismiss(self, _: str) -> None:
        self._session.dismiss("screen").result(_PATIENCE_S)

    def _pause(self, _: str) -> None:
        self._session.pause(not self.state.paused).result(_PATIENCE_S)

    def _deal(self, _: str) -> None:
        self._session.deal().result(_PATIENCE_S)

    def _leave(self, _: str) -> None:
        """Leave the game, press a button that is still on a page, and go on with the game."""
        left = self._session
        self._stack.close()
        try:
            left.bet("Blue", "screen").result(_PATIENCE_S)
        finally:
            self._open()

    def _kill(self, _: str) -> None:
        """Resume the game from a copy of the disk in the middle of it, when no film is being written."""
        before = self._folder / str(self._number)
        self._keeper.finish()
        self._number += 1
        shutil.copytree(before, self._folder / str(self._number), ignore=shutil.ignore_patterns("*.lock"))
        self._stack.close()
        self._open()


def _described(state: TableState) -> Iterator[tuple[str, object]]:
    """Yield what a page shows of a state, by name."""
    game = state.game
    yield "phase", game.phase.name
    yield "round", game.round_number
    yield "bet", game.bet
    yield "cards", format_table(game.table)
    yield "poses", ", ".join(f"{player} {pose}" for player, pose in game.poses.items())
    yield "figures", " ".join(str(place) for place in game.trail.places.values())
    yield "ranking", " ".join(f"{standing.place}.{standing.player}" for standing in game.ranking)
    yield "asked", " ".join(state.asked)
    yield "asked again", " ".join(state.asked_again)
    yield "said", " | ".join(state.said)
    yield "changes", "" if state.changes is None else _changed(state.changes)
    yield "problem", state.problem
    yield "flags", " ".join(name for name in ("paused", "judging", "watching", "dismissible") if getattr(state, name))


def _changed(changes: Changes) -> str:
    lines = [f"{line.round_number}: {list(line.before)} -> {list(line.after)}" for line in changes.lines]
    return " | ".join((*lines, *map(str, changes.figures)))


def _event(event: Event) -> str:
    return type(event).__name__


class Players(RuleBasedStateMachine):
    """Players who may press anything at any time, but mostly press what the game needs."""

    recorded: Final[list[list[str]]] = []
    """Lines of each sequence."""

    @initialize(seen=st.sampled_from((True, False, False, False)))
    def begin(self, *, seen: bool) -> None:
        self._folder = TemporaryDirectory()
        self._table = Table(Path(self._folder.name), seen=seen)
        self._lines = ["# camera" if seen else "# people"]
        self.recorded.append(self._lines)

    def teardown(self) -> None:
        self._table.close()
        self._folder.cleanup()

    def _do(self, command: str) -> None:
        self._lines.extend(self._table.run(command))

    @property
    def _phase(self) -> rules_game.Phase:
        return self._table.state.game.phase

    # Commands that the game needs next.

    @precondition(lambda self: self._phase is rules_game.Phase.BETTING)
    @rule(seat=st.integers(0, 1))
    def bet(self, seat: int) -> None:
        self._do(f"bet {self._table.state.game.seats[seat]}")

    @precondition(lambda self: self._phase in _BEFORE_BAM)
    @rule(card=st.sampled_from(CARDS))
    def lay(self, card: str) -> None:
        self._do(f"lay {card}")

    @precondition(lambda self: self._phase is not rules_game.Phase.OVER)
    @rule(cards=st.sampled_from(TABLES))
    def lay_all(self, cards: str) -> None:
        self._do(f"lay {cards}")

    @precondition(lambda self: self._phase in _BEFORE_BAM)
    @rule()
    def bam(self) -> None:
        self._do("bam")

    @precondition(lambda self: self._table.state.asked)
    @rule(pose=st.sampled_from(POSES), verb=st.sampled_from(("answer", "two_pages")))
    def answer(self, pose: str, verb: str) -> None:
        self._do(f"{verb} {self._table.state.asked[0]} {pose}")

    @precondition(lambda self: self._table.state.asked)
    @rule(poses=_POSE_PAIRS)
    def answer_all(self, poses: tuple[str, str]) -> None:
        self._answer_all(poses)

    @precondition(lambda self: self._phase is rules_game.Phase.BETTING)
    @rule(cards=st.sampled_from(TABLES), poses=_POSE_PAIRS)
    def play_round(self, cards: str, poses: tuple[str, str]) -> None:
        self._play_round(cards, poses)

    @precondition(lambda self: len(self._table.state.game.rounds) > 1 and self._phase is rules_game.Phase.BETTING)
    @rule(cards=st.sampled_from(TABLES), poses=_POSE_PAIRS)
    def play_to_the_end(self, cards: str, poses: tuple[str, str]) -> None:
        while self._phase is rules_game.Phase.BETTING:
            self._play_round(cards, poses)

    def _play_round(self, cards: str, poses: tuple[str, str]) -> None:
        self._do(f"bet {self._table.state.game.seats[0]}")
        self._do(f"lay {cards}")
        self._do("bam")
        self._answer_all(poses)

    def _answer_all(self, poses: tuple[str, str]) -> None:
        for player, pose in zip(self._table.state.asked, poses, strict=False):
            self._do(f"answer {player} {pose}")

    # Corrections of what has been played.

    @precondition(lambda self: self._table.state.game.rounds)
    @rule(data=st.data(), player=st.sampled_from(PLAYERS), pose=st.sampled_from(POSES))
    def correct(self, data: st.DataObject, player: str, pose: str) -> None:
        self._do(f"correct {self._drawn_round(data)} {player} {pose}")

    @precondition(lambda self: self._table.state.game.rounds)
    @rule(data=st.data(), cards=st.sampled_from(TABLES))
    def correct_cards(self, data: st.DataObject, cards: str) -> None:
        self._do(f"correct_cards {self._drawn_round(data)} {cards}")

    @precondition(lambda self: self._table.state.game.rounds)
    @rule(data=st.data(), player=st.sampled_from((*PLAYERS, "nobody")))
    def correct_bet(self, data: st.DataObject, player: str) -> None:
        self._do(f"correct_bet {self._drawn_round(data)} {player}")

    def _drawn_round(self, data: st.DataObject) -> int:
        return data.draw(st.integers(1, self._table.state.game.round_number))

    @rule(verb=st.sampled_from(("undo", "late_undo", "dismiss", "leave", "kill")))
    def take_back_or_interrupt(self, verb: str) -> None:
        self._do(verb)

    # Other commands, which may come at any time.

    @rule(command=st.sampled_from(_AT_ANY_TIME))
    def press(self, command: str) -> None:
        self._do(command)


def sequences(text: str) -> list[list[str]]:
    """Split a recording into its sequences, each with its lines."""
    return [part.splitlines() for part in text.split("\n\n") if part.strip()]


def replayed(lines: Iterable[str], folder: Path) -> list[str]:
    """Run the commands of a sequence again and return its new lines."""
    title, *rest = lines
    table = Table(folder, seen=title == "# camera")
    try:
        commands = [line.removeprefix("> ") for line in rest if line.startswith("> ")]
        return [title, *(line for command in commands for line in table.run(command))]
    finally:
        table.close()


def _record() -> None:
    """Write the longest sequences among those that the machine tried."""
    run_state_machine_as_test(
        seed(7)(Players),
        settings=settings(
            max_examples=TRIED,
            stateful_step_count=STEPS,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=[*HealthCheck],
        ),
    )
    kept = sorted(Players.recorded, key=len, reverse=True)[:COUNT]
    RECORDED.write_text("\n\n".join(map("\n".join, kept)) + "\n", "utf-8")
    sys.stdout.write(f"{len(kept)} of {len(Players.recorded)} sequences, {sum(map(len, kept))} lines\n")


if __name__ == "__main__":
    _record()
