"""Images of a round: frame and stills from memory and from the kept files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.web.live.round_evidence import frame_jpeg, round_evidence_view, still_jpeg
from tests.unit.web.states import restarted

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from tests.unit.web.judging import JudgedRound


def decoded(jpeg: bytes | None) -> Image:
    assert jpeg is not None
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("after_restart", [False, True])
def test_a_still_shows_the_player_with_both_hands(judged_round: JudgedRound, *, after_restart: bool) -> None:
    state = restarted(judged_round.told) if after_restart else judged_round.told
    seen = round_evidence_view(state, 1)
    assert seen is not None
    frame = decoded(frame_jpeg(state, 1, seen.frozen + 1))
    assert frame.shape == (320, 960, 3)
    for seat in (1, 2, 3):
        player, box, read = seen.player_in(seat), seen.still_of(seat), seen.reading_of(seat)
        assert read is not None
        still = decoded(still_jpeg(state, 1, seat))
        part = frame[round(box.y) :, round(box.x) :][: still.shape[0], : still.shape[1]]
        assert float(np.abs(still.astype(int) - part).mean()) < 3
        for inner, outer in ((player, seen.window_of(seat)), (player, box)):
            assert outer.x <= inner.x + 1e-6
            assert outer.y <= inner.y + 1e-6
            assert inner.x + inner.width <= outer.x + outer.width + 1e-6
            assert inner.y + inner.height <= outer.y + outer.height + 1e-6
        for x, y, _ in (*read.left.hand, *read.right.hand):
            assert player.x <= x <= player.x + player.width
            assert player.y <= y <= player.y + player.height


@pytest.mark.parametrize(("number", "place"), [(1, 0), (1, 99), (2, 1), (99, 1)])
def test_what_was_not_seen_has_no_image(judged_round: JudgedRound, number: int, place: int) -> None:
    assert still_jpeg(judged_round.told, number, place) is None
    assert frame_jpeg(judged_round.told, number, place) is None
