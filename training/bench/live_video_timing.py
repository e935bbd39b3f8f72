"""Latency of a round at a real table screen, with and without pages that show the live video.

The pages are shown by headless Chromiums. Without Chromium they are plain clients that only load the image.
"""

from __future__ import annotations

import math
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.session.game_setup import GameSetup, GameSetupFile
from bunnymoose_cv.session.services import open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.source_choice import OfferedSources
from bunnymoose_cv.session.sources.video_source import LiveVideoSource
from bunnymoose_cv.session.table_factory import TableFactory
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.server.addresses import HERE
from bunnymoose_cv.web.server.table_server import TableServer
from training.bench.demo_clip import CARDS, CUE_S, DEMO_S, PLAYERS, full_hd_clip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

LEADS: Final = 3
"""Number of warm-up showings of the clip before the judged one, while the pages open."""

QUIET_S: Final = 3.0
"""Time in seconds before the Bam in which all pages show the live video."""

PATIENCE_S: Final = 60.0
"""Timeout of the first spoken word, seconds."""

PIECE_BYTES: Final = 65_536

_CHROMIUMS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def time_with_pages(rounds: int, pages: int, say: Callable[[str], None]) -> dict[str, float]:
    """Return medians from the cue to the first word, in seconds, and the growth in per cent.

    Args:
        rounds: number of rounds with pages, and of rounds without.
        pages: number of pages.
        say: callback for progress messages about the pages and the figures of each round.

    Raises:
        InputError: the pages take too long to open.
    """
    browser = next((found for name in _CHROMIUMS if (found := shutil.which(name))), None)
    if browser is None:
        say("No Chromium is installed: the pages are plain clients that only load the live image.")
    else:
        say(f"The pages are those of headless browsers on this computer, {browser}.")
    with _table() as table:
        open_page = partial(_client, table) if browser is None else partial(_browser, browser, table)
        table.play_round(open_page, 0)  # warm-up
        times: list[tuple[float, float]] = []
        for number in range(1, rounds + 1):
            times.append((table.play_round(open_page, 0), table.play_round(open_page, pages)))
            say("Round {}: {:.2f} s, with pages {:.2f} s".format(number, *times[-1]))
    alone_s, watched_s = (statistics.median(column) for column in zip(*times, strict=True))
    return {
        "no page open, s": alone_s,
        f"{pages} open, s": watched_s,
        "growth, %": 100 * (watched_s / alone_s - 1),
    }


class _Opening(TableFactory):
    """Factory whose sessions are made by a function."""

    def __init__(
        self, games: GameStore, folder: Path, opens: Callable[[GameSetup], AbstractContextManager[Session]]
    ) -> None:
        super().__init__(games, OfferedSources(), GameSetupFile(folder / "choices.json"), print)
        self._opens = opens

    def game(self, setup: GameSetup) -> AbstractContextManager[Session]:
        """Open a session for a set-up."""
        return self._opens(setup)


