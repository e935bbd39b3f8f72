"""Streams of the server: the changed parts of a page and the live image, for a limited number of visitors."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Self, cast

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live import live_image
from bunnymoose_cv.web.live.live_image import BOUNDARY, STANDS_STILL, WIDTH, LiveImage
from bunnymoose_cv.web.live.streams import (
    EventStreams,
    PartsRenderer,
    Snapshot,
    StreamPlaces,
    _listening,
    changes,
    digests,
)

pytestmark = pytest.mark.anyio

BEFORE = Snapshot("frame", {"head": "<h1>1</h1>", "tile": "<p>1</p>", "other": "<p>1</p>"})


@pytest.mark.parametrize(
    ("frame", "parts", "expected"),
    [
        ("frame", {}, {}),
        ("frame", {"head": "<h1>2</h1>"}, {"head": "<h1>2</h1>"}),
        ("frame", {"tile": "", "other": "<p>2</p>"}, {"tile": "", "other": "<p>2</p>"}),
        ("frame", {"tile": "<h1>1</h1>"}, {"tile": "<h1>1</h1>"}),  # in another part
        ("another frame", {}, None),
    ],
)
def test_a_stream_sends_only_changed_parts(frame: str, parts: dict[str, str], expected: dict[str, str] | None) -> None:
    assert changes(Snapshot(frame, {**BEFORE.parts, **parts}), frozenset(digests(BEFORE))) == expected


def test_a_browser_with_an_unknown_frame_reloads() -> None:
    assert changes(BEFORE, frozenset({""})) is None


class _Host(Observable[[]]):
    """Host that has only what streams need; a test notifies its listeners."""

    session = None
    texts = Texts(Language.ENGLISH)

    @property
    def access(self) -> Self:
        return self

    changes = access


@pytest.fixture
def host() -> Any:
    return _Host()


@pytest.fixture
def visitor() -> Any:
    """Return a visitor who may see the evening until the test changes that."""
    return somebody("somebody")


def somebody(key: str, role: Role = Role.GUEST) -> Any:
    """Return a visitor with a key, who may see the evening until `is_known` is False."""
    known: Any = SimpleNamespace(key=key, role=role, is_known=True, may=lambda _: known.is_known)
    return known


def parts_of(event: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(event.partition(b"data: ")[2])
    return found


async def test_a_stream_sends_only_the_newest_valid_state(host: Any, visitor: Any) -> None:
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
        host.notify()
    assert parts_of(await anext(events)) == {"head": "2"}
    shown.append("bad")
    host.notify()
    later = asyncio.ensure_future(anext(events))
    await failed.wait()
    shown.append("3")
    host.notify()
    assert parts_of(await later) == {"head": "3"}
    visitor.is_known = False
    host.notify()
    with pytest.raises(StopAsyncIteration):
        await anext(events)
    assert not host, "a stream that ended listens to nothing"


def test_a_change_after_the_end_of_the_server_is_ignored(host: Any) -> None:
    with ExitStack() as stack:

        async def serve() -> None:
            stack.enter_context(_listening(host, asyncio.Event()))

        asyncio.run(serve())
        host.notify()


async def test_streams_beyond_the_limit_displace_the_oldest(host: Any, visitor: Any) -> None:
    streams = EventStreams(host, Limits(event_streams_of_one=2))
    burst = [streams.events(visitor, frozenset(digests(BEFORE)), lambda: BEFORE) for _ in range(5)]
    for events in burst:
        assert (await anext(events)).startswith(b"retry: ")
        assert len(streams.places) <= 2
    displaced = b'event: displaced\ndata: "This browser has too many pages open: close some."\n\n'
    for events in burst[:3]:
        assert [event async for event in events] == [displaced]
    for events in burst[3:]:
        assert parts_of(await anext(events)) == {}
        await events.aclose()
    assert len(streams.places) == 0
    assert not host, "a stream that ended listens to nothing"


async def test_unread_streams_release_their_place(host: Any, visitor: Any) -> None:
    streams = EventStreams(host, Limits())
    unread = [streams.events(visitor, frozenset(), lambda: BEFORE) for _ in range(Limits().event_streams_of_one)]
    for events in unread:
        await anext(events)
    assert not streams.places.has_room(visitor, waits=True)
    assert streams.places.has_room(visitor)


def test_streams_of_one_guest_leave_places_to_owner_and_other_guests() -> None:
    places = StreamPlaces(16, 2)
    crowd = [somebody(f"of the crowd {number}") for number in range(8)]
    of_the_crowd = [place for visitor in crowd for place in (places.take(visitor), places.take(visitor))]
    owner, guest, other = somebody("owner", Role.OWNER), somebody("guest"), somebody("other")
    taken = [places.take(taker) for taker in (guest, owner, other, owner)]
    for visitor in crowd:
        places.take(visitor)
    assert all(place is not None and place.is_held for place in taken)
    assert sum(place is not None and place.is_held for place in of_the_crowd) <= 12
    assert len(places) == 16


def test_a_further_guest_displaces_no_single_stream() -> None:
    places = StreamPlaces(2, 2)
    held = [places.take(somebody(name)) for name in ("one", "other")]
    assert not places.has_room(somebody("third"))
    assert places.take(somebody("third")) is None
    assert places.take(somebody("one")) is None
    assert all(place is not None and place.is_held for place in held)


async def test_a_displaced_live_image_sends_no_parts() -> None:
    live = live_image_of(Table(), Limits(streams=1))
    first = live.parts(somebody("one"))
    await anext(first)
    assert [part async for part in live.parts(somebody("other"))] == []
    assert [part async for part in live.parts(somebody("one"), waits=True)] == []
    assert len(live.places) == 1
    await first.aclose()  # type: ignore[attr-defined]  # it is a generator
    assert live.places.has_room(somebody("other"), waits=True)


def test_a_waiting_stream_takes_only_a_free_place(visitor: Any) -> None:
    places = StreamPlaces(16, 1)
    first = places.take(visitor)
    assert first is not None
    assert places.take(visitor, waits=True) is None
    assert first.is_held
    with first:
        pass
    assert places.take(visitor, waits=True) is not None


async def test_camera_parts_are_sent_separately_from_the_page(host: Any, visitor: Any) -> None:
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
    host.notify()
    assert parts_of(await anext(events)) == {"head": "1"}
    assert parts_of(await anext(events)) == seen, "their places may be new with a part"
    await events.aclose()
    assert open_looks == [], "the camera is let go with the stream"


async def test_a_page_with_a_deadline_is_rendered_again_without_a_change(host: Any, visitor: Any) -> None:
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
    received = [await anext(events) for _ in range(6)]
    assert [parts_of(event) for event in received if event.startswith(b"id: ")] == [{}, {"film": "1"}, {"film": "2"}]
    await events.aclose()


@dataclass
class Table:
    """Replacement of the host for the live image."""

    latest_reading: LatestReading | None = None
    session: Any = field(default_factory=lambda: SimpleNamespace(state=SimpleNamespace(judging=False)))

    def look(self, number: int, size: tuple[int, int] = (1080, 1920)) -> None:
        image = np.full((*size, 3), number, np.uint8)
        self.latest_reading = LatestReading(number, FrameReading(image, float(number), ()))


def shown(part: bytes) -> Image:
    head, content = part.split(b"\r\n\r\n", 1)
    assert content.endswith(b"\r\n--" + BOUNDARY + b"\r\n")
    length = int(head.rsplit(b" ", 1)[1])
    image = cv2.imdecode(np.frombuffer(content[:length], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return cast("Image", image)


def live_image_of(table: Any, limits: Limits = Limits()) -> LiveImage:  # noqa: B008 - frozen
    return LiveImage(table, limits)


async def test_all_viewers_get_the_same_image_once_per_look() -> None:
    table = Table()
    live = live_image_of(table)
    first, second = live.parts(somebody("one")), live.parts(somebody("other"))
    assert await anext(first) == await anext(second) == b"--" + BOUNDARY + b"\r\n"
    assert await anext(first)
    assert await anext(second)
    for number in (10, 200):
        table.look(number)
        parts = await asyncio.gather(anext(first), anext(second))
        assert parts[0] is parts[1]
        image = shown(parts[0])
        assert image.shape == (round(1080 * WIDTH / 1920), WIDTH, 3)
        assert abs(int(image.mean()) - number) <= 1


async def test_no_live_image_is_made_while_bam_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_image, "STEP_S", 0)
    table = Table()
    live = live_image_of(table)
    parts = live.parts(somebody("one"))
    await anext(parts)
    await anext(parts)
    table.look(10)
    await anext(parts)
    table.session.state.judging = True
    table.look(200)
    coming = asyncio.ensure_future(anext(parts))
    for _ in range(20 * STANDS_STILL):
        await asyncio.sleep(0)
    assert not coming.done()
    assert abs(int(shown(live._part).mean()) - 10) <= 1
    table.session.state.judging = False
    assert abs(int(shown(await coming).mean()) - 200) <= 1


async def test_a_visitor_without_access_receives_nothing_more() -> None:
    table, visitor = Table(), somebody("one")
    live = live_image_of(table)
    parts = live.parts(visitor)
    await anext(parts)
    await anext(parts)
    visitor.is_known = False
    table.look(10)
    assert [part async for part in parts] == []


async def test_the_newest_live_image_of_a_visitor_displaces_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_image, "STEP_S", 0)
    table = Table()
    live = live_image_of(table, Limits(streams_of_one=2))
    table.look(200)
    running = [live.parts(somebody("one")) for _ in range(3)]
    for parts in running:
        await anext(parts)
    assert len(live.places) == 2
    assert shown([part async for part in running[0]][-1]).max() == 0
    for parts in running[1:]:
        assert shown([await anext(parts), await anext(parts)][-1]).mean() > 190, "after the darkness of the beginning"
        await parts.aclose()  # type: ignore[attr-defined]  # they are generators
    assert len(live.places) == 0
