"""Entries of other programs: open pages show them, and what they change is said."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event as Signal
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, PosesJudged, Undone
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.voice.announcing import catch_up_lines
from tests.unit.session.playing import CARDS, MOOSE, PHONE, done, play_by_hand, show_to_the_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from typing import Any

    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.session.session import Session
    from tests.doubles import CannedVideoSource

    OpenSitting = Callable[..., Session]
    Watch = Callable[[Session], Any]

RABBIT = PoseCorrected(1, "Green", Pose.parse("TS TS"))


def write_elsewhere(session: Session, *events: Event) -> None:
    """Append entries as `bunnymoose correct` and `bunnymoose undo` do in another terminal."""
    with GameFile.open(session.state.folder) as other:
        other.append(events, "in another terminal", "Anna")


@contextmanager
def held(session: Session) -> Iterator[None]:
    """Hold the session's thread: the commands given within follow on each other, without a turn between them."""
    going_on = Signal()
    session._actor.submit(going_on.wait)
    try:
        yield
    finally:
        going_on.set()


@pytest.mark.parametrize("judged", [("Blue", "Green", "Yellow"), ("Green",)], ids=["over", "open"])
def test_a_correction_is_shown_and_said_as_one_of_the_table(
    open_sitting: OpenSitting, watch: Watch, judged: Sequence[str]
) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    for player in judged:
        done(session.correct_pose(player, MOOSE, PHONE))
    seen = watch(session)
    done(session.correct_pose("Green", RABBIT.pose, PHONE, 1))
    lines, changes = list(seen.heard), session.state.changes
    assert lines
    done(session.undo(PHONE))
    seen.heard.clear()
    write_elsewhere(session, RABBIT)
    state = seen.until(lambda state: state.entries[-1].who == "Anna")
    assert (seen.heard, state.changes) == (lines, changes)
    assert list(state.said[-len(lines) :]) == lines
    seen.heard.clear()
    show_to_the_table(session)
    assert not set(seen.heard) & set(lines), "it is said once"
    assert session.state.game.rounds[0].facts.poses["Green"] == RABBIT.pose


def test_a_correction_that_is_undone_is_said_too(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource())
    play_by_hand(session)
    before = session.state.game
    done(session.correct_pose("Green", RABBIT.pose, PHONE))
    seen = watch(session)
    write_elsewhere(session, Undone())
    state = seen.until(lambda state: state.game == before)
    assert any(line.startswith("Green: moose") for line in seen.heard)
    assert state.changes.lines
    assert state.said


def test_a_correction_that_a_command_came_upon_is_said_after_it(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource())
    play_by_hand(session)
    seen = watch(session)
    with held(session):
        write_elsewhere(session, RABBIT)
        bet = session.bet(session.state.game.seats[0], PHONE)
    done(bet)
    state = seen.until(lambda state: state.changes is not None)
    assert any(line.startswith("Green: rabbit") for line in seen.heard)
    assert state.game.bet == session.state.game.seats[0]


@pytest.mark.parametrize("judged", [("Blue", "Green", "Yellow"), ("Blue", "Green")], ids=["over", "open"])
@pytest.mark.parametrize(
    ("correct", "lines"),
    [
        (lambda session: session.correct_pose("Blue", RABBIT.pose, PHONE, 1), ["Green: rabbit", "Blue: rabbit"]),
        (lambda session: session.correct_pose("Green", MOOSE, PHONE, 1), ["Green: rabbit", "Green: moose"]),
        (lambda session: session.correct_pose("Green", RABBIT.pose, PHONE, 1), ["Green: rabbit"]),
        (lambda session: session.correct_bet(1, "Blue", PHONE), ["Green: rabbit", "Red: moose"]),
    ],
    ids=["of another player", "of the same player", "the same correction", "of the bet"],
)
def test_corrections_here_and_in_another_program_are_each_said_once(
    open_sitting: OpenSitting,
    watch: Watch,
    judged: Sequence[str],
    correct: Callable[[Session], Future[bool]],
    lines: Sequence[str],
) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    for player in judged:
        done(session.correct_pose(player, MOOSE, PHONE))
    seen = watch(session)
    with held(session):
        write_elsewhere(session, RABBIT)
        corrected = correct(session)
    done(corrected)
    write_elsewhere(session, BetCorrected(session.state.game.round_number, session.state.game.seats[-1]))
    seen.until(lambda state: isinstance(state.entries[-1].event, BetCorrected) and state.entries[-1].who == "Anna")
    assert [" ".join(line.split()[:2]) for line in seen.heard if "Catching up" not in line] == lines


