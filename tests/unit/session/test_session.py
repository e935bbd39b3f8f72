"""Session from its start to its end, with commands of several pages at once."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from unittest.mock import Mock

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.profile_forms import PlayerProfile
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.referee.script import Script
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PosesJudged
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose, Side
from bunnymoose_cv.session.game_setup import FIRST_SETUP
from bunnymoose_cv.session.services import BRIEF_S, Notices, open_game, open_services, opened_game, resume_game
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.script_video_source import ScriptVideoSource
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from bunnymoose_cv.session.table_state import TableState
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.doubles import CannedFootage, CannedVideoSource, player_reading, sure_of
from tests.unit.session.conftest import OpenSitting, Watch
from tests.unit.session.playing import CARDS, MOOSE, PHONE, done, show_to_the_table


def test_a_round_of_a_script_is_judged_from_its_clip(
    open_clip_sitting: OpenSitting, evening: Script, watch: Watch
) -> None:
    session = open_clip_sitting(ScriptVideoSource(evening), asks=False)
    seen = watch(session)
    while (latest_reading := session.latest_reading) is None:
        done(session.pause(False))
    done(session.bet("Yellow", PHONE))
    done(session.bam(Maker.BUTTON, PHONE))
    assert [player.seat for player in latest_reading.reading.players] == [1, 2, 3]
    (played,) = session.state.game.rounds
    assert played.facts.bet == "Yellow"
    assert played.facts.cards == evening.rounds[0].cards
    judged = session.state.judged
    assert judged is not None
    assert judged.cue_s == evening.rounds[0].bam_s
    assert judged.kept is not None
    steps = [(state.judging, state.watching) for state in seen.states]
    taken = steps.index((True, False))
    assert seen.states[taken].game.phase in {Phase.BETTING, Phase.DEALING}
    assert not seen.states[taken].said
    assert (False, True) in steps[taken:]
    assert steps[-1] == (False, False)
    assert list(session.state.said) == seen.heard
    assert {entry.who for entry in session.state.entries if isinstance(entry.event, Bam)} == {PHONE}
    done(session.dismiss("screen"))
    assert (session.state.said, session.state.judged, session.state.game.rounds) == ((), None, ())


def test_resuming_a_script_makes_the_missing_film(open_sitting: OpenSitting, canned_evening: CannedVideoSource) -> None:
    session = open_sitting(canned_evening, asks=False)
    done(session.bam(Maker.BUTTON, PHONE))
    judged = session.state.judged
    session.close()
    session._services.keeper.finish()
    session._services.file.close()
    assert judged is not None
    assert judged.kept is not None
    judged.kept.replay.unlink()
    again = open_sitting(canned_evening, asks=False)
    assert again.state.problem == ""
    again._services.keeper.finish()
    assert judged.kept.has_film


def test_without_a_camera_all_poses_are_asked_for(session: Session) -> None:
    assert session.state.camera is CameraState.NONE
    done(session.submit_cards(CARDS, PHONE))
    done(session.bam(Maker.KEY, "screen"))
    assert session.state.asked == session.state.game.seats
    assert session.state.said == ("Blue, Green and Yellow, please check",)
    show_to_the_table(session)
    assert len(session.state.game.rounds) == 1
    assert len(session.state.said) > 3
    done(session.bet(session.state.game.seats[0], "screen"))
    assert session.state.said == ()
    assert session.newest() is None


def test_a_killed_session_resumes_with_the_same_questions(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.submit_cards(CARDS, PHONE))
    done(session.bam(Maker.KEY, "screen"))
    done(session.correct_pose("Green", MOOSE, PHONE))
    session.close()
    session._services.file.close()
    again = open_sitting(NoVideoSource())
    assert again.state.game == session.state.game
    assert again.state.asked == ("Blue", "Yellow")
    reported = again.state.said
    assert reported == (session.state.said[-1], "Blue and Yellow, please check")
    show_to_the_table(again)
    assert len(again.state.game.rounds) == 1
    assert again.state.said[:2] == reported
    again.close()
    again._services.file.close()
    assert open_sitting(NoVideoSource()).state.said != ()


def test_one_undo_removes_a_bet_that_was_tapped_twice(session: Session) -> None:
    for player in ("Blue", "Green", "Green"):
        done(session.bet(player, PHONE))
    done(session.undo(PHONE))
    assert session.state.game.bet == "Blue"


@pytest.mark.parametrize(
    ("want", "sentence"),
    [
        (lambda session: session.bet("Red", PHONE), "Nobody can bet on “Red”"),
        (lambda session: session.dismiss(PHONE), "There is no Bam to undo"),
        (lambda session: session.deal(), "dealt by hand"),
        (lambda session: session.correct_bet(3, "Blue", PHONE), "no round 3 yet"),
    ],
)
def test_a_refused_command_fails_with_its_reason(
    session: Session, want: Callable[[Session], Future[None]], sentence: str
) -> None:
    before = session.state
    with pytest.raises(InputError, match=sentence):
        want(session).result(60.0)
    assert session.state is before


def test_commands_after_the_end_are_refused(session: Session) -> None:
    session.close()
    with pytest.raises(InputError, match="game was left"):
        session.bet("Blue", PHONE).result(60.0)


def test_a_programming_error_is_reported_and_raised_at_the_end_of_the_session(
    session: Session, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = watch(session)
    monkeypatch.setattr(session._referee, "bet", None)
    with pytest.raises(TypeError):
        session.bet("Blue", PHONE).result(60.0)
    assert "made a mistake" in seen.until(lambda state: bool(state.problem)).problem
    with pytest.raises(TypeError):
        session.__exit__(None)
    assert not session.running


STARTED = GameStarted(("Ann", "Ben", "Cleo"), rules_for())
SILENT = replace(FIRST_SETUP, speaks=False)


def test_a_game_is_judged_with_the_exemptions_of_its_players(
    tmp_path: Path, canned_reader: Reader, party: FrameReading
) -> None:
    files = ProfileFiles(tmp_path / "profiles")
    files.keep(PlayerProfile("Ben", frozenset({Exemption.LEFT_HAND})))
    with (
        GameFile.create(tmp_path / "game", STARTED, who="test") as file,
        open_services(file, canned_reader, SILENT, pytest.fail, files) as services,
    ):
        referee = services.referee(str, asks=False)
        referee.bam("test")
        judged = referee.judge(CannedFootage(party.image, 0.0, 1.0, 3.0), 1.0)
        assert [str(seat.pose) for seat in judged.seats] == ["TF TF", "WU WU"]


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("judged", [False, True])
def test_leaving_a_game_after_bam_keeps_it_frozen(tmp_path: Path, *, judged: bool, stops: bool) -> None:
    games = GameStore(tmp_path)
    file = open_game(games, STARTED, source="evening")
    record = load_settings().record
    with suppress(KeyboardInterrupt), opened_game(games, file, None, SILENT, pytest.fail, record=record) as services:
        assert services.file is file
        if judged:
            file.append([Bam(), PosesJudged({})], why="a test", who="people")
        if stops:
            raise KeyboardInterrupt
    assert [game.folder for game in games] == ([file.folder] if judged else [])


def test_old_evenings_are_deleted_when_a_game_is_over(tmp_path: Path) -> None:
    games, reported = GameStore(tmp_path), list[str]()
    record = load_settings().record.model_copy(update={"keep_evenings": 1})
    for _ in range(2):
        file = open_game(games, STARTED, source="evening")
        with opened_game(games, file, None, SILENT, pytest.fail, record=record, report_deletion=reported.append):
            file.append([Bam(), PosesJudged({})], why="a test", who="people")
    assert [game.folder for game in games] == [file.folder]
    assert len(reported) == 1


def test_another_spelling_of_a_name_resumes_the_game(tmp_path: Path) -> None:
    games = GameStore(tmp_path)
    begun = open_game(games, STARTED, source="evening")
    begun.close()
    unfinished = games.unfinished("evening")
    assert unfinished is not None
    with resume_game(games, unfinished, replace(STARTED, players=("ANN", "Ben ", "Cleo"))) as file:
        assert (file.folder, file.game.players) == (begun.folder, STARTED.players)
    with pytest.raises(InputError, match="other players or rules"):
        resume_game(games, unfinished, replace(STARTED, players=("Ann", "Ben", "Dan")))


@pytest.fixture
def doubtful(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, row: FrameReading, monkeypatch: pytest.MonkeyPatch
) -> Session:
    """Return a session with cards on the table, whose camera is unsure whether Blue's left antler is wide."""
    shown, *others = row.players
    left = replace(sure_of(shown.pose.left), wide=0.6)
    likely = {Side.LEFT: left, Side.RIGHT: sure_of(shown.pose.right)}
    blue = player_reading(shown.player, likely, 0.002, load_settings())
    session = open_sitting(canned_evening)
    monkeypatch.setattr(session._services.reader, "_canned", (blue, *others))
    done(session.submit_cards(CARDS, PHONE))
    return session


