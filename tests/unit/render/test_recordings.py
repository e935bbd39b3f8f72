"""The sounds of the fixtures: reproducible by seed, and in agreement with their truth."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.sound import read_sound
from fixtures.render.noises import RATE, Wave, card, clink, in_room, knock, laughter, music, room, slap

SOUNDS = Path(__file__).parents[3] / "fixtures" / "sounds"
LARGEST_BYTES = 6_000_000
TRUTH = json.loads((SOUNDS / "truth.json").read_text("utf-8"))


@pytest.mark.parametrize("sound", [slap, laughter, music, clink, card, knock])
def test_equal_seeds_make_equal_sounds(sound: Callable[[np.random.Generator], Wave]) -> None:
    first, again, other = (sound(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert np.abs(first).max() == pytest.approx(1.0)
    assert 0.05 * RATE < len(first) < 15 * RATE


def test_room_adds_reverberation_and_noise() -> None:
    random = np.random.default_rng(0)
    heard = in_room(slap(random), random)
    assert np.abs(heard[round(0.36 * RATE) :]).max() > 0
    assert np.std(room(RATE, random)) == pytest.approx(1.0)


def test_recordings_are_small_and_match_the_truth() -> None:
    files = {file for own in TRUTH["narrators"] for file in own["takes"]}
    recordings = [one for own in TRUTH["narrators"] for one in own["recordings"]]
    files |= {one["file"] for one in recordings}
    assert files == {str(path.relative_to(SOUNDS)) for path in SOUNDS.glob("*/*.ogg")}
    assert sum((SOUNDS / file).stat().st_size for file in files) < LARGEST_BYTES
    for one in recordings:
        times = [at_s for at_s, _ in one["bams"]]
        assert times == sorted(times)
        assert min(np.diff(times)) > 2
        assert one["seconds"] > max(times)
    assert {louder for one in recordings for _, louder in one["bams"]} == {-9.0, -6.0, -3.0, 0.0, 3.0}


def test_bam_begins_at_its_true_time() -> None:
    """For nearly all loud ones the first tenth of a second is louder than the tenth before."""
    one = TRUTH["narrators"][1]["recordings"][0]
    sound = read_sound(SOUNDS / one["file"])
    tenth = sound.rate // 10

    def strength(start_s: float) -> float:
        start = round(start_s * sound.rate)
        return float(np.abs(sound.samples[start : start + tenth].astype(float)).max())

    loud = [at_s for at_s, louder in one["bams"] if louder >= -3]
    has_onset = [strength(at_s) > 2 * strength(at_s - 0.11) for at_s in loud]
    assert sum(has_onset) >= 0.8 * len(loud) > 4
