"""A camera in the network that shows given images again and again, on this computer alone."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Image

_HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n"


def with_noise(image: Image, count: int = 8) -> tuple[Image, ...]:
    """The image as a camera shows it, never twice the same."""
    random = np.random.default_rng(1)
    return tuple(
        np.asarray(np.clip(image + random.normal(0, 1.5, (*image.shape[:2], 1)), 0, 255), np.uint8)
        for _ in range(count)
    )


@contextmanager
def streamed(images: Sequence[Image], frames_per_s: float = 25.0) -> Iterator[str]:
    """The address at which the images are to be had as JPEGs over HTTP."""
    packed = [cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() for image in images]
    stopped = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(4096)
            connection.sendall(_HEAD)
            number = 0
            while not stopped.wait(1 / frames_per_s):
                jpeg = packed[number % len(packed)]
                number += 1
                length = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                connection.sendall(length.encode() + jpeg + b"\r\n")

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/video"
    stopped.set()
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()
