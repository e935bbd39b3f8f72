"""The history: a kept evening, requests for films, and deletion."""

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path
from shutil import copytree
from threading import Event
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from starlette.applications import Starlette

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_export import COLUMNS
from bunnymoose_cv.record.game_folders import StoredGame
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.web.auth.access import Visitor
from bunnymoose_cv.web.auth.permissions import AccessError
from bunnymoose_cv.web.commands.form_command import CommandFormError
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.live_image import LiveImage
from bunnymoose_cv.web.pages.history_pages import LOOK_AGAIN_S, history_basis, history_page
from bunnymoose_cv.web.server.media import media_routes
from bunnymoose_cv.web.urls import game_number
from tests.unit.web.hosts import CHOICES, PATIENCE_S, answer_of, carry_out, guest_of, host_in, owner_of
from tests.unit.web.states import OVER, ROUND, state_after


@pytest.fixture
def host(games: Path, tmp_path: Path) -> Host:
    assert games == tmp_path / "games"
    return host_in(tmp_path, cameras=())


def birthday(host: Host) -> StoredGame:
    return host.games.find("Birthday")


def sent(host: Host, visitor: Visitor, command: str, **form: str) -> object:
    return carry_out(host, visitor, command, form)


def shown(host: Host, game: int | None = None) -> str:
    return unescape("".join(history_page(host, owner_of(host), game).parts.values()))


def test_an_evening_shows_its_rounds_the_newest_first(host: Host) -> None:
    parts = history_page(host, owner_of(host)).parts
    assert "<h1>Birthday</h1>" in parts["heading"]
    changed = [name for name, html in parts.items() if name.startswith("round-") and html]
    assert changed == ["round-2", "round-1"]
    assert "There is no film of this round" in parts["round-2"]
    number = game_number(birthday(host).folder)
    assert f'src="/film/{number}/1.mp4"' in parts["round-1"]
    for kind in ("zip", "csv", "json"):
        assert f'href="/download/{number}.{kind}"' in parts["downloads"]
    assert parts["summary"].count('<th scope="row">') == len(CHOICES.players)
    assert f'href="/history/{number}" aria-current="page"' in parts["older"]


def test_every_round_has_its_part_so_that_a_playing_film_continues(host: Host) -> None:
    parts = history_page(host, owner_of(host)).parts
    places = [name for name in parts if name.startswith("round-")]
    assert len(places) == rules_for().rounds(len(CHOICES.players))
    assert not any(parts[name] for name in places[:-2])


@pytest.mark.parametrize("game", [None, 1])
def test_without_an_evening_deletion_is_not_offered(tmp_path: Path, host: Host, game: int | None) -> None:
    host.games = GameStore(tmp_path / "none")
    parts = history_page(host, owner_of(host), game).parts
    assert "No evening is kept yet" in parts["heading"]
    assert parts["delete"] == parts["loss"] == parts["deleted"] == parts["older"] == ""


def test_an_unreadable_evening_says_so_and_can_be_deleted(host: Host) -> None:
    damaged = birthday(host).folder.parent / "2027-01-01_20-00-00"
    damaged.mkdir()
    (damaged / "game.sqlite").write_bytes(b"coffee")
    (damaged / "order.txt").write_text("2")
    parts = history_page(host, owner_of(host)).parts
    assert "cannot be read" in parts["heading"]
    assert 'role="alert"' in parts["heading"]
    assert "This evening cannot be read." in parts["older"]
    assert "Birthday" in parts["older"]
    assert 'name="game" value="20270101200000"' in parts["deleted"]


@pytest.mark.parametrize(
    ("language", "lost"),
    [(Language.ENGLISH, r"\(\d+\.\d MB\)"), (Language.CZECH, "\\(\\d+,\\d\N{NO-BREAK SPACE}MB\\)")],
)
def test_a_deletion_names_the_loss(host: Host, language: Language, lost: str) -> None:
    host.choose(replace(host.choices, language=language))
    assert re.search(lost, history_page(host, owner_of(host)).parts["loss"])


@pytest.mark.parametrize("is_over", [True, False])
def test_a_deletion_mentions_the_end_of_a_running_game_only(
    host: Host, monkeypatch: pytest.MonkeyPatch, *, is_over: bool
) -> None:
    state = state_after(*(OVER if is_over else ROUND), folder=birthday(host).folder)
    monkeypatch.setattr(host.camera, "session", SimpleNamespace(state=state, texts=host.texts))
    assert ("the game ends, too" in history_page(host, owner_of(host)).parts["loss"]) is not is_over


def test_unlistable_games_are_reported_and_not_downloaded(tmp_path: Path, host: Host) -> None:
    (tmp_path / "file").write_text("in the way")
    host.games, owner = GameStore(tmp_path / "file"), owner_of(host)
    parts = history_page(host, owner).parts
    assert "cannot be listed (Not a directory): name another folder" in parts["heading"]
    assert "No evening is kept yet" not in parts["heading"]
    media = Starlette(routes=media_routes(host, LiveImage(host, Limits())))
    paths = ("/download/1.csv", "/film/1/highlights.mp4")
    assert [answer_of(media, "GET", path, owner).status_code for path in paths] == [404, 404]


