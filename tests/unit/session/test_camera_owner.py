"""Owner of the camera: each use is open while a page watches it, one at a time, and a game takes the camera."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Condition, Event
from typing import Any, cast
from unittest.mock import Mock

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.session import camera_owner
from bunnymoose_cv.session.camera_owner import CameraOwner, CameraUse, TableMode
from bunnymoose_cv.session.game_setup import FIRST_SETUP, GameSetup
from bunnymoose_cv.session.practice.practice import PracticeSession
from bunnymoose_cv.session.practice.takes import Takes
from bunnymoose_cv.session.services import open_game, open_services, opened_game
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.source_actor import Preview
from bunnymoose_cv.session.sources.table_checker import TableChecker
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.live.host import Host
from tests.unit.web.hosts import CHOICES, PATIENCE_S, change_waiter, host_in
from tests.unit.web.openings import Openings


@pytest.fixture
def host(reader: Reader, tmp_path: Path) -> Iterator[Host]:
    """Yield a host whose camera shows nothing."""

    @contextmanager
    def session(choices: GameSetup) -> Iterator[Session]:
        with ExitStack() as stack:
            file = stack.enter_context(
                open_game(GameStore(tmp_path / "games"), choices.started(), source="a test", resume=False)
            )
            silent = replace(choices, speaks=False)
            services = stack.enter_context(open_services(file, reader, silent, lambda _: None))
            yield stack.enter_context(Session(services, NoVideoSource()))

    openings = Openings(
        game=session,
        preview=lambda choices: Preview(NoVideoSource(), reader, choices.started()),
        practice=lambda _: PracticeSession(NoVideoSource(), reader, Random(0), Takes(tmp_path / "takes")),
        check=lambda _, game: TableChecker(NoVideoSource(), reader, alone=game is None),
        warm_up=lambda choices: WarmUpGuide(
            NoVideoSource(), reader, choices.players, ProfileFiles(tmp_path / "profiles"), str
        ),
    )
    host = host_in(tmp_path, replace(FIRST_SETUP, camera=0), openings)
    yield host
    host.end()


def test_the_practice_is_opened_once_and_closed_after_use(host: Host) -> None:
    preview = host.camera.preview.open()
    assert preview is not None
    assert [host.camera.user] == [preview]
    host.camera.practice.open()
    mirror = host.camera.practice.opened
    assert mirror is not None
    assert [host.camera.user] == [mirror]
    assert host.camera.preview.opened is None
    host.camera.practice.open()
    assert host.camera.practice.opened is mirror
    host.camera.preview.close()  # leaving the set-up page does not close the practice
    assert host.camera.practice.opened is mirror
    host.camera.practice.close()
    assert [host.camera.practice.opened, host.camera.user] == [None, None]
    assert mirror.state.over


def test_a_game_takes_the_camera_from_the_practice(host: Host) -> None:
    host.camera.practice.open()
    mirror = host.camera.practice.opened
    host.begin(host.choices)
    assert mirror is not None
    assert mirror.state.over
    assert host.camera.practice.opened is None
    with pytest.raises(InputError, match="A game is being played"):
        host.camera.practice.open()


def test_practice_and_warm_up_need_a_camera(host: Host) -> None:
    host.choose(replace(host.choices, camera=None))
    for use, problem in ((host.camera.practice, "Practice"), (host.camera.warm_up, "The warm-up")):
        with pytest.raises(InputError, match=f"{problem} needs a camera"):
            use.open()


def test_a_warm_up_is_opened_once_and_ends_when_a_game_begins(host: Host) -> None:
    host.camera.preview.open()
    guide = host.camera.warm_up.open()
    assert guide is not None
    assert host.camera.warm_up.open() is guide
    host.camera.preview.close()  # leaving the set-up page does not close the warm-up
    assert [host.camera.user] == [guide]
    host.begin(host.choices)
    assert guide.state.phase is WarmUpPhase.CLOSED
    assert host.camera.warm_up.opened is None
    with pytest.raises(InputError, match="warm up before it or after it"):
        host.camera.warm_up.open()


def test_a_preview_opened_during_a_game_leaves_the_camera_to_the_game(host: Host) -> None:
    host.begin(host.choices)
    check = host.camera.check.open()
    assert host.camera.preview.open() is None
    assert host.camera.check.opened is check is not None
    host.end()
    assert host.camera.check.opened is None


@pytest.fixture
def owner(monkeypatch: pytest.MonkeyPatch) -> CameraOwner:
    """Return an owner whose uses are closed as soon as they have no watchers."""
    monkeypatch.setattr(camera_owner, "LINGER_S", 0.0)

    @contextmanager
    def opened(_: GameSetup) -> Iterator[Any]:
        yield Mock(latest_reading=None)

    return CameraOwner(Openings(preview=opened, warm_up=opened), CHOICES, lambda: None)


@pytest.fixture
def use(owner: CameraOwner) -> CameraUse[Preview]:
    return owner.preview


def settle(owner: CameraOwner) -> None:
    """Wait until all requests are carried out."""
    done = Event()
    owner.worker.do(done.set)
    assert done.wait(PATIENCE_S)


def settled(owner: CameraOwner) -> object:
    """Return the open preview once all requests are carried out."""
    settle(owner)
    return owner.preview.opened


def keep_busy(owner: CameraOwner) -> Callable[[], None]:
    """Keep the owner's thread busy, and return a function that ends it."""
    ended = Event()

    def wait() -> None:
        ended.wait(PATIENCE_S)

    owner.worker.do(wait)
    return ended.set


