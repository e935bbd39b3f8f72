"""Reliability of confidence, on invented players."""

from __future__ import annotations

import pytest

from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.reliability import BINS, reliability
from training.evaluate.shares import Share


def test_reliability_puts_readings_that_are_equally_sure_together() -> None:
    images = [
        shown("a", "WU WU", read("WU WU", 0.97)),
        shown("b", "WU WU", read("CU WU", 0.99)),
        shown("c", "WU WU", read("WU WU", 0.51)),
        shown("d", "WU WU"),
    ]
    fields = {own.field: own for own in reliability(images)}
    assert set(fields) == {"kind", "spread", "direction", "tongue"}
    least, most = fields["spread"].bins
    assert (least.right, most.right) == (Share(2, 2), Share(4, 3))
    assert [least.confidence, most.confidence] == pytest.approx([0.51, 0.98])
    assert fields["spread"].error == pytest.approx((2 * 0.49 + 4 * 0.23) / 6)


@pytest.mark.parametrize(
    ("confidence", "others", "together"), [(0.34, 0.5, True), (0.949, 0.95, False), (1.0, 0.96, True)]
)
def test_bins_part_the_sureness_from_even_to_certain(confidence: float, others: float, together: bool) -> None:  # noqa: FBT001 - a table
    images = [shown(str(sure), "WU WU", read("WU WU", sure)) for sure in (confidence, others)]
    assert BINS == 10
    assert (len(reliability(images)[0].bins) == 1) is together
