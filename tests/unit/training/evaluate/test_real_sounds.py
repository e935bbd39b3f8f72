"""Recordings that hold no learnt Bam: cues in them are false alarms, and a Bam mixed in is heard."""

from __future__ import annotations

import json
import shutil
import wave
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled
from training.evaluate.real_sounds import RealSoundsShape, figures_by_sort, listen, read_real_sounds

if TYPE_CHECKING:
    from pathlib import Path

TRUTH = bundled("fixtures/sounds/truth.json")
NARRATORS = 4
HIGH_SHOUT = 2
"""Number of the narrator of a take among the sounds."""

RATE = 16_000


@pytest.fixture
def sounds(tmp_path: Path) -> Path:
    """Two pieces of one steady noise, and a take of the high shout as if somebody else had shouted it."""
    for number in (1, 2):
        with wave.open(str(tmp_path / f"rain_{number}.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(np.random.default_rng(number).normal(0, 900, 3 * RATE).astype(np.int16).tobytes())
    shutil.copy(TRUTH.parent / "high_shout/take_1.ogg", tmp_path / "shout.ogg")
    lines = ["file,sound", "rain_1.wav,rain (made)", "rain_2.wav,rain (made)", "shout.ogg,shout"]
    (tmp_path / "sounds.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_pieces_of_one_origin_lie_in_one_half(sounds: Path) -> None:
    assert [(each.sort, each.half) for each in read_real_sounds(sounds)] == [("rain", 0), ("rain", 0), ("shout", 1)]


def test_a_list_may_begin_with_a_byte_order_mark(sounds: Path) -> None:
    path = sounds / "sounds.csv"
    path.write_text(path.read_text("utf-8"), "utf-8-sig")
    assert [each.sort for each in read_real_sounds(sounds)] == ["rain", "rain", "shout"]


def test_false_alarms_and_mixed_in_bams_are_counted(sounds: Path) -> None:
    heard = list(listen(TRUTH, read_real_sounds(sounds)))
    figures = figures_by_sort(heard)
    assert figures["rain"].wrong.count == 0
    assert figures["rain"].wrong.hours == pytest.approx(2 * NARRATORS * 3 / 3600)
    assert figures["rain"].heard is not None
    assert figures["rain"].heard.total == 2
    assert figures["rain"].heard.count >= 1
    shouts = [each.false_alarms for each in heard[-NARRATORS:]]
    assert shouts[HIGH_SHOUT] == 1
    assert figures["all"].wrong.count == sum(shouts)
    line = json.loads(RealSoundsShape.of(figures).line())["real sounds"]
    assert line["second half"]["false_alarms"] == sum(shouts)
    assert line["all"]["bams"] == len(heard) // NARRATORS


@pytest.mark.parametrize("text", [None, "file;sound\na.wav;rain\n"])
def test_a_list_that_is_none_is_told(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "sounds.csv").write_text(text)
    with pytest.raises(InputError, match=r"sounds\.csv"):
        read_real_sounds(tmp_path)
