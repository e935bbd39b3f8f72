"""Every door with mutated inputs: each is accepted or refused by a sentence."""

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copytree

import av
import numpy as np
import pytest
from PIL import Image

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.images import decode_image
from bunnymoose_cv.capture.media_inputs import find_inputs
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.bam import FEWEST_TAKES
from bunnymoose_cv.cues.bam_file import load_bam
from bunnymoose_cv.cues.spectrogram import BANDS, SLICES
from bunnymoose_cv.record.evidence_json import FilmShape, RoundShape
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import _read
from bunnymoose_cv.referee.script import read_script
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import DATA, read_deck
from bunnymoose_cv.rules.pose import Pose
from tests.fuzz.room import Figures, Gatekeeper, fuzz
from tests.unit.web.browsing import Served, reach
from training.evaluate.datasets import ManifestError, read_manifest
from training.evaluate.truth import truth_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
FREE = [1e9, 1e9]
"""Rate limits out of reach, because these tests are about content, not frequency."""


def report(name: str, figures: Figures) -> None:
    print(figures.line(name))  # noqa: T201 - `make fuzz` shows it
    assert figures.broken == 0


def images() -> list[bytes]:
    noise = Image.fromarray(np.random.default_rng(7).integers(0, 256, (40, 60, 3), np.uint8))
    seeds = []
    for kind in ("JPEG", "PNG", "WEBP", "AVIF", "TIFF", "BMP", "GIF", "JPEG2000", "PPM"):
        file = io.BytesIO()
        noise.save(file, kind)
        seeds.append(file.getvalue())
    return [*seeds, b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n" + bytes(range(128))]


def clips(folder: Path) -> list[bytes]:
    seeds = []
    for name in ("a.mp4", "a.mkv", "a.avi", "a.ts", "a.flv"):
        path = folder / name
        with av.open(str(path), "w") as container:
            stream = container.add_stream("mpeg4" if name != "a.flv" else "flv", rate=10)
            assert isinstance(stream, av.VideoStream)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
            for number in range(8):
                image = np.full((48, 64, 3), number * 20, np.uint8)
                container.mux(stream.encode(av.VideoFrame.from_ndarray(image, "bgr24")))
            container.mux(stream.encode())
        seeds.append(path.read_bytes())
    return seeds


def look_through(content: bytes) -> None:
    clip = Clip(content, "clip")
    clip.check_time(0.0)
    for number, _ in enumerate(clip):
        if number > 60:
            break
    for number, _ in enumerate(clip.sounds()):
        if number > 60:
            break


def from_file(folder: Path, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    path = folder / "input"

    def enter(content: bytes) -> object:
        path.write_bytes(content)
        return read(path)

    return enter


def read_truths(path: Path) -> None:
    manifest = read_manifest(path)
    for row in manifest.rows:
        with suppress(ManifestError):
            truth_of(row)


_SHAPE = [[-1.0] * BANDS] * len(SLICES)
BAM = f"softest_db = -30.0\ntakes = {[_SHAPE] * FEWEST_TAKES}\n".encode()
PROFILE = b"[people]\nsmallest_face = 0.3\n[camera]\nrotation_degrees = 90\nmirrored = true\n"
NOTATION = [b"WU CD t", b"SS TF", b"-- --", b"B.WU+2 L.SS+1 R.TF+3 REVERSE RABBIT+1 HUNTER", "MOOSE−2 ×2 ±".encode()]


def read_notation(content: bytes) -> None:
    text = content[:10_000].decode("utf-8", "replace")
    for parse in (Pose.parse, parse_table):
        with suppress(InputError):
            parse(text)


def test_mutated_images_are_read_or_refused() -> None:
    report("images", fuzz(Gatekeeper("images", images(), lambda content: decode_image(content, "image"), 500)))


def test_mutated_image_files_are_read_or_refused(tmp_path: Path) -> None:
    def enter(path: Path) -> object:
        (source,) = find_inputs([str(path)])
        return source.open()

    report("files", fuzz(Gatekeeper("files", [*images(), *clips(tmp_path)], from_file(tmp_path, enter), 200)))


def test_mutated_clips_are_read_or_refused(tmp_path: Path) -> None:
    report("clips", fuzz(Gatekeeper("clips", clips(tmp_path), look_through, 150)))


TEXTS: list[tuple[str, bytes, Callable[[Path], object]]] = [
    ("decks", (DATA / "decks" / "second.toml").read_bytes(), read_deck),
    ("scripts", (FIXTURES / "evening" / "evening.toml").read_bytes(), read_script),
    ("profiles", PROFILE, load_settings),
    ("sounds", BAM, load_bam),
    ("manifests", (FIXTURES / "manifest.csv").read_bytes()[:3000], read_truths),
]


@pytest.mark.parametrize(("name", "seed", "read"), TEXTS)
def test_mutated_texts_are_read_or_refused(
    name: str, seed: bytes, read: Callable[[Path], object], tmp_path: Path
) -> None:
    enter = from_file(tmp_path, read)
    if name != "scripts":  # the clips of a script are not there
        enter(seed)
    report(name, fuzz(Gatekeeper(name, [seed], enter, 250)))


def test_mutated_notation_is_parsed_or_refused() -> None:
    report("notation", fuzz(Gatekeeper("notation", NOTATION, read_notation, 1500)))


def test_mutated_game_files_are_read_or_refused(played_games: Path, tmp_path: Path) -> None:
    games = Path(copytree(played_games, tmp_path / "games"))
    (file,) = games.glob("*/game.sqlite")

    def enter(content: bytes) -> None:
        file.write_bytes(content)
        with GameStore(games).resume(GameStore(games).find("last")) as game:
            assert game.entries

    report("games", fuzz(Gatekeeper("games", [file.read_bytes()], enter, 150)))


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        ("evidence.json", lambda path: _read(path, RoundShape)),
        ("replay.json", lambda path: _read(path, FilmShape)),
    ],
)
def test_mutated_evidence_is_read_or_refused(
    pattern: str, read: Callable[[Path], object], played_games: Path, tmp_path: Path
) -> None:
    seeds = [path.read_bytes() for path in played_games.rglob(pattern)]
    assert seeds
    report(pattern, fuzz(Gatekeeper(pattern, seeds, from_file(tmp_path, read), 250)))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    screen = Served(tmp_path, limits={"requests": FREE, "pages": FREE, "wrong_codes": FREE, "commands": FREE})
    yield screen
    screen.stop()


