"""`bunnymoose warmup`: what was told wrongly is one sentence before any camera is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from bunnymoose_cv.cli import app
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--players", " , "], "Name every player once"),
        (["--players", "Anna,anna"], "Name every player once"),
        (["--players", "Anna", "--only", "Ben"], "“Ben” is none of the players"),
        (["--players", "Anna", "--exempt", "Anna=nose"], "“nose” cannot be left unjudged"),
        (["--players", "Anna", "--camera", "no/such/clip.mp4"], "no/such/clip.mp4"),
    ],
)
def test_a_mistake_is_one_sentence(words: Sequence[str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        CliRunner().invoke(app, ["warmup", "--camera", "0", "--silent", *words], catch_exceptions=False)
