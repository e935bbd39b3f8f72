"""Factory of a table: games that begin, resume or stay open, the voice of the warm-up, and offered sources."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import MagicMock, Mock, call

import pytest

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session import table_factory
from bunnymoose_cv.session.game_setup import FIRST_SETUP, GameSetupFile
from bunnymoose_cv.session.source_choice import NO_CAMERA, OfferedSources, SourceChoice, camera_source
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from bunnymoose_cv.session.table_factory import TableFactory
from bunnymoose_cv.session.warmup.warm_up_round import STEPS
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.auth.access import Visitor
from bunnymoose_cv.web.auth.access_file import Phone
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_changes import choose_language, move_player_up, rename_players
from tests.unit.web.hosts import access_in, phone_of


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize("players", [("Red", "red ", "Zoe\u0308"), ("A,B", "x" * 40, "C\u200b")])
def test_a_game_is_resumed_under_the_names_it_was_begun_with(tmp_path: Path, players: tuple[str, ...]) -> None:
    games = GameStore(tmp_path / "games")
    games.begin(GameStarted(players, FIRST_SETUP.rules), source=NO_CAMERA.where, who="Red").close()
    factory = TableFactory(games, OfferedSources(), GameSetupFile(tmp_path / "choices.json"), pytest.fail)
    left = factory.unfinished(replace(FIRST_SETUP, speaks=False))
    assert left is not None
    with factory.resume(left) as session:
        assert session.state.game.players == players


def test_a_camera_with_invalid_unicode_in_its_name_is_found_again(tmp_path: Path) -> None:
    games, file = GameStore(tmp_path / "games"), GameSetupFile(tmp_path / "choices.json")
    games.begin(GameStarted(FIRST_SETUP.players, FIRST_SETUP.rules), source="c\udcff.mp4", who="Red").close()
    camera = camera_source("c\udcff.mp4", "c\udcff.mp4", load_settings().camera)
    factory = TableFactory(games, OfferedSources([camera]), file, pytest.fail)
    left = factory.unfinished(FIRST_SETUP)
    assert left is not None
    file.write(left, factory.sources.titles)
    assert file.read(factory.sources.titles).camera == left.camera == 0


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("speaks", [True, False])
def test_the_warm_up_says_each_pose_in_the_language_of_the_table(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: Language, *, speaks: bool
) -> None:
    speaker = MagicMock()
    monkeypatch.setattr(table_factory, "Speaker", Mock(return_value=speaker))
    monkeypatch.setattr(TableFactory, "reader", lambda _: reader)
    sources = [SourceChoice("a camera", "a camera", NoVideoSource)]
    factory = TableFactory(
        GameStore(tmp_path / "games"), OfferedSources(sources), GameSetupFile(tmp_path / "choices.json"), pytest.fail
    )
    choices = replace(FIRST_SETUP, camera=0, language=language, speaks=speaks)
    with factory.warm_up(choices) as guide:
        assert guide.players == ("Blue", "Green", "Yellow", "Red")
        guide.begin().result()
        for _ in STEPS:
            guide.skip().result()
    said = [call(Texts(language)(step.words), language) for step in STEPS]
    assert speaker.__enter__.return_value.say.mock_calls == (said if speaks else [])


class _Gone(NoVideoSource):
    def __enter__(self) -> Self:
        raise InputError("There is no such camera.")


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """Yield a host with a game without a scored round."""
    monkeypatch.setattr(TableFactory, "reader", lambda _: MagicMock())
    sources = OfferedSources([SourceChoice("a lost camera", "a lost camera", _Gone)])
    games = GameStore(tmp_path / "games")
    with TableFactory(games, sources, GameSetupFile(tmp_path / "choices.json"), lambda _: None) as factory:
        choices = replace(FIRST_SETUP, speaks=False)
        host = Host(games, access_in(tmp_path), choices, factory, factory.sources.titles)
        host.begin(choices)
        host.require_session().bet("Blue", "people").result()
        yield host
        host.end()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"players": ("Ann", "ann", "Bob")}, "Every player needs a name of their own"),
        ({"players": ("Ann", "Bob")}, "3 to 6 people can play"),
        ({"camera": 0}, "There is no such camera"),
    ],
)
def test_a_game_continues_if_another_cannot_begin(played: Host, change: dict[str, Any], sentence: str) -> None:
    session = played.session
    with pytest.raises(InputError, match=sentence):
        played.begin(replace(played.choices, **change))
    assert played.session is session
    played.require_session().bet("Green", "people").result()


def test_a_game_does_not_begin_with_a_lost_camera(played: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = SimpleNamespace(state=replace(played.require_session().state, camera=CameraState.LOST))
    with monkeypatch.context() as patch:
        patch.setattr(played.camera, "session", lost)
        with pytest.raises(InputError, match="The camera is gone: plug it in again, or choose another one"):
            played.begin(played.choices)
    assert played.runs


@pytest.mark.parametrize("happened", [True, False])
def test_a_game_is_reopened_if_another_fails_while_it_is_opened(
    played: Host, monkeypatch: pytest.MonkeyPatch, *, happened: bool
) -> None:
    if not happened:
        played.require_session().undo("people").result()
        played.begin(played.choices)
    bet = played.require_session().state.game.bet
    with monkeypatch.context() as patch:
        begin, refusals = GameStore.begin, iter([OSError("no space left")])

        def fail_once(*about: Any, **more: Any) -> GameFile:
            for refusal in refusals:
                raise refusal
            return begin(*about, **more)

        patch.setattr(GameStore, "begin", fail_once)
        with pytest.raises(OSError, match="no space left"):
            played.begin(replace(played.choices, players=("Ann", "Bob", "Eve")))
    assert played.require_session().state.game.bet == bet == ("Blue" if happened else None)
    assert played.players == FIRST_SETUP.players
    played.require_session().bet("Green", "people").result()


def test_a_game_without_a_scored_round_can_be_resumed_after_another_ended_it(played: Host) -> None:
    played.begin(replace(played.choices, players=("Ann", "Bob", "Eve")))
    played.setup.find_games()
    left = played.setup.unfinished
    assert left is not None
    assert left.players == FIRST_SETUP.players
    played.begin(left, resume=True)
    assert played.require_session().state.game.bet == "Blue"


def test_plugged_in_cameras_are_offered_and_the_first_is_chosen(tmp_path: Path) -> None:
    connected: list[SourceChoice] = []
    games, file = GameStore(tmp_path / "games"), GameSetupFile(tmp_path / "choices.json")
    sources = OfferedSources(find=lambda: connected)
    with TableFactory(games, sources, file, pytest.fail) as factory:
        host = Host(games, access_in(tmp_path), FIRST_SETUP, factory)
        changes = host.change_count
        host.setup.find_cameras()
        assert (host.setup.cameras, host.choices.camera, host.change_count) == ((), None, changes)
        connected.append(SourceChoice("Webcam", "Webcam", NoVideoSource))
        host.setup.find_cameras()
        assert (host.setup.cameras, host.choices.camera) == (("Webcam",), 0)
        connected.insert(0, SourceChoice("Another", "Another", NoVideoSource))
        host.setup.find_cameras()
        assert (host.setup.cameras, host.choices.camera) == (("Webcam", "Another"), 0), "what is chosen keeps its index"


def test_an_address_a_file_and_the_demo_can_be_chosen(tmp_path: Path, party_file: Path) -> None:
    games, file, settings = GameStore(tmp_path / "games"), GameSetupFile(tmp_path / "c.json"), load_settings().camera
    sources = OfferedSources(at=lambda where: camera_source(where, where, settings))
    with TableFactory(games, sources, file, pytest.fail) as factory:
        host = Host(games, access_in(tmp_path), FIRST_SETUP, factory)
        host.choose(host.setup.offer(str(party_file)))
        host.choose(host.setup.offer(f'"{party_file}"'))
        host.choose(host.setup.offer("192.168.1.20/video?token=secret123"))
        assert (host.setup.cameras, host.choices.camera) == ((str(party_file), "http://192.168.1.20/video"), 1)
        with pytest.raises(InputError, match=r"Nothing is found at “nowhere\.mp4”"):
            host.choose(host.setup.offer("nowhere.mp4"))
        with pytest.raises(InputError) as refused:
            host.choose(host.setup.offer("a film at ftp://anna:secret123@host/x"))
        assert "secret123" not in str(refused.value)
        host.choose(host.setup.offer_demo())
        assert host.setup.cameras[2] == "demo.mp4"
        source = sources.choice(host.choices.camera).make()
        with source:
            assert source.newest() is not None
        assert len(host.choices.started().players) == 6


def test_phones_keep_their_players_when_names_change_with_the_language(played: Host) -> None:
    phone, other = phone_of(played, "Red"), phone_of(played, "Blue")
    played.begin(replace(choose_language(played.choices, Language.CZECH), colours=()))
    assert (known_again(phone).player, known_again(other).player) == ("Červený", "Modrý")
    played.end()
    played.choose(choose_language(played.choices, Language.GERMAN))
    played.choose(rename_players(played.choices, ("Ann", *played.choices.players[1:])))
    assert (known_again(phone).player, known_again(other).player) == ("Ann", "Blau")
    played.choose(move_player_up(played.choices, 1))
    assert (known_again(phone).player, known_again(other).player) == ("Ann", "Blau")


def known_again(visitor: Visitor) -> Phone:
    return next(phone for phone in visitor.access.phones if phone.key == visitor.key)
