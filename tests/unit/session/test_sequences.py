"""Recorded sequences of commands, whose published states and stored events must not change."""

from pathlib import Path

import pytest

from tests.unit.session.sequences import COUNT, RECORDED, replayed, sequences

GROUP = 10
"""Sequences of one test."""


@pytest.mark.parametrize("first", range(0, COUNT, GROUP))
def test_states_and_events_are_those_recorded(first: int, tmp_path: Path) -> None:
    recorded = sequences(RECORDED.read_text("utf-8"))[first : first + GROUP]
    assert len(recorded) == GROUP
    for number, lines in enumerate(recorded):
        assert replayed(lines, tmp_path / str(number)) == lines, first + number
