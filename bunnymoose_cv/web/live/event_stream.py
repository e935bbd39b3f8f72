"""Server-sent events of a page: its parts, whenever they differ from what the browser has.

Each event is named `parts`, holds HTML by part as JSON, and has as its id the digests of all that the browser has with
it; a browser that comes back tells that id, after a restart of the server too. `reload` says that the page's frame has
changed. `displaced` says, in a sentence for people, that another page of that browser has this one's place. Parts that
follow the camera come without an id, many times a second, and are made apart from the page. See
docs/explanation/decisions/0002-page-transport.md.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import blake2b
from inspect import isawaitable
from typing import TYPE_CHECKING, Final, Self, TypeAlias, TypeVar

from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.stream_places import StreamPlaces

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
    from contextlib import AbstractContextManager

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.session_view import SessionView

PartsRenderer: TypeAlias = "Callable[[], Mapping[str, str]]"
"""Makes the parts of a page that follow the camera, by name."""

Show: TypeAlias = "Callable[[], Snapshot | Awaitable[Snapshot]]"
"""Makes a page anew."""

Result = TypeVar("Result")

_logger = logging.getLogger(__name__)

MEDIA_TYPE: Final = "text/event-stream"

_NOT_SHOWN: Final = "a page cannot show a state"

_KEEP_ALIVE_S: Final = 15.0
"""Keep-alive interval of a stream, by which a lost connection is noticed."""

LOOK_S: Final = 0.125
"""Time from one look at what follows the camera to the next."""

_RETRY: Final = b"retry: 1000\n\n"
"""Reconnection delay of a browser, in milliseconds."""

_ALIVE: Final = b":\n\n"
"""Keep-alive comment, which browsers ignore."""

_RELOAD: Final = b"event: reload\ndata: \n\n"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Content of a page at one moment.

    Attributes:
        frame: equal to another exactly when everything but the parts looks the same.
        parts: HTML by name.
        again_s: seconds until it is to be made anew though nobody tells of a change; None for never.
    """

    frame: str
    parts: Mapping[str, str]
    again_s: float | None = None


def digests(snapshot: Snapshot) -> tuple[str, ...]:
    """Digests of the frame and of each part, which a browser says what it has with."""
    return (_digest("", snapshot.frame), *(_digest(name, html) for name, html in snapshot.parts.items()))


def changes(snapshot: Snapshot, seen: frozenset[str]) -> Mapping[str, str] | None:
    """Parts that differ from what a browser has; None where the frame does.

    Args:
        seen: digests of what the browser has.
    """
    frame, *of_parts = digests(snapshot)
    if frame not in seen:
        return None
    return {
        name: snapshot.parts[name] for name, digest in zip(snapshot.parts, of_parts, strict=True) if digest not in seen
    }


