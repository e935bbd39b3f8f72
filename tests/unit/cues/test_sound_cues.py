"""Sound of a microphone becomes cues, but for the referee's own announcements."""

from pathlib import Path

import pytest

from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.cues.bam import BamProfile, Recording, learn
from bunnymoose_cv.cues.cue import CueGate, Maker
from bunnymoose_cv.cues.sound_cues import SoundCues

SOUNDS = Path(__file__).parents[3] / "fixtures/sounds"
TAKES = sorted((SOUNDS / "high_shout").glob("take_*.ogg"))


@pytest.fixture(scope="module")
def profile() -> BamProfile:
    sounds = [read_sound(take) for take in TAKES[:3]]
    return learn([Recording(sound.samples, sound.rate) for sound in sounds])


@pytest.fixture
def sound() -> Sound:
    return read_sound(TAKES[3], start_s=50.0)


def play(sound: Sound, cues: SoundCues) -> None:
    for first in range(0, len(sound.samples), 960):
        cues.hear(sound.samples[first : first + 960], sound.rate, sound.start_s + first / sound.rate)


def test_a_heard_bam_comes_through_the_door_with_its_time(profile: BamProfile, sound: Sound) -> None:
    gate = CueGate()
    play(sound, SoundCues(profile, gate, pytest.fail))
    cue = gate.wait(0)
    assert cue is not None
    assert cue.maker is Maker.SOUND
    assert 50.7 < cue.time_s < 51.3


def test_a_strange_shout_is_a_bam_only_while_one_is_expected(profile: BamProfile) -> None:
    gate = CueGate()
    cues = SoundCues(profile, gate, pytest.fail)
    for start_s, is_heard in ((50.0, False), (60.0, True)):
        cues.expect(60.0, 66.0)
        play(read_sound(SOUNDS / "low_shout" / "take_3.ogg", start_s=start_s), cues)
        assert (gate.wait(0) is not None) == is_heard


def test_the_referees_own_bam_is_none(profile: BamProfile, sound: Sound) -> None:
    gate = CueGate()
    cues = SoundCues(profile, gate, pytest.fail, clock=lambda: 50.5)
    cues.speaks(1.0)
    play(sound, cues)
    assert gate.wait(0) is None


def test_a_telephones_sound_is_told_once_and_better_sound_is_heard_again(profile: BamProfile, sound: Sound) -> None:
    told: list[str] = []
    gate = CueGate()
    cues = SoundCues(profile, gate, told.append)
    for start_s in (20.0, 30.0):
        play(Sound(sound.samples, 8000, start_s), cues)
    assert len(told) == 1
    assert "8000 samples a second" in told[0]
    assert gate.wait(0) is None
    play(sound, cues)
    assert gate.wait(0) is not None
