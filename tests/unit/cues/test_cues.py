"""Cues of a Bam: learning and hearing it, debouncing, and the sound of a microphone."""

import math
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.bam import FEWEST_TAKES, BamEar, BamProfile, LearningError, Recording, learn
from bunnymoose_cv.cues.bam_file import default_bam_path, load_bam, save_bam
from bunnymoose_cv.cues.cue import SAME_BAM_S, Cue, CueGate, Maker
from bunnymoose_cv.cues.sound_cues import SoundCues
from bunnymoose_cv.cues.spectrogram import BandMeter, Samples, decibels

RATE = 16000
PIECE = 320


def room(seconds: float, seed: int = 0) -> Samples:
    return np.random.default_rng(seed).normal(0, 20, round(seconds * RATE)).astype(np.int16)


def bam(seed: int = 0, loudness: float = 15000, tones: tuple[int, ...] = (300, 900, 2600)) -> Samples:
    """Return a shout of half a second: a clap, and tones that swell and fade."""
    random = np.random.default_rng(seed)
    seconds = np.arange(round(0.5 * RATE)) / RATE
    swelling = np.minimum(1, seconds / 0.01) * np.exp(-seconds / 0.25)
    voiced = sum(np.sin(2 * np.pi * tone * random.uniform(0.97, 1.03) * seconds) for tone in tones) / len(tones)
    clap = random.normal(size=seconds.size) * np.exp(-seconds / 0.01) * 0.3
    return np.asarray(loudness * (voiced * swelling + clap), np.int16)


def mixed(base: Samples, *sounds: tuple[float, Samples]) -> Samples:
    """Return a recording with sounds mixed in at the given times."""
    heard = base.astype(np.int32)
    for at_s, sound in sounds:
        start = round(at_s * RATE)
        heard[start : start + len(sound)] += sound[: max(0, len(heard) - start)]
    return np.clip(heard, -32768, 32767).astype(np.int16)


def take(seed: int) -> Recording:
    return Recording(mixed(room(2, seed), (1.0, bam(seed))), RATE)


@pytest.fixture(scope="module")
def profile() -> BamProfile:
    return learn([take(seed) for seed in range(3)])


def heard(
    ear: BamEar, samples: Samples, start_s: float = 100.0, piece: int = PIECE, rate: int = RATE
) -> Iterator[float]:
    """Yield the times of the Bams that the ear hears in sound fed piece by piece."""
    for first in range(0, len(samples), piece):
        bam_s = ear.hear(samples[first : first + piece], rate, start_s + first / rate)
        if bam_s is not None:
            yield bam_s


@pytest.mark.parametrize("piece", [160, 320, 1000, 7999])
def test_bam_is_heard_with_its_onset_time(profile: BamProfile, piece: int) -> None:
    samples = mixed(room(6), (1.5, bam(7)), (4.2, bam(8)))
    assert list(heard(BamEar(profile), samples, piece=piece)) == pytest.approx([101.5, 104.2], abs=0.03)


def test_bam_is_heard_at_another_sample_rate(profile: BamProfile) -> None:
    samples = mixed(room(3), (1.5, bam(7)))
    at_48k = np.interp(np.arange(len(samples) * 3) / 3, np.arange(len(samples)), samples).astype(np.int16)
    assert list(heard(BamEar(profile), at_48k, rate=3 * RATE, piece=960)) == pytest.approx([101.5], abs=0.03)


@pytest.mark.parametrize(
    "sound",
    [
        pytest.param(bam(7, loudness=1500), id="too quiet"),
        pytest.param(bam(7, tones=(180, 4000, 6000)), id="other tones"),
        pytest.param(bam(7)[:600], id="only its beginning"),
        pytest.param(np.tile(bam(7)[:800], 10), id="goes on"),
        pytest.param(np.linspace(0, 1, 8000) * bam(7), id="swells"),
    ],
)
def test_other_sounds_are_not_heard_as_bam(profile: BamProfile, sound: Samples) -> None:
    assert list(heard(BamEar(profile), mixed(room(4), (1.5, np.asarray(sound, np.int16))))) == []


def test_bam_is_heard_over_continuous_talk(profile: BamProfile) -> None:
    talk = np.random.default_rng(3).normal(0, 400, 4 * RATE) * (1 + np.sin(np.arange(4 * RATE) / 900))
    assert list(heard(BamEar(profile), mixed(room(4), (0.0, talk.astype(np.int16)), (2.0, bam(9))))) == pytest.approx(
        [102.0], abs=0.03
    )


def test_ear_ignores_sound_while_the_referee_speaks_and_its_echo(profile: BamProfile) -> None:
    ear = BamEar(profile)
    ear.deafen(101.0, 101.8)
    samples = mixed(room(8), (1.1, bam(4)), (2.0, bam(5)), (4.0, bam(6)), (6.0, bam(7)))
    bams = heard(ear, samples)
    assert next(bams) == pytest.approx(104.0, abs=0.03)
    ear.deafen(105.5, 106.5)
    assert list(bams) == []


