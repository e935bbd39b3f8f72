"""Evidence of a round, which is complete or absent and never blocks the game."""

import gc
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Self
from weakref import ref

import cv2
import numpy as np
import pytest

from bunnymoose_cv.announcements.phrases import announce_movement
from bunnymoose_cv.capture.footage import HeldFootage, RingBuffer
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.jpeg_frame import FrameRun, pack
from bunnymoose_cv.core.atomic_files import part_of
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.evidence_json import RoundShape
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper, EvidenceWorker
from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_film import kept_movers
from bunnymoose_cv.record.round_folder import EvidenceError, RoundFolder, round_folder
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Pose, Side
from bunnymoose_cv.rules.round import Verdict
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.vision.readings import FrameReading
from tests.own_disk import needs_own_disk, on_own_disk
from tests.program import environment

GREY = np.full((240, 320, 3), 128, np.uint8)


@dataclass
class Footage:
    """Two seconds of grey footage around a cue at 1 s, available once `opened` is set."""

    opened: Event = field(default_factory=Event)
    asked: Event = field(default_factory=Event)
    taken: int = 0

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        del time_s, patience_s
        self.asked.set()
        return self.opened.wait()

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        for time_s in np.arange(0, 2, 0.1):
            if start_s <= time_s <= end_s:
                self.taken += 1
                yield Frame(GREY, float(time_s))

    def sound(self, start_s: float, end_s: float) -> None:
        del start_s, end_s

    def held(self, start_s: float, end_s: float) -> Self:
        del start_s, end_s
        return self


def open_footage() -> Footage:
    footage = Footage()
    footage.opened.set()
    return footage


class Paused(Footage):
    """Open footage that waits at its tenth frame for `may_go_on`."""

    def __init__(self) -> None:
        super().__init__()
        self.opened.set()
        self.reached, self.may_go_on = Event(), Event()

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        for frame in super().frames(start_s, end_s):
            if self.taken == 10:
                self.reached.set()
                assert self.may_go_on.wait(20)
            yield frame


@pytest.fixture
def keeper(tmp_path: Path) -> EvidenceKeeper:
    return EvidenceKeeper(tmp_path, pytest.fail)


def empty_round(number: int = 1) -> RoundEvidence:
    """Return the evidence of a round without visible players."""
    reading = FrameReading(GREY, 1.1, ())
    return RoundEvidence(number, 1.0, ("Blue", "Green"), (reading, reading), reading, ())


def keep(keeper: EvidenceKeeper, evidence: RoundEvidence, footage: Footage) -> RoundFolder:
    kept = keeper.store_readings(evidence)
    keeper.complete(evidence, footage)
    return kept


def read(kept: RoundFolder) -> RoundShape:
    evidence = kept.read()
    assert evidence is not None
    return evidence


def cue_s(kept: RoundFolder) -> float:
    times = kept.read_times()
    assert times is not None
    return times.cue_s


def moves_of(kept: RoundFolder) -> list[tuple[int, float]]:
    return [(move.seat, move.time_s) for move in read(kept).moved]


def kept_of(games: Path) -> RoundFolder:
    return round_folder(GameStore(games).find("last").folder, 1)


