"""Answers to downloads and refusals with names of any bytes, and the addresses that the server listens at."""

import json
import os
import socket
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.output.game_json import game_download
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.server import addresses, media
from bunnymoose_cv.web.server.addresses import HERE, listen_at
from bunnymoose_cv.web.server.refusals import refusal

NAMES = ("=1+1", "@SUM(A1)", 'Ann, "the moose"')


def test_json_downloads_contain_unescaped_names() -> None:
    game = fold(
        [
            GameStarted(NAMES, rules_for()),
            BetPlaced(NAMES[1]),
            TableLaid(parse_table("L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1")),
            Bam(),
            PosesJudged({NAMES[1]: Pose.parse("WU CD t"), NAMES[2]: Pose.parse("-- SS")}),
        ]
    )
    document = json.loads(game_download(game))
    assert document["players"] == list(NAMES)
    assert [verdict["player"] for verdict in document["rounds"][0]["verdicts"]] == [NAMES[1], NAMES[2]]
    assert {standing["player"] for standing in document["ranking"]} == set(NAMES)


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("2026-11-21_20-05-33.zip", 'attachment; filename="2026-11-21_20-05-33.zip"'),
        ("oslava Žofie.zip", "attachment; filename*=UTF-8''oslava%20%C5%BDofie.zip"),
        ('a"\r\nb.csv', "attachment; filename*=UTF-8''a%22%0D%0Ab.csv"),
        ("b\udcff.zip", "attachment; filename*=UTF-8''b%5Cudcff.zip"),
    ],
)
def test_a_game_is_saved_under_the_name_of_its_folder(name: str, header: str) -> None:
    assert media._attachment(name) == {"content-disposition": header}


def test_targets_of_links_are_not_sent(tmp_path: Path) -> None:
    (tmp_path / "replay.mp4").write_bytes(b"film")
    (tmp_path / "link.mp4").symlink_to(tmp_path / "replay.mp4")
    assert media._file(tmp_path / "replay.mp4").status_code == 200
    with pytest.raises(media._NothingError):
        media._file(tmp_path / "link.mp4")


def test_refusals_can_contain_names_with_any_bytes() -> None:
    answer = refusal(InputError("There is no c\udcff.mp4: check the name"), Texts())
    assert (answer.status_code, bytes(answer.body)) == (409, b"There is no c\\udcff.mp4: check the name")


NETWORK = "127.0.0.2"


def test_a_port_taken_at_one_address_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    with ExitStack() as stack:
        taken = stack.enter_context(socket.create_server((NETWORK, 0))).getsockname()[1]
        first_offers = [taken, taken]
        listen = addresses._listen

        def offered_taken_ones_first(address: str, port: int) -> socket.socket:
            return listen(address, first_offers.pop() if first_offers and not port else port)

        monkeypatch.setattr(addresses, "_listen", offered_taken_ones_first)
        listening = [stack.enter_context(closing(opened)) for opened in listen_at((HERE, NETWORK), 0)]
        assert not first_offers
        assert [listener.getsockname()[0] for listener in listening] == [HERE, NETWORK]
        assert len({listener.getsockname()[1] for listener in listening} - {taken}) == 1


def test_a_requested_port_is_never_replaced() -> None:
    """The port is below the system's dynamic range, so that parallel tests never get it."""
    port = 20_000 + os.getpid() % 10_000
    with socket.create_server((NETWORK, port)):
        with pytest.raises(InputError, match=rf"on port {port} \(another program listens there\)"):
            listen_at((HERE, NETWORK), port)
        socket.create_server((HERE, port)).close()
