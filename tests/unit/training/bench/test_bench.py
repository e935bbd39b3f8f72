"""`python -m training.bench`: every figure is there and can be true; how large it is depends on the computer."""

import json
import time
from collections.abc import Callable
from itertools import count
from threading import Lock
from types import SimpleNamespace
from typing import Any

import pytest

from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.pipeline import STAGES, stages_at
from training.bench import demo_clip, round_timing

Program = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _short_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Bam come sooner, in smaller images, and each measurement be made once."""
    monkeypatch.setattr(demo_clip, "FULL_HD", (960, 540))
    monkeypatch.setattr(round_timing, "CUE_S", 1.0)
    monkeypatch.setattr(round_timing, "DEMO_S", 2.5)
    monkeypatch.setattr(round_timing, "REPEATS", 1)


def test_every_call_of_a_model_is_timed_bare_once(laboratory: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the measuring clock to the number of calls of models."""
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


def test_people_see_a_table(laboratory: Program) -> None:
    code, out, _ = laboratory("bench", "--rounds", "1")
    assert code == 0
    assert all(stage.name in out for stage in STAGES)


def test_every_stage_of_a_search_and_of_a_glance_is_timed_to_its_end(laboratory: Program) -> None:
    """Begun work counts in the stage that begins it."""
    code, out, err = laboratory("bench", "--rounds", "1", "--json")
    assert (code, err) == (0, "")
    medians_ms = json.loads(out)["medians_ms"]
    searched = [stage.name for stage in stages_at(Effort.SEARCH, STAGES)]
    assert list(medians_ms) == [*searched, *(f"glance: {stage.name}" for stage in stages_at(Effort.GLANCE, STAGES))]
    assert medians_ms["glance: hands"] > medians_ms["glance: players"], "the latter only assigns the hands"


@pytest.mark.parametrize(
    "words",
    [
        ("--rounds", "1000000000"),
        ("round", "--rounds", "1000000000"),
    ],
)
def test_a_number_that_never_ends_is_refused(laboratory: Program, words: tuple[str, ...]) -> None:
    code, out, err = laboratory("bench", *words)
    assert (code, out) == (2, "")
    assert words[-2] in err
