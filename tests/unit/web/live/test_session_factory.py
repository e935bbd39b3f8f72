"""The warm-up on the screen says each pose in the language of the table, and nothing where no voice is wanted."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import MagicMock, Mock, call

import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session.source_choice import NO_CAMERA, SourceChoice, camera_source
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.live import session_factory
from bunnymoose_cv.web.live.session_factory import SessionFactory
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, ChoicesFile


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize("players", [("Red", "red ", "Zoe\u0308"), ("A,B", "x" * 40, "C\u200b")])
def test_a_game_goes_on_by_the_names_that_it_was_begun_with(tmp_path: Path, players: tuple[str, ...]) -> None:
    games = GameStore(tmp_path / "games")
    games.begin(GameStarted(players, FIRST_CHOICES.rules), source=NO_CAMERA.where, who="Red").close()
    factory = SessionFactory(games, [], ChoicesFile(tmp_path / "choices.json"), pytest.fail)
    left = factory.left(replace(FIRST_CHOICES, speaks=False))
    assert left is not None
    with factory.go_on(left) as session:
        assert session.state.game.players == players


def test_a_camera_with_any_bytes_in_its_name_is_found_again(tmp_path: Path) -> None:
    games, file = GameStore(tmp_path / "games"), ChoicesFile(tmp_path / "choices.json")
    games.begin(GameStarted(FIRST_CHOICES.players, FIRST_CHOICES.rules), source="c\udcff.mp4", who="Red").close()
    camera = camera_source("c\udcff.mp4", "c\udcff.mp4", load_settings().camera)
    factory = SessionFactory(games, [camera], file, pytest.fail)
    left = factory.left(FIRST_CHOICES)
    assert left is not None
    file.write(left, factory.cameras)
    assert file.read(factory.cameras).camera == left.camera == 0


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("speaks", [True, False])
def test_each_pose_is_said_in_the_language_of_the_table(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: Language, *, speaks: bool
) -> None:
    speaker = MagicMock()
    monkeypatch.setattr(session_factory, "Speaker", Mock(return_value=speaker))
    monkeypatch.setattr(SessionFactory, "reader", lambda _: reader)
    sources = [SourceChoice("a camera", "a camera", NoVideoSource)]
    factory = SessionFactory(
        GameStore(tmp_path / "games"), sources, ChoicesFile(tmp_path / "choices.json"), pytest.fail
    )
    choices = replace(FIRST_CHOICES, camera=0, language=language, speaks=speaks)
    with factory.warm_up(choices) as guide:
        assert guide.players == ("Blue", "Green", "Yellow", "Red")
        guide.begin().result()
        for _ in STEPS:
            guide.skip().result()
    said = [call(Texts(language)(step.words), language) for step in STEPS]
    assert speaker.__enter__.return_value.say.mock_calls == (said if speaks else [])
