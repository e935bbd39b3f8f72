"""Shared fixtures of practice: rendered players, each read once with the real models."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.images import read_image
from tests.doubles import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading


@pytest.fixture(scope="session")
def player(reader: Reader) -> Callable[[str], PlayerReading]:
    """Reads a rendered player."""

    @cache
    def read(name: str) -> PlayerReading:
        (found,) = reader.read(read_image(PLAYERS / f"{name}.jpg")).players
        return found

    return read
