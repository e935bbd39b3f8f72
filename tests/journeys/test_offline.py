"""No image leaves the house: what judges and speaks opens no connection, and asks for no host's address."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

# Every way of Python to reach another computer ends the program; the computer's own sockets stay.
GUARD = """
import os, socket

def forbidden(*arguments, **_):
    os.write(2, f"reached out: {arguments}".encode())
    os._exit(99)

def only_here(call):
    return lambda self, *arguments: (call if self.family == socket.AF_UNIX else forbidden)(self, *arguments)

class Guarded(socket.socket):
    connect = only_here(socket.socket.connect)
    connect_ex = only_here(socket.socket.connect_ex)
    sendto = only_here(socket.socket.sendto)

socket.socket = Guarded
for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "create_connection"):
    setattr(socket, name, forbidden)
"""
PROGRAM = "import sys; from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
CHECKOUT = Path(__file__).parents[2]
EVENING = CHECKOUT / "fixtures" / "evening"


def guarded(folder: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python so that it, and every Python that it starts, is guarded."""
    (folder / "sitecustomize.py").write_text(GUARD)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(CHECKOUT)])}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('192.0.2.1', 80))",
        "import socket; socket.socket().connect(('192.0.2.1', 80))",
        "import socket; socket.getaddrinfo('bunnymoose.example', 80)",
        "import sys, subprocess; sys.exit(subprocess.call([sys.executable, '-P', *sys.argv[1:]]))",
    ],
    ids=["a connection", "a socket", "a host's address", "another process"],
)
def test_the_guard_ends_a_program_that_reaches_out(tmp_path: Path, code: str) -> None:
    done = guarded(tmp_path, code, "-c", "import socket; socket.getfqdn('192.0.2.1')")
    assert (done.returncode, done.stderr.startswith("reached out")) == (99, True)


@pytest.fixture
def one_round(tmp_path: Path) -> Path:
    """A script of the first round of the rendered evening."""
    whole = tomllib.loads((EVENING / "evening.toml").read_text())
    first = whole["round"][0]
    script = tmp_path / "round.toml"
    script.write_text(
        f"edition = '{whole['edition']}'\nplayers = {json.dumps(whole['players'])}\n"
        f"[[round]]\nclip = '{EVENING / first['clip']}'\ncards = '{first['cards']}'\nbam_s = {first['bam_s']}\n"
    )
    return script


@pytest.mark.usefixtures("quick_freeze")
@pytest.mark.parametrize("command", ["judge", "demo", "say", "play"])
def test_no_connection_leaves_this_computer(command: str, party_file: Path, one_round: Path, tmp_path: Path) -> None:
    arguments = {
        "judge": ["judge", str(party_file), "--json", "--cards", "MOOSE+2", "--speak"],
        "demo": ["demo"],
        "say": ["say", "Moose ahead 3", "--out", "moose.wav"],
        "play": ["play", "--script", str(one_round), "--no-screen", "--json", "--speak", "--games", "games"],
    }[command]
    done = guarded(tmp_path, PROGRAM, *arguments)
    assert (done.returncode, "reached out" in done.stderr) == (0, False)
