"""The number by which games stand in their order, from whatever lies under its name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.record.game_order import ORDER_FILE, keep_order_number, order_number

if TYPE_CHECKING:
    from pathlib import Path


def test_a_number_that_is_kept_is_read_again(tmp_path: Path) -> None:
    keep_order_number(tmp_path / "game", 12)
    assert order_number(tmp_path / "game") == 12


@pytest.mark.parametrize("content", [b"", b"-1", b"x", b"9" * 19])
def test_what_is_no_number_of_ours_counts_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ORDER_FILE).write_bytes(content)
    assert order_number(tmp_path) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ORDER_FILE)
    assert order_number(tmp_path) == 0
