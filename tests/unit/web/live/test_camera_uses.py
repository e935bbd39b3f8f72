"""Uses of the camera: each is open while a page watches it, one at a time, and a game takes the camera over."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Condition, Event, RLock
from typing import Any, TypeAlias, cast
from unittest.mock import Mock

import pytest

from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.session.camera_preview import Preview
from bunnymoose_cv.session.opened_game import open_game, opened_game
from bunnymoose_cv.session.practice.practice_session import PracticeSession
from bunnymoose_cv.session.practice.takes import Takes
from bunnymoose_cv.session.services import Spoken, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.table_checker import TableChecker
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.live import open_while_watched
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.open_while_watched import ExclusiveCamera, OpenWhileWatched
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, Choices
from tests.unit.web.hosts import CHOICES, PATIENCE_S, host_in, told
from tests.unit.web.openings import Openings


@pytest.fixture
def host(reader: Reader, tmp_path: Path) -> Iterator[Host]:
    """A host whose camera shows nothing."""

    @contextmanager
    def session(choices: Choices) -> Iterator[Session]:
        with ExitStack() as stack:
            file = stack.enter_context(
                open_game(GameStore(tmp_path / "games"), choices.started(), source="a test", resume=False)
            )
            spoken = Spoken(choices.language, aloud=False)
            services = stack.enter_context(open_services(file, reader, spoken, lambda _: None))
            yield stack.enter_context(Session(services, NoVideoSource()))

    openings = Openings(
        session=session,
        preview=lambda choices: Preview(NoVideoSource(), reader, choices.started()),
        practice=lambda _: PracticeSession(NoVideoSource(), reader, Random(0), Takes(tmp_path / "takes")),
        check=lambda _, game: TableChecker(NoVideoSource(), reader, alone=game is None),
        warm_up=lambda choices: WarmUpGuide(
            NoVideoSource(), reader, choices.players, PlayerProfiles(ProfileFiles(tmp_path / "profiles")), str
        ),
    )
    host = host_in(tmp_path, replace(FIRST_CHOICES, camera=0), openings)
    yield host
    host.close()


def test_the_mirror_is_opened_once_and_closed_when_people_stop(host: Host) -> None:
    preview = host.camera.preview.open()
    assert host.camera.reading_source is preview is not None
    host.camera.practice.open()
    mirror = host.camera.practice.opened
    assert mirror is not None
    assert host.camera.reading_source is mirror
    assert host.camera.preview.opened is None
    host.camera.practice.open()
    assert host.camera.practice.opened is mirror
    host.camera.preview.close()  # a set-up page that is left takes no practice with it
    assert host.camera.practice.opened is mirror
    host.camera.practice.close()
    assert [host.camera.practice.opened, host.camera.reading_source] == [None, None]
    assert mirror.state.over


def test_a_game_takes_the_camera_over(host: Host) -> None:
    host.camera.practice.open()
    mirror = host.camera.practice.opened
    host.begin(host.choices)
    assert mirror is not None
    assert mirror.state.over
    assert host.camera.practice.opened is None
    with pytest.raises(InputError, match="A game is being played"):
        host.camera.practice.open()


def test_practice_and_warm_up_need_a_camera(host: Host) -> None:
    host.choices = replace(host.choices, camera=None)
    for use, problem in ((host.camera.practice, "Practice"), (host.camera.warm_up, "The warm-up")):
        with pytest.raises(InputError, match=f"{problem} needs a camera"):
            use.open()


def test_a_warm_up_is_opened_once_holds_the_camera_and_ends_with_a_game(host: Host) -> None:
    host.camera.preview.open()
    guide = host.camera.warm_up.open()
    assert guide is not None
    assert host.camera.warm_up.open() is guide
    host.camera.preview.close()  # a set-up page that is left takes no warm-up with it
    assert host.camera.reading_source is guide
    host.begin(host.choices)
    assert guide.state.phase is WarmUpPhase.CLOSED
    assert host.camera.warm_up.opened is None
    with pytest.raises(InputError, match="warm up before it or after it"):
        host.camera.warm_up.open()


def test_a_set_up_that_is_opened_in_a_game_leaves_the_camera_to_the_game(host: Host) -> None:
    host.begin(host.choices)
    check = host.camera.check.open()
    assert host.camera.preview.open() is None
    assert host.camera.check.opened is check is not None
    host.end()
    assert host.camera.check.opened is None


TwoUses: TypeAlias = tuple[OpenWhileWatched[Any], OpenWhileWatched[Any]]


@pytest.fixture
def uses(monkeypatch: pytest.MonkeyPatch) -> TwoUses:
    """Two uses of one camera that are closed as soon as nobody looks."""
    monkeypatch.setattr(open_while_watched, "LINGER_S", 0.0)
    camera = ExclusiveCamera(RLock())

    @contextmanager
    def opened() -> Iterator[Any]:
        yield Mock(latest_reading=None)

    first, second = (OpenWhileWatched(name, camera, opened, lambda: None) for name in ("one page", "another page"))
    return first, second


@pytest.fixture
def use(uses: TwoUses) -> OpenWhileWatched[Any]:
    return uses[0]


def settled(use: OpenWhileWatched[Any]) -> object:
    """The use that is open once all requests are carried out."""
    done = Event()
    use.do(done.set)
    assert done.wait(PATIENCE_S)
    return use.opened


def busy(use: OpenWhileWatched[Any]) -> Callable[[], None]:
    """Keep the thread of a use busy; what is returned ends that."""
    ended = Event()

    def wait() -> None:
        ended.wait(PATIENCE_S)

    use.do(wait)
    return ended.set


def test_it_is_open_from_the_first_watcher_to_the_last(use: OpenWhileWatched[Any]) -> None:
    with ExitStack() as pages:
        pages.enter_context(use.keep_open())
        first = settled(use)
        with use.keep_open():
            assert settled(use) is first is not None
        assert settled(use) is first
    assert settled(use) is None
    with use.keep_open():
        assert settled(use) not in {None, first}


def test_it_is_opened_anew_only_while_somebody_looks(use: OpenWhileWatched[Any]) -> None:
    use.open_again()
    assert settled(use) is None
    with use.keep_open():
        first = settled(use)
        use.open_again()
        assert settled(use) not in {None, first}


def test_an_earlier_request_takes_the_camera_from_no_later_one(uses: TwoUses) -> None:
    """Players press “Play there again” and at once “Warm up”, while the camera of the set-up is still being opened."""
    set_up, warm_up = uses
    with set_up.keep_open():
        go_on = busy(set_up)
        set_up.open_again()
        with warm_up.keep_open():
            guide = settled(warm_up)
            go_on()
            assert settled(set_up) is None
            assert warm_up.opened is guide is not None


def test_a_page_that_is_back_keeps_the_camera_from_one_that_was_left(uses: TwoUses) -> None:
    set_up, warm_up = uses
    with set_up.keep_open():
        preview = settled(set_up)
        go_on = busy(warm_up)
        with warm_up.keep_open(), set_up.keep_open():
            assert settled(set_up) is preview is not None
            go_on()
            assert settled(warm_up) is None
            assert set_up.opened is preview


class Cameras:
    """Cameras that note which is open; the second one is gone."""

    def __init__(self) -> None:
        self.open: list[int] = []
        self.opened: list[int] = []
        self._changed = Condition()

    @contextmanager
    def look(self, choices: Choices) -> Iterator[Any]:
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
    """A host at its set-up page, where a game was left."""
    monkeypatch.setattr(open_while_watched, "LINGER_S", 0.01)
    left = replace(CHOICES, players=("A", "B", "C"))
    openings = Openings(preview=cameras.look, left=lambda _choices, _since: left, last_table=lambda _: left)
    return host_in(tmp_path, CHOICES, openings, ("a camera", "a lost camera"))


def test_the_camera_is_open_while_somebody_looks(set_up: Host, cameras: Cameras) -> None:
    with set_up.setup.watched():
        cameras.expect_open(0)
        with set_up.setup.watched():
            pass
        set_up.setup.look_again()
        set_up.choose(replace(set_up.choices, camera=None))
        set_up.setup.look_again()
        cameras.expect_open()
        set_up.choose(replace(set_up.choices, camera=0))
        set_up.setup.look_again()
        cameras.expect_open(0)
    cameras.expect_open()


def test_a_page_loaded_again_finds_the_camera_open(
    set_up: Host, cameras: Cameras, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_while_watched, "LINGER_S", PATIENCE_S)
    with set_up.setup.watched():
        cameras.expect_open(0)
    with told(set_up) as expect, set_up.setup.watched():
        expect(lambda: set_up.setup.left is not None)
        set_up.choose(replace(set_up.choices, camera=None))
        set_up.setup.look_again()
        cameras.expect_open()
    assert cameras.opened == [0]


def test_a_camera_that_is_gone_is_told(set_up: Host) -> None:
    set_up.choose(replace(set_up.choices, camera=1))
    with told(set_up) as expect, set_up.setup.watched():
        expect(lambda: set_up.setup.problem == "The camera is gone.")


def test_a_game_that_was_left_hides_the_same_table(set_up: Host) -> None:
    with told(set_up) as expect, set_up.setup.watched():
        expect(lambda: set_up.setup.left is not None)
    assert set_up.setup.last is None


def test_a_fault_of_ours_leaves_the_page_working(
    set_up: Host, cameras: Cameras, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks() -> None:
        raise RuntimeError

    monkeypatch.setattr(set_up, "left", breaks)
    with set_up.setup.watched():
        cameras.expect_open(0)
    cameras.expect_open()


@pytest.mark.parametrize(("deleted", "is_ended"), [("1", True), ("2", False)])
def test_a_game_that_is_played_ends_before_it_is_deleted(host: Host, deleted: str, *, is_ended: bool) -> None:
    for _ in range(2):
        host.begin(host.choices)
    game = host.games.find(deleted)
    assert (game.folder == host.folder) == is_ended
    host.delete(game)
    assert not game.folder.exists()
    assert (host.session is None) == is_ended


def test_an_evening_is_looked_at_again_once_it_is_gone_and_not_while_it_goes(host: Host) -> None:
    host.begin(host.choices)
    game, seen = host.games.find("last"), list[bool]()
    host.listen(lambda: seen.append(game.folder.exists()))
    host.delete(game)
    assert seen == [False]


def test_a_game_that_goes_with_its_end_is_deleted_by_that(tmp_path: Path, reader: Reader) -> None:
    """An evening in which nothing has happened is not kept."""
    games = GameStore(tmp_path / "games")

    @contextmanager
    def session(choices: Choices) -> Iterator[Session]:
        file = open_game(games, choices.started(), source="a test")
        settings, spoken = load_settings().record, Spoken(choices.language, aloud=False)
        with (
            opened_game(games, file, reader, spoken, pytest.fail, record=settings) as services,
            Session(services, NoVideoSource()) as session,
        ):
            yield session

    host = host_in(tmp_path, FIRST_CHOICES, Openings(session=session))
    host.begin(host.choices)
    game = games.find("last")
    host.delete(game)
    assert not game.folder.exists()
    assert host.session is None
