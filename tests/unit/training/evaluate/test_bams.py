"""Evaluation of Bams: hits by loudness, the rate of false alarms with its interval, and JSON."""

import json
import shutil
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled
from training.evaluate.bams import (
    BamsShape,
    HeardBam,
    NarratorBamsShape,
    NarratorFigures,
    evaluate_bams,
    false_alarms,
    heard,
    timing_errors_s,
)
from training.evaluate.real_sounds import RealSoundsShape, SortFigures, figures_by_sort, listen, read_real_sounds
from training.evaluate.shares import Rate, Share

LISTENED_S = 90
SOUNDS = Path(__file__).parents[4] / "fixtures" / "sounds"
FIGURES = [
    NarratorFigures("a", (HeardBam(0.0, 0.02), HeardBam(-9.0, None), HeardBam(3.0, -0.04)), 2, 0.5),
    NarratorFigures("b", (HeardBam(-3.0, None), HeardBam(-6.0, 0.0)), 0, 1.5),
]


def one_recording(folder: Path, narrator: str) -> tuple[Path, dict[str, Any]]:
    """Return a truth file with the first minute and a half of one recording, and that recording's truth."""
    (truth,) = (own for own in json.loads((SOUNDS / "truth.json").read_text())["narrators"] if own["name"] == narrator)
    takes = [str(SOUNDS / take) for take in truth["takes"]]
    recording = truth["recordings"][0]
    sound = read_sound(SOUNDS / recording["file"])
    with wave.open(str(folder / "start.wav"), "wb") as file:
        file.setparams((1, 2, sound.rate, 0, "NONE", ""))
        file.writeframes(sound.samples[: LISTENED_S * sound.rate].tobytes())
    bams = [bam for bam in recording["bams"] if bam[0] < LISTENED_S - 1]
    recording |= {"file": "start.wav", "seconds": LISTENED_S, "bams": bams}
    (folder / "truth.json").write_text(
        json.dumps({"narrators": [{"name": narrator, "takes": takes, "recordings": [recording]}]})
    )
    return folder / "truth.json", recording


def test_bams_are_counted_by_loudness() -> None:
    assert (heard(FIGURES), heard(FIGURES, soft=True), heard(FIGURES, soft=False)) == (
        Share(5, 3),
        Share(2, 1),
        Share(3, 2),
    )
    assert heard([], soft=True) is None
    assert false_alarms(FIGURES) == Rate(2, 2.0)
    assert timing_errors_s(FIGURES) == (0.02, 0.04)
    assert timing_errors_s([]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("count", "low", "high"), [(0, 0.0, 3.69), (1, 0.025, 5.57), (10, 4.80, 18.39), (100, 81.4, 121.6)]
)
def test_interval_of_a_rate_matches_poisson_tables(count: int, low: float, high: float) -> None:
    assert Rate(count, 1.0).interval == pytest.approx((low, high), rel=0.01, abs=0.02)
    assert Rate(count, 4.0).interval == pytest.approx((low / 4, high / 4), rel=0.01, abs=0.02)


def test_shouts_of_a_recording_are_heard_at_their_times(tmp_path: Path) -> None:
    path, recording = one_recording(tmp_path, "low_shout")
    (figures,) = evaluate_bams(path)
    assert len(figures.bams) == len(recording["bams"]) >= 4
    share = heard([figures], soft=False)
    assert share is not None
    assert share.count == share.total
    assert figures.false_alarms <= 1
    assert timing_errors_s([figures])[1] < 0.1


def test_bams_during_the_referees_own_voice_are_ignored(tmp_path: Path) -> None:
    """Only deafness can reject the referee's Bam, because takes of the same narrator are used for both."""
    path, recording = one_recording(tmp_path, "low_shout")
    truth = json.loads(path.read_text())
    truth["narrators"][0]["recordings"][0]["own_voice"] = [[bam - 0.1, bam + 0.5] for bam, _ in recording["bams"]]
    path.write_text(json.dumps(truth))
    (figures,) = evaluate_bams(path)
    assert heard([figures]) == Share(len(recording["bams"]), 0)


@pytest.mark.parametrize("content", ["", "[]", '{"narrators": [{"name": "a", "takes": [], "recordings": []}]}'])
def test_invalid_truth_of_recordings_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "truth.json").write_text(content)
    with pytest.raises(InputError, match="is no truth of recordings"):
        list(evaluate_bams(tmp_path / "truth.json"))
    with pytest.raises(InputError, match="There is no"):
        list(evaluate_bams(tmp_path / "none.json"))


