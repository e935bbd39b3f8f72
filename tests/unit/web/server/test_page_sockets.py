"""Messages of no browser through a guest's socket: the socket is closed, and the owner's terminal stays as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed

from tests.unit.web.browsing import NOBODYS, Served

if TYPE_CHECKING:
    from pathlib import Path

DEEP = "[" * 20_000

MESSAGES = (
    "zzz",
    "9",
    "7",
    "b%%%",
    "b4",
    "\x00",
    "\uff10",
    "4z",
    "4",
    "49",
    "42" + DEEP,
    "1" + DEEP,
    "3" + DEEP,
    "45-1[",
    "451-[",
)


def test_no_message_makes_a_traceback(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    served = Served(tmp_path)
    guest = served.phone()
    for message in MESSAGES:
        with guest.socket(NOBODYS) as talk:
            talk.connection.send(message)
            if message[0] not in "1234":
                with pytest.raises(ConnectionClosed):
                    talk.listen_to_the_end()
    assert guest.get("/join").status_code == 200
    served.stop()
    assert "Traceback" not in capfd.readouterr().err
