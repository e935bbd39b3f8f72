"""Corrections here and in other programs: effects, undo, and announcements that are not repeated."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event as Signal

import pytest

from bunnymoose_cv.announcements.announcing import catch_up_lines
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.cards import Table, parse_table
from bunnymoose_cv.rules.events import BetCorrected, Event, PoseCorrected, PosesJudged, Undone
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from tests.doubles import CannedVideoSource
from tests.unit.session.conftest import PATIENCE_S, OpenSitting, Watch
from tests.unit.session.playing import CARDS, MOOSE, PHONE, done, play_by_hand, show_to_the_table


def test_an_answer_counts_while_asked_and_the_same_pose_is_not_a_correction(at_bam: Session) -> None:
    done(at_bam.answer("Green", MOOSE, PHONE, 1))
    before = at_bam.state.entries
    other = Pose.parse("TS TS")
    for number in (1, 2):
        with pytest.raises(InputError, match="Somebody has just answered"):
            done(at_bam.answer("Green", other, "screen", number))
    done(at_bam.answer("Green", MOOSE, "screen", 1))
    assert not at_bam.correct_pose("Green", MOOSE, "screen").result(60.0)
    assert not at_bam.correct_pose("Green", MOOSE, "screen", 1).result(60.0)
    assert at_bam.state.entries == before
    show_to_the_table(at_bam)
    before = at_bam.state.entries
    with pytest.raises(InputError, match="Somebody has just answered"):
        done(at_bam.answer("Green", other, "screen", 1))
    assert not at_bam.correct_pose("Green", MOOSE, "screen").result(60.0)
    assert not at_bam.correct_table(1, CARDS, "screen").result(60.0)
    assert not at_bam.correct_bet(1, None, "screen").result(60.0)
    assert (at_bam.state.entries, at_bam.state.changes) == (before, None)
    assert at_bam.correct_pose("Green", other, "screen").result(60.0)
    assert at_bam.correct_bet(1, "Green", "screen").result(60.0)
    assert at_bam.state.game.rounds[0].facts.poses["Green"] == other


def test_repeated_undo_stops_at_a_kept_bam(at_bam: Session) -> None:
    done(at_bam.answer("Green", MOOSE, PHONE, 1))
    done(at_bam.undo("screen", keeps_bam=True))
    with pytest.raises(InputError, match="press “That was no Bam”"):
        done(at_bam.undo("screen", keeps_bam=True))
    phases = [at_bam.state.game.phase]
    done(at_bam.undo("screen"))
    assert [*phases, at_bam.state.game.phase] == [Phase.FROZEN, Phase.DEALING]


@pytest.mark.parametrize("undone", ["correction", "bam"])
def test_two_simultaneous_undos_undo_one_event(session: Session, undone: str) -> None:
    play_by_hand(session)
    if undone == "correction":
        done(session.correct_bet(1, "Green", "screen"))
        done(session.correct_bet(1, "Blue", "screen"))
    else:
        done(session.bam(Maker.BUTTON, PHONE))
    undo = session.undo if undone == "correction" else session.dismiss
    seen = len(session.state.entries)
    done(undo("screen", after=seen))
    before = session.state.game
    with pytest.raises(InputError, match="please check again"):
        done(undo(PHONE, after=seen))
    assert (session.state.game, len(before.rounds)) == (before, 1)
    done(undo(PHONE, after=len(session.state.entries)))
    assert session.state.game != before


def test_a_page_that_has_not_seen_the_verdicts_can_dismiss_bam(session: Session) -> None:
    seen = len(session.state.entries)
    play_by_hand(session)
    with pytest.raises(InputError, match="please check again"):
        done(session.undo(PHONE, after=seen))
    done(session.dismiss(PHONE, after=seen))
    assert session.state.game.phase is Phase.DEALING


def test_effects_of_corrections_are_shown_until_the_next_round(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.GERMAN)
    play_by_hand(session)
    assert session.state.changes is None
    before = session.state.game
    done(session.correct_pose("Green", Pose.parse("TS TS"), PHONE))
    changed = session.state.changes
    assert changed is not None
    assert any("Green" in line and "Hase" in line for line in changed.lines[0].after)
    assert session.state.entries[-1].who == PHONE
    done(session.correct_bet(1, "Green", "screen"))
    done(session.correct_table(1, CARDS[::-1], "screen"))
    assert session.state.game.rounds[0].facts.cards == CARDS[::-1]
    assert session.state.game.rounds[0].facts.bet == "Green"
    for _ in range(3):
        done(session.undo(PHONE))
    assert session.state.game == before
    assert session.state.changes is not None
    done(session.submit_cards(CARDS[:1], PHONE))
    assert session.state.changes is None


RABBIT = PoseCorrected(1, "Green", Pose.parse("TS TS"))


def write_elsewhere(session: Session, *events: Event) -> None:
    """Append entries as `bunnymoose correct` and `bunnymoose undo` do in another terminal."""
    with GameFile.open(session.state.folder) as other:
        other.append(events, "in another terminal", "Anna")


@contextmanager
def held(session: Session) -> Iterator[None]:
    """Hold the session's thread, so that no turn comes between the commands given within `with`."""
    is_held, going_on = Signal(), Signal()

    def hold() -> None:
        is_held.set()
        going_on.wait()

    session._actor.submit(hold)
    assert is_held.wait(PATIENCE_S)
    try:
        yield
    finally:
        going_on.set()


