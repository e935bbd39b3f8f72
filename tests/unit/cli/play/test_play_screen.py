"""Set-up offers what the command line told, the cameras of this computer and the last table."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.capture.camera_list import CameraFound
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.cli.play import play_screen
from bunnymoose_cv.cli.play.last_table import at_last_table
from bunnymoose_cv.cli.play.play_options import GameOptions, PlayOptions
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import Rules, rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session.source_choice import SourceChoice
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.web.live.session_factory import SessionFactory
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, ChoicesFile
from tests.program import Program

pytestmark = pytest.mark.usefixtures("data_folder")


def offered(camera: str | None) -> list[tuple[str, str]]:
    """Titles and places of what the set-up page offers."""
    told = GameOptions(camera=camera, advanced=False).read()
    return [(source.title, source.where) for source in play_screen.offered_sources(told)]


@pytest.mark.parametrize(
    ("camera", "sources"),
    [
        (None, [("Lid", "Lid"), ("/dev/video2", "/dev/video2"), ("/dev/video4", "/dev/video4")]),
        ("4", [("/dev/video4", "4"), ("Lid", "Lid"), ("/dev/video2", "/dev/video2")]),
        (".", [(".", "."), ("Lid", "Lid"), ("/dev/video2", "/dev/video2"), ("/dev/video4", "/dev/video4")]),
    ],
)
def test_each_of_two_equal_cameras_can_be_chosen(
    camera: str | None, sources: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = (
        CameraFound(0, "Lid", "/dev/video0"),
        CameraFound(2, "Logitech, Inc. C270", "/dev/video2"),
        CameraFound(4, "Logitech, Inc. C270", "/dev/video4"),
    )
    monkeypatch.setattr(play_screen, "list_cameras", lambda: found)
    assert offered(camera) == sources


def test_refused_cameras_hinder_nobody_who_wants_another_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[CameraFound, ...]:
        raise UnreadableError("The camera may not be used by you")

    monkeypatch.setattr(play_screen, "list_cameras", refuse)
    assert offered("clip.mp4") == [("clip.mp4", "clip.mp4")]
    with pytest.raises(UnreadableError, match="may not be used by you"):
        offered(None)


@pytest.mark.parametrize(
    ("rules_told", "rules"), [(True, rules_for("first")), (False, FIRST_CHOICES.rules)], ids=["told", "not told"]
)
def test_the_rules_are_offered_as_they_were_told(rules: Rules, *, rules_told: bool) -> None:
    told = GameOptions(edition="first").read(rules_told=rules_told)
    assert play_screen.offered_choices(told, FIRST_CHOICES).rules == rules


def test_a_game_whose_source_is_not_here_is_no_game_to_go_on_with_until_that_is_named(
    bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_screen, "list_cameras", lambda: ())
    started = GameStarted(("A", "B", "C"), rules_for())
    GameStore(tmp_path).begin(started, source="evening.toml", who="A").close()
    err = bunnymoose.refusal("play", "--resume", "--games", tmp_path)
    assert err == (
        "No game waits to be gone on with from what is named or connected here: "
        "name its --camera or --script, or play without --resume to begin one.\n"
    )


@pytest.mark.parametrize(
    ("language", "names"),
    [(None, ("Red", "Blue", "Green", "Yellow")), (Language.CZECH, ("Červený", "Modrý", "Zelený", "Žlutý"))],
)
def test_players_without_names_are_named_in_the_language_that_was_told(
    language: Language | None, names: tuple[str, ...]
) -> None:
    told = GameOptions(language=language).read()
    assert play_screen.offered_choices(told, FIRST_CHOICES).players == names


CAMERA, OTHER = "rtsp://192.168.1.20/kitchen", "C920"
PLAYERS = ("Änne", "Ben", "Cleo")


@pytest.fixture
def factory(tmp_path: Path) -> SessionFactory:
    sources = [SourceChoice(each, each, NoVideoSource) for each in (OTHER, CAMERA)]
    return SessionFactory(GameStore(tmp_path / "games"), sources, ChoicesFile(tmp_path / "choices.json"), pytest.fail)


def test_players_and_camera_of_the_last_table_are_offered(factory: SessionFactory) -> None:
    now = replace(FIRST_CHOICES, camera=0, colours=(1, 2, 3, 4))
    assert factory.last_table(now) is None
    default_table_profiles().remember(CAMERA, PLAYERS, pytest.fail)
    again = factory.last_table(now)
    assert again == replace(now, players=PLAYERS, camera=1, colours=())
    assert factory.last_table(again) is None


def test_a_table_whose_camera_is_not_here_is_not_offered(factory: SessionFactory) -> None:
    default_table_profiles().remember("a webcam at home", PLAYERS, pytest.fail)
    assert factory.last_table(FIRST_CHOICES) is None


@pytest.mark.usefixtures("factory")
def test_a_table_of_one_name_twice_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    default_table_profiles().remember(CAMERA, ("Ann", "ann", "Ben"), pytest.fail)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("typer.confirm", lambda *_, **__: True)
    with pytest.raises(InputError, match="Every player needs a name of their own"):
        at_last_table(GameOptions().read())


def told(camera: str | None = None, players: str | None = None) -> PlayOptions:
    return GameOptions(camera=camera, players=players, advanced=False).read()


@pytest.mark.parametrize(
    ("options", "answer", "players"),
    [
        (told(), "yes", PLAYERS),
        (told(), "no", None),
        (told(), None, None),
        (told(players="A,B,C"), None, ("A", "B", "C")),
        (told(camera="1"), None, None),
    ],
)
@pytest.mark.usefixtures("factory")
def test_in_the_terminal_it_is_asked_for_where_nothing_was_told(
    monkeypatch: pytest.MonkeyPatch, options: PlayOptions, answer: str | None, players: tuple[str, ...] | None
) -> None:
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return answer == "yes"

    default_table_profiles().remember(CAMERA, PLAYERS, pytest.fail)
    somebody_there = answer is not None or options != told()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: somebody_there))
    monkeypatch.setattr("typer.confirm", confirm)
    assert at_last_table(options).names == players
    assert asked == [f"The last table: Änne, Ben, Cleo; {CAMERA}. Play there again?"] * (answer is not None)
