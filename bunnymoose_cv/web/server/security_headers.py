"""Security headers of every answer, and the Host and Origin that a request may name.

A page runs our script files alone: no script in the page itself, and no text that is evaluated as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NOTHING_LOADED: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
"""The content policy of a page that is one sentence (bare_page.py), and of everything that is no page."""


HTML_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content policy of a page; its forms are sent by a script (commands.js)."""


def answer_headers(policy: str, *, kept: bool, here: bool) -> Mapping[str, str]:
    """The headers of an answer.

    Args:
        policy: its content policy.
        kept: whether the browser may keep it; pages and images of people are never kept.
        here: whether it stays on this computer; browsers ignore an opener policy, and complain of it, over plain http.
    """
    headers = {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    }
    if here:
        headers["cross-origin-opener-policy"] = "same-origin"
    return headers if kept else {**headers, "cache-control": "no-store"}


def our_hosts(addresses: Iterable[str], port: int) -> frozenset[str]:
    """Hosts that a request may name.

    A page of somebody else whose name is made to point to this computer names another one and is refused.

    Args:
        addresses: where the server listens.
        port: and on which port.
    """
    return frozenset(f"{address}:{port}" for address in (*addresses, "localhost"))


def is_same_origin(origin: str | None, host: str) -> bool:
    """Tell if a page of our own sends a form; every browser tells which page does.

    Args:
        origin: the header.
        host: what the request named, and was found to be ours.
    """
    return origin == f"http://{host}"
