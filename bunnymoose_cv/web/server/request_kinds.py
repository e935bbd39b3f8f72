"""Kinds of requests: from this computer, a photograph, an upload, a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web import urls

if TYPE_CHECKING:
    from starlette.types import Scope

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
"""Loopback addresses, of the computer itself; the owner comes in nowhere else."""


def is_from_this_computer(scope: Scope) -> bool:
    """Tell if a request came by an address that no other computer reaches."""
    return is_loopback(scope["server"])


def is_loopback(server: tuple[str, int | None] | None) -> bool:
    """Return whether no other computer reaches an address of the server."""
    return server is not None and server[0] in _LOOPBACK


def is_photo(scope: Scope) -> bool:
    """Tell if a photograph of cards is sent."""
    return scope["method"] == "POST" and scope["path"] in {urls.PHOTO, urls.ENROL_PHOTO}


def is_upload(scope: Scope) -> bool:
    """Tell if a photograph or a command is sent."""
    return is_photo(scope) or (scope["method"] == "POST" and scope["path"].startswith(urls.COMMANDS))


def is_page(scope: Scope) -> bool:
    """Tell if a page is asked for, which costs more to make than anything else."""
    return scope["method"] != "POST" and "." not in scope["path"]
