"""Shared fixtures: the program in this process, two rendered players, and a game of theirs."""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Final

from bunnymoose_cv.core.user_settings import Settings
from bunnymoose_cv.vision.readings import FrameReading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does: idle threads of NumPy's products spin

import cv2
import pytest
from hypothesis import settings

from bunnymoose_cv.announcements.announcing import round_lines
from bunnymoose_cv.cli.play import play_terminal
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.vision import reader as reader_module
from bunnymoose_cv.vision.reader import Reader
from tests.doubles import CannedFootage, CannedReader, party_image, party_reading, shrunk
from tests.networks import NETWORKS, shared_networks
from tests.program import Program
from tests.quick import QUICK_FREEZE, write_profile

settings.register_profile("house", deadline=None)  # a busy computer may be slow
settings.load_profile("house")

_CAPABILITY_VERSION: Final = 0x20080522
_OVERRIDES: Final = 0b110
"""Capabilities CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""

BARE: Final = ("unit/vision/nets", "unit/vision/test_reader", "unit/vision/test_model_files", "unit/training/bench")
"""Folders and files of tests in which every network runs as in the program."""

MARKS: Final = {"browser": "browser", "journeys": "journey", "fuzz": "fuzz"}
"""Markers of the tests in a folder."""

MARKED_FIXTURES: Final = {
    "models": {"reader", "quick_reader", "card_reader", "laboratory"},
    "process": {"served", "own", "strict", "slow", "marked"},
}
"""Markers of other tests by the fixtures that they use."""

MARKED_FILES: Final = {
    "models": (
        *("unit/calibration/test_fault_matrix", "unit/cli/doctor", "unit/cli/test_camera_commands"),
        *("unit/training/evaluate/test_reading", "unit/training/evaluate/test_round_benchmark"),
        "unit/training/test_training_loop",
        *("unit/cli/test_cards_command", "unit/cli/test_demo_command", "unit/cli/test_judge_command"),
        *("unit/session/practice/test_coach", "unit/session/test_deck_enrolment", "unit/session/test_table_camera"),
        *("unit/vision/cards/test_card_reader", "unit/vision/cards/test_enrolment", "unit/vision/test_reader"),
        *("unit/vision/faces/test_face_search", "unit/vision/hands/test_lone_hand"),
        "unit/vision/test_tongue",
    ),
    "process": (
        *("unit/cli/play/test_terminal_game", "unit/cli/test_sound_commands", "unit/cli/test_endings"),
        *("unit/session/test_killed", "unit/test_public"),
        *("unit/web/server/test_coming_back", "unit/web/server/test_card_photos"),
        *("unit/voice/test_speaker", "unit/web/server/test_rate_limits"),
    ),
}
"""Markers of other tests by their files, which read images or start programs without such a fixture."""


def pytest_collection_finish() -> None:
    """Freeze modules and collected tests, so that later garbage collections skip them."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their own marker, folder, fixtures or file; all others are `unit`."""
    for item in items:
        path = item.path.relative_to(Path(__file__).parent)
        if item.get_closest_marker("process") is None:
            item.add_marker(MARKS.get(path.parts[0]) or _cost(path.as_posix(), set(getattr(item, "fixturenames", ()))))
        if path.as_posix().startswith(BARE):
            item.add_marker("bare_networks")


def _cost(path: str, fixtures: set[str]) -> str:
    """Return the marker for the cost of a test."""
    for mark in ("models", "process"):
        if MARKED_FIXTURES[mark] & fixtures or path.startswith(MARKED_FILES[mark]):
            return mark
    return "unit"


