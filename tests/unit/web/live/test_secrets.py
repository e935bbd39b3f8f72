"""Secrets in the address of a camera, which the program never writes, shows or passes on."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote
from zipfile import ZipFile

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.cli.play import play_screen
from bunnymoose_cv.cli.play.play_options import GameOptions
from bunnymoose_cv.core.log import evening_log
from bunnymoose_cv.record.game_export import export_game
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session.game_setup import GameSetupFile
from bunnymoose_cv.session.source_choice import OfferedSources
from bunnymoose_cv.session.table_factory import TableFactory
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.pages import setup_page, table_page
from tests.media import MjpegCamera
from tests.program import PROGRAM, Program, environment, run_python
from tests.unit.web.hosts import CHOICES, access_in, change_waiter, owner_of

SECRETS = (
    ("http://anna:{}@HOST/video", "x[1]y/Zq?#@%"),
    ("http://{}@HOST/video", "T0ken/of anna"),
    ("http://HOST/user=anna_password={}_channel=1", "geheim@Wort"),
    ("http://HOST/x;user=a;pwd={}", "schlüssel&16"),
    ("http://HOST/video?w=640&access_token={}", "a#b/c?d=e"),
)


@pytest.fixture
def camera() -> Iterator[MjpegCamera]:
    camera = MjpegCamera()
    yield camera
    camera.stop()


def forms_of(secret: str) -> tuple[bytes, ...]:
    return secret.encode(), quote(secret).encode(), quote(secret, safe="").encode()


@pytest.mark.parametrize(("address", "secret"), SECRETS, ids=range(len(SECRETS)))
def test_an_evening_never_reveals_the_password_of_its_camera(  # noqa: PLR0913, PLR0917 - fixtures
    address: str,
    secret: str,
    camera: MjpegCamera,
    canned_reader: Reader,
    tmp_path: Path,
    data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    where = address.format(secret).replace("HOST", camera.address.split("/")[2])
    monkeypatch.setattr(TableFactory, "reader", lambda _: canned_reader)
    monkeypatch.setattr(play_screen, "list_cameras", lambda: ())
    games, file = GameStore(data_folder / "games"), GameSetupFile(data_folder / "choices.json")
    sources = play_screen.offered_sources(GameOptions(camera=where).read())
    factory = TableFactory(games, OfferedSources(sources), file, print)
    choices = replace(CHOICES, speaks=False)
    host = Host(games, access_in(data_folder), choices, factory, factory.sources.titles)
    written: list[str] = [repr(sources), *factory.sources.titles]
    states: list[object] = []
    with evening_log():
        host.begin(choices)
        session = host.require_session()
        session.listen(states.append)
        session.bet("Blue", "people").result()
        with change_waiter(session) as expect:
            camera.stop()
            expect(lambda: session.state.problem)
        written += [session.state.problem, *map(repr, states)]
        for page in (setup_page, table_page):
            built = page.page(host, owner_of(host))
            written += [built.title, *map(str, built.parts.values())]
        (game,) = games
        host.end()
    with GameFile.open(game.folder) as kept:
        written.append(kept.source)
    assert factory.unfinished(choices) is not None, "the game is found again"
    export_game(game, tmp_path / "evening.zip")
    written += [source.title for source in play_screen.offered_sources(GameOptions().read())]
    written += [str(factory.last_table(choices)), *capsys.readouterr()]
    contents = [path.read_bytes() for path in data_folder.rglob("*") if path.is_file()]
    with ZipFile(BytesIO((tmp_path / "evening.zip").read_bytes())) as exported:
        contents += [exported.read(name) for name in exported.namelist()]
    assert len(contents) > 6
    for form in forms_of(secret):
        assert not [text for text in written if form in text.encode()]
        assert not [content for content in contents if form in content]
    last = default_profile_files().last_table()
    assert last is not None
    assert "…" in last.camera
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("typer.prompt", lambda *_, **__: secret)
    (again,) = play_screen.offered_sources(GameOptions().read())
    assert again.title == sources[0].title
    camera.start()
    with again.make() as source:
        assert source.newest() is not None


@pytest.mark.parametrize(("address", "secret"), SECRETS, ids=range(len(SECRETS)))
@pytest.mark.parametrize(
    "words",
    [
        ("judge", "{}"),
        ("play", "{}"),
        ("{}",),
        ("mirror", "--no-screen", "--camera", "{}"),
        ("mirror", "--no-screen", "--camera={}"),
        ("play", "--no-screen", "--players", "A,B,C", "--camera", "{}"),
        ("play", "--script", "{}"),
        ("play", "--port", "{}"),
        ("say", "--voice", "{}", "hello"),
    ],
)
@pytest.mark.usefixtures("data_folder", "reads_the_party")
def test_a_refused_address_is_reported_without_its_password(
    bunnymoose: Program, words: tuple[str, ...], address: str, secret: str
) -> None:
    where = address.format(secret).replace("HOST", "127.0.0.1:1")
    sentence = bunnymoose.refusal(*(word.format(where) for word in words))
    assert not [form for form in forms_of(secret) if form in sentence.encode()]


def test_an_older_game_is_found_and_exported_without_the_password(tmp_path: Path) -> None:
    games, started = GameStore(tmp_path / "games"), GameStarted(CHOICES.players, CHOICES.rules)
    games.begin(started, source="http://anna:geheim@10.0.0.5/video?token=geheim", who="Red").close()
    game = games.unfinished("http://10.0.0.5/video")
    assert game is not None
    export_game(game, tmp_path / "evening.zip")
    with ZipFile(tmp_path / "evening.zip") as exported:
        assert not [name for name in exported.namelist() if b"geheim" in exported.read(name)]
        exported.extractall(tmp_path)
    with GameFile.open(tmp_path / game.name) as copy:
        assert (copy.source, copy.game.players) == ("http://10.0.0.5/video", CHOICES.players)


def test_an_imported_table_contains_no_password(bunnymoose: Program, tmp_path: Path, data_folder: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text(
        'format = 1\nkind = "table"\nname = "http://a:geheim@x/"\ncamera = "rtsp://anna:geheim@10.0.0.5/live"\n'
    )
    bunnymoose("profile", "import", "table", table)
    (kept,) = data_folder.rglob("*.toml")
    assert "rtsp://anna:…@10.0.0.5/live" in kept.read_text("utf-8")
    assert "geheim" not in kept.read_text("utf-8")


@pytest.mark.process
def test_ffmpeg_messages_are_not_printed() -> None:
    logs = "import logging, bunnymoose_cv.cli; logging.getLogger('libav.http').error('http://anna:geheim@10.0.0.5/')"
    ended = run_python(logs)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="Linux shows the command lines of all processes")
def test_the_process_list_contains_no_password(camera: MjpegCamera) -> None:
    where = camera.address.replace("http://", "http://anna:ge#heim@")
    camera.hangs = True
    program = [sys.executable, "-c", PROGRAM, "mirror", "--no-screen", "--camera", where]
    with subprocess.Popen(program, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            camera.wait_for_connections(1)
            shown = Path(f"/proc/{process.pid}/cmdline").read_text("utf-8")
        finally:
            process.kill()
    assert camera.address in shown
    assert "heim" not in shown
