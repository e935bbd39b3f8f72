"""Network camera on this computer that repeats given images."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Image


def with_noise(image: Image, count: int = 8) -> tuple[Image, ...]:
    """Return copies of an image with different camera noise."""
    random = np.random.default_rng(1)
    return tuple(
        np.asarray(np.clip(image + random.normal(0, 1.5, (*image.shape[:2], 1)), 0, 255), np.uint8)
        for _ in range(count)
    )


@contextmanager
def streamed(images: Sequence[Image], frames_per_s: float = 25.0) -> Iterator[str]:
    """Yield the address of an HTTP stream that repeats the images as JPEGs."""
    packed = [cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() for image in images]
    stopped = threading.Event()

    class Camera(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
            self.end_headers()
            with suppress(OSError):
                for jpeg in cycle(packed):
                    if stopped.wait(1 / frames_per_s):
                        return
                    head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    self.wfile.write(head.encode() + jpeg + b"\r\n")

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Camera) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/video"
        stopped.set()
        server.shutdown()
