"""`bunnymoose play` in a process of its own, as people start it, kill it, and start it again."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.doubles import PLAYS_CANNED

CHECKOUT = Path(__file__).parents[2]
EVENING = CHECKOUT / "fixtures" / "evening" / "evening.toml"

_STARTS = (
    "import sys; from bunnymoose_cv.web.server import addresses; "
    "addresses.addresses_of_this_computer = lambda: ('127.0.0.2',); "
    "from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
)
"""The local network is this computer too: phones come in at its second address, where nobody sits at the table."""


class Program:
    """The program with its screen, from `with` to its end; its data lies in a folder of its own.

    Args:
        folder: of its data.
        words: of the command line.
        profile: the limits that the user has changed.
        canned: whether the clips of the evening are read without networks.
    """

    def __init__(self, folder: Path, words: Sequence[str], profile: str = "", *, canned: bool = False) -> None:
        self._folder = folder
        self._code = f"{PLAYS_CANNED}\n{_STARTS}" if canned else _STARTS
        self._words = (*words, "--port", str(_free_port()))
        own = folder / "bunnymoose"
        own.mkdir(parents=True, exist_ok=True)
        (own / "profile.toml").write_text(profile)

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill the process, as a power cut does."""
        self._process.kill()
        self._process.communicate()

    def go_on(self) -> None:
        """Start again where it was killed, with the same words."""
        self._start("--resume")

    def _start(self, *more: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", self._code, *self._words, *more],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(CHECKOUT), "XDG_DATA_HOME": str(self._folder), "BROWSER": "true"},
        )
        self.address = self._told(r"http://\S+/open\?key=\S+")
        """Address for the owner's browser."""

    def join_address(self) -> str:
        """Address for phones; told once, after the owner's address."""
        return self._told(r"http://\S+/join\?code=\S+")

    def _told(self, pattern: str) -> str:
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


def _free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        port: int = asking.getsockname()[1]
    return port
