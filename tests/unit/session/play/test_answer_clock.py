"""Questions without an answer: a reminder, then the likeliest answers count and can be corrected."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.cards import Table, parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted, PosesJudged
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.provenance import NOBODY, REFEREE
from bunnymoose_cv.session.play.answer_clock import AnswerClock
from bunnymoose_cv.session.play.corrections import Corrections
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.doubtful import SURE_EAR, DoubtfulTable

SPREAD_MATTERS = parse_table("L.WU+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
FORM_MATTERS = parse_table("L.WU+2 L.?F+1 HUNTER RABBIT-3 HUNTER HUNTER")
MAYBE_FLOPPY = replace(SURE_EAR, straight=0.6)
COMPACT = Pose.parse("CU WU")


class FakeTime:
    """Clock that a test advances."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Asked:
    """Doubtful table with the clock of its questions, whose turns the test takes."""

    table: DoubtfulTable
    clock: AnswerClock
    time: FakeTime
    corrections: Corrections
    reminders: list[str]

    def publish(self, *, may_run: bool = True) -> float | None:
        """Update the clock, and return the time that is left."""
        self.clock.follow(may_run=may_run)
        return None if self.clock.until is None else self.clock.until - self.time.now_s

    def wait(self, seconds: float) -> None:
        """Let time pass in turns of half a second."""
        for _ in range(int(seconds * 2)):
            self.time.now_s += 0.5
            self.clock.remind_if_due()
            if self.clock.is_over:
                self.clock.settle()
                self.publish()

    @property
    def standing(self) -> dict[str, tuple[str, str]]:
        """Current poses of the round by player, with their authors."""
        judged = (entry for entry in self.table.file.standing if isinstance(entry.event, PosesJudged))
        return {player: (str(pose), entry.who) for entry in judged for player, pose in entry.event.poses.items()}  # type: ignore[union-attr]


SetTable = Callable[..., Asked]


