"""Clips made for these tests: each frame says by its brightness which one it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

MakeClip = Callable[..., Path]

STEP = 12
"""Frame n is grey n × 12."""


@pytest.fixture
def make_clip(tmp_path: Path) -> MakeClip:
    """Writes a clip of 96 × 64 pixels, dark frames to bright ones, a red corner top left in each."""

    def make(
        name: str = "clip.mp4",
        *,
        codec: str = "libx264",
        times_s: Sequence[float] = tuple(number / 10 for number in range(20)),
        turn_degrees: int = 0,
        options: dict[str, str] | None = None,
    ) -> Path:
        path = tmp_path / name
        with av.open(str(path), "w", options=options or {}) as container:
            stream = container.add_stream(codec, rate=10)
            assert isinstance(stream, av.VideoStream)
            stream.width, stream.height = 96, 64
            stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
            stream.codec_context.gop_size = 5
            stream.codec_context.time_base = Fraction(1, 100)
            if turn_degrees:
                stream.set_display_rotation(turn_degrees)
            for number, time_s in enumerate(times_s):
                pixels = np.full((64, 96, 3), number * STEP, np.uint8)
                pixels[:16, :16] = (0, 0, 255)
                frame = av.VideoFrame.from_ndarray(pixels, format="bgr24")
                frame.pts, frame.time_base = round(time_s * 100), Fraction(1, 100)
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        return path

    return make
