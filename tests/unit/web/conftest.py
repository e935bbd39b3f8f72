"""Screens shared by tests that do not change them, and a judged round."""

from collections.abc import Iterator
from typing import Final

import pytest

from tests.unit.web.browsing import Served
from tests.unit.web.in_process import InProcess
from tests.unit.web.judging import JudgedRound, judge_round

FAR_LIMITS: Final = dict.fromkeys(("requests", "pages", "wrong_codes", "commands"), (100_000, 10_000))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Return the event loop of asynchronous tests, the same as the server's."""
    return "asyncio"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a screen in a separate process, with high rate limits."""
    with Served(tmp_path_factory.mktemp("served"), limits=FAR_LIMITS) as screen:
        yield screen


@pytest.fixture(scope="session")
def in_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcess]:
    """Yield a screen without a socket, with a dealer and high rate limits."""
    with InProcess(tmp_path_factory.mktemp("in_process"), deals=True, limits=FAR_LIMITS) as screen:
        yield screen


@pytest.fixture(scope="session")
def judged_round(tmp_path_factory: pytest.TempPathFactory) -> JudgedRound:
    """Return a round of three players, judged from a canned reading."""
    return judge_round(tmp_path_factory.mktemp("judged"))