@pytest.fixture
def set_table(canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SetTable:
    """Return a function that sets a table with or without cards and says Bam; `answer_s` replaces the setting."""
    opened = 0

    def set_one(cards: Table | None = SPREAD_MATTERS, answer_s: float = 25.0, **options: Any) -> Asked:
        nonlocal opened
        opened += 1
        file = GameFile.create(
            tmp_path / f"game{opened}", GameStarted(("Red", "Blue", "Green"), rules_for()), who="test"
        )
        table = DoubtfulTable.open(file, canned_reader, party, monkeypatch, **options)
        if cards:
            table.referee.record_cards(cards)
        table.bam()
        settings = load_settings()
        settings = settings.model_copy(
            update={"questions": settings.questions.model_copy(update={"answer_s": answer_s})}
        )
        now, reminders = FakeTime(), list[str]()
        monkeypatch.setattr("bunnymoose_cv.session.play.answer_clock.monotonic", now)
        services: Any = SimpleNamespace(reader=SimpleNamespace(settings=settings), file=file, language=Language.ENGLISH)
        voice: Any = SimpleNamespace(say=reminders.append)
        display: Any = SimpleNamespace(changes=None)
        freeze: Any = SimpleNamespace(start_over=lambda: None)
        clock = AnswerClock(services, table.referee, voice)
        return Asked(table, clock, now, Corrections(services, table.referee, display, freeze), reminders)

    return set_one


def test_the_likeliest_answer_counts_after_a_reminder(set_table: SetTable) -> None:
    asked = set_table()
    assert asked.publish() == 25.0
    asked.wait(9.5)
    assert asked.reminders == []
    asked.wait(0.5)
    assert asked.reminders == ["Green: the answer is missing"]
    asked.wait(14.5)
    assert (len(asked.reminders), asked.table.referee.questions.asked) == (1, ("Green",))
    asked.wait(0.5)
    assert asked.standing == {"Blue": ("TS TS", REFEREE), "Green": ("WU WU", NOBODY)}
    assert asked.table.said[2:4] == ["No answer, so the likeliest counts: Green", "Green: moose ahead 3"]
    assert asked.table.said[1] == "Blue: rabbit back 3"
    assert asked.table.said.count("Blue: rabbit back 3") == 1
    assert len(asked.table.file.game.rounds) == 1
    assert asked.publish() is None
    assert asked.table.referee.questions.asked_again == ()


def test_an_answer_restarts_the_clock_of_the_other_questions(set_table: SetTable) -> None:
    asked = set_table(FORM_MATTERS, blue_shows=(MAYBE_FLOPPY, SURE_EAR))
    assert asked.table.referee.questions.asked == ("Blue", "Green")
    asked.publish()
    asked.wait(20)
    asked.table.referee.correct_pose("Blue", Pose.parse("TF TS"), author="Blue's phone")
    assert asked.publish() == 25.0
    asked.wait(24.5)
    assert list(asked.table.referee.questions.asked) == ["Green"]
    assert asked.reminders == ["Blue and Green: the answers are missing", "Green: the answer is missing"]
    asked.wait(0.5)
    assert asked.standing == {"Blue": ("TF TS", "Blue's phone"), "Green": ("WU WU", NOBODY)}


def test_all_remaining_answers_count_together(set_table: SetTable) -> None:
    asked = set_table(FORM_MATTERS, blue_shows=(MAYBE_FLOPPY, SURE_EAR))
    asked.publish()
    asked.wait(25)
    assert asked.standing == {"Blue": ("TS TS", NOBODY), "Green": ("WU WU", NOBODY)}
    assert asked.table.said[2] == "No answer, so the likeliest counts: Blue and Green"


@pytest.mark.parametrize(
    ("options", "may_run"),
    [
        ({"answer_s": 0.0}, True),
        ({"cards": None}, True),
        ({"cards": None, "asks_everything": True}, True),
        ({}, False),
        ({"asks": False}, True),
    ],
    ids=[
        "it is off",
        "the cards are missing",
        "the cards are missing, all is asked",
        "the table pauses",
        "no question",
    ],
)
def test_no_clock_runs(set_table: SetTable, options: dict[str, Any], *, may_run: bool) -> None:
    asked = set_table(**options)
    assert asked.publish(may_run=may_run) is None
    asked.wait(60)
    assert (asked.reminders, [who for _, who in asked.standing.values() if who == NOBODY]) == ([], [])


def test_late_cards_start_the_clock(set_table: SetTable) -> None:
    asked = set_table(None)
    asked.table.referee.record_cards(SPREAD_MATTERS)
    assert asked.publish() == 25.0


def test_a_pause_restarts_the_clock(set_table: SetTable) -> None:
    asked = set_table()
    asked.publish()
    asked.wait(20)
    asked.publish(may_run=False)
    asked.wait(60)
    assert asked.publish() == 25.0
    assert asked.table.referee.questions.asked == ("Green",)


def test_publishing_does_not_restart_the_clock(set_table: SetTable) -> None:
    asked = set_table()
    asked.publish()
    asked.wait(5)
    assert asked.publish() == 20.0


def test_a_player_who_was_not_seen_waits_for_a_person(set_table: SetTable) -> None:
    asked = set_table()
    judged = asked.table.referee.judged
    assert judged is not None
    seats = tuple(replace(seat, reading=None) for seat in judged.seats)
    asked.table.referee.judged = replace(judged, seats=seats)
    assert (asked.table.referee.questions.asked, asked.publish()) == (("Green",), None)


def test_without_readings_a_person_answers(set_table: SetTable) -> None:
    asked = set_table()
    asked.table.referee.judged = None
    assert (asked.table.referee.questions.asked, asked.publish()) == (("Green",), None)


def test_an_unanswered_verdict_can_be_undone_and_then_waits(set_table: SetTable) -> None:
    asked = set_table()
    asked.publish()
    asked.wait(25)
    asked.table.referee.undo()
    assert (asked.table.referee.questions.asked, asked.table.file.game.rounds) == (("Green",), ())
    assert asked.publish() is None
    asked.table.referee.correct_pose("Green", COMPACT)
    assert asked.table.file.game.rounds[0].facts.poses["Green"] == COMPACT


@pytest.mark.parametrize(
    ("pose", "stands", "corrections"), [(COMPACT, COMPACT, 1), (Pose.parse("WU WU"), Pose.parse("WU WU"), 0)], ids=str
)
def test_a_late_answer_corrects_the_likeliest(set_table: SetTable, pose: Pose, stands: Pose, corrections: int) -> None:
    asked = set_table()
    asked.publish()
    asked.wait(25)
    before = len(asked.table.file.entries)
    asked.corrections.answer("Green", pose, "Red's phone", 1)
    assert asked.table.file.game.rounds[0].facts.poses["Green"] == stands
    assert len(asked.table.file.entries) == before + corrections
    with pytest.raises(InputError, match="Somebody has just answered"):
        asked.corrections.answer("Blue", COMPACT, "Red's phone", 1)


def test_only_new_records_name_unanswered_verdicts(set_table: SetTable) -> None:
    asked = set_table()
    asked.publish()
    asked.wait(25)
    with GameFile.open(asked.table.file.folder) as again:
        newest = again.entries[-1]
        assert (newest.who, newest.why) == ("nobody", "nobody answered: the likeliest counts")
        assert again.game == asked.table.file.game
