"""Films on phones: permissions by page and address, requests for films, and current captions."""

import re
from html import unescape
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_folders import StoredGame
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.record.short_films import write_highlights, write_seat_film
from bunnymoose_cv.rules.events import PoseCorrected
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.auth.access import Visitor
from bunnymoose_cv.web.auth.permissions import AccessError
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.live_image import LiveImage
from bunnymoose_cv.web.pages.history_pages import films_basis, films_page
from bunnymoose_cv.web.server.media import media_routes
from bunnymoose_cv.web.urls import game_number
from tests.unit.web.hosts import PATIENCE_S, answer_of, carry_out, guest_of, host_in, owner_of, phone_of
from tests.unit.web.states import state_of


@pytest.fixture
def host(games: Path, tmp_path: Path) -> Host:
    """Return a host that plays the evening of two rounds, in whose first Blue and Green were seen."""
    host = host_in(games.parent, cameras=())
    assert games == tmp_path / "games"
    follow(host)
    return host


def follow(host: Host) -> None:
    """Give the host the state of the game in its file."""
    with GameFile.open(evening(host).folder) as file:
        session: Any = SimpleNamespace(state=state_of(file, CameraState.WATCHING), texts=Texts())
    host.camera.session = session


def evening(host: Host) -> StoredGame:
    return host.games.find("Birthday")


def correct(host: Host) -> None:
    with GameFile.open(evening(host).folder) as file:
        file.append(PoseCorrected(1, "Green", Pose(None, None)), "the hand was off the head", "Anna")
    follow(host)


def media(host: Host) -> Starlette:
    return Starlette(routes=media_routes(host, LiveImage(host, Limits())))


def make_films(host: Host) -> None:
    folder = evening(host).folder
    with GameFile.open(folder) as file:
        for verdict in file.game.rounds[0].verdicts:
            write_seat_film(round_folder(folder, 1), verdict.seat, verdict)
        write_highlights(file, evening(host).highlights, [])


def text(host: Host, visitor: Visitor) -> str:
    return unescape("".join(films_page(host, visitor).parts.values()))


def test_films_of_others_need_their_consent(host: Host) -> None:
    make_films(host)
    app, number = media(host), game_number(evening(host).folder)
    blue, green, guest = phone_of(host, "Blue"), phone_of(host, "Green"), guest_of(host)

    def given(visitor: Visitor) -> list[int]:
        """Return the answers to both near films, by address."""
        return [answer_of(app, "GET", f"/film/{number}/1/{seat}.mp4", visitor).status_code for seat in (1, 2)]

    assert (given(blue), given(green), given(guest)) == ([200, 404], [404, 200], [404, 404])
    assert given(owner_of(host)) == [200, 200]
    carry_out(host, green, "share-close-ups", {"shares": "yes"})
    assert (given(blue), given(green), given(guest)) == ([200, 200], [404, 200], [404, 404])
    carry_out(host, green, "share-close-ups", {"shares": "no"})
    assert given(blue) == [200, 404]
    for evenings in (f"/film/{number}/1.mp4", f"/film/{number}/highlights.mp4", f"/film/{number}/1.vtt"):
        assert [answer_of(app, "GET", evenings, visitor).status_code for visitor in (blue, guest)] == [200, 200]
    host.camera.session = None
    assert given(blue) == [404, 404], "phones see the game that is played alone"


def test_the_page_offers_what_a_phone_may_see(host: Host) -> None:
    make_films(host)
    number = game_number(evening(host).folder)
    blue, green, guest = phone_of(host, "Blue"), phone_of(host, "Green"), guest_of(host)
    own, others = f"/film/{number}/1/1.mp4", f"/film/{number}/1/2.mp4"
    parts = films_page(host, blue).parts
    assert f'<video src="{own}"' in parts["own"]
    assert f'href="{own}" download="Film of Blue in round 1.mp4"' in parts["own"]
    assert f'data-gives="{own}" data-name="Film of Blue in round 1.mp4"' in parts["own"]
    assert others not in text(host, blue)
    assert "Your phone and the screen at the table." in parts["sharing"]
    assert f"/film/{number}/highlights.mp4" in parts["evening"]
    assert f"/film/{number}/1.mp4" in parts["evening"]
    before = films_basis(host)
    carry_out(host, green, "share-close-ups", {"shares": "yes"})
    assert films_basis(host) != before, "the other pages are updated"
    assert f'<video src="{others}"' in films_page(host, blue).parts["others"]
    guests = films_page(host, guest).parts
    assert guests["own"] == guests["others"] == guests["sharing"] == ""
    assert f"/film/{number}/highlights.mp4" in guests["evening"]


