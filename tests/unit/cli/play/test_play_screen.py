"""Set-up page offers the given options, the cameras of this computer and the last table."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.capture.camera_list import CameraFound
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.cli.play import play_screen
from bunnymoose_cv.cli.play.last_table import at_last_table
from bunnymoose_cv.cli.play.play_options import GameOptions, PlayOptions
from bunnymoose_cv.cli.play.play_screen import resume_command
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import Rules, rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session.game_setup import FIRST_SETUP, GameSetupFile
from bunnymoose_cv.session.source_choice import OfferedSources, SourceChoice
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from bunnymoose_cv.session.table_factory import TableFactory
from bunnymoose_cv.web.live.host import Host
from tests.program import Program

pytestmark = pytest.mark.usefixtures("data_folder")


def offered(camera: str | None) -> list[tuple[str, str]]:
    """Return titles and places of the sources that the set-up page offers."""
    options = GameOptions(camera=camera, advanced=False).read()
    return [(source.title, source.where) for source in play_screen.offered_sources(options)]


@pytest.mark.parametrize(
    ("camera", "sources"),
    [
        (None, [("Lid", "Lid"), ("/dev/video2", "/dev/video2"), ("/dev/video4", "/dev/video4")]),
        ("4", [("/dev/video4", "4"), ("Lid", "Lid"), ("/dev/video2", "/dev/video2")]),
        (".", [(".", "."), ("Lid", "Lid"), ("/dev/video2", "/dev/video2"), ("/dev/video4", "/dev/video4")]),
    ],
)
def test_two_equal_cameras_can_both_be_chosen(
    camera: str | None, sources: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = (
        CameraFound(0, "Lid", "/dev/video0"),
        CameraFound(2, "Logitech, Inc. C270", "/dev/video2"),
        CameraFound(4, "Logitech, Inc. C270", "/dev/video4"),
    )
    monkeypatch.setattr(play_screen, "list_cameras", lambda: found)
    assert offered(camera) == sources


def test_inaccessible_cameras_do_not_matter_for_another_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[CameraFound, ...]:
        raise UnreadableError("The camera may not be used by you")

    monkeypatch.setattr(play_screen, "list_cameras", refuse)
    assert offered("clip.mp4") == [("clip.mp4", "clip.mp4")]
    with pytest.raises(UnreadableError, match="may not be used by you"):
        offered(None)


@pytest.mark.parametrize(
    ("rules_given", "rules"), [(True, rules_for("first")), (False, FIRST_SETUP.rules)], ids=["given", "not given"]
)
def test_given_rules_are_offered(rules: Rules, *, rules_given: bool) -> None:
    options = GameOptions(edition="first").read(rules_given=rules_given)
    assert play_screen.offered_setup(options, FIRST_SETUP).rules == rules


def test_a_game_of_a_missing_source_is_not_resumed_unless_the_source_is_named(
    bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_screen, "list_cameras", lambda: ())
    started = GameStarted(("A", "B", "C"), rules_for())
    GameStore(tmp_path).begin(started, source="evening.toml", who="A").close()
    err = bunnymoose.refusal("play", "--resume", "--games", tmp_path)
    assert err == (
        "There is no unfinished game with the given or connected source: "
        "name its --camera or --script, or play without --resume to begin one.\n"
    )


@pytest.mark.parametrize(
    ("language", "names"),
    [(None, ("Red", "Blue", "Green", "Yellow")), (Language.CZECH, ("Červený", "Modrý", "Zelený", "Žlutý"))],
)
def test_players_without_names_are_named_in_the_given_language(
    language: Language | None, names: tuple[str, ...]
) -> None:
    options = GameOptions(language=language).read()
    assert play_screen.offered_setup(options, FIRST_SETUP).players == names


CAMERA, OTHER = "rtsp://192.168.1.20/kitchen", "C920"
PLAYERS = ("Änne", "Ben", "Cleo")


@pytest.fixture
def factory(tmp_path: Path) -> TableFactory:
    sources = [SourceChoice(where, where, NoVideoSource) for where in (OTHER, CAMERA)]
    return TableFactory(
        GameStore(tmp_path / "games"), OfferedSources(sources), GameSetupFile(tmp_path / "choices.json"), pytest.fail
    )


def test_players_and_camera_of_the_last_table_are_offered(factory: TableFactory) -> None:
    now = replace(FIRST_SETUP, camera=0, colours=(1, 2, 3, 4))
    assert factory.last_table(now) is None
    default_profile_files().remember_table(CAMERA, PLAYERS, pytest.fail)
    again = factory.last_table(now)
    assert again == replace(now, players=PLAYERS, camera=1, colours=())
    assert factory.last_table(again) is None


def test_a_table_with_a_missing_camera_is_not_offered(factory: TableFactory) -> None:
    default_profile_files().remember_table("a webcam at home", PLAYERS, pytest.fail)
    assert factory.last_table(FIRST_SETUP) is None


@pytest.mark.usefixtures("factory")
def test_a_last_table_with_a_repeated_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    default_profile_files().remember_table(CAMERA, ("Ann", "ann", "Ben"), pytest.fail)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("typer.confirm", lambda *_, **__: True)
    with pytest.raises(InputError, match="Every player needs a name of their own"):
        at_last_table(GameOptions().read())


def parsed(camera: str | None = None, players: str | None = None) -> PlayOptions:
    return GameOptions(camera=camera, players=players, advanced=False).read()


@pytest.mark.parametrize(
    ("options", "answer", "players"),
    [
        (parsed(), "yes", PLAYERS),
        (parsed(), "no", None),
        (parsed(), None, None),
        (parsed(players="A,B,C"), None, ("A", "B", "C")),
        (parsed(camera="1"), None, None),
    ],
)
@pytest.mark.usefixtures("factory")
def test_the_terminal_offers_the_last_table_if_neither_camera_nor_players_are_given(
    monkeypatch: pytest.MonkeyPatch, options: PlayOptions, answer: str | None, players: tuple[str, ...] | None
) -> None:
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return answer == "yes"

    default_profile_files().remember_table(CAMERA, PLAYERS, pytest.fail)
    somebody_there = answer is not None or options != parsed()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: somebody_there))
    monkeypatch.setattr("typer.confirm", confirm)
    assert at_last_table(options).given["players"] == players
    assert asked == [f"The last table: Änne, Ben, Cleo; {CAMERA}. Play there again?"] * (answer is not None)


@pytest.mark.parametrize(
    ("words", "camera", "source", "command"),
    [
        (["play"], None, None, "bunnymoose play --resume"),
        (["play", "--lan", "--resume"], None, None, "bunnymoose play --lan --resume"),
        (["play", "--camera", "my cam"], "my cam", "my cam", "bunnymoose play --camera 'my cam' --resume"),
        (["play", "--camera", "0", "--lan"], "0", None, "bunnymoose play --lan --resume"),
        (["play", "--camera=0"], "0", "Webcam", "bunnymoose play --resume"),
        (["play"], None, "http://192.168.1.2/x", "bunnymoose play --camera http://192.168.1.2/x --resume"),
    ],
)
def test_the_resume_command_names_the_source_of_the_game(
    words: list[str], camera: str | None, source: str | None, command: str
) -> None:
    assert resume_command(words, source, parsed(camera)) == command


def test_the_resume_command_contains_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    where = "http://anna:geheim@192.168.1.2/x"
    monkeypatch.setattr("sys.argv", ["bunnymoose", "play", "--camera", where])
    assert "geheim" not in resume_command(["play", "--camera", where], "http://192.168.1.2/x", parsed(where))


@pytest.mark.parametrize("events", [True, False])
def test_a_closed_screen_says_how_to_resume_the_game(
    monkeypatch: pytest.MonkeyPatch, data_folder: Path, capsys: pytest.CaptureFixture[str], *, events: bool
) -> None:
    def play(host: Host, **_: object) -> None:
        host.begin(replace(FIRST_SETUP, speaks=False))
        if events:
            host.require_session().bet("Blue", "people").result()

    monkeypatch.setattr(play_screen, "serve", play)
    monkeypatch.setattr(play_screen, "list_cameras", lambda: ())
    monkeypatch.setattr("sys.argv", ["bunnymoose", "play", "--lan"])
    play_screen.play_on_screen(GameStore(data_folder / "games"), GameOptions().read())
    sentence = "The game is kept. Go on with it: bunnymoose play --lan --resume"
    assert (sentence in capsys.readouterr().err) is events, "a game in which nothing has happened is not kept"
