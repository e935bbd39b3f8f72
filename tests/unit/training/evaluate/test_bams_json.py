"""Lines of an evaluation of Bams, as other programs read them."""

from __future__ import annotations

import pytest

from training.evaluate.bams import HeardBam, NarratorFigures, Rate
from training.evaluate.bams_json import BamsShape, NarratorBamsShape, RealSoundsShape
from training.evaluate.real_sounds import SortFigures

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
def test_the_line_of_a_narrator(narrator: NarratorFigures, line: str) -> None:
    assert NarratorBamsShape.of(narrator).line(ascii_only=False) == line


def test_the_line_of_all_narrators_leaves_out_what_there_is_none_of() -> None:
    assert BamsShape.of([HEARD]).line() == (
        f'{{"heard": {SHARE}, "heard_soft": {{"n": 1, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.7934506882081973}}'
        ', "heard_as_loud": {"n": 1, "count": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}'
        f', "false_alarms": {RATE}, "late_s": {{"median": 0.012, "slow": 0.012}}}}'
    )
    assert BamsShape.of([SILENT]).line() == f'{{"false_alarms": {NO_RATE}, "late_s": {{"median": 0.0, "slow": 0.0}}}}'


def test_the_line_of_real_sounds() -> None:
    assert RealSoundsShape.of({"all": SortFigures(Rate(1, 0.5), None)}).line() == (
        '{"real sounds": {"all": {"false_alarms": 1, "hours": 0.5, "an_hour": 2.0, "low": 0.026144264087199717, '
        '"high": 11.127511251442998, "bams": 0, "heard": 0}}}'
    )
