"""Screen in this process, called through ASGI, for tests that need no sockets.

Tests of unfinished requests, connections, streams and restarts use `Served`.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from tests.unit.web.browsing import NAMES, PATIENCE_S, Browser, Screen
from tests.unit.web.serving import Serving

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class AsgiBrowser(Browser):
    """Client whose requests reach the application without a socket."""

    screen: InProcess | None = None

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        assert self.screen is not None
        return self.screen.runner.run(self._ask(method, path, more))

    async def _ask(self, method: str, path: str, more: dict[str, Any]) -> httpx.Response:
        assert self.screen is not None
        transport = httpx.ASGITransport(self.screen.app, client=(self.address[0], 50_000))
        async with httpx.AsyncClient(
            base_url=self.base, cookies=self.cookies, timeout=PATIENCE_S, transport=transport
        ) as client:
            return await client.request(method, path, **more)


class InProcess(Screen):
    """Screen of a game without a socket."""

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__()
        self._serving = Serving(folder, json.loads(json.dumps({"names": NAMES, "limits": {}} | options)))
        self._serving.host.begin(self._serving.host.choices)
        self.runner = asyncio.Runner()
        self.app: Any = self._serving.screen._server.config.app
        self.port, self.owner_key = self._serving.screen.port, self._serving.host.access.owner_key

    def stranger(self, *, here: bool = False) -> Browser:
        return AsgiBrowser(self.here if here else self.network, screen=self)

    def call(self, line: str) -> Any:
        return json.loads(json.dumps(self._serving.call(*line.split())))

    def stop(self) -> None:
        self._serving.host.end()
        self.runner.close()
        for listening in self._serving.screen._sockets:
            listening.close()
