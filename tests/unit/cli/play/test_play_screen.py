"""The set-up page offers what the command line told, and the cameras of this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.camera_list import CameraFound
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.cli.play import play_screen
from bunnymoose_cv.cli.play.play_options import GameOptions
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.rules.deck import Rules


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


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
    bunnymoose: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_screen, "list_cameras", lambda: ())
    started = GameStarted(("A", "B", "C"), rules_for())
    GameStore(tmp_path).begin(started, source="evening.toml", who="A").close()
    code, out, err = bunnymoose("play", "--resume", "--games", str(tmp_path))
    assert (code, out) == (2, "")
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
