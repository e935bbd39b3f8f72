"""Pasted addresses of network cameras are opened, or refused with a remedy."""

import os
import socket
import threading
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bunnymoose_cv.capture.frame import SourceLostError, UnreadableError
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.live import open_live
from bunnymoose_cv.capture.stream import open_address
from bunnymoose_cv.core.address import find_address
from bunnymoose_cv.core.user_settings import load_settings
from tests.media import grey_jpeg

MakeClip = Callable[..., Path]

CAMERA, AS_IT_IS = load_settings().camera, View()
PAGE = b"<!DOCTYPE html><title>IP Webcam</title><img src=/video>"
ANSWERS: dict[str, tuple[int, str, bytes]] = {
    "/": (200, "text/html; charset=utf-8", PAGE),
    "/plain": (200, "text/plain", PAGE),
    "/shot.jpg": (200, "image/jpeg", grey_jpeg(90)),
    "/photo": (200, "application/octet-stream", grey_jpeg(90)),
    "/mark.m3u8": (200, "text/plain", b"\xef\xbb\xbf#EXTM3U\n#EXTINF:4,\n0.ts\n"),
    "/list.m3u8": (200, "application/vnd.apple.mpegurl", b"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n"),
    "/status": (200, "application/json", b'{"battery": 80}'),
    "/401": (401, "text/plain", b"no"),
    "/403": (403, "text/plain", b"no"),
    "/404": (404, "text/plain", b"no"),
    "/405": (405, "text/plain", b"no"),
    "/429": (429, "text/plain", b"no"),
    "/500": (500, "text/plain", b"no"),
}


