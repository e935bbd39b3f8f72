"""The set-up page's camera is open while somebody looks, and what takes long is found beside the page."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from threading import Condition
from typing import TYPE_CHECKING, Any, cast

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live import open_while_watched
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import Choices
from tests.unit.web.hosts import PATIENCE_S, told
from tests.unit.web.openings import Openings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHOICES = Choices(("Red", "Blue", "Green"), rules_for(), camera=0)


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
def host(cameras: Cameras, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.setattr(open_while_watched, "LINGER_S", 0.01)
    access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
    left = replace(CHOICES, players=("A", "B", "C"))
    return Host(
        GameStore(tmp_path / "games"),
        access,
        CHOICES,
        Openings(preview=cameras.look, left=lambda _choices, _since: left, last_table=lambda _: left),
        ("a camera", "a lost camera"),
    )


def test_the_camera_is_open_while_somebody_looks(host: Host, cameras: Cameras) -> None:
    with host.setup.watched():
        cameras.expect_open(0)
        with host.setup.watched():
            pass
        host.setup.look_again()
        host.choose(replace(host.choices, camera=None))
        host.setup.look_again()
        cameras.expect_open()
        host.choose(replace(host.choices, camera=0))
        host.setup.look_again()
        cameras.expect_open(0)
    cameras.expect_open()


def test_a_page_that_is_loaded_anew_finds_the_camera_open(
    host: Host, cameras: Cameras, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_while_watched, "LINGER_S", PATIENCE_S)
    with host.setup.watched():
        cameras.expect_open(0)
    with told(host) as expect, host.setup.watched():
        expect(lambda: host.setup.left is not None)
        host.choose(replace(host.choices, camera=None))
        host.setup.look_again()
        cameras.expect_open()
    assert cameras.opened == [0]


def test_a_camera_that_is_gone_is_told(host: Host) -> None:
    host.choose(replace(host.choices, camera=1))
    with told(host) as expect, host.setup.watched():
        expect(lambda: host.setup.problem == "The camera is gone.")


def test_a_game_that_was_left_hides_the_same_table(host: Host) -> None:
    with told(host) as expect, host.setup.watched():
        expect(lambda: host.setup.left is not None)
    assert host.setup.last is None


def test_a_fault_of_ours_leaves_the_page_working(host: Host, cameras: Cameras, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks() -> None:
        raise RuntimeError

    monkeypatch.setattr(host, "left", breaks)
    with host.setup.watched():
        cameras.expect_open(0)
    cameras.expect_open()
