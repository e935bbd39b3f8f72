"""Labelled clips of rounds: parts, and sets that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled
from training.evaluate.round_set import SetPart, read_round_set

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = bundled("fixtures/rounds")


def test_a_part_leaves_out_the_other() -> None:
    whole = read_round_set(ROUNDS)
    chosen, reported = (whole.of_part(part) for part in (SetPart.CHOOSE, SetPart.REPORT))
    assert whole.of_part(None) == tuple(whole.clips)
    assert sorted(clip.clip for clip in (*chosen, *reported)) == sorted(clip.clip for clip in whole.clips)
    assert {clip.part for clip in reported} == {SetPart.REPORT}


@pytest.mark.parametrize("text", [None, "{}", '{"clips": [{"clip": "a.mp4"}]}'])
def test_a_set_that_is_none_is_told(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "truth.json").write_text(text)
    with pytest.raises(InputError, match="truth"):
        read_round_set(tmp_path)
