"""Addresses at which phones reach the computer: selection, order, and changes."""

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import ifaddr
import pytest

from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.pages import phone_pages
from bunnymoose_cv.web.server import addresses, table_server
from bunnymoose_cv.web.server.addresses import HERE, addresses_of_this_computer
from bunnymoose_cv.web.server.table_server import TableServer, open_server
from tests.unit.web.hosts import PATIENCE_S, change_waiter, host_in, owner_of

FIRST, SECOND, THIRD = "127.0.0.2", "127.0.0.3", "127.0.0.4"


def adapter(name: str, *ips: str, nice_name: str = "") -> ifaddr.Adapter:
    return ifaddr.Adapter(name, nice_name or name, [ifaddr.IP(ip, 24, name) for ip in ips])


LINUX = (
    *(adapter("lo", "127.0.0.1"), adapter("docker0", "172.17.0.1"), adapter("br-3f2a", "172.18.0.1")),
    *(adapter("tun0", "10.8.0.2"), adapter("virbr0", "192.168.122.1"), adapter("wlan0", "10.42.0.1")),
    *(adapter("eth0", "192.168.1.20", "169.254.7.7"), adapter("wwan0", "100.64.0.9", "8.8.4.4")),
)
WINDOWS = (
    adapter("{8A}", "192.168.56.1", nice_name="VirtualBox Host-Only Ethernet Adapter"),
    adapter("{8B}", "172.29.0.1", nice_name="Hyper-V Virtual Ethernet Adapter"),
    adapter("{8C}", "192.168.137.1", nice_name="Microsoft Wi-Fi Direct Virtual Adapter #2"),
)


@pytest.mark.parametrize(
    ("adapters", "usual", "found"),
    [
        (LINUX, None, ("10.42.0.1", "192.168.1.20", "169.254.7.7")),
        (LINUX, "192.168.1.20", ("192.168.1.20", "10.42.0.1", "169.254.7.7")),
        (LINUX, "10.8.0.2", ("10.42.0.1", "192.168.1.20", "169.254.7.7", "10.8.0.2")),
        (WINDOWS, None, ("192.168.137.1", "192.168.56.1", "172.29.0.1")),
        (LINUX[1:2], None, ("172.17.0.1",)),
        (LINUX[:1], None, ()),
    ],
)
def test_real_networks_come_before_virtual_ones(
    adapters: tuple[ifaddr.Adapter, ...], usual: str | None, found: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(addresses, "_usual_address", lambda: usual)
    assert addresses_of_this_computer()[: len(found)] == found


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return host_in(tmp_path)


@pytest.fixture
def server(host: Host, monkeypatch: pytest.MonkeyPatch) -> Iterator[TableServer]:
    """Return a server that listens in one network and follows the addresses that a test sets."""
    monkeypatch.setattr(table_server, "_LOOKING_S", 0.01)
    server = open_server(host, (HERE, FIRST), 0, Limits(), lambda _: None)
    server.find_addresses = lambda: (FIRST,)
    sentences: list[str] = []
    thread = Thread(target=server.run, kwargs={"open_browser": False, "notify": sentences.append})
    thread.start()
    server.listens.wait()
    yield server
    server.stop()
    thread.join()
    assert all(address in " ".join(sentences) for address in (FIRST, SECOND))


def status(address: str, port: int) -> int:
    return httpx.get(f"http://{address}:{port}/", trust_env=False, timeout=PATIENCE_S).status_code


def test_the_server_follows_the_address_of_the_computer(host: Host, server: TableServer) -> None:
    assert status(FIRST, server.port) == 403
    with change_waiter(host) as expect:
        server.find_addresses = lambda: (SECOND, THIRD)
        expect(lambda: host.addresses[1:] == (f"http://{SECOND}:{server.port}", f"http://{THIRD}:{server.port}"))
    assert [status(address, server.port) for address in (HERE, SECOND, THIRD)] == [403, 403, 403]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((FIRST, server.port), 5)
    code = str(phone_pages.join_page(host, owner_of(host)).parts["code"])
    assert code.count("<svg") == 2
    assert code.index(SECOND) < code.index(THIRD)
    assert FIRST not in code
    with change_waiter(host) as expect:
        server.find_addresses = lambda: (FIRST,)
        expect(lambda: host.addresses[1:] == (f"http://{FIRST}:{server.port}",))
    assert status(FIRST, server.port) == 403


def test_an_unavailable_address_is_retried(host: Host, server: TableServer) -> None:
    with socket.create_server((SECOND, server.port)) as taken:
        server.find_addresses = lambda: (SECOND,)
        assert status(FIRST, server.port) == 403
        with change_waiter(host) as expect:
            taken.close()
            expect(lambda: SECOND in host.addresses[1])


def test_a_short_loss_of_the_network_changes_nothing(host: Host, server: TableServer) -> None:
    server.find_addresses = lambda: ()
    assert status(FIRST, server.port) == 403
    assert host.addresses[1:] == (f"http://{FIRST}:{server.port}",)
    with change_waiter(host) as expect:
        server.find_addresses = lambda: (FIRST, SECOND)
        expect(lambda: len(host.addresses) == 3)
