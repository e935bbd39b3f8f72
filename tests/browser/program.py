"""`bunnymoose play` in a process of its own, which tests can kill and start again."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.doubles import PLAYS_CANNED
from tests.unit.web.browsing import lasting_port

CHECKOUT = Path(__file__).parents[2]
EVENING = CHECKOUT / "fixtures" / "evening" / "evening.toml"

_STARTS = (
    "import sys; from bunnymoose_cv.web.server import addresses; "
    "addresses.addresses_of_this_computer = lambda: ('127.0.0.2',); "
    "from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
)
"""Code that makes the second loopback address the local network, from which phones come."""


class Program:
    """The program with its screen, as a context manager.

    Args:
        folder: folder of its data.
        words: arguments of the command line.
        profile: the user's changed limits, as TOML.
        canned: whether the clips of the evening are read without networks.
    """

    def __init__(self, folder: Path, words: Sequence[str], profile: str = "", *, canned: bool = False) -> None:
        self._folder = folder
        self._code = f"{PLAYS_CANNED}\n{_STARTS}" if canned else _STARTS
        self._words = (*words, "--port", str(lasting_port()))
        own = folder / "bunnymoose"
        own.mkdir(parents=True, exist_ok=True)
        (own / "profile.toml").write_text(profile)

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        self._process.kill()
        self._process.communicate()

    def go_on(self) -> None:
        """Resume the killed game, with the same arguments."""
        self._start("--resume")

    def _start(self, *more: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", self._code, *self._words, *more],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(CHECKOUT), "XDG_DATA_HOME": str(self._folder), "BROWSER": "true"},
        )
        self.address = self._next_match(r"http://\S+/open\?key=\S+")
        """Address for the owner's browser."""

    def join_address(self) -> str:
        """Return the address for phones, which is printed once, after the owner's."""
        return self._next_match(r"http://\S+/join\?code=\S+")

    def _next_match(self, pattern: str) -> str:
        """Read the next match from the program's terminal."""
        assert self._process.stderr is not None
        heard = []
        for line in self._process.stderr:
            heard.append(line)
            found = re.search(pattern, line)
            if found is not None:
                return found[0]
        raise AssertionError("".join(heard))


def playing(folder: Path, *more: str, canned: bool = False) -> Program:
    """Return `bunnymoose play` with its data and its games in a folder."""
    words = ("play", "--games", str(folder / "games"), "--silent", *more)
    return Program(folder / "data", words, canned=canned)
