"""Holder of footage: spools are written when the disk may be used, and dropped when nobody wants them any more."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from bunnymoose_cv.record.footage_holder import FootageHolder
from bunnymoose_cv.record.footage_spool import SpooledFootage, spooled_rounds, spools_of
from tests.unit.record.test_footage_spool import CUE_S, PATIENCE_S, Camera

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


class Gate:
    """A pause before each frame, which a test ends."""

    def __init__(self) -> None:
        self.reached, self.opened = Event(), Event()

    def __call__(self) -> None:
        self.reached.set()
        assert self.opened.wait(PATIENCE_S)


def test_no_frame_is_written_before_the_disk_may_be_used(tmp_path: Path) -> None:
    gate = Gate()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, Camera())
    assert gate.reached.wait(PATIENCE_S)
    assert spooled_rounds(tmp_path) == ()
    gate.opened.set()
    held = holder.take(1)
    assert held is not None
    assert isinstance(held.result(PATIENCE_S), SpooledFootage)
    assert (holder.take(1), holder.rounds) == (None, ())
    holder.finish()


def test_a_spool_that_is_forgotten_while_it_is_written_is_removed(tmp_path: Path) -> None:
    gate = Gate()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, Camera())
    assert gate.reached.wait(PATIENCE_S)
    holder.forget(1)
    assert holder.rounds == ()
    gate.opened.set()
    holder.finish()
    assert spooled_rounds(tmp_path) == ()


def test_another_bam_of_the_round_has_a_spool_of_its_own(tmp_path: Path) -> None:
    gate = Gate()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, Camera())
    assert gate.reached.wait(PATIENCE_S)
    first = holder.take(1)
    holder.hold(1, CUE_S, Camera())
    second = holder.take(1)
    gate.opened.set()
    holder.finish()
    assert first is not None
    assert second is not None
    kept, replaced = second.result(), first.result()
    assert isinstance(kept, SpooledFootage)
    assert isinstance(replaced, SpooledFootage)
    assert kept.path != replaced.path
    assert spools_of(tmp_path, 1) == (kept.path,)


def test_footage_that_is_forgotten_before_it_is_there_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera, come, gate = Camera(), Event(), Gate()
    monkeypatch.setattr(Camera, "wait_for", lambda *_: come.wait(PATIENCE_S))
    gate.opened.set()
    holder = FootageHolder(tmp_path, gate)
    holder.hold(1, CUE_S, camera)
    holder.forget(1)
    come.set()
    holder.finish()
    assert not gate.reached.is_set()
    assert spooled_rounds(tmp_path) == ()
