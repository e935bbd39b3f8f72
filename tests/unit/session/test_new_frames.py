"""New frames of a source: each is taken once."""

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.session.new_frames import SAME_FRAME_S, NewFrames

IMAGE = np.zeros((2, 2, 3), np.uint8)


class _Source:
    """Source that shows what it is told."""

    frame: Frame | None = None

    def newest(self) -> Frame | None:
        return self.frame


@pytest.mark.parametrize(
    ("times_s", "taken"),
    [
        ((1.0, 1.0, 2.0), (True, False, True)),
        ((1.0, None, 1.0), (True, False, False)),
        ((2.0, 1.0, 3.0), (True, False, True)),
        ((1.0, 1.0 + SAME_FRAME_S / 2, 1.0 + 2 * SAME_FRAME_S), (True, False, True)),
    ],
    ids=["the same again", "nothing between", "an older one", "nearly the same"],
)
def test_each_frame_is_taken_once(times_s: tuple[float | None, ...], taken: tuple[bool, ...]) -> None:
    source = _Source()
    frames = NewFrames(source)
    found = []
    for time_s in times_s:
        source.frame = None if time_s is None else Frame(IMAGE, time_s)
        frame = frames.take()
        assert frame is None or frame is source.frame
        found.append(frame is not None)
    assert tuple(found) == taken
