"""Spools of footage, from which slow, interrupted and failed films are finished."""

import gc
import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from bunnymoose_cv.capture.footage import HeldFootage
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.jpeg_frame import FrameRun, JpegFrame, pack
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.record import footage_spool, round_film
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.record.footage_spool import (
    FootageHolder,
    SpooledFootage,
    SpoolError,
    spool,
    spooled_rounds,
    spools_of,
)
from bunnymoose_cv.record.past_evening import FilmState, film_state
from bunnymoose_cv.record.replay import write_round_film
from bunnymoose_cv.record.round_film import make_film_again, spooled_footage
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.vision.readings import FrameReading
from tests.program import CHECKOUT, environment
from tests.unit.record.damaged_spools import DAMAGES

PATIENCE_S = 60.0
GREY = np.full((240, 320, 3), 128, np.uint8)
CUE_S = 1.0
MOST_BYTES = 200_000_000
"""Limit of the memory for reading two seconds of small, possibly damaged footage, bytes."""


def empty_round(number: int) -> RoundEvidence:
    """Return the evidence of a round without visible players."""
    reading = FrameReading(GREY, CUE_S + 0.1, ())
    return RoundEvidence(number, CUE_S, ("Blue", "Green"), (reading,), reading, ())


def held(tone: int = 128) -> HeldFootage:
    """Return two seconds of footage in one grey."""
    image = np.full((240, 320, 3), tone, np.uint8)
    return HeldFootage(FrameRun([pack(Frame(image, number / 10)) for number in range(20)]), None)


@dataclass
class Camera:
    """Camera whose ring buffer drops a round when the next one begins."""

    tone: int = 128
    runs: list[weakref.ref[FrameRun]] = field(default_factory=list)

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        del time_s, patience_s
        return True

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        del start_s, end_s
        return iter(())

    def sound(self, start_s: float, end_s: float) -> None:
        del start_s, end_s

    def held(self, start_s: float, end_s: float) -> HeldFootage:
        del start_s, end_s
        footage = held(self.tone)
        self.runs.append(weakref.ref(footage.run))
        return footage


class Encoder:
    """Encoder that waits for `may_write`, and fails while the disk has no `room`."""

    def __init__(self) -> None:
        self.may_write, self.room = Event(), True

    def __call__(self, *arguments: Any) -> Any:
        assert self.may_write.wait(PATIENCE_S)
        if not self.room:
            raise OSError(28, "No space left on device")
        return write_round_film(*arguments)


@pytest.fixture
def slow_encoder(monkeypatch: pytest.MonkeyPatch) -> Encoder:
    encoder = Encoder()
    monkeypatch.setattr(round_film, "write_round_film", encoder)
    return encoder


@pytest.fixture
def refusing(slow_encoder: Encoder) -> Encoder:
    slow_encoder.room = False
    slow_encoder.may_write.set()
    return slow_encoder


@pytest.fixture
def keeper(tmp_path: Path) -> EvidenceKeeper:
    return EvidenceKeeper(tmp_path, pytest.fail)


def play(keeper: EvidenceKeeper, number: int, camera: Camera) -> None:
    keeper.buffer_footage(number, CUE_S, camera)
    keeper.store_readings(empty_round(number))
    keeper.complete(empty_round(number), camera)


def test_spool_round_trips_images_view_and_sound(tmp_path: Path) -> None:
    frames = [JpegFrame(pack(Frame(GREY + number, number / 10)).content, number / 10, View(90)) for number in range(5)]
    heard = Sound(np.arange(800, dtype=np.int16), 800, 0.1)
    path = tmp_path / "rounds" / "01.1.footage.zip"
    written = spool(HeldFootage(FrameRun(frames), heard), CUE_S, path, lambda: None)
    for footage in (written, SpooledFootage.open(path)):
        assert footage.cue_s == CUE_S
        read = list(footage.frames(0.1, 0.3))
        assert [frame.time_s for frame in read] == [0.1, 0.2, 0.3]
        assert read[0].image.shape == (320, 240, 3)
        assert abs(int(read[0].image[0, 0, 0]) - 129) <= 1
        sound = footage.sound(0.2, 0.4)
        assert sound is not None
        assert (sound.rate, sound.samples[0]) == (800, 80)
        assert footage.wait_for(0.4, 0.0)
        assert not footage.wait_for(0.5, 0.0)


