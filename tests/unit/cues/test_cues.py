"""Cues of a Bam: what is learnt and heard, what is one Bam and what is two, and the sound of a microphone."""

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
from bunnymoose_cv.cues.loudness import BandMeter, Samples, decibels
from bunnymoose_cv.cues.sound_cues import SoundCues

RATE = 16000
PIECE = 320


def room(seconds: float, seed: int = 0) -> Samples:
    return np.random.default_rng(seed).normal(0, 20, round(seconds * RATE)).astype(np.int16)


def bam(seed: int = 0, loudness: float = 15000, tones: tuple[int, ...] = (300, 900, 2600)) -> Samples:
    """A shout of half a second: some tones that swell and fade, with a hand's clap at their beginning."""
    random = np.random.default_rng(seed)
    seconds = np.arange(round(0.5 * RATE)) / RATE
    swelling = np.minimum(1, seconds / 0.01) * np.exp(-seconds / 0.25)
    voiced = sum(np.sin(2 * np.pi * tone * random.uniform(0.97, 1.03) * seconds) for tone in tones) / len(tones)
    clap = random.normal(size=seconds.size) * np.exp(-seconds / 0.01) * 0.3
    return np.asarray(loudness * (voiced * swelling + clap), np.int16)


def laid(base: Samples, *sounds: tuple[float, Samples]) -> Samples:
    """A recording with sounds at some times."""
    heard = base.astype(np.int32)
    for at_s, sound in sounds:
        start = round(at_s * RATE)
        heard[start : start + len(sound)] += sound[: max(0, len(heard) - start)]
    return np.clip(heard, -32768, 32767).astype(np.int16)


def take(seed: int) -> Recording:
    return Recording(laid(room(2, seed), (1.0, bam(seed))), RATE)


@pytest.fixture(scope="module")
def profile() -> BamProfile:
    return learn([take(seed) for seed in range(3)])


def heard(
    ear: BamEar, samples: Samples, start_s: float = 100.0, piece: int = PIECE, rate: int = RATE
) -> Iterator[float]:
    """Times at which the ear hears a Bam in sound that comes piece by piece."""
    for first in range(0, len(samples), piece):
        bam_s = ear.hear(samples[first : first + piece], rate, start_s + first / rate)
        if bam_s is not None:
            yield bam_s


@pytest.mark.parametrize("piece", [160, 320, 1000, 7999])
def test_a_bam_is_heard_with_the_time_at_which_it_began(profile: BamProfile, piece: int) -> None:
    samples = laid(room(6), (1.5, bam(7)), (4.2, bam(8)))
    assert list(heard(BamEar(profile), samples, piece=piece)) == pytest.approx([101.5, 104.2], abs=0.03)


def test_a_bam_is_heard_at_another_rate(profile: BamProfile) -> None:
    samples = laid(room(3), (1.5, bam(7)))
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
def test_what_is_no_bam(profile: BamProfile, sound: Samples) -> None:
    assert list(heard(BamEar(profile), laid(room(4), (1.5, np.asarray(sound, np.int16))))) == []


def test_a_bam_over_talk_that_goes_on(profile: BamProfile) -> None:
    talk = np.random.default_rng(3).normal(0, 400, 4 * RATE) * (1 + np.sin(np.arange(4 * RATE) / 900))
    assert list(heard(BamEar(profile), laid(room(4), (0.0, talk.astype(np.int16)), (2.0, bam(9))))) == pytest.approx(
        [102.0], abs=0.03
    )


def test_the_ear_is_deaf_while_the_referee_speaks_and_to_its_echo(profile: BamProfile) -> None:
    ear = BamEar(profile)
    ear.deafen(101.0, 101.8)
    samples = laid(room(8), (1.1, bam(4)), (2.0, bam(5)), (4.0, bam(6)), (6.0, bam(7)))
    bams = heard(ear, samples)
    assert next(bams) == pytest.approx(104.0, abs=0.03)
    ear.deafen(105.5, 106.5)
    assert list(bams) == []


def test_sound_that_stops_and_comes_again_keeps_its_times(profile: BamProfile) -> None:
    ear, samples = BamEar(profile), laid(room(3), (1.5, bam(7)))
    assert list(heard(ear, samples[: round(1.6 * RATE)])) == []
    assert list(heard(ear, samples, start_s=200.0)) == pytest.approx([201.5], abs=0.03)


def test_too_few_takes_too_quiet_ones_and_one_unlike_the_others() -> None:
    with pytest.raises(LearningError, match=f"from {FEWEST_TAKES} takes or more, not from 2"):
        learn([take(0), take(1)])
    with pytest.raises(LearningError, match="In take 2 nothing stands out"):
        learn([take(0), Recording(laid(room(2), (1.0, bam(1, loudness=60))), RATE), take(2)])
    with pytest.raises(LearningError, match="In take 3 nothing stands out"):
        learn([take(0), take(1), Recording(room(0.01), RATE)])
    other = Recording(laid(room(2), (1.0, bam(1, tones=(180, 4000, 6000)))), RATE)
    with pytest.raises(LearningError, match="Take 1 sounds unlike the others"):
        learn([other, take(1), take(2)])


def test_levels_are_those_of_a_sine() -> None:
    loudest = (32767 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE)).astype(np.int16)
    levels = decibels(BandMeter(RATE).measure(loudest).sum(1))
    assert levels == pytest.approx(np.zeros(99), abs=0.3)