@pytest.mark.parametrize(
    ("language", "asked", "delimiter"),
    [
        *((language, "", ";") for language in Language if language is not Language.ENGLISH),
        *((Language.ENGLISH, "", ","), (Language.GERMAN, "?format=comma", ",")),
    ],
)
def test_csv_files_suit_spreadsheets_of_the_language(
    host: Host, language: Language, asked: str, delimiter: str
) -> None:
    host.choose(replace(host.choices, language=language))
    media, owner = Starlette(routes=media_routes(host, LiveImage(host, Limits()))), owner_of(host)
    game = next(iter(host.games))
    number = game_number(game.folder)
    table = answer_of(media, "GET", f"/download/{number}.csv{asked}", owner).content
    assert table.startswith(BOM_UTF8)
    rows = list(csv.reader(StringIO(table.decode("utf-8-sig")), delimiter=delimiter))
    assert tuple(rows[0]) == COLUMNS
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert len(rows) > 3
    everything = answer_of(media, "GET", f"/download/{number}.zip{asked}", owner).content
    with ZipFile(BytesIO(everything)) as archive:
        assert archive.read(f"{game.name}/rounds.csv") == table


def test_the_history_before_the_first_round_says_so(host: Host) -> None:
    with host.games.begin(GameStarted(CHOICES.players, rules_for()), who="Red"):
        parts = history_page(host, owner_of(host)).parts
    assert "No round is over yet" in parts["notice"]
    assert "2 rounds, not played to the end" in parts["older"]


def test_titles_and_names_are_escaped(host: Host) -> None:
    with host.games.begin(GameStarted(("<b>", "Blue & Co", "Green"), rules_for()), title="<script>", who="Red"):
        document = history_page(host, owner_of(host)).document(owner_of(host), host.texts, "/events/history")
    assert "<b>" not in document
    assert "&lt;script&gt;" in document
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", document)


def test_a_requested_film_is_shown_in_progress_and_finished(host: Host) -> None:
    goes_on, number = Event(), game_number(birthday(host).folder)
    before = history_basis(host)
    host.films.begin(birthday(host).folder / "another.mp4", lambda _: goes_on.wait(PATIENCE_S))
    assert history_page(host, owner_of(host)).again_s is None
    sent(host, owner_of(host), "make-highlights", game=str(number))
    assert history_basis(host) != before
    coming = history_page(host, owner_of(host))
    assert coming.again_s == LOOK_AGAIN_S
    assert "Being made: Highlights of the evening" in coming.parts["highlights"]
    assert "/command/make-highlights" not in coming.parts["highlights"]
    there, of_seat = Event(), history_basis(host)
    host.listen(lambda: there.set() if host.films.known(birthday(host).highlights) is None else None)
    goes_on.set()
    assert there.wait(PATIENCE_S)
    assert history_basis(host) != of_seat
    done = history_page(host, owner_of(host))
    assert done.again_s is None
    assert f'<video src="/film/{number}/highlights.mp4"' in done.parts["highlights"]
    assert "Make it again" in done.parts["highlights"]


def test_a_damaged_replay_is_reported_above_the_film_of_the_others(host: Host) -> None:
    kept, there = birthday(host), Event()
    copytree(round_folder(kept.folder, 1).folder, round_folder(kept.folder, 2).folder)
    round_folder(kept.folder, 2).replay.write_bytes(b"")
    host.listen(lambda: there.set() if getattr(host.films.known(kept.highlights), "problem", "") else None)
    sent(host, owner_of(host), "make-highlights", game=str(game_number(kept.folder)))
    assert there.wait(PATIENCE_S)
    part = history_page(host, owner_of(host)).parts["highlights"]
    assert str(round_folder(kept.folder, 2).replay) in part
    assert "/highlights.mp4" in part


NOTHING: Mapping[str, Mapping[str, str]] = {
    "make-highlights": {"game": "1"},
    "delete-evening": {"game": "1"},
    "make-film": {"game": "{game}", "round": "2"},
    "make-seat-film": {"game": "{game}", "round": "1", "seat": "9"},
}
"""Commands, each with a form about a missing object."""


@pytest.mark.parametrize(("command", "form"), NOTHING.items())
def test_missing_rounds_and_films_are_refused_with_a_sentence(
    host: Host, command: str, form: Mapping[str, str]
) -> None:
    number = str(game_number(birthday(host).folder))
    filled = {name: value.format(game=number) for name, value in form.items()}
    with pytest.raises(InputError, match=r"^There is nothing here\.$"):
        sent(host, owner_of(host), command, **filled)
    for crooked in ({}, filled | {"game": ""}, filled | {"game": "../1"}, filled | {"game": "9" * 21}):
        with pytest.raises(CommandFormError):
            sent(host, owner_of(host), command, **crooked)
    assert birthday(host).folder.is_dir()


@pytest.mark.parametrize("command", NOTHING)
def test_a_phone_cannot_request_films_or_delete_evenings(host: Host, command: str) -> None:
    phone = guest_of(host)
    form = {"game": str(game_number(birthday(host).folder)), "round": "1", "seat": "1"}
    with pytest.raises(AccessError):
        sent(host, phone, command, **form)
    assert birthday(host).folder.is_dir()
    assert history_page(host, phone).parts["delete"] == ""


def test_a_deleted_evening_changes_the_basis_of_every_page(host: Host) -> None:
    folder, before = birthday(host).folder, history_basis(host)
    assert f"The evening of {folder.name[:10]}" in shown(host)
    assert sent(host, owner_of(host), "delete-evening", game=str(game_number(folder))) == "/history"
    assert not folder.exists()
    assert history_basis(host) != before
    assert "No evening is kept yet" in shown(host)
