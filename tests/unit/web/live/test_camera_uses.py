"""Practice is open before a camera while no game is played; a game that begins takes the camera over."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.session.camera_preview import Preview
from bunnymoose_cv.session.opened_game import open_game
from bunnymoose_cv.session.practice.practice_session import PracticeSession
from bunnymoose_cv.session.practice.takes import Takes
from bunnymoose_cv.session.services import Spoken, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.table_checker import TableChecker
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, Choices
from tests.unit.web.openings import Openings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader


@pytest.fixture
def host(reader: Reader, tmp_path: Path) -> Iterator[Host]:
    """A host whose camera shows nothing."""
    games = GameStore(tmp_path / "games")

    @contextmanager
    def session(choices: Choices) -> Iterator[Session]:
        with ExitStack() as stack:
            file = stack.enter_context(open_game(games, choices.started(), source="a test", resume=False))
            spoken = Spoken(choices.language, aloud=False)
            services = stack.enter_context(open_services(file, reader, spoken, lambda _: None))
            yield stack.enter_context(Session(services, NoVideoSource()))

    access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
    choices = replace(FIRST_CHOICES, camera=0)
    host = Host(
        games,
        access,
        choices,
        Openings(
            session=session,
            preview=lambda choices: Preview(NoVideoSource(), reader, choices.started()),
            practice=lambda _: PracticeSession(NoVideoSource(), reader, Random(0), Takes(tmp_path / "takes")),
            check=lambda _, game: TableChecker(NoVideoSource(), reader, alone=game is None),
            warm_up=lambda choices: WarmUpGuide(
                NoVideoSource(), reader, choices.players, PlayerProfiles(ProfileFiles(tmp_path / "profiles")), str
            ),
        ),
        ("a camera",),
    )
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


def test_without_a_camera_nobody_practises(host: Host) -> None:
    host.choices = replace(host.choices, camera=None)
    with pytest.raises(InputError, match="Practice needs a camera"):
        host.camera.practice.open()


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


def test_a_warm_up_needs_a_camera(host: Host) -> None:
    host.choices = replace(host.choices, camera=None)
    with pytest.raises(InputError, match="The warm-up needs a camera"):
        host.camera.warm_up.open()


def test_a_set_up_that_is_opened_in_a_game_leaves_the_camera_to_the_game(host: Host) -> None:
    host.begin(host.choices)
    check = host.camera.check.open()
    assert host.camera.preview.open() is None
    assert host.camera.check.opened is check is not None
    host.end()
    assert host.camera.check.opened is None