def test_a_learnt_bam_is_kept(profile: BamProfile, tmp_path: Path) -> None:
    path = tmp_path / "kept" / "bam.toml"
    save_bam(profile, path)
    again = load_bam(path)
    assert again.softest_db == pytest.approx(profile.softest_db, abs=0.05)
    for own, kept in zip(profile.shapes, again.shapes, strict=True):
        assert kept == pytest.approx(own, abs=0.05)
    assert list(heard(BamEar(again), laid(room(4), (1.5, bam(7))))) == pytest.approx([101.5], abs=0.03)


def test_a_bam_that_cannot_be_kept_leaves_no_half_behind(profile: BamProfile, tmp_path: Path) -> None:
    path = tmp_path / "bam.toml"
    path.mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        save_bam(profile, path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["", "softest_db = 1", "takes = [[[0.0]]]\nsoftest_db = -9.0\n", "nonsense"])
def test_a_file_that_holds_no_bam(tmp_path: Path, content: str) -> None:
    (tmp_path / "bam.toml").write_text(content)
    with pytest.raises(InputError, match="holds no learnt Bam"):
        load_bam(tmp_path / "bam.toml")
    with pytest.raises(InputError, match="run bunnymoose cue learn"):
        load_bam(tmp_path / "none.toml")


def test_the_own_file_of_bam_may_be_replaced_and_a_named_one_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    """A gate at which it is always the same time."""
    return CueGate(lambda: time_s)


def test_a_cue_is_handed_out_once_with_its_maker_and_the_time_of_the_clock() -> None:
    gate = at(12.5)
    assert gate.make(Maker.KEY) == Cue(12.5, Maker.KEY)
    assert gate.wait(0) == Cue(12.5, Maker.KEY)
    assert gate.wait(0) is None


def test_a_cue_carries_the_time_at_which_it_was_made_not_handled() -> None:
    gate = at(30.0)
    gate.make(Maker.SOUND, 29.7)
    cue = gate.wait(0)
    assert cue is not None
    assert cue.time_s == 29.7


@pytest.mark.parametrize(
    ("seconds_later", "another"),
    [(0.0, False), (-0.3, False), (SAME_BAM_S, False), (SAME_BAM_S + 0.01, True), (-SAME_BAM_S - 0.01, True)],
)
def test_cues_within_two_seconds_are_one(seconds_later: float, another: bool) -> None:  # noqa: FBT001 - a table
    gate = at(0.0)
    gate.make(Maker.KEY, 100.0)
    gate.wait(0)
    assert (gate.make(Maker.SOUND, 100.0 + seconds_later) is not None) is another
    assert (gate.wait(0) is not None) is another


def test_a_row_of_echoes_does_not_push_the_next_bam_away() -> None:
    gate = at(0.0)
    gate.make(Maker.SOUND, 10.0)
    assert [gate.make(Maker.SOUND, 10.0 + echo) for echo in (0.5, 1.0, 1.9)] == [None] * 3
    assert gate.make(Maker.SOUND, 12.1) is not None


@pytest.mark.parametrize("taken", [True, False])
def test_after_a_dismissed_cue_the_next_may_come_at_once(taken: bool) -> None:  # noqa: FBT001 - a table
    gate = at(0.0)
    gate.make(Maker.SOUND, 10.0)
    if taken:
        gate.wait(0)
    gate.dismiss()
    assert gate.wait(0) is None
    assert gate.make(Maker.KEY, 10.1) == Cue(10.1, Maker.KEY)
    assert gate.wait(0) == Cue(10.1, Maker.KEY)


def test_who_waits_is_woken_from_another_thread() -> None:
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
    """A gate whose standing cue may be seen and replaced by the holder of its lock alone, after the first one."""

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


def test_of_many_makers_at_once_one_stands() -> None:
    gate = _WatchedGate()
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


def test_a_heard_bam_comes_through_the_door_with_its_time(shouted: BamProfile, sound: Sound) -> None:
    gate = CueGate()
    play(sound, SoundCues(shouted, gate, pytest.fail))
    cue = gate.wait(0)
    assert cue is not None
    assert cue.maker is Maker.SOUND
    assert 50.7 < cue.time_s < 51.3


def test_a_strange_shout_is_a_bam_only_while_one_is_expected(shouted: BamProfile) -> None:
    gate = CueGate()
    cues = SoundCues(shouted, gate, pytest.fail)
    for start_s, is_heard in ((50.0, False), (60.0, True)):
        cues.expect(60.0, 66.0)
        play(read_sound(SOUNDS / "low_shout" / "take_3.ogg", start_s=start_s), cues)
        assert (gate.wait(0) is not None) == is_heard


def test_the_referees_own_bam_is_none(shouted: BamProfile, sound: Sound) -> None:
    gate = CueGate()
    cues = SoundCues(shouted, gate, pytest.fail, clock=lambda: 50.5)
    cues.speaks(1.0)
    play(sound, cues)
    assert gate.wait(0) is None


def test_a_telephones_sound_is_told_once_and_better_sound_is_heard_again(shouted: BamProfile, sound: Sound) -> None:
    told: list[str] = []
    gate = CueGate()
    cues = SoundCues(shouted, gate, told.append)
    for start_s in (20.0, 30.0):
        play(Sound(sound.samples, 8000, start_s), cues)
    assert len(told) == 1
    assert "8000 samples a second" in told[0]
    assert gate.wait(0) is None
    play(sound, cues)
    assert gate.wait(0) is not None