def test_stored_round_has_everything_that_a_contest_needs(played_games: Path, party: FrameReading) -> None:
    kept = kept_of(played_games)
    names = " ".join(sorted(path.name for path in kept.folder.iterdir()))
    assert names == "evidence.json frame_1.jpg frame_2.jpg judged.jpg replay.json replay.mp4"
    evidence = read(kept)
    assert (evidence.round, evidence.players, evidence.size) == (1, ("Blue", "Green"), (1280, 640))
    assert [(verdict.player, verdict.pose) for verdict in evidence.verdicts] == [
        (name, str(player.pose)) for name, player in zip(("Blue", "Green"), party.players, strict=True)
    ]
    assert all(line.why for verdict in evidence.verdicts for line in verdict.lines)
    assert moves_of(kept) == [(2, 20.9)]
    assert evidence.said[0].startswith("Blue: ")
    for player in party.players:
        seen = evidence.reading_of(player.seat)
        assert seen is not None
        assert (len(seen.face), len(seen.left.hand)) == (478, 21)
        hand = player.player.hands[Side.LEFT].points
        assert np.allclose(seen.left.hand, hand, atol=0.051)
        assert seen.left.probabilities["antler"] == pytest.approx(
            player.headgear[Side.LEFT].probabilities.antler, abs=1e-4
        )
        assert seen.left.reasons == player.headgear[Side.LEFT].reasons
        in_german = [*map(Texts(Language.GERMAN), seen.left.reasons)]
        assert in_german == [*map(Texts(Language.GERMAN), player.headgear[Side.LEFT].reasons)]
        assert not set(in_german) & set(seen.left.reasons)
        assert seen.tongue.out is False
    assert evidence.reading_of(3) is None
    assert 3 not in {verdict.seat for verdict in evidence.verdicts}


def test_the_judged_frames_are_those_that_were_read_and_the_still_is_drawn(
    played_games: Path, party: FrameReading
) -> None:
    kept = kept_of(played_games)
    frame, still = cv2.imread(str(kept.folder / "frame_1.jpg")), cv2.imread(str(kept.still))
    assert frame is not None
    assert still is not None
    assert np.abs(frame.astype(int) - party.image).mean() < 3
    assert np.abs(still.astype(int) - party.image).max() > 100


def test_missing_evidence_reads_as_none(tmp_path: Path) -> None:
    kept = round_folder(tmp_path, 3)
    assert (kept.read(), kept.read_times()) == (None, None)


@pytest.mark.parametrize("content", ["", "{}", '{"format": 2}', "coffee"])
def test_unreadable_evidence_is_reported_in_one_sentence(games: Path, content: str) -> None:
    kept = kept_of(games)
    kept.json.write_text(content)
    with pytest.raises(EvidenceError, match="cannot be read: it is damaged, or a newer program wrote it") as caught:
        kept.read()
    assert "\n" not in str(caught.value)


def test_the_game_goes_on_while_the_worker_waits_for_the_camera(keeper: EvidenceKeeper) -> None:
    slow = Footage()
    first = keep(keeper, empty_round(1), slow)
    assert slow.asked.wait(20)
    second = keep(keeper, empty_round(2), open_footage())
    assert not first.replay.exists()
    slow.opened.set()
    keeper.finish()
    assert first.replay.is_file()
    assert second.replay.is_file()


def test_images_and_readings_are_stored_at_once(keeper: EvidenceKeeper) -> None:
    footage = Footage()
    before = replace(empty_round(), said=("Blue: moose ahead 3",))
    kept = keeper.store_readings(before)
    images = {kept.still, kept.frame(1), kept.frame(2)}
    assert {*kept.folder.iterdir()} == {kept.json, *images}
    assert moves_of(kept) == []
    written = {path: path.stat().st_mtime_ns for path in images}
    keeper.complete(replace(before, moved={2: 1.4}), footage)
    assert moves_of(kept) == [(2, 1.4)]
    assert {path: path.stat().st_mtime_ns for path in images} == written
    footage.opened.set()
    keeper.finish()


def test_film_is_not_written_during_quiet(keeper: EvidenceKeeper) -> None:
    footage = open_footage()
    with keeper.quiet():
        kept = keep(keeper, empty_round(), footage)
        assert not keeper._worker.may_work.is_set()
        assert footage.taken == 0
    keeper.finish()
    assert kept.replay.is_file()


def test_film_pauses_at_the_next_frame_for_quiet(keeper: EvidenceKeeper) -> None:
    footage = Paused()
    kept = keep(keeper, empty_round(), footage)
    assert footage.reached.wait(20)
    with keeper.quiet():
        footage.may_go_on.set()
        assert footage.taken == 10
        assert not kept.replay.exists()
    keeper.finish()
    assert footage.taken > 20
    assert kept.replay.is_file()