def test_text_output_is_a_table_and_json_output_is_lines(
    laboratory: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path, recording = one_recording(tmp_path, "high_shout")
    code, table, _ = laboratory("evaluate", str(path), "--cues")
    assert code == 0

    figures = list(evaluate_bams(path))
    narrator, last = json.loads(NarratorBamsShape.of(figures[0]).line()), json.loads(BamsShape.of(figures).line())
    assert narrator["narrator"] == "high_shout"
    assert narrator["heard"] == last["heard"]
    assert last["heard"]["n"] == len(recording["bams"])
    assert last["false_alarms"]["hours"] == LISTENED_S / 3600
    assert last["late_s"]["median"] < 0.05
    (row,) = (line.split() for line in table.splitlines() if line.startswith("│ all "))
    assert row[3:6:2] == [str(last["heard"]["count"]), str(last["heard"]["n"])]
    assert f"false alarms: {last['false_alarms']['count']} in 0.03 hours" in table


HEARD = NarratorFigures("ö", (HeardBam(0.0, 0.0123), HeardBam(-6.0, None)), 1, 0.5)
SILENT = NarratorFigures("a", (), 0, 0.5)

SHARE = '{"n": 2, "count": 1, "rate": 0.5, "low": 0.09453120463920084, "high": 0.9054687953607992}'
RATE = '{"count": 1, "hours": 0.5, "an_hour": 2.0, "low": 0.026, "high": 11.128}'
NO_RATE = '{"count": 0, "hours": 0.5, "an_hour": 0.0, "low": 0.0, "high": 7.336}'


@pytest.mark.parametrize(
    ("narrator", "line"),
    [
        (HEARD, f'{{"narrator": "ö", "heard": {SHARE}, "false_alarms": {RATE}}}'),
        (SILENT, f'{{"narrator": "a", "heard": null, "false_alarms": {NO_RATE}}}'),
    ],
)
def test_json_line_of_a_narrator(narrator: NarratorFigures, line: str) -> None:
    assert NarratorBamsShape.of(narrator).line(ascii_only=False) == line


def test_json_line_of_all_narrators_omits_empty_figures() -> None:
    assert BamsShape.of([HEARD]).line() == (
        f'{{"heard": {SHARE}, "heard_soft": {{"n": 1, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.7934506882081973}}'
        ', "heard_as_loud": {"n": 1, "count": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}'
        f', "false_alarms": {RATE}, "late_s": {{"median": 0.012, "slow": 0.012}}}}'
    )
    assert BamsShape.of([SILENT]).line() == f'{{"false_alarms": {NO_RATE}, "late_s": {{"median": 0.0, "slow": 0.0}}}}'


def test_json_line_of_real_sounds() -> None:
    assert RealSoundsShape.of({"all": SortFigures(Rate(1, 0.5), None)}).line() == (
        '{"real sounds": {"all": {"false_alarms": 1, "hours": 0.5, "an_hour": 2.0, "low": 0.026144264087199717, '
        '"high": 11.127511251442998, "bams": 0, "heard": 0}}}'
    )


TRUTH = bundled("fixtures/sounds/truth.json")
NARRATORS = 4
HIGH_SHOUT = 2
"""Index of the narrator whose take is among the sounds."""

SAMPLE_RATE = 16_000


@pytest.fixture
def sounds(tmp_path: Path) -> Path:
    """Two pieces of one steady noise, and a take of the high shout as a foreign sound."""
    for number in (1, 2):
        with wave.open(str(tmp_path / f"rain_{number}.wav"), "wb") as file:
            file.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
            file.writeframes(np.random.default_rng(number).normal(0, 900, 3 * SAMPLE_RATE).astype(np.int16).tobytes())
    shutil.copy(TRUTH.parent / "high_shout/take_1.ogg", tmp_path / "shout.ogg")
    lines = ["file,sound", "rain_1.wav,rain (made)", "rain_2.wav,rain (made)", "shout.ogg,shout"]
    (tmp_path / "sounds.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_sounds_of_one_origin_are_in_one_half(sounds: Path) -> None:
    assert [(sound.sort, sound.half) for sound in read_real_sounds(sounds)] == [("rain", 0), ("rain", 0), ("shout", 1)]


def test_list_may_begin_with_a_byte_order_mark(sounds: Path) -> None:
    path = sounds / "sounds.csv"
    path.write_text(path.read_text("utf-8"), "utf-8-sig")
    assert [sound.sort for sound in read_real_sounds(sounds)] == ["rain", "rain", "shout"]


def test_false_alarms_and_mixed_in_bams_are_counted(sounds: Path) -> None:
    heard = list(listen(TRUTH, read_real_sounds(sounds)))
    figures = figures_by_sort(heard)
    assert figures["rain"].wrong.count == 0
    assert figures["rain"].wrong.hours == pytest.approx(2 * NARRATORS * 3 / 3600)
    assert figures["rain"].heard is not None
    assert figures["rain"].heard.total == 2
    assert figures["rain"].heard.count >= 1
    shouts = [sound_result.false_alarms for sound_result in heard[-NARRATORS:]]
    assert shouts[HIGH_SHOUT] == 1
    assert figures["all"].wrong.count == sum(shouts)
    line = json.loads(RealSoundsShape.of(figures).line())["real sounds"]
    assert line["second half"]["false_alarms"] == sum(shouts)
    assert line["all"]["bams"] == len(heard) // NARRATORS


@pytest.mark.parametrize("text", [None, "file|sound\na.wav|rain\n"])
def test_invalid_list_of_sounds_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "sounds.csv").write_text(text)
    with pytest.raises(InputError, match=r"sounds\.csv"):
        read_real_sounds(tmp_path)
