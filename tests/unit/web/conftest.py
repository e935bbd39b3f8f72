"""A real screen in a process of its own, for all tests that only look at it or leave it as it was; a judged round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit.web.browsing import Served
from tests.unit.web.judging import JudgedRound, judge_round

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A screen with a game at a table, far from its limits."""
    often = [100_000, 10_000]
    limits = {"requests": often, "pages": often, "wrong_codes": often, "commands": often}
    screen = Served(tmp_path_factory.mktemp("served"), limits=limits)
    yield screen
    screen.stop()


@pytest.fixture(scope="session")
def judged_round(tmp_path_factory: pytest.TempPathFactory) -> JudgedRound:
    """A round of three rendered players, judged by the real models."""
    return judge_round(tmp_path_factory.mktemp("judged"))