@pytest.mark.parametrize("content", [b"", b"coffee"])
def test_invalid_spool_is_reported_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "01.1.footage.zip"
    path.write_bytes(content)
    with pytest.raises(SpoolError, match=r"01\.1\.footage\.zip cannot be read"):
        SpooledFootage.open(path)


def read_whole(path: Path) -> None:
    """Read the whole content of a spool."""
    footage = SpooledFootage.open(path)
    for _ in footage.frames(-1.0, 3.0):
        pass
    footage.sound(-1.0, 3.0)


@pytest.fixture
def damaged(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Return a game with the evidence of one round, whose footage is damaged."""
    with pytest.MonkeyPatch.context() as patch:
        encoder = Encoder()
        encoder.room = False
        encoder.may_write.set()
        patch.setattr(round_film, "write_round_film", encoder)
        keeper = EvidenceKeeper(tmp_path, lambda _: None)
        play(keeper, 1, Camera())
        keeper.finish()
    (path,) = spools_of(tmp_path, 1)
    DAMAGES[request.param](path)
    tracemalloc.start()
    yield tmp_path
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most_bytes < MOST_BYTES


@pytest.mark.parametrize("damaged", DAMAGES, indirect=True)
def test_damaged_spool_loses_only_its_film(damaged: Path) -> None:
    (path,) = spools_of(damaged, 1)
    with pytest.raises(SpoolError, match=r"01\.1\.footage\.zip cannot be read"):
        read_whole(path)
    reported: list[str] = []
    keeper = EvidenceKeeper(damaged, reported.append)
    keeper.retry_film(1, None)
    keeper.finish()
    assert len(reported) == 1
    assert reported[0].startswith("Round 1 has no replay")
    assert "held: make" not in reported[0]
    assert not round_folder(damaged, 1).has_film


def test_slow_encoder_loses_no_film_and_holds_no_footage_in_memory(
    tmp_path: Path, slow_encoder: Encoder, keeper: EvidenceKeeper
) -> None:
    camera, rounds = Camera(), range(1, 9)
    for number in rounds:
        play(keeper, number, camera)
    keeper._held.finish()  # everything is on the disk
    assert spooled_rounds(tmp_path) == tuple(rounds)
    gc.collect()
    assert [run for run in camera.runs if run() is not None] == []
    assert not any(round_folder(tmp_path, number).has_film for number in rounds)
    slow_encoder.may_write.set()
    keeper.finish()
    assert all(round_folder(tmp_path, number).has_film for number in rounds)
    assert spooled_rounds(tmp_path) == ()


def test_failed_film_is_reported_and_can_be_retried(tmp_path: Path, refusing: Encoder) -> None:
    reported: list[str] = []
    keeper = EvidenceKeeper(tmp_path, reported.append)
    play(keeper, 1, Camera())
    keeper.finish()
    reason = "Round 1 has no replay (No space left on device)."
    assert reported == [f"{reason} Its pictures are held: make the film in the history."]
    assert film_state(tmp_path, 1) is FilmState.HELD
    refusing.room = True
    shares: list[float] = []
    make_film_again(tmp_path, 1, shares.append)
    assert round_folder(tmp_path, 1).has_film
    assert shares == sorted(shares)
    assert spooled_rounds(tmp_path) == ()
    with pytest.raises(EvidenceError, match="The pictures of round 1 are no longer held"):
        make_film_again(tmp_path, 1, shares.append)


def test_resumed_game_finishes_failed_films(tmp_path: Path, refusing: Encoder) -> None:
    keeper = EvidenceKeeper(tmp_path, lambda _: None)
    for number in (1, 2):
        play(keeper, number, Camera())
    keeper.finish()
    refusing.room = True
    reported: list[str] = []
    again = EvidenceKeeper(tmp_path, reported.append)
    again.retry_film(1, None)
    again.finish()
    assert [round_folder(tmp_path, number).has_film for number in (1, 2)] == [True, True]
    assert reported == []


def test_film_is_written_from_memory_if_the_spool_fails(
    tmp_path: Path, keeper: EvidenceKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(footage_spool, "spool", refuse)
    play(keeper, 1, Camera())
    keeper.finish()
    assert round_folder(tmp_path, 1).has_film


def test_interrupted_round_has_its_film(tmp_path: Path, keeper: EvidenceKeeper) -> None:
    keeper.buffer_footage(1, CUE_S, Camera())
    keeper.store_readings(empty_round(1))
    keeper.finish()
    assert round_folder(tmp_path, 1).has_film
    assert spooled_rounds(tmp_path) == ()


def test_dropped_bam_leaves_no_spool(tmp_path: Path, keeper: EvidenceKeeper) -> None:
    keeper.buffer_footage(1, 0.5, Camera())
    play(keeper, 1, Camera())
    keeper.finish()
    times = round_folder(tmp_path, 1).read_times()
    assert times is not None
    assert times.cue_s == pytest.approx(CUE_S)
    assert spooled_rounds(tmp_path) == ()


@pytest.mark.usefixtures("refusing")
def test_footage_of_another_bam_is_ignored(tmp_path: Path) -> None:
    keeper = EvidenceKeeper(tmp_path, lambda _: None)
    play(keeper, 1, Camera())
    keeper.finish()
    kept = round_folder(tmp_path, 1)
    assert spooled_footage(kept, 1) is not None
    shape = kept.read()
    assert shape is not None
    kept.json.write_text(shape.model_copy(update={"cue_s": 7.0}).model_dump_json())
    assert spooled_footage(kept, 1) is None


KILLED = """
import sys
from pathlib import Path
from bunnymoose_cv.record import round_film
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from tests.unit.record.test_footage_spool import Camera, play

def hang(*_):
    print("writing", flush=True)
    sys.stdin.read()

round_film.write_round_film = hang
keeper = EvidenceKeeper(Path(sys.argv[1]), print)
play(keeper, 1, Camera())
keeper.finish()
"""


@pytest.mark.process
def test_film_interrupted_by_a_kill_is_written_on_resume(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=CHECKOUT,
        env=environment(),
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"writing\n"
        program.kill()
    assert not round_folder(tmp_path, 1).has_film
    EvidenceKeeper(tmp_path, pytest.fail).finish()
    assert round_folder(tmp_path, 1).has_film
    assert spooled_rounds(tmp_path) == ()


@pytest.mark.usefixtures("refusing")
def test_lost_film_is_reported_once_on_resume(tmp_path: Path) -> None:
    keeper = EvidenceKeeper(tmp_path, lambda _: None)
    play(keeper, 1, Camera())
    keeper.finish()
    for path in spools_of(tmp_path, 1):
        path.unlink()
    reported: list[str] = []
    again = EvidenceKeeper(tmp_path, reported.append)
    again.retry_film(1, None)
    again.finish()
    assert len(reported) == 1
    assert reported[0].startswith("Round 1 has no replay: the program ended")


class Gate:
    """Pause before each frame, until the test continues."""

    def __init__(self) -> None:
        self.reached, self.opened = Event(), Event()

    def __call__(self) -> None:
        self.reached.set()
        assert self.opened.wait(PATIENCE_S)


def test_no_frame_is_written_before_the_disk_may_be_used(tmp_path: Path) -> None:
    gate = Gate()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, Camera())
    assert gate.reached.wait(PATIENCE_S)
    assert spooled_rounds(tmp_path) == ()
    gate.opened.set()
    held = holder.take(1)
    assert held is not None
    assert isinstance(held.result(PATIENCE_S), SpooledFootage)
    assert (holder.take(1), holder.rounds) == (None, ())
    holder.finish()


def test_spool_forgotten_while_being_written_is_removed(tmp_path: Path) -> None:
    gate = Gate()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, Camera())
    assert gate.reached.wait(PATIENCE_S)
    holder.forget(1)
    assert holder.rounds == ()
    gate.opened.set()
    holder.finish()
    assert spooled_rounds(tmp_path) == ()


def test_each_bam_of_a_round_has_its_own_spool(tmp_path: Path) -> None:
    gate = Gate()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, Camera())
    assert gate.reached.wait(PATIENCE_S)
    first = holder.take(1)
    holder.hold(1, CUE_S, Camera())
    second = holder.take(1)
    gate.opened.set()
    holder.finish()
    assert first is not None
    assert second is not None
    kept, replaced = second.result(), first.result()
    assert isinstance(kept, SpooledFootage)
    assert isinstance(replaced, SpooledFootage)
    assert kept.path != replaced.path
    assert spools_of(tmp_path, 1) == (kept.path,)


def test_footage_forgotten_before_arrival_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camera, come, gate = Camera(), Event(), Gate()
    monkeypatch.setattr(Camera, "wait_for", lambda *_: come.wait(PATIENCE_S))
    gate.opened.set()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, camera)
    holder.forget(1)
    come.set()
    holder.finish()
    assert not gate.reached.is_set()
    assert spooled_rounds(tmp_path) == ()
