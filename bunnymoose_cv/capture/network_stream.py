"""Streams of the network: how they are opened, and why one cannot be."""

from __future__ import annotations

import logging
import os
from base64 import b64encode
from http.client import HTTPException
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote
from urllib.request import Request, urlopen

import av

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.stream import OPENING_S, StreamSource
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.capture.orientation import View
    from bunnymoose_cv.core.address import Address
    from bunnymoose_cv.core.user_settings import CameraSettings

_logger = logging.getLogger(__name__)

_OPTIONS: Final = {
    "protocol_whitelist": "rtsp,rtp,rtmp,rtmps,rtmpt,http,httpproxy,https,tls,tcp,udp,crypto",
    "format_whitelist": "rtsp,rtp,sdp,mpjpeg,mjpeg,mpegts,matroska,mov,flv,live_flv",
    "rtsp_transport": "tcp",  # images come whole or not at all
    "fflags": "nobuffer",
    "probesize": "500000",
    "analyzeduration": "500000",  # half a second is enough to tell what it is
}

_ANSWERING_S: Final = 3.0
"""Timeout of looking at what an address gives instead of a stream."""

_BEGINNING: Final = 512
"""Bytes of an answer by which a web page or a list is known."""


def open_address(address: Address, where: str, view: View, settings: CameraSettings) -> StreamSource:
    """Open what happens now somewhere in the network: RTSP, MJPEG over HTTP, or another stream of images.

    Args:
        address: the stream.
        where: what it is opened again by, as it was given.
        view: how the camera is mounted.
        settings: seconds after which a stream counts as lost.

    Raises:
        UnreadableError: nobody answers, or what comes is no stream of images.
    """
    if not address.is_valid:
        raise UnreadableError(
            Phrase(
                "{address} is not the address of a stream: "
                "write it as http://HOST:PORT/PATH or rtsp://USER:PASSWORD@HOST/PATH",
                address=address.shown,
            )
        )
    if not address.is_complete:
        raise UnreadableError(
            Phrase("{address} was kept without its password: name it once more by --camera", address=address.shown)
        )
    options = _OPTIONS | (_without_proxy(address) if address.is_local else {})
    try:
        container = av.open(
            address.opened, options=options, metadata_errors="replace", timeout=(OPENING_S, settings.lost_after_s)
        )
    except (OSError, av.FFmpegError) as error:
        _logger.info("a stream cannot be opened: %s", type(error).__name__)
        reason = _reason(address, error)
    else:
        return StreamSource(container, address.shown, where, view)
    raise UnreadableError(reason)  # without FFmpeg's error, whose text holds the address with its password


def _without_proxy(address: Address) -> dict[str, str]:
    """Keep an address from the proxies of the environment, which FFmpeg and Python read.

    Returns:
        The option of FFmpeg that does so for HTTP; TLS of other streams has none and reads the environment alone.
    """
    before = os.environ.get("no_proxy", os.environ.get("NO_PROXY", ""))
    names = dict.fromkeys([*filter(None, before.split(",")), address.name, f"[{address.name}]"])
    os.environ["no_proxy"] = ",".join(names)
    return {"http_proxy": ""}


def _reason(address: Address, error: OSError | av.FFmpegError) -> Phrase:
    """Say why a stream cannot be opened, and what to do."""
    shown = address.shown
    match error:
        case av.HTTPUnauthorizedError() | av.HTTPForbiddenError():
            return Phrase(
                "{address} needs the right user and password: write them as in {example}",
                address=shown,
                example=f"{address.scheme}://USER:PASSWORD@{address.host}/…",
            )
        case av.HTTPNotFoundError():
            return Phrase(
                "The camera has nothing at {address}: look up the path of its video in the app or the manual",
                address=shown,
            )
        case av.HTTPError():
            return Phrase(
                "The camera refuses {address}: start it or its app again, and check the address", address=shown
            )
        case _:
            return _reason_of_content(address)


def _reason_of_content(address: Address) -> Phrase:
    """Say what an address gives instead of a stream, or that nothing comes at all."""
    kind, beginning = _content(address) if address.scheme in {"http", "https"} else ("", b"")
    if not kind:
        return Phrase(
            "{address} cannot be opened: check the address and that the camera is on and in the same network",
            address=address.shown,
        )
    if beginning.startswith(b"#EXTM3U"):
        return Phrase(
            "{address} is a list of pieces (HLS), which come many seconds late: "
            "take the camera's address for RTSP or MJPEG",
            address=address.shown,
        )
    if kind.startswith("image/"):
        return Phrase(
            "{address} is a single picture: take the address of the video, with many apps http://HOST:PORT/video",
            address=address.shown,
        )
    if "html" in kind or beginning.lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return Phrase(
            "{address} is a web page: take the address of the video, with many apps http://HOST:PORT/video",
            address=address.shown,
        )
    return Phrase(
        "{address} answers, but not with a stream of pictures: "
        "look up the address of its video in the app or the manual",
        address=address.shown,
    )


def _content(address: Address) -> tuple[str, bytes]:
    """Return the media type and the first bytes of what an address gives; both empty if nothing comes."""
    request = Request(address.bare)  # noqa: S310 - the scheme is http or https
    if address.login:
        request.add_unredirected_header("Authorization", f"Basic {b64encode(unquote(address.login).encode()).decode()}")
    try:
        with urlopen(request, timeout=_ANSWERING_S) as answer:  # noqa: S310 - likewise
            return answer.headers.get_content_type(), answer.read(_BEGINNING)
    except (OSError, ValueError, HTTPException):
        return "", b""
