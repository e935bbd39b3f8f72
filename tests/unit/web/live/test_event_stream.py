"""Events of a page: parts that differ are sent once, and a frame that differs has the page loaded anew."""

from __future__ import annotations

import pytest

from bunnymoose_cv.web.live.event_stream import Snapshot, changes, digests

BEFORE = Snapshot("frame", {"head": "<h1>1</h1>", "tile": "<p>1</p>", "other": "<p>1</p>"})


@pytest.mark.parametrize(
    ("frame", "parts", "expected"),
    [
        ("frame", {}, {}),
        ("frame", {"head": "<h1>2</h1>"}, {"head": "<h1>2</h1>"}),
        ("frame", {"tile": "", "other": "<p>2</p>"}, {"tile": "", "other": "<p>2</p>"}),
        ("frame", {"tile": "<h1>1</h1>"}, {"tile": "<h1>1</h1>"}),  # which stands in another part
        ("another frame", {}, None),
    ],
)
def test_what_differs_is_sent(frame: str, parts: dict[str, str], expected: dict[str, str] | None) -> None:
    assert changes(Snapshot(frame, {**BEFORE.parts, **parts}), frozenset(digests(BEFORE))) == expected


def test_a_browser_that_has_nothing_loads_the_page() -> None:
    assert changes(BEFORE, frozenset({""})) is None
