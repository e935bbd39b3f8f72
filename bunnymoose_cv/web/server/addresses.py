"""Addresses of the server: this computer alone, or those in the local network too.

Never all addresses at once: a computer may have some that nobody at the table thinks of.
"""

from __future__ import annotations

import errno
import socket
from contextlib import closing
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Final

import ifaddr

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE: Final = "127.0.0.1"
"""Loopback address, which no other computer reaches."""

PORT: Final = 8642
"""Port of the screen where nobody chooses another one."""

_TRIES: Final = 20
"""Number of ports to try for one that is free at every address: a program may hold it at one of them."""

_SOMEWHERE: Final = ("10.254.254.254", 1)
"""An address in no use: asking for the way there sends nothing."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a server.

    Attributes:
        hosts: names by which a request may call it.
    """

    port: int
    hosts: frozenset[str]

    @classmethod
    def of(cls, addresses: Iterable[str], port: int) -> ServerAddress:
        """Address of a server that listens at addresses on a port; here it is called localhost, too."""
        return cls(port, frozenset(f"{address}:{port}" for address in (*addresses, "localhost")))

    @property
    def cookie(self) -> str:
        """Name of the cookie, with the port, since browsers share cookies between ports."""
        return f"bunnymoose-{self.port}"


def addresses_of_this_computer() -> tuple[str, ...]:
    """Addresses of this computer in local networks, first that of the network that most of what it sends goes through.

    Public addresses are none of them: the table is no web site.
    """
    listed = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str))
    local = [each for each in dict.fromkeys(listed) if _is_local(each)]
    usual = _usual_address()
    return tuple(sorted(local, key=lambda each: each != usual))


def listen_at(addresses: tuple[str, ...], port: int) -> tuple[socket.socket, ...]:
    """Listen at each address on one port.

    Args:
        port: 0 takes one that is free.

    Raises:
        InputError: the port is taken, or cannot be had.
    """
    for _ in range(1 if port else _TRIES):
        try:
            return _listen_on_one_port(addresses, port)
        except OSError as error:
            refused = error
    taken = refused.errno == errno.EADDRINUSE
    reason = "another program listens there" if taken else (refused.strerror or str(refused))
    raise InputError(f"The screen cannot be shown on port {port} ({reason}): choose another --port.") from refused


def _listen_on_one_port(addresses: tuple[str, ...], port: int) -> tuple[socket.socket, ...]:
    """Listen at all addresses or, with an `OSError`, at none."""
    listening: list[socket.socket] = []
    try:
        for address in addresses:
            listening.append(_listen(address, port))
            port = listening[0].getsockname()[1]
    except OSError:
        for each in listening:
            each.close()
        raise
    return tuple(listening)


def _listen(address: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # After a crash the port is free at once. On Windows the same word would share it with strangers.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen()  # who comes before the server is up waits for it
    except OSError:
        listening.close()
        raise
    return listening


def _is_local(address: str) -> bool:
    ip = IPv4Address(address)
    return (ip.is_private or ip.is_link_local) and not ip.is_loopback


def _usual_address() -> str | None:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
        try:
            asking.connect(_SOMEWHERE)
        except OSError:
            return None
        return str(asking.getsockname()[0])