def test_mutated_http_heads_cause_no_server_error(served: Served, capfd: pytest.CaptureFixture[str]) -> None:
    stranger = served.stranger()

    def enter(content: bytes) -> None:
        with reach(stranger.address) as connection, suppress(OSError):
            connection.sendall(content + b"\r\n\r\n")
            assert not connection.recv(64).startswith(b"HTTP/1.1 5")

    more = "Accept: */*", "Content-Length: 3", "Transfer-Encoding: chunked", "Upgrade: websocket"
    seeds = [stranger.request(path, *more[:number]) for path in ("/join?code=x", "/table") for number in range(5)]
    figures = fuzz(Gatekeeper("heads", seeds, enter, 150))
    assert served.owner().get("/table").status_code == 200
    assert "Traceback" not in capfd.readouterr().err
    report("heads", figures)


def test_mutated_commands_cause_no_server_error(served: Served, capfd: pytest.CaptureFixture[str]) -> None:
    guest = served.phone()

    def enter(content: bytes) -> None:
        name, _, form = content.partition(b"?")
        head = f"Origin: {guest.base}", f"Content-Length: {len(form)}", "Connection: close"
        with reach(guest.address) as connection, suppress(OSError):
            target = f"/command/{name.decode('latin-1')}"
            connection.sendall(guest.request(target, *head, method="POST") + form)
            assert not connection.recv(64).startswith(b"HTTP/1.1 5")

    seeds = [b"choose-player?player=Blue&by=key", b"remove-phone?number=1&by=button", b"renew-code?by=key"]
    figures = fuzz(Gatekeeper("commands", seeds, enter, 150))
    assert guest.get("/join").status_code == 200
    assert served.owner().get("/table").status_code == 200
    assert "Traceback" not in capfd.readouterr().err
    report("commands", figures)