@pytest.fixture(params=[("Blue", "Green", "Yellow"), ("Blue", "Green")], ids=["over", "open"])
def judged(request: pytest.FixtureRequest, at_bam: Session) -> Session:
    """Return a session whose round is over or waits for one pose."""
    for player in request.param:
        done(at_bam.correct_pose(player, MOOSE, PHONE))
    return at_bam


def test_a_correction_in_another_program_is_shown_and_announced(judged: Session, watch: Watch) -> None:
    seen = watch(judged)
    done(judged.correct_pose("Green", RABBIT.pose, PHONE, 1))
    lines, changes = list(seen.heard), judged.state.changes
    assert lines
    done(judged.undo(PHONE))
    seen.heard.clear()
    write_elsewhere(judged, RABBIT)
    state = seen.until(lambda state: state.entries[-1].who == "Anna")
    assert (seen.heard, state.changes) == (lines, changes)
    assert list(state.said[-len(lines) :]) == lines
    seen.heard.clear()
    show_to_the_table(judged)
    assert not set(seen.heard) & set(lines), "it is said once"
    assert judged.state.game.rounds[0].facts.poses["Green"] == RABBIT.pose


def test_the_undo_of_a_correction_in_another_program_is_announced(session: Session, watch: Watch) -> None:
    play_by_hand(session)
    before = session.state.game
    done(session.correct_pose("Green", RABBIT.pose, PHONE))
    seen = watch(session)
    write_elsewhere(session, Undone())
    state = seen.until(lambda state: state.game == before)
    assert any(line.startswith("Green: moose") for line in seen.heard)
    assert state.changes.lines
    assert state.said


def test_a_correction_found_by_a_command_is_announced_after_it(session: Session, watch: Watch) -> None:
    play_by_hand(session)
    seen = watch(session)
    with held(session):
        write_elsewhere(session, RABBIT)
        bet = session.bet(session.state.game.seats[0], PHONE)
    done(bet)
    state = seen.until(lambda state: state.changes is not None)
    assert any(line.startswith("Green: rabbit") for line in seen.heard)
    assert state.game.bet == session.state.game.seats[0]


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
def test_corrections_here_and_elsewhere_are_each_announced_once(
    judged: Session, watch: Watch, correct: Callable[[Session], Future[bool]], lines: Sequence[str]
) -> None:
    seen = watch(judged)
    with held(judged):
        write_elsewhere(judged, RABBIT)
        corrected = correct(judged)
    done(corrected)
    write_elsewhere(judged, BetCorrected(judged.state.game.round_number, judged.state.game.seats[-1]))
    seen.until(lambda state: isinstance(state.entries[-1].event, BetCorrected) and state.entries[-1].who == "Anna")
    assert [" ".join(line.split()[:2]) for line in seen.heard if "Catching up" not in line] == lines