@pytest.fixture(scope="session", autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests, and the programs they start, out of the user's data folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _shared_networks() -> Iterator[None]:
    """Load networks once, and run them once for each input."""
    with shared_networks():
        yield


@pytest.fixture(autouse=True)
def _networks_of_the_test(request: pytest.FixtureRequest) -> None:
    """Run the networks for every input if the test is about them."""
    NETWORKS.is_on = request.node.get_closest_marker("bare_networks") is None


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder of one test, still to be made."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def quick_freeze(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have programs, here and in processes of their own, read few frames of a round."""
    data = tmp_path_factory.mktemp("quick")
    write_profile(data, QUICK_FREEZE)
    monkeypatch.setenv("XDG_DATA_HOME", str(data))


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    """The real models with the default limits."""
    with Reader(load_settings()) as reader:
        yield reader


@pytest.fixture(scope="session")
def quick_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The default thresholds with few frames of a round."""
    file = tmp_path_factory.mktemp("quick") / "profile.toml"
    file.write_text(QUICK_FREEZE)
    return load_settings(file)


@pytest.fixture(scope="session")
def quick_reader(quick_settings: Settings) -> Iterator[Reader]:
    """The real models with few frames of a round, for tests that do not depend on the readings."""
    with Reader(quick_settings) as reader:
        yield reader


@pytest.fixture(scope="session")
def canned_reader(party: FrameReading) -> Iterator[CannedReader]:
    """Reader that sees the party without a network; thresholds are the defaults."""
    with CannedReader(party) as reader:
        yield reader


@pytest.fixture(scope="session")
def quick_canned_reader(party: FrameReading, quick_settings: Settings) -> Iterator[CannedReader]:
    """Reader that sees the party without a network, with few frames of a round."""
    with CannedReader(party, quick_settings) as reader:
        yield reader


@pytest.fixture(scope="session")
def party_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An image of 1280 × 640 pixels with a rabbit (`SS TF`) on the left and a moose (`WU WU`) on the right."""
    path = tmp_path_factory.mktemp("party") / "party.png"
    cv2.imwrite(str(path), party_image())
    return path


@pytest.fixture(scope="session")
def party() -> FrameReading:
    """Canned reading of the image of `party_file`."""
    return party_reading()


@pytest.fixture
def held_to_permissions() -> Iterator[None]:
    """Make file permissions apply to root, too; only Linux exempts root from them."""
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, before = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, before) == 0
    held = (ctypes.c_uint32 * 6)(before[0] & ~_OVERRIDES, *before[1:])
    assert libc.capset(header, held) == 0
    try:
        yield
    finally:
        assert libc.capset(header, before) == 0


@pytest.fixture(name="bunnymoose")
def run_in_process(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Run the program with arguments, 120 columns wide."""
    monkeypatch.setenv("COLUMNS", "120")
    return Program(monkeypatch, capsys)


@pytest.fixture
def reads_the_party(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands in this process see the party in every image of 640 × 320 pixels, without a network."""

    def canned(settings: Settings) -> CannedReader:
        return CannedReader(shrunk(party_reading(settings), 0.5), settings)

    monkeypatch.setattr(reader_module, "Reader", canned)
    monkeypatch.setattr(play_terminal, "Reader", canned)


CARDS = "B.WU+2 L.SS+1 R.TF+3 REVERSE RABBIT+1 HUNTER"


@pytest.fixture(scope="session")
def played_games(party: FrameReading, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A games folder with one game: Red narrates, Blue is the rabbit, and Green the moose, who moves.

    Two rounds are over; the first has evidence. Copy it before you change it.
    """
    folder = tmp_path_factory.mktemp("played") / "games"
    with GameStore(folder).begin(
        GameStarted(("Red", "Blue", "Green"), rules_for()), title="Birthday", who="Red"
    ) as game:
        poses = dict(zip(("Blue", "Green"), (player.pose for player in party.players), strict=True))
        game.append([BetPlaced("Blue"), TableLaid(parse_table(CARDS)), Bam()], "said at the table", "Red")
        played = game.append(PosesJudged(poses), "what was seen at Bam", "referee").rounds[0]
        keeper = EvidenceKeeper(game.folder, pytest.fail)
        evidence = RoundEvidence(
            number=1,
            cue_s=20.0,
            players=played.facts.seats,
            readings=(party, party),
            agreed=party,
            verdicts=played.verdicts,
            said=round_lines(played),
            moved={2: 20.9},
        )
        keeper.store_readings(evidence)
        keeper.complete(evidence, CannedFootage(party.image, 17.0, 20.0, 22.0))
        keeper.finish()
        game.append([TableLaid(parse_table(CARDS)), Bam()], "said at the table", "Green")
        game.append(PosesJudged(dict.fromkeys(("Red", "Blue"), poses["Green"])), "what was seen at Bam", "referee")
    return folder


@pytest.fixture
def games(played_games: Path, tmp_path: Path) -> Path:
    """A copy of `played_games` that a test may change."""
    return Path(copytree(played_games, tmp_path / "games"))
