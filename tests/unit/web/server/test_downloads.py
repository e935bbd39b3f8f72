"""Answers to downloads and refusals with names of any bytes, and the addresses that the server listens at."""

import json
import os
import socket
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.server import addresses, media
from bunnymoose_cv.web.server.addresses import HERE, listen_at
from bunnymoose_cv.web.server.downloads import game_json
from bunnymoose_cv.web.server.refusals import refusal

NAMES = ("=1+1", "@SUM(A1)", 'Ann, "the moose"')


def test_other_programs_get_names_as_they_are() -> None:
    game = fold(
        [
            GameStarted(NAMES, rules_for()),
            BetPlaced(NAMES[1]),
            TableLaid(parse_table("L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1")),
            Bam(),
            PosesJudged({NAMES[1]: Pose.parse("WU CD t"), NAMES[2]: Pose.parse("-- SS")}),
        ]
    )
    told = json.loads(game_json(game))
    assert told["players"] == list(NAMES)
    assert [verdict["player"] for verdict in told["rounds"][0]["verdicts"]] == [NAMES[1], NAMES[2]]
    assert {standing["player"] for standing in told["ranking"]} == set(NAMES)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("2026-11-21_20-05-33.zip", 'attachment; filename="2026-11-21_20-05-33.zip"'),
        ("oslava Žofie.zip", "attachment; filename*=UTF-8''oslava%20%C5%BDofie.zip"),
        ('a"\r\nb.csv', "attachment; filename*=UTF-8''a%22%0D%0Ab.csv"),
        ("b\udcff.zip", "attachment; filename*=UTF-8''b%5Cudcff.zip"),
    ],
)
def test_a_game_is_saved_under_the_name_of_its_folder(name: str, told: str) -> None:
    assert media._attachment(name) == {"content-disposition": told}


def test_what_a_link_points_to_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / "replay.mp4").write_bytes(b"film")
    (tmp_path / "link.mp4").symlink_to(tmp_path / "replay.mp4")
    assert media._film(tmp_path / "replay.mp4").status_code == 200
    assert media._film(tmp_path / "link.mp4").status_code == 404


def test_a_refusal_can_be_sent_whatever_bytes_a_name_has() -> None:
    answer = refusal(InputError("There is no c\udcff.mp4: check the name"), Texts())
    assert (answer.status_code, bytes(answer.body)) == (409, b"There is no c\\udcff.mp4: check the name")


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