def test_a_use_is_open_from_the_first_watcher_to_the_last(owner: CameraOwner, use: CameraUse[Preview]) -> None:
    with ExitStack() as pages:
        pages.enter_context(use.keep_open())
        first = settled(owner)
        with use.keep_open():
            assert settled(owner) is first is not None
        assert settled(owner) is first
    assert settled(owner) is None
    with use.keep_open():
        assert settled(owner) not in {None, first}


def test_a_use_is_opened_again_only_while_it_is_watched(owner: CameraOwner, use: CameraUse[Preview]) -> None:
    use.open_again()
    assert settled(owner) is None
    with use.keep_open():
        first = settled(owner)
        use.open_again()
        assert settled(owner) not in {None, first}


def test_an_earlier_request_does_not_take_the_camera_from_a_later_one(owner: CameraOwner) -> None:
    """Players press “Play there again” and at once “Warm up”, while the camera of the set-up is still being opened."""
    with owner.preview.keep_open():
        go_on = keep_busy(owner)
        owner.preview.open_again()
        with owner.warm_up.keep_open():
            go_on()
            settle(owner)
            assert owner.preview.opened is None
            assert owner.warm_up.opened is not None
            assert owner.mode is TableMode.WARM_UP


def test_a_page_that_is_loaded_again_keeps_the_camera(owner: CameraOwner) -> None:
    with owner.preview.keep_open():
        preview = settled(owner)
        go_on = keep_busy(owner)
        with owner.warm_up.keep_open(), owner.preview.keep_open():
            go_on()
            assert settled(owner) is preview is not None
            assert owner.warm_up.opened is None
            assert owner.mode is TableMode.PREVIEW


class Cameras:
    """Cameras that record which one is open; the second one is missing."""

    def __init__(self) -> None:
        self.open: list[int] = []
        self.opened: list[int] = []
        self._changed = Condition()

    @contextmanager
    def look(self, choices: GameSetup) -> Iterator[Any]:
        camera = cast("int", choices.camera)
        if camera == 1:
            raise InputError("The camera is gone.")
        self._note(self.open.append, camera)
        self.opened.append(camera)
        yield object()
        self._note(self.open.remove, camera)

    def _note(self, change: Any, camera: int) -> None:
        with self._changed:
            change(camera)
            self._changed.notify_all()

    def expect_open(self, *cameras: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.open == [*cameras], PATIENCE_S)


