"""JPEG encoding of an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2

if TYPE_CHECKING:
    from numpy.typing import NDArray


def encode_jpeg(image: NDArray[Any], quality: int) -> bytes:
    """Encode an image as JPEG; of its colours every second pixel is kept each way, as webcams do."""
    _, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return content.tobytes()
