"""Events of a page: parts that differ are sent once, and a frame that differs has the page loaded anew."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.event_stream import EventStreams, Snapshot, changes, digests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.web.auth.access import Action
    from bunnymoose_cv.web.live.event_stream import PartsRenderer

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


class _Host(Observable[[]]):
    """The host as far as streams ask it; it tells of changes itself."""

    session = None

    @property
    def access(self) -> _Host:
        return self


class _Visitor:
    """A visitor until that ends."""

    key, is_known = "somebody", True

    def may(self, _action: Action) -> bool:
        return self.is_known


def parts_of(event: bytes) -> dict[str, str]:
    """Parts that an event brings."""
    found: dict[str, str] = json.loads(event.partition(b"data: ")[2])
    return found


def test_only_the_newest_state_comes_and_a_state_that_cannot_be_shown_is_passed_over() -> None:
    async def look() -> None:
        host: Any = _Host()
        visitor: Any = _Visitor()
        shown, failed = ["0"], asyncio.Event()

        def show() -> Snapshot:
            if shown[-1] == "bad":
                failed.set()
                raise ValueError
            return Snapshot("frame", {"head": shown[-1], "other": "same"})

        events = EventStreams(host, Limits()).events(visitor, frozenset(digests(show())), show)
        assert (await anext(events)).startswith(b"retry: ")
        assert parts_of(await anext(events)) == {}
        for state in ("1", "bad", "2"):
            shown.append(state)
            host.tell()
        assert parts_of(await anext(events)) == {"head": "2"}
        shown.append("bad")
        host.tell()
        later = asyncio.ensure_future(anext(events))
        await failed.wait()
        shown.append("3")
        host.tell()
        assert parts_of(await later) == {"head": "3"}
        visitor.is_known = False
        host.tell()
        with pytest.raises(StopAsyncIteration):
            await anext(events)
        assert not host, "a stream that ended listens to nothing"

    asyncio.run(look())


def test_of_a_burst_no_more_are_opened_than_there_is_room() -> None:
    async def look() -> None:
        host: Any = _Host()
        visitor: Any = _Visitor()
        streams = EventStreams(host, Limits(event_streams_of_one=2))
        assert streams.has_room(visitor.key)
        burst = [streams.events(visitor, frozenset(digests(BEFORE)), lambda: BEFORE) for _ in range(5)]
        opened = [[event async for event in _first(events)] for events in burst]
        assert [len(each) for each in opened] == [1, 1, 0, 0, 0]
        assert not streams.has_room(visitor.key)
        for events in burst:
            await events.aclose()
        assert streams.has_room(visitor.key)

    async def _first(events: Any) -> Any:
        try:
            yield await anext(events)
        except StopAsyncIteration:
            return

    asyncio.run(look())


def test_parts_that_follow_the_camera_come_apart_from_the_page() -> None:
    async def look() -> None:
        host: Any = _Host()
        visitor: Any = _Visitor()
        page, seen = {"head": "0"}, {"overlay": "a", "seats": "all"}

        open_looks = []

        def watch() -> dict[str, str]:
            if seen["overlay"] == "bad":
                seen["overlay"] = "c"
                raise ValueError
            return dict(seen)

        @contextmanager
        def watching() -> Iterator[PartsRenderer]:
            open_looks.append(watch)
            try:
                yield watch
            finally:
                open_looks.remove(watch)

        def show() -> Snapshot:
            return Snapshot("frame", dict(page))

        events = EventStreams(host, Limits()).events(visitor, frozenset(digests(show())), show, watching())
        assert open_looks == []
        assert (await anext(events)).startswith(b"retry: ")
        assert open_looks == [watch]
        assert (await anext(events)).startswith(b"id: ")
        first = await anext(events)
        assert b"id: " not in first, "a browser that comes back tells what it has of the page"
        assert parts_of(first) == seen
        seen["overlay"] = "b"
        assert parts_of(await anext(events)) == {"overlay": "b"}
        seen["overlay"] = "bad"
        assert parts_of(await anext(events)) == {"overlay": "c"}
        page["head"] = "1"
        host.tell()
        assert parts_of(await anext(events)) == {"head": "1"}
        assert parts_of(await anext(events)) == seen, "their places may be new with a part"
        await events.aclose()
        assert open_looks == [], "the camera is let go with the stream"

    asyncio.run(look())


def test_a_page_that_waits_for_something_is_made_anew_though_nobody_tells() -> None:
    async def look() -> None:
        host: Any = _Host()
        visitor: Any = _Visitor()
        shares = iter(("0", "1", "2"))

        async def show() -> Snapshot:
            share = next(shares)
            return Snapshot("frame", {"film": share}, None if share == "2" else 0.001)

        events = EventStreams(host, Limits()).events(visitor, frozenset({""}), show)
        assert (await anext(events)).startswith(b"retry: ")
        assert b"event: reload" in await anext(events)
        seen = frozenset(digests(Snapshot("frame", {"film": "0"})))
        shares = iter(("0", "1", "2"))
        events = EventStreams(host, Limits()).events(visitor, seen, show)
        told = [await anext(events) for _ in range(6)]
        assert [parts_of(event) for event in told if event.startswith(b"id: ")] == [{}, {"film": "1"}, {"film": "2"}]
        await events.aclose()

    asyncio.run(look())
