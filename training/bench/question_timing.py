"""Latency of rounds with questions that are answered at once, from Bam until everything is announced.

The players of the demo clip sit in front of a camera at 1080p, and some of them have a doubtful hand. The voice is
silent but takes as long as its sentences.
"""

from __future__ import annotations

import math
import os
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.session.game_setup import GameSetup
from bunnymoose_cv.session.services import open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.video_source import LiveVideoSource
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.voice.player import seconds
from bunnymoose_cv.voice.speaker import Speaker
from training.bench.demo_clip import CARDS, CUE_S, DEMO_S, PLAYERS, row_clip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading

ROWS: Final = ((3, 1), (3, 2), (5, 1), (5, 2), (5, 4))
"""Numbers of players, and of questions."""

PATIENCE_S: Final = 60.0


class _DoubtfulReader(Reader):
    """Reader for which the left hands of the first seats may be an antler or an ear.

    Attributes:
        doubtful: number of those seats.
    """

    doubtful = 0

    def headgear_reading(
        self, player: Player, side: Side, probabilities: HeadgearProbabilities, headgear_prior: float | None = None
    ) -> HeadgearReading:
        """See `Reader.headgear_reading`."""
        if side is Side.LEFT and player.seat <= self.doubtful:
            probabilities = replace(probabilities, antler=0.55, ear=0.45, neither=0.0)
        return super().headgear_reading(player, side, probabilities, headgear_prior)


class _TimedSpeaker(Speaker):
    """Silent speaker that takes as long as real speech, and records the start of each sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[tuple[str, float]] = []

    def first_announcement_s(self) -> float:
        """Wait for the first sentence that is not a question, and return its start."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            for text, begun_s in tuple(self.begun):
                if not text.endswith("?"):
                    return begun_s
            time.sleep(0.02)
        raise AssertionError("nothing was announced")

    def _play(self, text: str, language: Language, heard: Event, is_wanted: Callable[[], bool]) -> None:
        until_s = seconds(self.render(text, language)) + time.monotonic()
        self.begun.append((text, time.monotonic()))
        heard.set()
        while time.monotonic() < until_s and is_wanted():
            time.sleep(0.02)


@dataclass
class _Answering:
    """Simulated users who answer each question at once."""

    session: Session
    asked_s: float = math.nan
    questions: int = 0
    announced_s: float = math.nan

    def __post_init__(self) -> None:
        self.is_over = Event()

    def see(self, state: TableState) -> None:
        """Handle a state of the table."""
        if state.asked and math.isnan(self.asked_s):
            self.asked_s, self.questions = time.monotonic(), len(state.asked)
            judged = state.judged
            if judged is None:
                raise AssertionError("a player who is asked about was judged")
            for seat in judged.seats:
                if seat.player in state.asked:
                    self.session.answer(seat.player, seat.pose, "bench", judged.number)
        if state.game.rounds and math.isnan(self.announced_s):
            self.announced_s = time.monotonic()
            self.is_over.set()


def time_questions(rounds: int) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Yield the medians of several rounds by the numbers of players and questions, in seconds."""
    with tempfile.TemporaryDirectory() as folder, _DoubtfulReader(load_settings()) as reader:
        clips = {players: row_clip(Path(folder), players, 2 * DEMO_S) for players, _ in ROWS}
        _time_round(Path(folder, "warm-up"), clips[3], reader, 3)
        for players, questions in ROWS:
            reader.doubtful = questions
            times = [
                _time_round(Path(folder, f"{players}-{questions}-{number}"), clips[players], reader, players)
                for number in range(rounds)
            ]
            medians = {name: statistics.median(times_of_round[name] for times_of_round in times) for name in times[0]}
            yield f"{players} players, {questions} asked", medians


def _time_round(games: Path, clip: Path, reader: Reader, players: int) -> dict[str, float]:
    names = PLAYERS[: players + 1]
    with ExitStack() as stack:
        watcher = Watcher(str(clip), View(), reader.settings.camera)
        started = GameStarted(names, rules_for())
        file = stack.enter_context(open_game(GameStore(games), started, source="bench"))
        setup = GameSetup(names, rules_for(), speaks=False)
        silent = stack.enter_context(open_services(file, reader, setup, lambda _: None))
        speaker = stack.enter_context(_TimedSpeaker())
        speaker.render("Moose ahead 3")
        services = replace(silent, speaker=speaker)
        session = stack.enter_context(Session(services, LiveVideoSource(watcher)))
        answering = _Answering(session)
        session.submit_cards(parse_table(CARDS), "bench").result()
        stack.callback(session.listen(answering.see))
        cue_s = watcher.frames(0, math.inf)[0].time_s + DEMO_S + CUE_S
        time.sleep(max(0.0, cue_s - time.monotonic()))
        began_work_s = time.process_time()
        session.bam(Maker.SCRIPT, "bench", cue_s)
        if not answering.is_over.wait(PATIENCE_S):
            raise AssertionError("nobody was judged")
        work_s = time.process_time() - began_work_s
        first_s = speaker.first_announcement_s()
        speaker.silence()
    return {
        "questions": float(answering.questions),
        "asked, s": answering.asked_s - cue_s,
        "all announced, s": answering.announced_s - cue_s,
        "first announcement heard, s": first_s - cue_s,
        "processor time, s": work_s,
        "load": os.getloadavg()[0],
    }
