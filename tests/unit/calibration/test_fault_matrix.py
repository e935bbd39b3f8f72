"""A small part of the fault matrix, by the real models: each fault is named first, good tables pass.

`python -m fixtures.table.matrix 1 measures.jsonl` reads all of it.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, Level, main_finding
from bunnymoose_cv.vision.reader import Reader
from fixtures.table.cases import EACH, GOOD, Case, cases_of
from fixtures.table.matrix import findings_of

OF_TWO: Final = tuple(range(GOOD + 1, GOOD + 9 * EACH, EACH))
"""Number of a case of each fault with one or two players, to save time."""


@cache
def makers() -> tuple[Callable[[], Case], ...]:
    return tuple(cases_of(1))


@pytest.mark.parametrize("number", OF_TWO)
def test_a_case_of_each_fault_is_reported(reader: Reader, number: int) -> None:
    case = makers()[number]()
    reported = main_finding(findings_of(case, reader))
    assert reported is not None
    assert reported.cause is case.cause


@pytest.mark.parametrize("number", [1, GOOD - 4])
def test_good_tables_are_not_refused(reader: Reader, number: int) -> None:
    case = makers()[number]()
    assert case.cause is CheckCause.FINE
    assert all(finding.level is not Level.BAD for finding in findings_of(case, reader))
