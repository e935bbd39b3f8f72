"""Clients of a real screen: addresses, forms and server-sent events without a rendered page."""

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
PATIENCE_S = 60.0
"""Timeout after which a test fails instead of hanging."""

IS_UP = "document.documentElement?.dataset.stream === 'open'"
"""Script for whether a page is connected to its event stream."""


def waits_for(condition: str, then: str = "null") -> str:
    """Return a script that waits inside a page for a condition; a script polled by Playwright needs `unsafe-eval`.

    Args:
        condition: JavaScript.
        then: script whose result is returned.
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
        """Return the HTML of a page or a fragment."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        assert ".html" in path or "data-stream=" in answer.text
        return answer.text

    @contextmanager
    def events(self, path: str, seen: str = "", **headers: str) -> Iterator[Iterator[Event]]:
        """Yield the events of a page."""
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
        """Cookies for Chromium."""
        return [{"name": name, "value": value, "url": self.base} for name, value in self.cookies.items()]

    @property
    def address(self) -> tuple[str, int]:
        host, port = self.base.removeprefix("http://").split(":")
        return host, int(port)

    def request(self, target: str, *headers: str, method: str = "GET") -> bytes:
        """Return the bytes of a request."""
        lines = (f"{method} {target} HTTP/1.1", f"Host: {self.base[7:]}", f"Cookie: {self.cookie}", *headers, "", "")
        return "\r\n".join(lines).encode()


@dataclass(frozen=True, slots=True)
class Event:
    """Server-sent event: its name, its id, and its parts."""

    name: str
    seen: str
    parts: dict[str, str]


def _events(lines: Iterator[str]) -> Iterator[Event]:
    """Parse events, without keep-alive ones."""
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
    """Screen of a game with its clients."""

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
    def call(self, line: str) -> Any:
        """Call a function of `Serving.call`, which browsers cannot call: its name and arguments."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the program."""

    @property
    def code(self) -> str:
        """Current code for phones."""
        return str(self.call("code"))

    @property
    def here(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def network(self) -> str:
        return f"http://127.0.0.2:{self.port}"

    def stranger(self, *, here: bool = False) -> Browser:
        """Return a client without a cookie."""
        return Browser(self.here if here else self.network)

    def owner(self) -> Browser:
        """Return a new client of the owner."""
        browser = self.stranger(here=True)
        browser.cookies = dict(browser.get(f"/open?key={self.call('once')}").cookies)
        assert browser.cookies
        return browser

    @property
    def owner_once(self) -> Browser:
        """Client of the owner for tests that only read; a new one if the server no longer knows it."""
        if self._owner is None or not self._owner.is_known:
            self._owner = self.owner()
        return self._owner

    def phone(self, player: str | None = None) -> Browser:
        """Return a phone that has joined, and chosen its player if one is given."""
        browser = self.stranger()
        browser.cookies = dict(browser.get(f"/join?code={self.code}").cookies)
        assert browser.cookies
        if player is not None:
            assert browser.send("choose-player", player=player).status_code == 204
        return browser

    def phone_of(self, player: str) -> Browser:
        """Return the phone of a player, which joins at the first call or after it was removed."""
        if player not in self._phones or not self._phones[player].is_known:
            self._phones[player] = self.phone(player)
        return self._phones[player]


class Served(Screen):
    """Real screen in a separate process."""

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__()
        given = {"names": NAMES, "limits": {}} | options
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

    def call(self, line: str) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
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
        """Stop the program by closing its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def lasting_port() -> int:
    """Return a free port below the system's dynamic range, so that a restarted server finds it free again."""
    for port in sample(LASTING_PORTS, len(LASTING_PORTS)):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)), socket.create_server(("127.0.0.2", port)):
            return port
    raise AssertionError


def reach(address: tuple[str, int]) -> socket.socket:
    """Connect to an address, with the same host as the source address."""
    return socket.create_connection(address, PATIENCE_S, source_address=(address[0], 0))


def raw(address: tuple[str, int], content: bytes) -> bytes:
    """Send bytes, and return the server's answer until it closes the connection."""
    with reach(address) as connection:
        connection.sendall(content)
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        return answer
