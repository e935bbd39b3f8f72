"""Shares and rates as JSON."""

from __future__ import annotations

import json

import pytest

from training.evaluate.bams import Rate
from training.evaluate.share_json import RateShape, RightShape, ShareShape
from training.evaluate.shares import ClusteredShare, Share


@pytest.mark.parametrize(
    ("share", "line"),
    [
        (Share(4, 4), {"n": 4, "right": 4, "rate": 1.0, "low": 0.510109, "high": 1.0}),
        (
            ClusteredShare(8, 4, 2.0),
            {"n": 8, "effective_n": 2.0, "right": 4, "rate": 0.5, "low": 0.094531, "high": 0.905469},
        ),
    ],
)
def test_json_has_what_was_counted_under_its_key(share: Share, line: dict[str, float]) -> None:
    told = json.loads(RightShape.of(share).line())
    assert told == pytest.approx(line, abs=1e-6)
    assert list(told) == list(line)


def test_the_keys_of_a_share_stand_in_their_order() -> None:
    line = ShareShape.of(ClusteredShare(8, 4, 2.04)).line()
    assert line.startswith('{"n": 8, "effective_n": 2.0, "count": 4, "rate": 0.5, "low": 0.0')
    assert "effective_n" not in ShareShape.of(Share(8, 4)).line()


def test_a_rate_is_rounded() -> None:
    line = '{"count": 1, "hours": 0.3333, "an_hour": 3.0, "low": 0.039, "high": 16.691}'
    assert RateShape.of(Rate(1, 1 / 3)).line() == line
