"""Browsers without an image: what tests come with to a real screen, by its addresses, forms and events."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from random import sample
from typing import TYPE_CHECKING, Any, Self

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("Red", "Blue", "Green", "Yellow")
LASTING_PORTS = range(20_000, 30_000)
PATIENCE_S = 30.0
"""Timeout after which a test fails instead of hanging."""

IS_UP = "document.documentElement?.dataset.stream === 'open'"
"""Script: a page talks to its server, by a stream of events."""


def waits_for(condition: str, then: str = "null") -> str:
    """Script that waits inside a page until something holds: one that Playwright polls needs `unsafe-eval`.

    Args:
        condition: JavaScript.
        then: a further script, whose result is returned.
    """
    return f"""async () => {{
        for (let tries = 0; tries < {5 * PATIENCE_S}; tries++) {{
            if ({condition}) return {then};
            await new Promise((done) => setTimeout(done, 200));
        }}
        throw Error('in vain');
    }}"""


TALKS = waits_for(IS_UP)


@dataclass
class Browser:
    """Client with a cookie, or without one."""

    base: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        with self._client() as client:
            return client.request(method, path, **more)

    def _client(self) -> httpx.Client:
        transport = httpx.HTTPTransport(verify=False, local_address=self.address[0])
        return httpx.Client(
            base_url=self.base, cookies=self.cookies, timeout=PATIENCE_S, trust_env=False, transport=transport
        )

    def send(self, command: str, **form: str) -> httpx.Response:
        """Send a form as a page's script does."""
        return self.ask("POST", f"/command/{command}", data={"by": "key"} | form, headers={"Origin": self.base})

    def send_photo(self, content: bytes, path: str = "/cards/photo", **headers: str) -> httpx.Response:
        """Send a photograph as a page's script does."""
        given = {"Origin": self.base, "Content-Type": "image/jpeg"} | headers
        return self.ask("POST", path, content=content, headers=given)

    def html(self, path: str) -> str:
        """Text of a page, or of a fragment of one."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        assert ".html" in path or "data-stream=" in answer.text
        return answer.text

    @contextmanager
    def events(self, path: str, seen: str = "", **headers: str) -> Iterator[Iterator[Event]]:
        """Events of a page, as they come."""
        with (
            self._client() as client,
            client.stream("GET", f"/events{path}", params={"seen": seen}, headers=headers) as answer,
        ):
            assert answer.status_code == 200, answer.status_code
            yield _events(answer.iter_lines())

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    @property
    def is_known(self) -> bool:
        """Return whether the server knows its cookie."""
        return self.get("/known").status_code != HTTPStatus.FORBIDDEN

    @property
    def for_chromium(self) -> list[Any]:
        """Cookies for a browser with an image."""
        return [{"name": name, "value": value, "url": self.base} for name, value in self.cookies.items()]

    @property
    def address(self) -> tuple[str, int]:
        host, port = self.base.removeprefix("http://").split(":")
        return host, int(port)

    def request(self, target: str, *headers: str, method: str = "GET") -> bytes:
        """A request as it goes over the wire."""
        lines = (f"{method} {target} HTTP/1.1", f"Host: {self.base[7:]}", f"Cookie: {self.cookie}", *headers, "", "")
        return "\r\n".join(lines).encode()


@dataclass(frozen=True, slots=True)
class Event:
    """A server-sent event: its name, its id, and the parts that it brings."""

    name: str
    seen: str
    parts: dict[str, str]


def _events(lines: Iterator[str]) -> Iterator[Event]:
    """Parse events, without the signs of life that come when a busy computer is slow."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif "event" in fields:
            if fields["event"] != "alive":
                yield Event(fields["event"], fields.get("id", ""), json.loads(fields["data"] or "{}"))
            fields = {}


def seen_on(page: str) -> str:
    """Return the digests of the parts of a page."""
    found = re.search(r'data-seen="([^"]*)"', page)
    assert found is not None
    return found[1]


class Screen(ABC):
    """The screen of a game, as browsers reach it."""

    port: int
    owner_key: str

    def __init__(self) -> None:
        self._phones: dict[str, Browser] = {}
        self._owner: Browser | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @abstractmethod
    def tell(self, order: str) -> Any:
        """Give the program an order besides what a browser may ask; return its answer."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the program."""

    @property
    def code(self) -> str:
        """Code that phones join by now."""
        return str(self.tell("code"))

    @property
    def here(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def network(self) -> str:
        return f"http://127.0.0.2:{self.port}"

    def stranger(self, *, here: bool = False) -> Browser:
        """Client without a cookie."""
        return Browser(self.here if here else self.network)

    def owner(self) -> Browser:
        """The screen at the table."""
        browser = self.stranger(here=True)
        browser.cookies = dict(browser.get(f"/open?key={self.tell('once')}").cookies)
        assert browser.cookies
        return browser

    @property
    def owner_once(self) -> Browser:
        """Return the screen at the table for tests that only read it; it is opened again if others have replaced it."""
        if self._owner is None or not self._owner.is_known:
            self._owner = self.owner()
        return self._owner

    def phone(self, player: str | None = None) -> Browser:
        """A phone that has joined, and says whose it is."""
        browser = self.stranger()
        browser.cookies = dict(browser.get(f"/join?code={self.code}").cookies)
        assert browser.cookies
        if player is not None:
            assert browser.send("choose-player", player=player).status_code == 204
        return browser

    def phone_of(self, player: str) -> Browser:
        """The phone of a player; it joins when it is first asked for, or has been removed."""
        if player not in self._phones or not self._phones[player].is_known:
            self._phones[player] = self.phone(player)
        return self._phones[player]


class Served(Screen):
    """A real screen in a process of its own."""

    def __init__(self, folder: Path, **wishes: Any) -> None:
        super().__init__()
        given = {"names": NAMES, "limits": {}} | wishes
        command = [sys.executable, str(Path(__file__).parent / "serving.py"), str(folder), json.dumps(given)]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        answer = self._answer()
        self.port, self.owner_key = answer["port"], answer["owner_key"]

    def _answer(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def tell(self, order: str) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()
        return self._answer()

    def kill(self) -> None:
        """Kill the process, as a power cut does."""
        self.process.kill()
        self.process.wait()
        self._close_pipes()

    def terminate(self) -> int:
        """Terminate the process, as at a system shutdown, and return its exit status."""
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        self._close_pipes()
        return self.process.returncode

    def stop(self) -> None:
        """Stop the program by the end of its input, as people do."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def lasting_port() -> int:
    """Return a free port that stays free while no program listens there, for a server that comes back to it.

    The system also gives the ports of its dynamic range, from 32768 on, to other connections and servers:
    one that a killed server leaves may be taken before the server is back.
    """
    for port in sample(LASTING_PORTS, len(LASTING_PORTS)):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)), socket.create_server(("127.0.0.2", port)):
            return port
    raise AssertionError


def reach(address: tuple[str, int]) -> socket.socket:
    """Return a connection from a network address if it goes to a network address."""
    return socket.create_connection(address, PATIENCE_S, source_address=(address[0], 0))


def raw(address: tuple[str, int], content: bytes) -> bytes:
    """Return the server's answer to some bytes, until it hangs up."""
    with reach(address) as connection:
        connection.sendall(content)
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        return answer