@pytest.mark.parametrize("judged", [("Blue", "Green", "Yellow"), ("Blue", "Green")], ids=["over", "open"])
def test_a_correction_that_comes_while_another_is_carried_out_is_said_once(
    open_sitting: OpenSitting, watch: Watch, judged: Sequence[str]
) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    for player in judged:
        done(session.correct_pose(player, MOOSE, PHONE))
    seen = watch(session)

    def in_one_command() -> None:
        write_elsewhere(session, RABBIT)
        session._referee.correct_pose("Blue", RABBIT.pose, 1, PHONE)

    done(session._submit(in_one_command))
    write_elsewhere(session, BetCorrected(session.state.game.round_number, session.state.game.seats[-1]))
    seen.until(lambda state: isinstance(state.entries[-1].event, BetCorrected))
    assert [line for line in seen.heard if "Catching up" not in line] == ["Blue and Green: rabbit ahead 3"]
    assert seen.heard[1:] == [line for played in session.state.game.rounds for line in catch_up_lines(played)]


def test_entries_of_the_table_between_two_of_another_program_start_nothing_over(
    open_sitting: OpenSitting, watch: Watch
) -> None:
    session = open_sitting(NoVideoSource(), tempo_s=60.0)
    play_by_hand(session)
    done(session.deal())
    seen = watch(session)
    seen.until(lambda state: state.game.laid == 1)

    def in_one_command() -> None:
        write_elsewhere(session, RABBIT)
        session._referee.lay(parse_table("R.TS-2"), PHONE)
        write_elsewhere(session, PoseCorrected(1, "Blue", RABBIT.pose))

    done(session._submit(in_one_command))
    state = seen.until(lambda state: state.changes is not None)
    assert state.deal is not None
    assert state.deal.line is not None, "the dealer goes on"
    assert [any(line.startswith(f"{name}: rabbit") for line in seen.heard) for name in ("Green", "Blue")] == [
        True,
        True,
    ]


def test_what_is_put_right_and_taken_back_at_once_is_no_change(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource())
    play_by_hand(session)
    seen, said = watch(session), session.state.said
    write_elsewhere(session, RABBIT, Undone())
    state = seen.until(lambda state: state.entries[-1].who == "Anna")
    assert (state.changes, state.said, seen.heard) == (None, said, [])


def test_a_bam_that_is_undone_is_forgotten_though_a_card_was_laid_since(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, watch: Watch
) -> None:
    session = open_sitting(canned_evening, asks=False)
    done(session.bam(Maker.KEY, PHONE))
    judged = session.state.judged
    assert judged is not None
    assert judged.kept is not None
    seen = watch(session)

    def in_one_command() -> None:
        write_elsewhere(session, Undone(), Undone())
        session._referee.lay(parse_table("R.TS-2"), PHONE)

    done(session._submit(in_one_command))
    state = seen.until(lambda state: state.judged is None)
    assert (state.game.phase, state.said) == (Phase.DEALING, ())
    assert not judged.kept.folder.exists()


def test_what_another_program_put_right_is_shown_before_it_is_undone(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource())
    play_by_hand(session)
    seen = watch(session)
    with held(session):
        write_elsewhere(session, RABBIT)
        undone = session.undo(PHONE)
    with pytest.raises(InputError, match="Something was put right meanwhile"):
        done(undone)
    shown = seen.until(lambda state: state.game.rounds[0].facts.poses["Green"] != MOOSE)
    assert shown.entries[-1].who == "Anna"
    done(session.undo(PHONE))
    assert session.state.game.rounds[0].facts.poses["Green"] == MOOSE


def test_verdicts_that_are_undone_start_the_table_over(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource(), tempo_s=60.0)
    play_by_hand(session)
    done(session.deal())
    seen = watch(session)
    dealt = seen.until(lambda state: state.game.laid == 1)
    to_undo = len(dealt.entries) - [isinstance(each.event, PosesJudged) for each in dealt.entries].index(True)
    write_elsewhere(session, *[Undone()] * to_undo)
    state = seen.until(lambda state: not state.game.rounds)
    assert (state.game.phase, state.asked) == (Phase.FROZEN, state.game.seats)
    assert (state.said, state.changes, state.deal.line) == ((), None, None)


def test_a_bam_that_is_undone_leaves_nothing_that_was_read_at_it(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, watch: Watch
) -> None:
    session = open_sitting(canned_evening, asks=False)
    done(session.bam(Maker.KEY, PHONE))
    judged = session.state.judged
    assert judged is not None
    assert judged.kept is not None
    seen = watch(session)
    write_elsewhere(session, Undone(), Undone())
    state = seen.until(lambda state: state.game.phase is Phase.DEALING)
    assert state.judged is None
    assert not judged.kept.folder.exists()
    done(session.lay(parse_table("HUNTER"), PHONE))
    assert session.state.judged is not None
    assert session.state.judged is not judged
    assert len(session.state.game.rounds) == 1
