"""The live image: one JPEG for each look, whoever watches; none while Bam is being judged."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np

from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live import live_image
from bunnymoose_cv.web.live.live_image import BOUNDARY, STANDS_STILL, WIDTH, LiveImage

if TYPE_CHECKING:
    import pytest

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.web.live.host import Host


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


def watched(table: Table, limits: Limits | None = None) -> LiveImage:
    return LiveImage(cast("Host", table), limits or Limits())


def test_everybody_is_sent_the_same_image_and_each_look_once() -> None:
    async def watch() -> None:
        table = Table()
        live = watched(table)
        first, second = live.parts("one", lambda: True), live.parts("other", lambda: True)
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

    asyncio.run(watch())


def test_nothing_is_made_or_sent_while_bam_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_image, "STEP_S", 0)

    async def watch() -> None:
        table = Table()
        live = watched(table)
        parts = live.parts("one", lambda: True)
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

    asyncio.run(watch())


def test_who_may_see_no_more_is_sent_no_more() -> None:
    async def watch() -> None:
        table, known = Table(), [True]
        live = watched(table)
        parts = live.parts("one", lambda: known[0])
        await anext(parts)
        await anext(parts)
        known[0] = False
        table.look(10)
        assert [part async for part in parts] == []

    asyncio.run(watch())


def test_watchers_are_counted_while_they_watch() -> None:
    async def watch() -> None:
        live = watched(Table(), Limits(streams=3, streams_of_one=2))
        running = [live.parts(name, lambda: True) for name in ("one", "one", "other")]
        for parts in running[:2]:
            await anext(parts)
        assert not live.has_room("one")
        assert live.has_room("other")
        await anext(running[2])
        assert not live.has_room("third")
        await running[0].aclose()  # type: ignore[attr-defined]  # they are generators
        assert live.has_room("one")
        for parts in running[1:]:
            await parts.aclose()  # type: ignore[attr-defined]

    asyncio.run(watch())


def test_of_a_burst_no_more_are_watched_than_there_is_room() -> None:
    async def watch() -> None:
        live = watched(Table(), Limits(streams_of_one=2))
        assert live.has_room("one")
        burst = [live.parts("one", lambda: True) for _ in range(5)]
        assert [await anext(parts, None) is not None for parts in burst] == [True, True, False, False, False]
        assert (live.sent, live.has_room("one"), live.has_room("other")) == (2, False, True)

    asyncio.run(watch())