@pytest.fixture
def cameras() -> Cameras:
    return Cameras()


@pytest.fixture
def set_up(cameras: Cameras, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Return a host at its set-up page, after a game was left."""
    monkeypatch.setattr(camera_owner, "LINGER_S", 0.01)
    left = replace(CHOICES, players=("A", "B", "C"))
    openings = Openings(preview=cameras.look, unfinished=lambda _choices, _since: left, last_table=lambda _: left)
    return host_in(tmp_path, CHOICES, openings, ("a camera", "a lost camera"))


def test_the_camera_is_open_while_the_page_is_watched(set_up: Host, cameras: Cameras) -> None:
    with set_up.setup.watched():
        cameras.expect_open(0)
        with set_up.setup.watched():
            pass
        set_up.camera.preview.open_again()
        set_up.choose(replace(set_up.choices, camera=None))
        set_up.camera.preview.open_again()
        cameras.expect_open()
        set_up.choose(replace(set_up.choices, camera=0))
        set_up.camera.preview.open_again()
        cameras.expect_open(0)
    cameras.expect_open()


def test_a_reloaded_page_finds_the_camera_open(set_up: Host, cameras: Cameras, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_owner, "LINGER_S", PATIENCE_S)
    with set_up.setup.watched():
        cameras.expect_open(0)
    with change_waiter(set_up) as expect, set_up.setup.watched():
        expect(lambda: set_up.setup.unfinished is not None)
        set_up.choose(replace(set_up.choices, camera=None))
        set_up.camera.preview.open_again()
        cameras.expect_open()
    assert cameras.opened == [0]


def test_a_missing_camera_is_reported(set_up: Host) -> None:
    set_up.choose(replace(set_up.choices, camera=1))
    with change_waiter(set_up) as expect, set_up.setup.watched():
        expect(lambda: set_up.camera.preview.problem == "The camera is gone.")


def test_an_unfinished_game_hides_the_same_last_table(set_up: Host) -> None:
    with change_waiter(set_up) as expect, set_up.setup.watched():
        expect(lambda: set_up.setup.unfinished is not None)
    assert set_up.setup.last_table is None


def test_a_bug_in_the_search_for_games_leaves_the_camera_working(
    set_up: Host, cameras: Cameras, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks() -> None:
        raise RuntimeError

    monkeypatch.setattr(set_up.setup, "find_games", breaks)
    with set_up.setup.watched():
        cameras.expect_open(0)
    cameras.expect_open()


@pytest.mark.parametrize(("deleted", "is_ended"), [("1", True), ("2", False)])
def test_a_running_game_ends_before_it_is_deleted(host: Host, deleted: str, *, is_ended: bool) -> None:
    for _ in range(2):
        host.begin(host.choices)
    game = host.games.find(deleted)
    assert (game.folder == host.folder) == is_ended
    host.delete(game)
    assert not game.folder.exists()
    assert (host.session is None) == is_ended


def test_listeners_are_notified_after_an_evening_is_deleted(host: Host) -> None:
    host.begin(host.choices)
    game, seen = host.games.find("last"), list[bool]()
    host.listen(lambda: seen.append(game.folder.exists()))
    host.delete(game)
    assert seen == [False]


def test_a_game_without_events_is_deleted_when_it_ends(tmp_path: Path, reader: Reader) -> None:
    games = GameStore(tmp_path / "games")

    @contextmanager
    def session(choices: GameSetup) -> Iterator[Session]:
        file = open_game(games, choices.started(), source="a test")
        settings, silent = load_settings().record, replace(choices, speaks=False)
        with (
            opened_game(games, file, reader, silent, pytest.fail, record=settings) as services,
            Session(services, NoVideoSource()) as session,
        ):
            yield session

    host = host_in(tmp_path, FIRST_SETUP, Openings(game=session))
    host.begin(host.choices)
    game = games.find("last")
    host.delete(game)
    assert not game.folder.exists()
    assert host.session is None
