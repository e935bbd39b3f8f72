"""JPEG encoding keeps size and colours, and obeys the quality."""

from __future__ import annotations

import cv2
import numpy as np

from bunnymoose_cv.capture.jpeg_encoding import encode_jpeg


def test_an_image_is_encoded_in_the_quality_asked_for() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    assert len(encode_jpeg(noise, 30)) < len(encode_jpeg(noise, 90))
    blue = np.zeros((48, 64, 3), np.uint8)
    blue[..., 0] = 200
    content = encode_jpeg(blue, 90)
    assert content.startswith(b"\xff\xd8")
    decoded = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert np.abs(decoded.astype(int) - blue).max() <= 3
