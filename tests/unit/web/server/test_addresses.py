"""Addresses of the server: those of one port, whatever other programs hold."""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack, closing

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.web.server import addresses
from bunnymoose_cv.web.server.addresses import HERE, listen_at

NETWORK = "127.0.0.2"


def test_a_free_port_that_another_program_holds_at_one_address_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with ExitStack() as stack:
        taken = stack.enter_context(socket.create_server((NETWORK, 0))).getsockname()[1]
        first_offers = [taken, taken]
        listen = addresses._listen

        def offered_taken_ones_first(address: str, port: int) -> socket.socket:
            return listen(address, first_offers.pop() if first_offers and not port else port)

        monkeypatch.setattr(addresses, "_listen", offered_taken_ones_first)
        listening = [stack.enter_context(closing(each)) for each in listen_at((HERE, NETWORK), 0)]
        assert not first_offers
        assert [each.getsockname()[0] for each in listening] == [HERE, NETWORK]
        assert len({each.getsockname()[1] for each in listening} - {taken}) == 1


def test_a_port_that_was_asked_for_is_that_or_none() -> None:
    """The port lies below those that the system gives to programs that name none: no test beside this one gets it."""
    port = 20_000 + os.getpid() % 10_000
    with socket.create_server((NETWORK, port)):
        with pytest.raises(InputError, match=rf"on port {port} \(another program listens there\)"):
            listen_at((HERE, NETWORK), port)
        socket.create_server((HERE, port)).close()