class _Table:
    """A screen on which rounds are played from the demo clip, each in its own game.

    Args:
        folder: folder for everything that is kept during the benchmark.
        clip: repetitions of the demo clip, of which the last is judged.
        reader: the models.
    """

    def __init__(self, folder: Path, clip: Path, reader: Reader) -> None:
        self._games, self._clip = GameStore(folder / "games"), clip
        self._reader = reader
        self._heard: SimpleQueue[float] = SimpleQueue()
        self._settings = load_settings()
        self._watcher = self._new_watcher()
        self._session: Session | None = None  # separate, since the host's own session is only for visitors
        self._lead_s = LEADS * DEMO_S
        self._access = Access.of_the_evening(AccessFile(folder / "access.json"), resume=False)
        choices = GameSetup(PLAYERS, rules_for(), speaks=False)
        self._host = Host(self._games, self._access, choices, _Opening(self._games, folder, self._open))
        self.screen = TableServer(self._host, (HERE,), 0, Limits())

    @property
    def base(self) -> str:
        """Address of the screen."""
        return self._host.addresses[0]

    @property
    def way_in(self) -> str:
        """Address for the owner's browser."""
        return f"{self.base}/open?key={self._access.owner_key}"

    def play_round(self, open_page: Callable[[], AbstractContextManager[None]], pages: int) -> float:
        """Play a round while some pages are open, and return the seconds from the cue to the first word.

        Raises:
            InputError: the pages take too long to open.
        """
        self._host.begin(self._host.choices)
        session = self._session
        if session is None:
            raise AssertionError("the game has begun")
        cue_s = self._watcher.frames(0, math.inf)[0].time_s + self._lead_s + CUE_S
        with ExitStack() as stack:
            stack.callback(self._host.end)
            for _ in range(pages):
                stack.enter_context(open_page())
            session.bet("Bo", "bench").result()
            session.submit_cards(parse_table(CARDS), "bench").result()
            time.sleep(max(0.0, cue_s - QUIET_S - time.monotonic()))
            self._check(pages)
            time.sleep(max(0.0, cue_s - time.monotonic()))
            judged = session.bam(Maker.SCRIPT, "bench", cue_s)
            heard_s = self._first_word_s()
            judged.result()
        return heard_s - cue_s

    def _first_word_s(self) -> float:
        try:
            return self._heard.get(timeout=PATIENCE_S)
        except Empty as nothing:
            raise InputError("Nothing was said: try “bunnymoose say Bam”, and let nothing else run.") from nothing

    def _check(self, pages: int) -> None:
        showing = len(self.screen.live.places)
        if showing != pages:
            raise InputError(f"{showing} of {pages} pages show live video by now: let nothing else run, and try again.")

    def _new_watcher(self) -> Watcher:
        return Watcher(str(self._clip), View(), self._settings.camera)

    @contextmanager
    def _open(self, choices: GameSetup) -> Iterator[Session]:
        self._watcher = self._new_watcher()
        with (
            open_game(self._games, choices.started(), source="bench") as file,
            open_services(file, self._reader, replace(choices, speaks=True), lambda _: None) as services,
            Session(services, LiveVideoSource(self._watcher), asks=False) as session,
        ):
            heard = self._heard = SimpleQueue()  # late words of the last game do not count
            if services.speaker is not None:
                services.speaker.listen(lambda _: heard.put(time.monotonic()))
            self._session = session
            yield session


@contextmanager
def _table() -> Iterator[_Table]:
    """Serve the screen."""
    with tempfile.TemporaryDirectory() as folder, Reader(load_settings()) as reader:
        table = _Table(Path(folder), full_hd_clip(Path(folder), (LEADS + 1) * DEMO_S), reader)
        with ActorThread("screen") as server:
            served = server.submit(partial(table.screen.run, open_browser=False, notify=lambda _: None))
            try:
                yield table
            finally:
                table.screen.stop()
                served.result()


@contextmanager
def _browser(program: str, table: _Table) -> Iterator[None]:
    """Open the table page in a headless browser."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1920,1080")
        running = subprocess.Popen(  # noqa: S603 - the browser that was found
            # Without a debugging port, a headless browser ends as soon as the page is loaded.
            [program, *words, "--remote-debugging-port=0", f"--user-data-dir={profile}", table.way_in],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            running.terminate()
            running.wait()


@contextmanager
def _client(table: _Table) -> Iterator[None]:
    """Simulate a client that only loads the live image."""
    connection = HTTPConnection(HERE, table.screen.port)
    connection.request("GET", table.way_in.removeprefix(table.base))
    with connection.getresponse() as let_in:
        cookie = let_in.headers["set-cookie"].partition(";")[0]
        let_in.read()
    connection.request("GET", "/live.mjpeg", headers={"Cookie": cookie})
    image = connection.getresponse()

    def watch() -> None:
        with suppress(OSError, HTTPException):  # the live image is endless
            while image.read1(PIECE_BYTES):
                pass

    with ActorThread("watching") as watcher:
        watcher.submit(watch)
        try:
            yield
        finally:
            connection.sock.shutdown(socket.SHUT_RDWR)
            watcher.finish()
            connection.close()