def test_an_owner_and_a_phone_without_a_game_see_an_empty_page(host: Host) -> None:
    blue = phone_of(host, "Blue")
    host.camera.session = None
    assert "No round is over yet" in text(host, blue)
    assert "/film/" not in text(host, blue) + text(host, owner_of(host))


def test_a_phone_can_request_films_of_its_own_player_only(host: Host) -> None:
    blue, green, there = phone_of(host, "Blue"), phone_of(host, "Green"), Event()
    path = round_folder(evening(host).folder, 1).seat_film(1)
    host.listen(lambda: there.set() if path.exists() and host.films.known(path) is None else None)
    assert "Make my films" in films_page(host, blue).parts["own"]
    with pytest.raises(AccessError):
        carry_out(host, green, "make-close-ups", {"player": "Blue"})
    carry_out(host, blue, "make-close-ups", {"player": "Blue"})
    assert there.wait(PATIENCE_S)
    assert "Make my films" not in films_page(host, blue).parts["own"]
    assert not round_folder(evening(host).folder, 1).seat_film(2).exists()
    with pytest.raises(InputError, match=r"^There is nothing here\.$"):
        carry_out(host, phone_of(host, "Red"), "make-close-ups", {"player": "Red"})


@pytest.mark.parametrize(("is_phone", "way"), [(True, None), (False, "/history")])
def test_every_visitor_can_request_the_film_of_the_evening(host: Host, way: str | None, *, is_phone: bool) -> None:
    there, path = Event(), evening(host).highlights
    host.listen(lambda: there.set() if path.exists() and host.films.known(path) is None else None)
    visitor = guest_of(host) if is_phone else owner_of(host)
    assert carry_out(host, visitor, "make-evening-film", {}) == way
    assert there.wait(PATIENCE_S)
    written = path.stat().st_mtime_ns
    carry_out(host, visitor, "make-evening-film", {})
    assert (host.films.known(path), path.stat().st_mtime_ns) == (None, written), "it is there already"
    host.camera.session = None
    with pytest.raises(InputError, match=r"^There is nothing here\.$"):
        carry_out(host, visitor, "make-evening-film", {})


def test_after_a_correction_films_are_offered_again_with_current_captions(host: Host) -> None:
    make_films(host)
    green, number = phone_of(host, "Green"), game_number(evening(host).folder)
    captions = f"/film/{number}/1.vtt"
    first = answer_of(media(host), "GET", captions, green).text
    assert "Green: moose back" in first
    correct(host)
    corrected = answer_of(media(host), "GET", captions, green).text
    assert "Green: moose back" not in corrected
    assert re.search(r"Green.*bush", corrected)
    parts = films_page(host, green).parts
    assert "<video" not in parts["own"]
    assert "Make my films" in parts["own"]
    assert "highlights.mp4" not in parts["evening"]


def test_the_poster_of_a_film_shows_no_reading(host: Host) -> None:
    folder, number = round_folder(evening(host).folder, 1), game_number(evening(host).folder)
    poster = answer_of(media(host), "GET", f"/film/{number}/1.jpg", guest_of(host))
    assert poster.content == folder.frame(1).read_bytes() != folder.still.read_bytes()


def test_films_are_deleted_with_their_evening(host: Host) -> None:
    make_films(host)
    folder, number, owner = evening(host).folder, game_number(evening(host).folder), owner_of(host)
    host.camera.session = None
    carry_out(host, owner, "delete-evening", {"game": str(number)})
    assert not folder.exists()
    app = media(host)
    for path in ("1/1.mp4", "1.mp4", "highlights.mp4"):
        assert answer_of(app, "GET", f"/film/{number}/{path}", owner).status_code == 404
