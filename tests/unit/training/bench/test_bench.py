"""`python -m training.bench`: every figure is present and plausible; its size depends on the computer."""

import json
import time
from collections.abc import Callable
from itertools import count
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.pipeline import STAGES, stages_at
from tests.doubles import party_reading
from training.bench import demo_clip, look_timing, round_timing

Program = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _short_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say Bam sooner, with smaller images and one repetition of each measurement."""
    monkeypatch.setattr(demo_clip, "FULL_HD", (960, 540))
    monkeypatch.setattr(round_timing, "CUE_S", 1.0)
    monkeypatch.setattr(round_timing, "DEMO_S", 2.5)
    monkeypatch.setattr(round_timing, "REPEATS", 1)


def test_bare_time_counts_every_model_call_once(laboratory: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the clock by the number of model calls."""
    calls, lock = count(), Lock()

    def ticking(call: Callable[..., Any]) -> Callable[..., Any]:
        def ticked(*arguments: Any) -> Any:
            with lock:
                next(calls)
            return call(*arguments)

        return ticked

    for owner, name in round_timing.MODEL_CALLS:
        monkeypatch.setattr(owner, name, ticking(getattr(owner, name)))
    clock = SimpleNamespace(monotonic=time.monotonic, perf_counter=lambda: float(repr(calls)[6:-1]))
    monkeypatch.setattr(round_timing, "time", clock)
    code, out, err = laboratory("bench", "round", "--rounds", "1", "--json")
    figures = json.loads(out)
    assert (code, err) == (0, "")
    assert figures["first word after the window's end, s, in 9 of 10 rounds"] > 0
    assert figures["readings a second before the cue"] > 0
    assert figures["all work against bare model calls"] > 0
    assert figures["its bare model calls, s"] == figures["model calls"]
    assert 0 < figures["reading the same frames at one go, s"] < 10 * figures["its bare model calls, s"]


def test_text_output_has_tables(laboratory: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_timing, "GROWTH", (5,))
    code, out, _ = laboratory("bench", "--rounds", "1", "--growth", "--plain")
    assert code == 0
    assert all(stage.name in out for stage in STAGES)
    assert all(name in out for name in (look_timing.BARE, look_timing.LOOK, "stage heads", "plain MediaPipe", "MB"))


def test_every_stage_of_a_search_and_a_glance_is_timed_to_completion(laboratory: Program) -> None:
    """Count asynchronous work in the stage that starts it."""
    code, out, err = laboratory("bench", "--rounds", "1", "--json")
    assert (code, err) == (0, "")
    figures = json.loads(out)
    medians_ms = figures["medians_ms"]
    searched = [stage.name for stage in stages_at(Effort.SEARCH, STAGES)]
    assert list(medians_ms) == [*searched, *(f"glance: {stage.name}" for stage in stages_at(Effort.GLANCE, STAGES))]
    assert medians_ms["glance: hands"] > medians_ms["glance: players"], "the latter only assigns the hands"
    assert list(figures["looks"]) == ["5"]
    assert figures["plain"] == {}


def test_cold_look_finds_the_whole_row_and_is_compared_with_bare_calls() -> None:
    (six,) = look_timing.time_looks([6], 1).values()
    assert six["players found"] == 6
    assert six[look_timing.LOOK] == pytest.approx(six["cold look against bare calls"] * six[look_timing.BARE])
    assert look_timing.time_plain(1)["hands found"] < six["hands found"], "so each head gets a crop"


def test_bare_calls_have_one_call_per_player_side_hand_and_mouth() -> None:
    calls = look_timing.bare_calls(lambda: None, party_reading())
    assert [len(group) for group in calls.values()] == [1, 1, 2, 2, 4, 2]


def test_longer_row_repeats_the_players_of_the_clip() -> None:
    assert np.array_equal(demo_clip.row_image(6), np.hstack([demo_clip.row_image(5), demo_clip.row_image(1)]))


@pytest.mark.parametrize(
    "words",
    [
        ("--rounds", "1000000000"),
        ("round", "--rounds", "1000000000"),
    ],
)
def test_excessive_number_of_rounds_is_refused(laboratory: Program, words: tuple[str, ...]) -> None:
    code, out, err = laboratory("bench", *words)
    assert (code, out) == (2, "")
    assert words[-2] in err
