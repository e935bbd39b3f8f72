"""A real screen in a process of its own, for all tests that only look at it or leave it as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.screen.browsing import Served

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A screen with a game at a table, far from its limits."""
    often = [100_000, 10_000]
    limits = {"requests": often, "pages": often, "wrong_codes": often, "messages": often}
    screen = Served(tmp_path_factory.mktemp("served"), limits=limits)
    yield screen
    screen.stop()
