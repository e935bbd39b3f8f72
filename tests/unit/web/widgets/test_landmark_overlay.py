"""Landmark overlay of stills and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.web.live.round_evidence import round_evidence_view
from bunnymoose_cv.web.widgets.landmark_overlay import frame_image, still_image

if TYPE_CHECKING:
    from tests.unit.web.judging import JudgedRound


def test_landmarks_lie_on_the_hands(judged_round: JudgedRound) -> None:
    seen = round_evidence_view(judged_round.told, 1)
    assert seen is not None
    read = seen.reading_of(1)
    assert read is not None
    art = still_image("/still/1/1.jpg", seen.still_of(1), seen.player_in(1), read, "<Blue>")
    x, y, _ = (read.left.hand or read.right.hand)[8]
    assert f'cx="{x:.1f}" cy="{y:.1f}"' in art
    assert 'aria-label="&lt;Blue&gt;"' in art
    assert "meet" in art, "a tile of any shape shows all of the player"
    whole = frame_image("/frame/1/1.jpg", seen.size, seen.window_of(1), None, "Blue")
    assert "landmarks" not in whole


@pytest.mark.parametrize(
    ("x", "y", "keeps_to"),
    [(0, 50, "xMinYMid"), (90, 50, "xMidYMid"), (180, 50, "xMaxYMid"), (90, 0, "xMidYMin"), (90, 100, "xMidYMax")],
)
def test_at_the_edge_of_the_frame_a_tile_has_no_blank(
    judged_round: JudgedRound, x: float, y: float, keeps_to: str
) -> None:
    seen = round_evidence_view(judged_round.told, 1)
    assert seen is not None
    read = seen.reading_of(1)
    assert read is not None
    art = still_image("/still/1/1.jpg", Box(0, 0, 400, 200), Box(x, y, 220, 100), read, "Blue")
    assert f'preserveAspectRatio="{keeps_to} meet"' in art
