"""Tests' helpers at a host: its owner, and waits for what pages are told of."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host

PATIENCE_S = 20
"""Timeout after which a test fails instead of hanging."""


def owner_of(host: Host) -> Visitor:
    """The screen at the table."""
    owner = host.access.visitor(host.access.become_owner(host.access.owner_key))
    assert owner is not None
    return owner


@contextmanager
def told(host: Host) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Gives what waits until pages are told of something."""
    changed = Condition()

    def tell() -> None:
        with changed:
            changed.notify_all()

    def expect(what: Callable[[], object]) -> None:
        with changed:
            assert changed.wait_for(what, PATIENCE_S)

    end = host.listen(tell)
    yield expect
    end()