def test_sound_that_resumes_keeps_its_times(profile: BamProfile) -> None:
    ear, samples = BamEar(profile), mixed(room(3), (1.5, bam(7)))
    assert list(heard(ear, samples[: round(1.6 * RATE)])) == []
    assert list(heard(ear, samples, start_s=200.0)) == pytest.approx([201.5], abs=0.03)


def test_learning_rejects_too_few_quiet_or_dissimilar_takes() -> None:
    with pytest.raises(LearningError, match=f"from {FEWEST_TAKES} takes or more, not from 2"):
        learn([take(0), take(1)])
    with pytest.raises(LearningError, match="In take 2 nothing stands out"):
        learn([take(0), Recording(mixed(room(2), (1.0, bam(1, loudness=60))), RATE), take(2)])
    with pytest.raises(LearningError, match="In take 3 nothing stands out"):
        learn([take(0), take(1), Recording(room(0.01), RATE)])
    other = Recording(mixed(room(2), (1.0, bam(1, tones=(180, 4000, 6000)))), RATE)
    with pytest.raises(LearningError, match="Take 1 sounds unlike the others"):
        learn([other, take(1), take(2)])


def test_full_scale_sine_has_a_level_of_0_db() -> None:
    loudest = (32767 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE)).astype(np.int16)
    levels = decibels(BandMeter(RATE).measure(loudest).sum(1))
    assert levels == pytest.approx(np.zeros(99), abs=0.3)


def test_learnt_bam_is_saved_and_loaded(profile: BamProfile, tmp_path: Path) -> None:
    path = tmp_path / "kept" / "bam.toml"
    save_bam(profile, path)
    again = load_bam(path)
    assert again.softest_db == pytest.approx(profile.softest_db, abs=0.05)
    for own, kept in zip(profile.shapes, again.shapes, strict=True):
        assert kept == pytest.approx(own, abs=0.05)
    assert list(heard(BamEar(again), mixed(room(4), (1.5, bam(7))))) == pytest.approx([101.5], abs=0.03)


def test_failed_save_leaves_no_partial_file(profile: BamProfile, tmp_path: Path) -> None:
    path = tmp_path / "bam.toml"
    path.mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        save_bam(profile, path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["", "softest_db = 1", "takes = [[[0.0]]]\nsoftest_db = -9.0\n", "nonsense"])
def test_file_without_a_bam_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "bam.toml").write_text(content)
    with pytest.raises(InputError, match="holds no learnt Bam"):
        load_bam(tmp_path / "bam.toml")
    with pytest.raises(InputError, match="run bunnymoose cue learn"):
        load_bam(tmp_path / "none.toml")


def test_advice_replaces_only_the_programs_own_bam_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    own, named = default_bam_path(), tmp_path / "diary.txt"
    with pytest.raises(InputError, match=r"run bunnymoose cue learn$"):
        load_bam(own)
    own.parent.mkdir()
    for path in (own, named):
        path.write_text("Dear diary")
    with pytest.raises(InputError, match="run bunnymoose cue learn, which replaces it"):
        load_bam(own)
    with pytest.raises(InputError, match="name a file that bunnymoose cue learn wrote"):
        load_bam(named)


def at(time_s: float) -> CueGate:
    """Return a gate with a constant clock."""
    return CueGate(lambda: time_s)


def test_cue_is_delivered_once_with_its_maker_and_time() -> None:
    gate = at(12.5)
    assert gate.make(Maker.KEY) == Cue(12.5, Maker.KEY)
    assert gate.wait(0) == Cue(12.5, Maker.KEY)
    assert gate.wait(0) is None


def test_cue_keeps_the_time_at_which_it_was_made() -> None:
    gate = at(30.0)
    gate.make(Maker.SOUND, 29.7)
    cue = gate.wait(0)
    assert cue is not None
    assert cue.time_s == 29.7


@pytest.mark.parametrize(
    ("seconds_later", "another"),
    [(0.0, False), (-0.3, False), (SAME_BAM_S, False), (SAME_BAM_S + 0.01, True), (-SAME_BAM_S - 0.01, True)],
)
def test_cues_within_two_seconds_are_debounced(seconds_later: float, another: bool) -> None:  # noqa: FBT001 - a table
    gate = at(0.0)
    gate.make(Maker.KEY, 100.0)
    gate.wait(0)
    assert (gate.make(Maker.SOUND, 100.0 + seconds_later) is not None) is another
    assert (gate.wait(0) is not None) is another


def test_echoes_do_not_extend_the_debounce_time() -> None:
    gate = at(0.0)
    gate.make(Maker.SOUND, 10.0)
    assert [gate.make(Maker.SOUND, 10.0 + echo) for echo in (0.5, 1.0, 1.9)] == [None] * 3
    assert gate.make(Maker.SOUND, 12.1) is not None


