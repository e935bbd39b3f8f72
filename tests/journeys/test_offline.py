"""Judging and speech open no connection and look up no host, so that no image leaves the house."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.doubles import PLAYS_CANNED
from tests.program import CHECKOUT, PROGRAM, environment, run_python

# Every way for Python to reach another computer ends the program; local sockets remain allowed.
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
ROUND = f"""
players = ["Red", "Blue", "Green", "Yellow"]
[[round]]
clip = "{CHECKOUT}/fixtures/evening/round_01.mp4"
cards = "RABBIT*2 TONGUE+2 R.WD-2 REVERSE TONGUE+1 L.?F-2"
bam_s = 1.8
"""


def guarded(folder: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the guard, which also applies to every Python that it starts."""
    (folder / "sitecustomize.py").write_text(GUARD)
    paths = os.pathsep.join([str(folder), str(CHECKOUT)])
    return run_python(code, *arguments, cwd=folder, env=environment() | {"PYTHONPATH": paths})


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
def test_guard_ends_a_program_that_opens_a_connection(tmp_path: Path, code: str) -> None:
    done = guarded(tmp_path, code, "-c", "import socket; socket.getfqdn('192.0.2.1')")
    assert (done.returncode, done.stderr.startswith("reached out")) == (99, True)


@pytest.mark.usefixtures("quick_freeze")
@pytest.mark.parametrize("command", ["judge", "demo", "say", "play"])
def test_command_opens_no_outside_connection(command: str, party_file: Path, tmp_path: Path) -> None:
    (tmp_path / "round.toml").write_text(ROUND)
    arguments = {
        "judge": ["judge", str(party_file), "--json", "--cards", "MOOSE+2", "--speak"],
        "demo": ["demo"],
        "say": ["say", "Moose ahead 3", "--out", "moose.wav"],
        "play": ["play", "--script", "round.toml", "--no-screen", "--json", "--speak", "--games", "games"],
    }[command]
    reads = "" if command == "judge" else PLAYS_CANNED  # the networks are those of `judge`
    done = guarded(tmp_path, reads + PROGRAM, *arguments)
    assert (done.returncode, "reached out" in done.stderr) == (0, False)
