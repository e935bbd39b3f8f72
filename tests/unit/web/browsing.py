"""Browsers without a picture: what tests come with to a real screen, by its addresses, forms, events and its socket."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from collections.abc import Iterator

NICEGUI_PAGE = "/practice"
"""A page of the owner that NiceGUI still makes."""

NOBODYS = "nobodys"
"""Name of a NiceGUI page that there is not: phones have no page of NiceGUI any more, and a socket asks for one."""

NAMES = ("Red", "Blue", "Green", "Yellow")
PATIENCE_S = 30.0
"""Timeout after which a test fails instead of hanging."""

IS_UP = "(window.did_handshake === true || document.documentElement?.dataset.stream === 'open')"
"""Script: a page talks to its server, by NiceGUI's socket or by a stream of events."""


def waits_for(condition: str, then: str = "null") -> str:
    """Script that waits inside a page until something holds: one that Playwright polls needs `unsafe-eval`.

    Args:
        condition: JavaScript.
        then: what the script gives, likewise.
    """
    return f"""async () => {{
        for (let tries = 0; tries < {5 * PATIENCE_S}; tries++) {{
            if ({condition}) return {then};
            await new Promise((done) => setTimeout(done, 200));
        }}
        throw Error('in vain');
    }}"""


TALKS = waits_for(IS_UP)

HAS_STREAM = "document.body?.dataset.stream !== undefined"
"""Script: a page is of our own HTML."""


@dataclass
class Browser:
    """Client with a cookie, or without one."""

    base: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        transport = httpx.HTTPTransport(
            verify=False,
            local_address=self.address[0],
        )
        with httpx.Client(
            base_url=self.base, cookies=self.cookies, timeout=PATIENCE_S, trust_env=False, transport=transport
        ) as client:
            return client.request(method, path, **more)

    def page(self, path: str) -> Page:
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return Page(answer.text)

    def send(self, command: str, **form: str) -> httpx.Response:
        """Send a form as a page's script does."""
        return self.ask("POST", f"/command/{command}", data={"by": "key"} | form, headers={"Origin": self.base})

    def html(self, path: str) -> str:
        """Text of a page of our own HTML, or of a fragment of one."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        assert ".html" in path or "data-stream=" in answer.text
        return answer.text

    @contextmanager
    def events(self, path: str, seen: str = "", **headers: str) -> Iterator[Iterator[Event]]:
        """Events of a page, as they come."""
        transport = httpx.HTTPTransport(local_address=self.address[0])
        with (
            httpx.Client(
                base_url=self.base, cookies=self.cookies, timeout=PATIENCE_S, trust_env=False, transport=transport
            ) as client,
            client.stream("GET", f"/events{path}", params={"seen": seen}, headers=headers) as answer,
        ):
            assert answer.status_code == 200, answer.status_code
            yield _events(answer.iter_lines())

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    @property
    def address(self) -> tuple[str, int]:
        host, port = self.base.removeprefix("http://").split(":")
        return host, int(port)

    def request(self, target: str, *headers: str, method: str = "GET") -> bytes:
        """A request as it goes over the wire."""
        lines = (f"{method} {target} HTTP/1.1", f"Host: {self.base[7:]}", f"Cookie: {self.cookie}", *headers, "", "")
        return "\r\n".join(lines).encode()

    @contextmanager
    def socket(self, client_id: str, **headers: str) -> Iterator[Socket]:
        """NiceGUI's socket of a page."""
        query = f"client_id={client_id}&next_message_id=0&implicit_handshake=true&document_id=d&tab_id=t&old_tab_id="
        address = f"{self.base.replace('http', 'ws')}/_nicegui_ws/socket.io/?{query}&EIO=4&transport=websocket"
        given = {"Cookie": self.cookie, "Origin": self.base} | headers
        source = (self.address[0], 0)
        with connect(
            address, additional_headers=given, compression=None, proxy=None, source_address=source
        ) as connection:
            yield Socket(connection)