class _Phone(BaseHTTPRequestHandler):
    """Server of a phone's camera app, with a video among other pages."""

    asked: ClassVar[list[tuple[str, str]]] = []

    def do_GET(self) -> None:
        login = b64decode((self.headers["Authorization"] or "").removeprefix("Basic ")).decode()
        self.asked.append((self.path, login))
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "http://anna:secret@127.0.0.1:1/video?token=secret")
            self.end_headers()
            return
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{self.headers['Host'].rpartition(':')[2]}/status")
            self.end_headers()
            return
        usual = (200, "multipart/x-mixed-replace; boundary=next", b"")
        status, kind, body = ANSWERS["/401"] if self.path == "/locked" and not login else ANSWERS.get(self.path, usual)
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="phone"')
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)
        if not body:
            with suppress(OSError):
                for number in range(20):
                    jpeg = grey_jpeg(number * 12)
                    self.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg + b"\r\n")

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def phone() -> Iterator[str]:
    """Yield host and port of the app."""
    _Phone.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Phone)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/", "is a web page: take the address of the video"),
        ("/plain", "is a web page: take the address of the video"),
        ("/shot.jpg", "is a single picture: take the address of the video"),
        ("/photo", "is a single picture: take the address of the video"),
        ("/mark.m3u8", "is a list of pieces (HLS), which come many seconds late: take the camera's address for RTSP"),
        ("/list.m3u8", "is a list of pieces (HLS), which come many seconds late: take the camera's address for RTSP"),
        ("/status", "answers, but not with a stream of pictures: look up the address of its video"),
        ("/401", "needs the right user and password: write them as in http://USER:PASSWORD@127.0.0.1:"),
        ("/403", "needs the right user and password: write them as in http://USER:PASSWORD@127.0.0.1:"),
        ("/404", "look up the path of its video in the app or the manual"),
        ("/405", "start it or its app again, and check the address"),
        ("/429", "start it or its app again, and check the address"),
        ("/500", "start it or its app again, and check the address"),
        ("/moved", "cannot be opened: check the address"),
    ],
)
def test_address_without_a_stream_is_refused_with_a_remedy(phone: str, path: str, sentence: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        open_live(f"http://{phone}{path}", AS_IT_IS, CAMERA)
    assert sentence in str(caught.value)
    assert f"http://{phone}{path}" in str(caught.value)


def test_login_is_not_sent_to_another_host(phone: str) -> None:
    with pytest.raises(UnreadableError, match="answers, but not with a stream"):
        open_live(f"http://anna:secret@{phone}/elsewhere", AS_IT_IS, CAMERA)
    logins = [login for path, login in _Phone.asked if path == "/status"]
    assert logins
    assert not any(logins)


@pytest.mark.parametrize(
    "pasted",
    ["http://{}/video", " http://{}/video ", "{}/video", "http:/{}/video", "HTTP://{}/video", "http//{}/video"],
)
def test_a_carelessly_pasted_address_works(phone: str, pasted: str) -> None:
    with open_live(pasted.format(phone), AS_IT_IS, CAMERA) as source:
        assert source.read().size == (96, 64)
        assert source.title == f"http://{phone}/video"


@pytest.mark.parametrize("secret", ["x[1]y", "a/b?c#d@e", "50%", "p:w", "geheim wort", "пароль", "p&q=r;s"])
def test_password_with_any_characters_reaches_the_camera(phone: str, secret: str) -> None:
    with open_live(f"http://anna:{secret}@{phone}/locked", AS_IT_IS, CAMERA) as source:
        source.read()
        assert secret not in source.title
    assert ("/locked", f"anna:{secret}") in _Phone.asked


@pytest.mark.parametrize("where", ["udp://@:1", "udp://127.0.0.1:0", "rtmp://127.0.0.1:1/live", "tcp://127.0.0.1:1"])
def test_documented_kinds_of_streams_are_tried(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bunnymoose_cv.capture.stream.OPENING_S", 0.2)
    with pytest.raises(UnreadableError, match="cannot be opened: check the address and that the camera is on"):
        open_live(where, AS_IT_IS, CAMERA)


@pytest.mark.parametrize(
    "where", ["htp://127.0.0.1/video", "http://", "file:///nowhere.mp4", "http://anna:secret@", "rtsp://[::1/"]
)
def test_invalid_address_is_refused(where: str) -> None:
    with pytest.raises(UnreadableError, match=r"is not the address of a stream: write it as http://HOST:PORT/PATH"):
        open_live(where, AS_IT_IS, CAMERA)


@pytest.mark.parametrize("secret", ["secret#1/2", "secret"])
@pytest.mark.parametrize("path", ["/401", "/404", "/shot.jpg", "/moved", "/"])
def test_cause_of_a_refusal_does_not_contain_the_password(phone: str, path: str, secret: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        open_live(f"http://anna:{secret}@{phone}{path}", AS_IT_IS, CAMERA)
    assert secret not in "".join(map(str, _chain(caught.value)))


def test_cause_of_a_loss_does_not_contain_the_password(phone: str) -> None:
    where = f"http://anna:secret@{phone}/video?token=secret"
    with open_live(where, AS_IT_IS, CAMERA) as source, pytest.raises(SourceLostError) as caught:
        list(iter(source.take, None))
    assert "secret" not in "".join(map(str, _chain(caught.value)))


def _chain(error: BaseException | None) -> Iterator[Any]:
    while error is not None:
        yield from (error, *error.args)
        error = error.__cause__ or error.__context__


def test_stored_address_without_password_asks_for_it() -> None:
    with pytest.raises(UnreadableError, match=r"http://127\.0\.0\.1:1/video was kept without its password"):
        open_live("http://anna:…@127.0.0.1:1/video", AS_IT_IS, CAMERA)


@pytest.mark.parametrize("given", ["", "example.org"])
def test_local_camera_bypasses_the_proxy(phone: str, given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", given)
    with open_live(f"http://{phone}/video", AS_IT_IS, CAMERA) as source:
        assert source.read().size == (96, 64)
    with pytest.raises(UnreadableError, match="is a web page"):
        open_live(f"http://{phone}/", AS_IT_IS, CAMERA)
    assert given in os.environ["no_proxy"]


def test_remote_camera_uses_the_proxy(phone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://{phone}")
    address = find_address("http://camera.example.org/video")
    assert address is not None
    with open_address(address, "", AS_IT_IS, CAMERA) as source:
        source.read()
    assert _Phone.asked[0][0] == "http://camera.example.org:80/video"


@pytest.mark.parametrize("host", ["@", "127.0.0.1"])
def test_a_stream_that_is_sent_to_this_computer_is_a_camera(host: str, make_clip: MakeClip) -> None:
    clip, stopped = make_clip("clip.ts").read_bytes(), threading.Event()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            starts = cycle(range(0, len(clip), 7 * 188))
            while not stopped.wait(0.002):
                start = next(starts)
                sender.sendto(clip[start : start + 7 * 188], ("127.0.0.1", port))

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    try:
        with open_live(f" udp://{host}:{port}", AS_IT_IS, CAMERA) as source:
            assert source.read().size == (96, 64)
    finally:
        stopped.set()
        thread.join()
