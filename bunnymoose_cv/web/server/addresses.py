"""Addresses of the server: this computer alone, or those in the local network too.

Never all addresses at once: a computer may have some that nobody at the table thinks of.
"""

from __future__ import annotations

import errno
import re
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


_VIRTUAL: Final = re.compile(
    r"(docker|br-|veth|virbr|vboxnet|vmnet|vnet|lxc|lxdbr|cni|flannel|cali|podman|tun|tap|utun|wg|ppp|zt|tailscale|ham)"
    r"|.*(virtualbox|vmware|hyper-v|vethernet|wsl|npcap|tap-|wintun|wireguard|openvpn|zerotier|tailscale)",
    re.IGNORECASE,
)
"""Names of adapters of containers, virtual machines and tunnels, behind which there is no phone.

A hotspot has a real one, or is called otherwise: `ap0`, `bridge100` (macOS), “Wi-Fi Direct Virtual Adapter” (Windows).
"""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a server.

    Attributes:
        hosts: names by which a request may call it; they change with the addresses of the computer.
    """

    port: int
    hosts: set[str]

    @classmethod
    def of(cls, addresses: Iterable[str], port: int) -> ServerAddress:
        """Address of a server that listens at addresses on a port."""
        address = cls(port, set())
        address.change(addresses)
        return address

    def change(self, addresses: Iterable[str]) -> None:
        """Take other addresses; here it is called localhost, too."""
        self.hosts.clear()
        self.hosts.update(f"{address}:{self.port}" for address in (*addresses, "localhost"))

    @property
    def cookie(self) -> str:
        """Name of the cookie, with the port, since browsers share cookies between ports."""
        return f"bunnymoose-{self.port}"


def addresses_of_this_computer() -> tuple[str, ...]:
    """Addresses of this computer in local networks, first those that phones are likely to reach.

    Among these the network comes first that most of what it sends goes through. Public addresses are left out: the
    table is not a web site.
    """
    usual, ranks = _usual_address(), dict[str, tuple[bool, bool, bool]]()
    for adapter in ifaddr.get_adapters():
        is_virtual = any(_VIRTUAL.match(str(name)) for name in (adapter.name, adapter.nice_name))
        for address in (ip.ip for ip in adapter.ips if isinstance(ip.ip, str) and _is_local(ip.ip)):
            ranks.setdefault(address, (is_virtual, IPv4Address(address).is_link_local, address != usual))
    return tuple(sorted(ranks, key=ranks.__getitem__))


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