@pytest.mark.parametrize("taken", [True, False])
def test_dismissed_cue_does_not_block_the_next_one(taken: bool) -> None:  # noqa: FBT001 - a table
    gate = at(0.0)
    gate.make(Maker.SOUND, 10.0)
    if taken:
        gate.wait(0)
    gate.dismiss()
    assert gate.wait(0) is None
    assert gate.make(Maker.KEY, 10.1) == Cue(10.1, Maker.KEY)
    assert gate.wait(0) == Cue(10.1, Maker.KEY)


def test_frames_of_each_cue_are_kept_until_it_is_dismissed() -> None:
    kept_for: list[float] = []
    gate = CueGate(keep_for=kept_for.append)
    for made_s in (10.0, 10.1, 10.0 + 2 * SAME_BAM_S):
        gate.make(Maker.SOUND, made_s)
    gate.dismiss()
    assert kept_for == [10.0, 10.0 + 2 * SAME_BAM_S, math.inf]


def test_waiting_thread_is_woken_by_a_cue_from_another() -> None:
    gate = CueGate()
    heard: list[Cue | None] = []
    waiting = threading.Thread(target=lambda: heard.append(gate.wait(60)))
    waiting.start()
    before_s = time.monotonic()
    made = gate.make(Maker.BUTTON)
    waiting.join(60)
    assert heard == [made]
    assert made is not None
    assert before_s <= made.time_s <= time.monotonic()


class _WatchedGate(CueGate):
    """A gate that asserts that the current cue is only accessed with the lock held, apart from its initialization."""

    _kept: Cue | None = None
    _made = False

    @property
    def _standing(self) -> Cue | None:
        assert self._changed._is_owned()  # type: ignore[attr-defined]
        return self._kept

    @_standing.setter
    def _standing(self, cue: Cue | None) -> None:
        assert not self._made or self._changed._is_owned()  # type: ignore[attr-defined]
        self._kept, self._made = cue, True


def test_only_one_of_many_simultaneous_cues_is_accepted() -> None:
    gate = _WatchedGate(lambda: 10.0)
    together = threading.Barrier(8)
    made: list[Cue | None] = []

    def shout() -> None:
        together.wait()
        made.append(gate.make(Maker.SOUND))

    threads = [threading.Thread(target=shout) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([cue for cue in made if cue is not None]) == 1


SOUNDS = Path(__file__).parents[3] / "fixtures/sounds"
TAKES = sorted((SOUNDS / "high_shout").glob("take_*.ogg"))


@pytest.fixture(scope="module")
def shouted() -> BamProfile:
    sounds = [read_sound(take) for take in TAKES[:3]]
    return learn([Recording(sound.samples, sound.rate) for sound in sounds])


@pytest.fixture
def sound() -> Sound:
    return read_sound(TAKES[3], start_s=50.0)


def play(sound: Sound, cues: SoundCues) -> None:
    for first in range(0, len(sound.samples), 960):
        cues.hear(sound.samples[first : first + 960], sound.rate, sound.start_s + first / sound.rate)


def test_heard_bam_becomes_a_cue_with_its_time(shouted: BamProfile, sound: Sound) -> None:
    gate = CueGate()
    play(sound, SoundCues(shouted, gate, pytest.fail))
    cue = gate.wait(0)
    assert cue is not None
    assert cue.maker is Maker.SOUND
    assert 50.7 < cue.time_s < 51.3


def test_unknown_shout_is_a_bam_only_while_one_is_expected(shouted: BamProfile) -> None:
    gate = CueGate()
    cues = SoundCues(shouted, gate, pytest.fail)
    for start_s, is_heard in ((50.0, False), (60.0, True)):
        cues.expect(60.0, 66.0)
        play(read_sound(SOUNDS / "low_shout" / "take_3.ogg", start_s=start_s), cues)
        assert (gate.wait(0) is not None) == is_heard


def test_bam_spoken_by_the_referee_is_ignored(shouted: BamProfile, sound: Sound) -> None:
    gate = CueGate()
    cues = SoundCues(shouted, gate, pytest.fail, clock=lambda: 50.5)
    cues.speaks(1.0)
    play(sound, cues)
    assert gate.wait(0) is None


def test_low_sample_rate_is_reported_once_and_better_sound_is_heard(shouted: BamProfile, sound: Sound) -> None:
    warnings: list[str] = []
    gate = CueGate()
    cues = SoundCues(shouted, gate, warnings.append)
    for start_s in (20.0, 30.0):
        play(Sound(sound.samples, 8000, start_s), cues)
    assert len(warnings) == 1
    assert "8000 samples a second" in warnings[0]
    assert gate.wait(0) is None
    play(sound, cues)
    assert gate.wait(0) is not None
