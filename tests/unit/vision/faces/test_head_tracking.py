"""Heads followed from frame to frame."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.faces import head_tracking
from bunnymoose_cv.vision.faces.head_tracking import follow_heads
from bunnymoose_cv.vision.nets.worker_pool import Workers

if TYPE_CHECKING:
    import pytest

    from bunnymoose_cv.vision.readings import FrameReading


def test_a_followed_head_never_takes_the_place_of_one_that_stays(
    party: FrameReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = (player.player.head for player in party.players)
    monkeypatch.setattr(head_tracking, "_follow_head", lambda *_: replace(right))
    with closing(Workers()) as workers:
        assert follow_heads(party.image, [left, right], workers, fixed=[right]) == (right,)