def test_a_correction_elsewhere_during_another_is_announced_once(judged: Session, watch: Watch) -> None:
    seen = watch(judged)

    def in_one_command() -> None:
        write_elsewhere(judged, RABBIT)
        judged._referee.correct_pose("Blue", RABBIT.pose, 1, PHONE)

    done(judged._submit(in_one_command))
    write_elsewhere(judged, BetCorrected(judged.state.game.round_number, judged.state.game.seats[-1]))
    seen.until(lambda state: isinstance(state.entries[-1].event, BetCorrected))
    assert [line for line in seen.heard if "Catching up" not in line] == ["Blue and Green: rabbit ahead 3"]
    assert seen.heard[1:] == [line for played in judged.state.game.rounds for line in catch_up_lines(played)]


@pytest.fixture
def dealing(open_sitting: OpenSitting, watch: Watch) -> Session:
    """Return a session whose dealer has laid the first card of the second round."""
    session = open_sitting(NoVideoSource(), tempo_s=60.0)
    play_by_hand(session)
    done(session.deal())
    watch(session).until(lambda state: state.game.laid == 1)
    return session


def test_entries_of_the_table_between_two_from_elsewhere_restart_nothing(dealing: Session, watch: Watch) -> None:
    seen = watch(dealing)

    def in_one_command() -> None:
        write_elsewhere(dealing, RABBIT)
        dealing._referee.record_cards(parse_table("R.TS-2"), PHONE)
        write_elsewhere(dealing, PoseCorrected(1, "Blue", RABBIT.pose))

    done(dealing._submit(in_one_command))
    state = seen.until(lambda state: state.changes is not None)
    assert state.deal is not None
    assert state.deal.line is not None, "the dealer goes on"
    assert all(any(line.startswith(f"{name}: rabbit") for line in seen.heard) for name in ("Green", "Blue"))


def test_a_correction_with_its_undo_changes_nothing(session: Session, watch: Watch) -> None:
    play_by_hand(session)
    seen, said = watch(session), session.state.said
    write_elsewhere(session, RABBIT, Undone())
    state = seen.until(lambda state: state.entries[-1].who == "Anna")
    assert (state.changes, state.said, seen.heard) == (None, said, [])


def test_a_correction_elsewhere_is_shown_before_its_undo(session: Session, watch: Watch) -> None:
    play_by_hand(session)
    seen = watch(session)
    with held(session):
        write_elsewhere(session, RABBIT)
        undone = session.undo(PHONE)
    with pytest.raises(InputError, match="Something has just been corrected"):
        done(undone)
    shown = seen.until(lambda state: state.game.rounds[0].facts.poses["Green"] != MOOSE)
    assert shown.entries[-1].who == "Anna"
    done(session.undo(PHONE))
    assert session.state.game.rounds[0].facts.poses["Green"] == MOOSE


def test_verdicts_that_are_undone_start_the_table_over(dealing: Session, watch: Watch) -> None:
    seen, entries = watch(dealing), dealing.state.entries
    to_undo = len(entries) - [isinstance(entry.event, PosesJudged) for entry in entries].index(True)
    write_elsewhere(dealing, *[Undone()] * to_undo)
    state = seen.until(lambda state: not state.game.rounds)
    assert (state.game.phase, state.asked) == (Phase.FROZEN, state.game.seats)
    assert (state.said, state.changes, state.deal.line) == ((), None, None)


@pytest.mark.parametrize("laid_since", [(), parse_table("R.TS-2")], ids=["alone", "a card laid since"])
def test_an_undone_bam_leaves_no_readings(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, watch: Watch, laid_since: Table
) -> None:
    session = open_sitting(canned_evening, asks=False)
    done(session.bam(Maker.KEY, PHONE))
    judged = session.state.judged
    assert judged is not None
    assert judged.kept is not None
    seen = watch(session)
    with held(session):
        write_elsewhere(session, Undone(), Undone())
        laid = session.submit_cards(laid_since, PHONE) if laid_since else session.pause(False)
    done(laid)
    state = seen.until(lambda state: state.judged is None)
    assert (state.game.phase, state.said) == (Phase.DEALING, ())
    assert judged.kept.read() is None
    done(session.submit_cards(parse_table("HUNTER"), PHONE))
    assert session.state.judged is not None
    assert session.state.judged is not judged
    assert len(session.state.game.rounds) == 1