def test_late_film_shows_footage_that_left_the_ring_buffer(keeper: EvidenceKeeper) -> None:
    @dataclass
    class Camera(Footage):
        ring: RingBuffer = field(default_factory=lambda: RingBuffer(before_s=1.0, after_s=1.0, limit_bytes=10_000_000))
        taken_over: Event = field(default_factory=Event)

        def sees(self, start_s: float) -> None:
            for step in range(20):
                self.ring.add(Frame(GREY, start_s + step / 10))

        def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
            return iter(self.ring.frames(start_s, end_s))

        def held(self, start_s: float, end_s: float) -> HeldFootage:  # type: ignore[override]
            footage = HeldFootage(self.ring.frames(start_s, end_s), None)
            self.taken_over.set()
            return footage

    camera = Camera()
    camera.opened.set()
    camera.sees(0.0)
    with keeper.quiet():
        kept = keep(keeper, empty_round(), camera)
        assert camera.taken_over.wait(20)
        camera.sees(60.0)
    keeper.finish()
    assert cue_s(kept) == pytest.approx(1.0)


def test_round_stored_again_replaces_its_evidence(keeper: EvidenceKeeper) -> None:
    keep(keeper, empty_round(), open_footage())
    kept = keep(keeper, replace(empty_round(), said=("Blue: moose ahead 3",)), open_footage())
    keeper.finish()
    assert read(kept).said == ("Blue: moose ahead 3",)


def test_dropped_bam_leaves_no_film(keeper: EvidenceKeeper) -> None:
    slow = Footage()
    kept = keep(keeper, empty_round(), slow)
    assert slow.asked.wait(20)
    again = replace(empty_round(), cue_s=1.5)
    assert keep(keeper, again, open_footage()) == kept
    slow.opened.set()
    keeper.finish()
    assert slow.taken == 0
    assert cue_s(kept) == pytest.approx(1.5)


def test_retried_film_has_captions_in_the_language_of_the_table(keeper: EvidenceKeeper, party: FrameReading) -> None:
    moved = RoundEvidence(1, 1.0, ("Blue", "Green"), (party,), party, (), moved={2: 1.4}, language=Language.GERMAN)
    shape = read(keep(keeper, moved, open_footage()))
    keeper.finish()
    assert [repeat.caption for repeat in kept_movers(shape)] == [announce_movement(["Green"], Language.GERMAN)]


@pytest.mark.parametrize(
    ("language", "said"), [(Language.ENGLISH, "Blue: rabbit ahead 1"), (Language.GERMAN, "Blue: Hase 1 vor")]
)
def test_verdict_is_stored_as_announced(keeper: EvidenceKeeper, language: Language, said: str) -> None:
    scored = score(Pose.parse("TS TS"), parse_table("L.TS+1"), rules_for())
    reading = FrameReading(GREY, 1.1, ())
    evidence = RoundEvidence(1, 1.0, ("Blue",), (reading,), reading, (Verdict("Blue", 1, scored),), language=language)
    kept = read(keeper.store_readings(evidence))
    keeper.finish()
    assert (kept.language, kept.verdicts[0].say) == (language, said)
    assert str(kept.verdicts[0].lines[0].why) == str(scored.lines[0].why)


@pytest.mark.parametrize(("written", "language"), [({"language": "cs"}, Language.CZECH), ({}, Language.ENGLISH)])
def test_evidence_of_older_versions_is_english(games: Path, written: dict[str, str], language: Language) -> None:
    kept = kept_of(games)
    shape = json.loads(kept.json.read_text())
    del shape["language"]
    kept.json.write_text(json.dumps({**shape, **written}))
    assert read(kept).language is language


def film_of(keeper: EvidenceKeeper) -> RoundFolder:
    """Write the film of a round whose cue is at 1 s."""
    keeper.buffer_footage(1, 1.0, open_footage())
    kept = keep(keeper, empty_round(), open_footage())
    keeper._worker._thread.submit(lambda: None).result()
    assert kept.has_film
    return kept


