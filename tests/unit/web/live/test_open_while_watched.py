"""Use of the camera as long as a page watches it: opened for the first watcher, closed after the last."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from threading import Event, RLock
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.web.live import open_while_watched
from bunnymoose_cv.web.live.open_while_watched import ExclusiveCamera, OpenWhileWatched

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE_S = 20


class Look:
    """A use of the camera without a reading."""

    latest_reading = None


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> OpenWhileWatched[Any]:
    """A use that is closed as soon as nobody looks."""
    monkeypatch.setattr(open_while_watched, "LINGER_S", 0.0)

    @contextmanager
    def opened() -> Iterator[Any]:
        yield Look()

    return OpenWhileWatched("a test", ExclusiveCamera(RLock()), opened, lambda: None)


def settled(use: OpenWhileWatched[Any]) -> object:
    """The use that is open once all requests are carried out."""
    done = Event()
    use.do(done.set)
    assert done.wait(PATIENCE_S)
    return use.opened


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
