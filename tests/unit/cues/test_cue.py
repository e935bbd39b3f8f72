"""The gate of the cues: what is one Bam, what is two, and what a dismissed one leaves."""

from __future__ import annotations

import threading
import time

import pytest

from bunnymoose_cv.cues.cue import SAME_BAM_S, Cue, CueGate, Maker


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