@dataclass(frozen=True, slots=True)
class Event:
    """A server-sent event: its name, its id, and the parts that it brings."""

    name: str
    seen: str
    parts: dict[str, str]


def _events(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif "event" in fields:
            yield Event(fields["event"], fields.get("id", ""), json.loads(fields["data"] or "{}"))
            fields = {}


def seen_on(page: str) -> str:
    """Digests of what stands on a page of our own HTML."""
    found = re.search(r'data-seen="([^"]*)"', page)
    assert found is not None
    return found[1]


class Page:
    """A page of NiceGUI as it came."""

    def __init__(self, text: str) -> None:
        self.text = text
        raw = re.search(r"parseElements\(String\.raw`(.*?)`\)", text, re.DOTALL)
        assert raw is not None
        self.elements: dict[str, dict[str, Any]] = json.loads(unescape(raw[1]))
        client = re.search(r'"client_id":\s*"([^"]+)"', unescape(text)) or re.search(r"client_id': '([^']+)'", text)
        assert client is not None
        self.client_id = client[1]

    def listeners(self, text: str | None = None) -> list[tuple[int, str]]:
        """Listeners of all that can be pressed, typed and chosen, as a program would; or only of what is called so."""
        return [
            (int(number), event["listener_id"])
            for number, element in self.elements.items()
            for event in element.get("events", ())
            if text is None or text in json.dumps([element.get("text"), element.get("props")])
        ]


class Socket:
    """A page's socket, in the words of Socket.IO.

    Attributes:
        patience_ms: so long the server waits for a page's sign of life before it gives it up.
        welcome: what it says first.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        opening = str(self.receive())
        assert opening.startswith("0")
        self.patience_ms: int = json.loads(opening[1:])["pingTimeout"]
        connection.send("40")
        self.welcome = str(self.receive())

    def receive(self) -> str | bytes:
        return self.connection.recv(timeout=PATIENCE_S)

    def send(self, name: str, message: object, number: int | None = None) -> None:
        self.connection.send(f"42{'' if number is None else number}{json.dumps([name, message])}")

    def press(self, page: Page, listener: tuple[int, str], *args: object, client_id: str | None = None) -> None:
        element, listener_id = listener
        given = [json.dumps(arg) for arg in args]
        about = {"id": element, "client_id": client_id or page.client_id, "listener_id": listener_id, "args": given}
        self.send("event", about)

    def listen_to_the_end(self) -> None:
        """Listen until the server hangs up.

        Raises:
            ConnectionClosed: when it does.
        """
        while True:
            self.receive()

    def settle(self) -> None:
        """Wait until the server has taken everything that was sent before."""
        self.send("handshake", {}, 7)
        while not str(self.receive()).startswith("437"):
            pass


class Served:
    """A real screen in a process of its own."""

    def __init__(self, folder: Path, **wishes: Any) -> None:
        given = {"names": NAMES, "limits": {}} | wishes
        command = [sys.executable, str(Path(__file__).parent / "serving.py"), str(folder), json.dumps(given)]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self._phones: dict[str, Browser] = {}
        self._owner: Browser | None = None
        told = self._answer()
        self.port, self.code, self.owner_key = told["port"], told["code"], told["owner_key"]

    def _answer(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def tell(self, order: str) -> Any:
        """Tell the process itself something."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()
        return self._answer()

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
        """The screen at the table, for whoever only looks; opened once more where others have pushed it out."""
        if self._owner is None or self._owner.get("/known").status_code == HTTPStatus.FORBIDDEN:
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
        """The phone of a player; it joins when it is first asked for."""
        if player not in self._phones:
            self._phones[player] = self.phone(player)
        return self._phones[player]

    def kill(self) -> None:
        """Kill the process, as a power cut does."""
        self.process.kill()
        self.process.wait()
        self._close_pipes()

    def terminate(self) -> int:
        """Terminate the process, as a system does that shuts down, and tell how it ended."""
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


def reach(address: tuple[str, int]) -> socket.socket:
    """A connection that comes from the network where it goes to the network."""
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