class EventStreams:
    """Streams of events for everybody, not too many. Belongs to the server's loop."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host = host
        self.places = StreamPlaces(limits.event_streams, limits.event_streams_of_one)

    @property
    def refusal(self) -> str:
        """Sentence for a page that has no stream."""
        return self._host.texts("This browser has too many pages open: close some.")

    async def events(
        self,
        visitor: Visitor,
        seen: frozenset[str],
        show: Show,
        watching: AbstractContextManager[PartsRenderer | None] | None = None,
        *,
        waits: bool = False,
    ) -> AsyncGenerator[bytes, None]:
        """Events of a page, from what its browser has to what stands, then at each change.

        Only the newest state is shown where several came at once.

        Args:
            visitor: who looks; the stream ends when that is nobody any more.
            seen: digests of what the browser has.
            show: makes the page anew.
            watching: gives what makes the parts anew that follow the camera, asked every `LOOK_S`; it ends with the
                stream.
            waits: whether a free place alone is taken.
        """
        changed = asyncio.Event()
        place = self.places.take(visitor, changed.set, waits=waits)
        if place is None:
            return  # others came since that was asked: the browser asks once more
        with place, _Listening(self._host, changed) as listening, watching or nullcontext() as look:
            looked = _Looked(look)
            yield _RETRY
            first = True
            while place.is_held and visitor.may(Action.SEE):
                changed.clear()
                listening.follow_session()
                snapshot = await _try_snapshot(show)
                if snapshot is not None:
                    news = changes(snapshot, seen)
                    if news is None:
                        yield _RELOAD
                        return
                    seen = frozenset(digests(snapshot))
                    if news or first:
                        yield _event(news, digests(snapshot))
                        looked.forget()  # places of such parts may be new
                    first = False
                    if snapshot.again_s is not None:
                        await _wait_for(changed, snapshot.again_s)
                        yield _ALIVE
                        continue
                async for event in looked.events(changed):
                    yield event
            if not place.is_held:
                yield f"event: displaced\ndata: {json.dumps(self.refusal)}\n\n".encode()


class _Looked:
    """Parts that follow the camera, as a browser was told of them."""

    def __init__(self, look: PartsRenderer | None) -> None:
        self._look = look
        self._told: dict[str, str] = {}
        self._pause_s = _KEEP_ALIVE_S if look is None else LOOK_S
        self._times = round(_KEEP_ALIVE_S / self._pause_s)

    async def events(self, changed: asyncio.Event) -> AsyncGenerator[bytes, None]:
        """Yield the parts that differ until something else has changed, for as long as a stream may be silent."""
        for _ in range(self._times):
            if await _wait_for(changed, self._pause_s):
                return
            if news := self._news():
                yield _event(news)
        yield _ALIVE

    def _news(self) -> Mapping[str, str]:
        """Parts that differ now."""
        latest = None if self._look is None else _try_to_make(self._look)
        news = {name: html for name, html in (latest or {}).items() if self._told.get(name) != html}
        self._told |= news
        return news

    def forget(self) -> None:
        """Tell everything once more."""
        self._told.clear()


class _Listening:
    """Subscription that sets an event at each change of the table and its people, of the next game too."""

    def __init__(self, host: Host, changed: asyncio.Event) -> None:
        self._host, self._changed = host, changed
        self._loop = asyncio.get_running_loop()
        self._session: SessionView | None = None
        self._ends: list[Callable[[], None]] = []
        self._end_session: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        self._ends = [self._host.listen(self._soon), self._host.access.listen(self._soon)]
        return self

    def __exit__(self, *_: object) -> None:
        self._end_session()
        for end in self._ends:
            end()

    def follow_session(self) -> None:
        """Listen to the game that is played now."""
        if self._host.session is self._session:
            return
        self._end_session()
        self._session = self._host.session
        if self._session is not None:
            self._end_session = self._session.listen(lambda _: self._soon())

    def _soon(self) -> None:
        """On the server's loop; a server that has ended shows nothing any more."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)


async def _try_snapshot(show: Show) -> Snapshot | None:
    """Make the page as it stands; None where that state cannot be shown: the next one is."""
    snapshot = _try_to_make(show)
    try:
        return await snapshot if isawaitable(snapshot) else snapshot
    except Exception:
        _logger.exception(_NOT_SHOWN)
        return None


def _try_to_make(make: Callable[[], Result]) -> Result | None:
    """Make a page, or parts of one; None where that state cannot be shown."""
    try:
        return make()
    except Exception:
        _logger.exception(_NOT_SHOWN)
        return None


async def _wait_for(changed: asyncio.Event, within_s: float) -> bool:
    try:
        async with asyncio.timeout(within_s):
            await changed.wait()
    except TimeoutError:
        return False
    return True


def _event(news: Mapping[str, str], known: tuple[str, ...] = ()) -> bytes:
    """Encode parts as an event; without an id the browser has what it had before."""
    about = f"id: {'.'.join(known)}\n" if known else ""
    return f"{about}event: parts\ndata: {json.dumps(news)}\n\n".encode()


def _digest(name: str, content: str) -> str:
    return blake2b(f"{name}\0{content}".encode(), digest_size=6).hexdigest()