def test_forgotten_round_leaves_no_files(keeper: EvidenceKeeper) -> None:
    kept = film_of(keeper)
    keeper.forget(1)
    assert not kept.folder.exists()
    keeper.finish()
    assert not kept.folder.exists()


def test_new_cue_replaces_buffered_footage(keeper: EvidenceKeeper) -> None:
    kept = film_of(keeper)
    with keeper.quiet():
        keeper.buffer_footage(1, 1.5, open_footage())
        assert not kept.folder.exists()
    keeper.finish()
    assert not kept.folder.exists()


def test_forgetting_a_film_during_quiet_does_not_block(keeper: EvidenceKeeper) -> None:
    footage = Paused()
    kept = keep(keeper, empty_round(), footage)
    assert footage.reached.wait(20)
    with keeper.quiet():
        keeper.forget(1)
        footage.may_go_on.set()
        assert kept.read() is None
    keeper.finish()
    assert footage.taken == 10
    assert not kept.folder.exists()


def test_unusable_footage_is_released_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Packed(HeldFootage):
        """Held footage that can be watched."""

    class Camera(Footage):
        def held(self, start_s: float, end_s: float) -> HeldFootage:  # type: ignore[override]
            footage = Packed(FrameRun([pack(frame) for frame in self.frames(start_s, end_s)]), None)
            packed.append(ref(footage))
            return footage

    caplog.set_level(logging.CRITICAL)  # a captured traceback would hold it
    (tmp_path / "rounds").write_text("no folder")
    packed: list[ref[Packed]] = []
    camera, reported = Camera(), list[str]()
    camera.opened.set()
    keeper = EvidenceKeeper(tmp_path, reported.append)
    keeper.buffer_footage(1, 1.0, camera)
    keep(keeper, empty_round(), camera)
    keeper._held.finish()
    keeper._worker._thread.submit(lambda: None).result()
    gc.collect()
    assert [footage() for footage in packed] == [None]
    keeper.finish()
    assert [sentence.partition("(")[0] for sentence in reported] == ["The evidence of round 1 could not be saved "]


def test_round_without_images_does_not_affect_the_next(tmp_path: Path) -> None:
    class Lost(Footage):
        def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
            del start_s, end_s
            return iter(())

    reported: list[str] = []
    keeper, lost = EvidenceKeeper(tmp_path, reported.append), Lost()
    lost.opened.set()
    first, second = keep(keeper, empty_round(1), lost), keep(keeper, empty_round(2), open_footage())
    keeper.finish()
    assert len(reported) == 1
    assert reported[0].startswith("Round 1 has no replay (there are no pictures of that time")
    assert first.json.is_file()
    assert second.replay.is_file()


def test_bug_is_raised_at_the_end_and_other_rounds_are_kept(keeper: EvidenceKeeper) -> None:
    keep(keeper, replace(empty_round(1), agreed=None), open_footage())  # type: ignore[arg-type]
    kept = keep(keeper, empty_round(2), open_footage())
    with pytest.raises(AttributeError):
        keeper.finish()
    assert kept.replay.is_file()


