"""Addresses of the server: this computer alone, or those in the local network too.

It never listens at the wildcard address, since a computer may have addresses that its users have forgotten.
"""

from __future__ import annotations

import errno
import re
import socket
from contextlib import ExitStack
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Final

import ifaddr

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE: Final = "127.0.0.1"
"""Loopback address, which no other computer reaches."""

PORT: Final = 8642
"""Default port of the screen."""

_TRIES: Final = 20
"""Number of attempts to find a port that is free at every address."""

_SOMEWHERE: Final = ("10.254.254.254", 1)
"""An unused address: looking up the route to it sends nothing."""

_VIRTUAL: Final = re.compile(
    r"(docker|br-|veth|virbr|vboxnet|vmnet|vnet|lxc|lxdbr|cni|flannel|cali|podman|tun|tap|utun|wg|ppp|zt|tailscale|ham)"
    r"|.*(virtualbox|vmware|hyper-v|vethernet|wsl|npcap|tap-|wintun|wireguard|openvpn|zerotier|tailscale)",
    re.IGNORECASE,
)
"""Names of the adapters of containers, virtual machines and tunnels, through which phones cannot connect.

A hotspot has a real adapter, or another name: `ap0`, `bridge100` (macOS), “Wi-Fi Direct Virtual Adapter” (Windows).
"""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a server. The valid host names of requests, `hosts`, change with the addresses of the computer."""

    port: int
    hosts: set[str] = field(default_factory=set)

    def change(self, addresses: Iterable[str]) -> None:
        """Set other addresses; localhost is always one of the names."""
        self.hosts.clear()
        self.hosts.update(f"{address}:{self.port}" for address in (*addresses, "localhost"))

    @property
    def cookie(self) -> str:
        """Return the name of the cookie, with the port, since browsers share cookies between ports."""
        return f"bunnymoose-{self.port}"


def addresses_of_this_computer() -> tuple[str, ...]:
    """Return this computer's addresses in local networks, those that phones are likely to reach first.

    The network of the default route comes first. Public addresses are left out: the table is not a web site.
    """
    usual, ranks = _usual_address(), dict[str, tuple[bool, bool, bool]]()
    for adapter in ifaddr.get_adapters():
        is_virtual = any(_VIRTUAL.match(str(name)) for name in (adapter.name, adapter.nice_name))
        for address in (ip.ip for ip in adapter.ips if isinstance(ip.ip, str) and _is_local(ip.ip)):
            ranks.setdefault(address, (is_virtual, IPv4Address(address).is_link_local, address != usual))
    return tuple(sorted(ranks, key=ranks.__getitem__))


def listen_at(addresses: tuple[str, ...], port: int) -> tuple[socket.socket, ...]:
    """Listen at each address on one port, 0 for a free one; raise an `InputError` if it is taken or not permitted."""
    for _ in range(1 if port else _TRIES):
        try:
            return _listen_on_one_port(addresses, port)
        except OSError as error:
            refused = error
    taken = refused.errno == errno.EADDRINUSE
    reason = "another program listens there" if taken else (refused.strerror or str(refused))
    raise InputError(f"The screen cannot be shown on port {port} ({reason}): choose another --port.") from refused


def _listen_on_one_port(addresses: tuple[str, ...], port: int) -> tuple[socket.socket, ...]:
    """Listen at all addresses, or raise an `OSError` and listen at none."""
    listening: list[socket.socket] = []
    with ExitStack() as opened:
        for address in addresses:
            listening.append(opened.enter_context(_listen(address, port)))
            port = listening[0].getsockname()[1]
        opened.pop_all()
    return tuple(listening)


def _listen(address: str, port: int) -> socket.socket:
    with ExitStack() as opened:
        listening = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        # After a crash the port is free at once. On Windows the same option would share it with other programs.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen()  # connections wait until the server is up
        opened.pop_all()
    return listening


def _is_local(address: str) -> bool:
    ip = IPv4Address(address)
    return (ip.is_private or ip.is_link_local) and not ip.is_loopback


def _usual_address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_SOMEWHERE)
        except OSError:
            return None
        return str(asking.getsockname()[0])
