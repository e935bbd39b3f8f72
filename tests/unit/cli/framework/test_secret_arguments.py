"""Passwords that were typed in any place of the command line are in none of the sentences about it."""

import pytest

from tests.program import Program


@pytest.mark.parametrize(
    "line",
    [
        "games list --games http://ida:geheim@camera/x",
        "games list --games=http://ida:geheim@camera/x",
        "judge ida:geheim@camera",
        "judge --every=rtsp://ida:geheim@camera/x round.mp4",
        "judge --rtsp://ida:geheim@camera/x",
        "rtsp://ida:geheim@camera/x",
    ],
)
def test_typed_password_is_not_repeated(bunnymoose: Program, line: str) -> None:
    _, out, err = bunnymoose(*line.split())
    assert err
    assert "geheim" not in out + err