KEEPING = """
import sys
from pathlib import Path
import numpy as np
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.vision.reader import FrameReading

noise = np.random.default_rng(0).integers(0, 256, (480, 640, 3), np.uint8)

class Footage:
    def wait_for(self, time_s, patience_s):
        return True
    def frames(self, start_s, end_s):
        for number in range(30):
            yield Frame(np.roll(noise, number, 1), number / 10)
            if number == stop_at:
                print("in the middle", flush=True)
                sys.stdin.read()
    def sound(self, start_s, end_s):
        return None

    def held(self, start_s, end_s):
        return self

def evidence(number):
    reading = FrameReading(noise, 1.1, ())
    return RoundEvidence(number, 1.0, ("Blue", "Green"), (reading,) * 3, reading, ())

def keep(keeper):
    keeper.store_readings(evidence(1))
    keeper.complete(evidence(1), Footage())
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_kill_during_a_film_keeps_everything_else(tmp_path: Path) -> None:
    script = f"{KEEPING}\nstop_at = 20\nkeep(EvidenceKeeper(Path('.'), print))\nsys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as keeping:
        assert keeping.stdout is not None
        assert keeping.stdout.readline() == b"in the middle\n"
        keeping.send_signal(signal.SIGKILL)
    kept = round_folder(tmp_path, 1)
    assert kept.read() is not None
    assert kept.read_times() is None
    assert [path.name for path in kept.folder.glob("*.part")] == [part_of(kept.replay).name]
    EvidenceKeeper(tmp_path, pytest.fail).finish()
    assert sorted(path.suffix for path in kept.folder.iterdir()) == [".jpg", ".jpg", ".jpg", ".jpg", ".json"]


@pytest.mark.process
@needs_own_disk
@pytest.mark.parametrize(
    ("size", "sentence"),
    [("300k", "The evidence of round 1 could not be saved ("), ("1500k", "Round 1 has no replay (")],
)
def test_full_disk_drops_evidence_with_one_sentence(tmp_path: Path, size: str, sentence: str) -> None:
    script = f"""{KEEPING}
stop_at = None
keeper = EvidenceKeeper(Path("."), lambda told: print(told, flush=True))
keep(keeper)
keeper.finish()
assert not list(Path(".").rglob("*.part"))
assert Path("rounds/01").exists() == Path("rounds/01/evidence.json").exists()
"""
    (tmp_path / "script.py").write_text(script)
    (tmp_path / "disk").mkdir()
    command = on_own_disk(tmp_path / "disk", size, sys.executable, tmp_path / "script.py")
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.startswith(sentence)
    assert "No space left on device" in done.stdout


@pytest.mark.parametrize("value", ["Infinity", "NaN", "1e308", "-1"])
def test_impossible_film_times_are_refused(tmp_path: Path, value: str) -> None:
    kept = round_folder(tmp_path, 1)
    kept.folder.mkdir(parents=True)
    kept.replay.touch()
    kept.times.write_text(f'{{"cue_s": {value}, "hold_s": 3.0}}')
    with pytest.raises(EvidenceError, match="cannot be read"):
        kept.read_times()


PATIENCE_S = 20


class Watched(Event):
    """Event that counts waits that time out."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = Event()

    def wait(self, timeout: float | None = None) -> bool:
        if not self.is_set():
            self.reached.set()
        return super().wait(timeout)


def test_job_does_not_start_during_quiet() -> None:
    worker, done = EvidenceWorker(pytest.fail), list[str]()
    watched = worker.may_work = Watched()
    with worker.quiet():
        worker.do_later(lambda: done.append("late"))
        assert watched.reached.wait(PATIENCE_S)
        worker.attempt(lambda: done.append("now"))
        assert done == ["now"]
    worker.finish()
    assert done == ["now", "late"]


def test_worker_resumes_after_an_exception_during_quiet() -> None:
    def fail_quietly() -> None:
        with worker.quiet():
            assert not worker.may_work.is_set()
            raise ZeroDivisionError

    worker = EvidenceWorker(pytest.fail)
    with pytest.raises(ZeroDivisionError):
        fail_quietly()
    assert worker.may_work.is_set()
    worker.finish()


def test_input_error_is_reported_and_bug_raised_at_the_end() -> None:
    def refuse() -> None:
        raise InputError("no room")

    def fail() -> None:
        raise ZeroDivisionError

    reported, done = list[str](), list[str]()
    worker = EvidenceWorker(reported.append)
    for job in (refuse, fail, lambda: done.append("the rest")):
        worker.do_later(job)
    with pytest.raises(ZeroDivisionError):
        worker.finish()
    assert (reported, done) == (["no room"], ["the rest"])