def test_the_likeliest_answer_counts_after_the_time_limit(
    doubtful: Session, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 1000.0
    monkeypatch.setattr("bunnymoose_cv.session.play.answer_clock.monotonic", lambda: now_s)
    seen = watch(doubtful)
    done(doubtful.bam(Maker.KEY, PHONE))
    assert (doubtful.state.asked, doubtful.state.answer_until) == (("Blue",), now_s + 25.0)
    first_asked = next(state for state in seen.states if state.asked)
    assert (first_asked.watching, first_asked.answer_until) == (True, now_s + 25.0)
    done(doubtful.pause(True))
    assert doubtful.state.answer_until is None
    now_s += 100.0
    done(doubtful.pause(False))
    assert doubtful.state.answer_until == now_s + 25.0
    now_s += 25.0
    state = seen.until(lambda state: bool(state.game.rounds))
    assert (state.asked, state.answer_until) == ((), None)
    assert [str(entry.who) for entry in state.entries[-1:]] == ["nobody"]
    done(doubtful.undo("screen"))
    assert (doubtful.state.asked, doubtful.state.answer_until) == (("Blue",), None)


def test_the_likeliest_answer_counts_after_a_restart_too(
    doubtful: Session, open_sitting: OpenSitting, canned_evening: CannedVideoSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 1000.0
    monkeypatch.setattr("bunnymoose_cv.session.play.answer_clock.monotonic", lambda: now_s)
    done(doubtful.bam(Maker.KEY, PHONE))
    likeliest = doubtful._referee.questions.likeliest
    doubtful.close()
    doubtful._services.keeper.finish()
    doubtful._services.file.close()
    again = open_sitting(canned_evening)
    assert (again.state.asked, again.state.answer_until) == (("Blue",), now_s + 25.0)
    assert again._referee.questions.likeliest == likeliest
    done(again.undo("screen"))
    assert (again.state.asked, again._referee.questions.likeliest) == (("Blue", "Green", "Yellow"), likeliest)
    done(again.dismiss("screen"))
    assert again._referee.questions.likeliest == {}


def test_an_answer_counts_during_the_watch_for_movements(doubtful: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session, answered = doubtful, Event()
    seen: list[TableState] = []

    def answer(state: TableState) -> None:
        seen.append(state)
        if state.asked:
            session.answer("Blue", Pose.parse("WU WU"), "Red's phone", 1)
        if state.game.rounds:
            answered.set()

    def late(footage: CannedFootage, time_s: float, patience_s: float) -> bool:
        """Hold back frames after the window until the answer counts."""
        del patience_s
        return time_s < footage.cue_s + 0.7 or answered.wait(30.0)

    monkeypatch.setattr(CannedFootage, "wait_for", late)
    session.listen(answer)
    done(session.bam(Maker.KEY, PHONE))
    assert next(state.asked for state in seen if state.asked) == ("Blue",)
    assert next(state.watching for state in seen if state.game.rounds)
    assert session.state.said.count("Blue: is your left antler wide?") == 1


def test_several_cards_are_laid_in_one_turn_until_one_cannot_be(session: Session) -> None:
    def refuse_a_third() -> None:
        if session.state.game.laid == 2:
            raise InputError("Somebody else narrates.")

    waits = Mock(wraps=session._actor.submit)
    session._actor.submit = waits  # type: ignore[method-assign]
    with pytest.raises(InputError, match="Somebody else narrates"):
        done(session.submit_cards_one_by_one(CARDS, PHONE, after=0, expect=refuse_a_third))
    assert (session.state.game.laid, waits.call_count) == (2, 1)


def test_only_a_brief_notice_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 100.0
    monkeypatch.setattr("bunnymoose_cv.session.services.time", Mock(monotonic=lambda: now_s))
    reported = Notices(lambda _: None)
    reported.notify("The disk is full.")
    reported.notify_briefly("The voice cannot be heard.")
    assert list(reported.sentences) == ["The disk is full.", "The voice cannot be heard."]
    now_s += BRIEF_S
    assert list(reported.sentences) == ["The disk is full."]
