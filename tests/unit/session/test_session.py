"""A session from its opening to its end: several people play at once, and everybody sees the same table."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.referee.script import Script
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PosesJudged
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.opened_game import open_game, opened_game, resume_game
from bunnymoose_cv.session.script_video_source import ScriptVideoSource
from bunnymoose_cv.session.services import Spoken, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.doubles import CannedFootage, CannedVideoSource
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
    steps = [(each.judging, each.watching) for each in seen.states]
    taken = steps.index((True, False))
    assert seen.states[taken].game.phase in {Phase.BETTING, Phase.DEALING}
    assert not seen.states[taken].said
    assert (False, True) in steps[taken:]
    assert steps[-1] == (False, False)
    assert list(session.state.said) == seen.heard
    assert {entry.who for entry in session.state.entries if isinstance(entry.event, Bam)} == {PHONE}
    done(session.dismiss("screen"))
    assert (session.state.said, session.state.judged, session.state.game.rounds) == ((), None, ())


def test_going_on_with_a_script_makes_the_missing_film(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource
) -> None:
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


def test_without_a_camera_people_say_what_everybody_shows(session: Session) -> None:
    assert session.state.camera is CameraState.NONE
    done(session.lay(CARDS, PHONE))
    done(session.bam(Maker.KEY, "screen"))
    assert session.state.asked == session.state.game.seats
    assert session.state.said == ("Blue, Green and Yellow, please check",)
    show_to_the_table(session)
    assert len(session.state.game.rounds) == 1
    assert len(session.state.said) > 3
    done(session.bet(session.state.game.seats[0], "screen"))
    assert session.state.said == ()
    assert session.newest() is None


def test_a_sitting_that_was_killed_goes_on_with_who_is_asked(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, PHONE))
    done(session.bam(Maker.KEY, "screen"))
    done(session.correct_pose("Green", MOOSE, PHONE))
    session.close()
    session._services.file.close()
    again = open_sitting(NoVideoSource())
    assert again.state.game == session.state.game
    assert again.state.asked == ("Blue", "Yellow")
    told = again.state.said
    assert told == (session.state.said[-1], "Blue and Yellow, please check")
    show_to_the_table(again)
    assert len(again.state.game.rounds) == 1
    assert again.state.said[:2] == told
    again.close()
    again._services.file.close()
    assert open_sitting(NoVideoSource()).state.said != ()


def test_a_bet_that_is_tapped_twice_is_undone_at_once(session: Session) -> None:
    for player in ("Blue", "Green", "Green"):
        done(session.bet(player, PHONE))
    done(session.undo(PHONE))
    assert session.state.game.bet == "Blue"


@pytest.mark.parametrize(
    ("want", "sentence"),
    [
        (lambda session: session.bet("Red", PHONE), "Nobody can bet on “Red”"),
        (lambda session: session.dismiss(PHONE), "There is no Bam to take back"),
        (lambda session: session.deal(), "dealt by hand"),
        (lambda session: session.correct_bet(3, "Blue", PHONE), "no round 3 yet"),
    ],
)
def test_what_cannot_be_done_is_told_to_who_wants_it(
    session: Session, want: Callable[[Session], Future[None]], sentence: str
) -> None:
    before = session.state
    with pytest.raises(InputError, match=sentence):
        want(session).result(60.0)
    assert session.state is before


def test_after_the_end_everybody_is_told_so(session: Session) -> None:
    session.close()
    with pytest.raises(InputError, match="has been left"):
        session.bet("Blue", PHONE).result(60.0)


def test_a_fault_of_ours_is_told_and_raised_where_the_sitting_ends(
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
SILENT = Spoken(Language.ENGLISH, aloud=False)


def test_a_game_is_judged_with_the_exemptions_of_its_players(
    tmp_path: Path, canned_reader: Reader, party: FrameReading
) -> None:
    files = ProfileFiles(tmp_path / "profiles")
    files.keep(PlayerProfile("Ben", frozenset({Exemption.LEFT_HAND})))
    with (
        GameFile.create(tmp_path / "game", STARTED, who="test") as file,
        open_services(file, canned_reader, SILENT, pytest.fail, PlayerProfiles(files)) as services,
    ):
        referee = services.referee(str, asks=False)
        referee.bam("test")
        judged = referee.judge(CannedFootage(party.image, 0.0, 1.0, 3.0), 1.0)
        assert [str(seat.pose) for seat in judged.seats] == ["TF TF", "WU WU"]


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("judged", [False, True])
def test_a_game_stays_where_bam_was_said(tmp_path: Path, *, judged: bool, stops: bool) -> None:
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


def test_old_evenings_give_way_when_a_game_is_over(tmp_path: Path) -> None:
    games, told = GameStore(tmp_path), list[str]()
    record = load_settings().record.model_copy(update={"keep_evenings": 1})
    for _ in range(2):
        file = open_game(games, STARTED, source="evening")
        with opened_game(games, file, None, SILENT, pytest.fail, record=record, tell_of_clearing=told.append):
            file.append([Bam(), PosesJudged({})], why="a test", who="people")
    assert [game.folder for game in games] == [file.folder]
    assert len(told) == 1


def test_another_spelling_of_a_name_goes_on_with_the_game(tmp_path: Path) -> None:
    games = GameStore(tmp_path)
    begun = open_game(games, STARTED, source="evening")
    begun.close()
    unfinished = games.unfinished("evening")
    assert unfinished is not None
    with resume_game(games, unfinished, replace(STARTED, players=("ANN", "Ben ", "Cleo"))) as file:
        assert (file.folder, file.game.players) == (begun.folder, STARTED.players)
    with pytest.raises(InputError, match="other players or rules"):
        resume_game(games, unfinished, replace(STARTED, players=("Ann", "Ben", "Dan")))
