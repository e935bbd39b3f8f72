"""The last table is offered at set-up where its camera is here and something else is chosen, and in the terminal."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.cli.play.last_table import at_last_table
from bunnymoose_cv.cli.play.play_options import GameOptions
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.session.source_choice import SourceChoice
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.web.live.session_factory import SessionFactory
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, ChoicesFile

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.cli.play.play_options import PlayOptions

CAMERA, OTHER = "rtsp://192.168.1.20/kitchen", "C920"
PLAYERS = ("Änne", "Ben", "Cleo")


@pytest.fixture
def factory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionFactory:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
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
