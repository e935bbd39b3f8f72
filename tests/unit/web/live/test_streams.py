"""Streams of the server: parts of a page that have changed, and the live image, to as many as there is room for."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
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
from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live import live_image
from bunnymoose_cv.web.live.event_stream import EventStreams, PartsRenderer, Snapshot, changes, digests
from bunnymoose_cv.web.live.live_image import BOUNDARY, STANDS_STILL, WIDTH, LiveImage
from bunnymoose_cv.web.live.stream_places import StreamPlaces

pytestmark = pytest.mark.anyio

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
    texts = Texts(Language.ENGLISH)

    @property
    def access(self) -> Self:
        return self


@pytest.fixture
def host() -> Any:
    return _Host()


@pytest.fixture
def visitor() -> Any:
    """A visitor until that ends."""
    return somebody("somebody")


def somebody(key: str, role: Role = Role.GUEST) -> Any:
    """Return a visitor of a key, who may see the evening until `is_known` is False."""
    known: Any = SimpleNamespace(key=key, role=role, is_known=True, may=lambda _: known.is_known)
    return known


def parts_of(event: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(event.partition(b"data: ")[2])
    return found


async def test_only_the_newest_state_that_can_be_shown_comes(host: Any, visitor: Any) -> None:
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


async def test_of_a_burst_the_newest_are_kept_and_the_others_are_told_that_they_are_not(
    host: Any, visitor: Any
) -> None:
    streams = EventStreams(host, Limits(event_streams_of_one=2))
    burst = [streams.events(visitor, frozenset(digests(BEFORE)), lambda: BEFORE) for _ in range(5)]
    for events in burst:
        assert (await anext(events)).startswith(b"retry: ")
        assert len(streams.places) <= 2
    told = b'event: displaced\ndata: "This browser has too many pages open: close some."\n\n'
    for events in burst[:3]:
        assert [each async for each in events] == [told]
    for events in burst[3:]:
        assert parts_of(await anext(events)) == {}
        await events.aclose()
    assert len(streams.places) == 0
    assert not host, "a stream that ended listens to nothing"


async def test_streams_that_nobody_reads_keep_no_place(host: Any, visitor: Any) -> None:
    streams = EventStreams(host, Limits())
    unread = [streams.events(visitor, frozenset(), lambda: BEFORE) for _ in range(Limits().event_streams_of_one)]
    for events in unread:
        await anext(events)
    assert not streams.places.has_room(visitor, waits=True)
    assert streams.places.has_room(visitor)


def test_a_crowd_of_one_guest_leaves_places_to_the_owner_and_to_other_guests() -> None:
    places = StreamPlaces(16, 2)
    crowd = [somebody(f"of the crowd {number}") for number in range(8)]
    of_the_crowd = [place for each in crowd for place in (places.take(each), places.take(each))]
    owner, guest, other = somebody("owner", Role.OWNER), somebody("guest"), somebody("other")
    taken = [places.take(each) for each in (guest, owner, other, owner)]
    for each in crowd:
        places.take(each)
    assert all(place is not None and place.is_held for place in taken)
    assert sum(place is not None and place.is_held for place in of_the_crowd) <= 12
    assert len(places) == 16


def test_guests_with_one_stream_each_give_none_up_to_a_further_guest() -> None:
    places = StreamPlaces(2, 2)
    held = [places.take(somebody(name)) for name in ("one", "other")]
    assert not places.has_room(somebody("third"))
    assert places.take(somebody("third")) is None
    assert places.take(somebody("one")) is None
    assert all(place is not None and place.is_held for place in held)


async def test_a_live_image_without_a_place_has_no_parts() -> None:
    live = live_image_of(Table(), Limits(streams=1))
    first = live.parts(somebody("one"))
    await anext(first)
    assert [part async for part in live.parts(somebody("other"))] == []
    assert [part async for part in live.parts(somebody("one"), waits=True)] == []
    assert len(live.places) == 1
    await first.aclose()  # type: ignore[attr-defined]  # it is a generator
    assert live.places.has_room(somebody("other"), waits=True)


def test_who_waits_takes_a_free_place_alone(visitor: Any) -> None:
    places = StreamPlaces(16, 1)
    first = places.take(visitor)
    assert first is not None
    assert places.take(visitor, waits=True) is None
    assert first.is_held
    with first:
        pass
    assert places.take(visitor, waits=True) is not None


async def test_parts_that_follow_the_camera_come_apart_from_the_page(host: Any, visitor: Any) -> None:
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


async def test_a_page_that_waits_for_something_is_made_anew_though_nobody_tells(host: Any, visitor: Any) -> None:
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


@dataclass
class Table:
    """Stand-in of the host for the live image."""

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


async def test_everybody_is_sent_the_same_image_and_each_look_once() -> None:
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


async def test_nothing_is_made_or_sent_while_bam_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_who_may_see_no_more_is_sent_no_more() -> None:
    table, visitor = Table(), somebody("one")
    live = live_image_of(table)
    parts = live.parts(visitor)
    await anext(parts)
    await anext(parts)
    visitor.is_known = False
    table.look(10)
    assert [part async for part in parts] == []


async def test_the_oldest_live_image_of_a_visitor_goes_dark_for_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
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
