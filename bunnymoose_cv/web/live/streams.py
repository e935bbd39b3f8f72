"""Streams to pages: server-sent events with the parts that changed, and the limited places of all streams.

The event `parts` holds HTML by part as JSON. Its id is the digests of everything that the browser has after it; a
browser that reconnects sends that id, also after a restart of the server. `reload` means that the page's frame has
changed, `alive` that nothing has, and `displaced` holds a sentence for users: another page of that browser has taken
this one's place. Parts that follow the camera have no id, and are rendered apart from the page many times a second. See
docs/explanation/decisions/0002-page-transport.md.

Each visitor has a few places, and some are always left for the owner. A visitor's oldest stream makes room for the next
one, since a phone that was out of reach leaves unread streams behind. When all places are taken, the guest with the
most streams gives one up to the owner, or to a guest with fewer.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from hashlib import blake2b
from inspect import isawaitable
from typing import TYPE_CHECKING, Final, Self, TypeAlias, TypeVar

from bunnymoose_cv.web.auth.permissions import Action, Role

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host, SessionView


PartsRenderer: TypeAlias = "Callable[[], Mapping[str, str]]"
"""Function that renders the parts of a page that follow the camera, by name."""

Show: TypeAlias = "Callable[[], Snapshot | Awaitable[Snapshot]]"
"""Function that renders a page."""

Result = TypeVar("Result")

_logger = logging.getLogger(__name__)

MEDIA_TYPE: Final = "text/event-stream"

_KEEP_ALIVE_S: Final = 5.0
"""Keep-alive interval of a stream, by which both sides notice a lost connection or a program that hangs (parts.js)."""

LOOK_S: Final = 0.125
"""Interval of rendering the parts that follow the camera."""

_RETRY: Final = b"retry: 1000\n\n"
"""Reconnection delay of a browser, in milliseconds."""

_ALIVE: Final = b"event: alive\ndata: \n\n"

_RELOAD: Final = b"event: reload\ndata: \n\n"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Content of a page at one moment.

    Attributes:
        frame: the page without its parts; two equal frames look the same.
        parts: HTML by name.
        again_s: seconds until the page must be rendered again without a change; None for never.
    """

    frame: str
    parts: Mapping[str, str]
    again_s: float | None = None


def digests(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the digests of the frame and of each part, by which a browser reports what it has."""
    return (_digest("", snapshot.frame), *(_digest(name, html) for name, html in snapshot.parts.items()))


def changes(snapshot: Snapshot, seen: frozenset[str]) -> Mapping[str, str] | None:
    """Return the parts whose digests a browser has not `seen`; None if its frame differs."""
    frame, *of_parts = digests(snapshot)
    if frame not in seen:
        return None
    return {
        name: snapshot.parts[name] for name, digest in zip(snapshot.parts, of_parts, strict=True) if digest not in seen
    }


class EventStreams:
    """Event streams of all visitors, limited in number. Belongs to the server's event loop."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host = host
        self.places = StreamPlaces(limits.event_streams, limits.event_streams_of_one)

    @property
    def refusal(self) -> str:
        """Message for a page without a stream."""
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
        """Yield the events that bring a browser's page up to date, first at once and then at each change.

        Of several changes at once only the newest state is shown.

        Args:
            visitor: the reader; the stream ends when the visitor loses access.
            seen: digests of what the browser has.
            watching: context of the renderer of the parts that follow the camera, called every `LOOK_S`; it is left at
                the end of the stream.
            waits: whether only a free place is taken.
        """
        changed = asyncio.Event()
        place = self.places.take(visitor, changed.set, waits=waits)
        if place is None:
            return  # other streams have taken the room since it was checked: the browser retries
        with place, _listening(self._host, changed) as follow_session, watching or nullcontext() as look:
            sent: dict[str, str] = {}
            yield _RETRY
            first = True
            while place.is_held and visitor.may(Action.SEE):
                changed.clear()
                follow_session()
                snapshot = await _try_to_make(show)
                if snapshot is not None:
                    news = changes(snapshot, seen)
                    if news is None:
                        yield _RELOAD
                        return
                    seen = frozenset(digests(snapshot))
                    if news or first:
                        yield _event(news, digests(snapshot))
                        sent.clear()  # the elements of such parts may be new
                    first = False
                    if snapshot.again_s is not None:
                        await _wait_for(changed, snapshot.again_s)
                        yield _ALIVE
                        continue
                async for event in _camera_events(look, sent, changed):
                    yield event
            if not place.is_held:
                yield f"event: displaced\ndata: {json.dumps(self.refusal)}\n\n".encode()


async def _camera_events(
    look: PartsRenderer | None, sent: dict[str, str], changed: asyncio.Event
) -> AsyncGenerator[bytes, None]:
    """Yield the parts that follow the camera and differ from those `sent`, until the page changes."""
    pause_s = _KEEP_ALIVE_S if look is None else LOOK_S
    for _ in range(round(_KEEP_ALIVE_S / pause_s)):
        if await _wait_for(changed, pause_s):
            return
        latest = None if look is None else await _try_to_make(look)
        if news := {name: html for name, html in (latest or {}).items() if sent.get(name) != html}:
            sent.update(news)
            yield _event(news)
    yield _ALIVE


@contextmanager
def _listening(host: Host, changed: asyncio.Event) -> Iterator[Callable[[], None]]:
    """Set an event at each change of host, access and game; yield the function that follows the next game."""
    loop = asyncio.get_running_loop()
    followed: SessionView | None = None

    def soon(*_: object) -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(changed.set)

    def follow_session() -> None:
        nonlocal followed
        if host.session is not followed:
            of_session.close()
            followed = host.session
            if followed is not None:
                of_session.callback(followed.listen(soon))

    with ExitStack() as stack, ExitStack() as of_session:
        stack.callback(host.listen(soon))
        stack.callback(host.access.changes.listen(soon))
        yield follow_session


async def _try_to_make(make: Callable[[], Result | Awaitable[Result]]) -> Result | None:
    """Render a page, or parts of one; None if this state cannot be rendered, since the next one will be."""
    try:
        made = make()
        return await made if isawaitable(made) else made
    except Exception:
        _logger.exception("a page cannot show a state")
        return None


async def _wait_for(changed: asyncio.Event, within_s: float) -> bool:
    try:
        async with asyncio.timeout(within_s):
            await changed.wait()
    except TimeoutError:
        return False
    return True


def _event(news: Mapping[str, str], known: tuple[str, ...] = ()) -> bytes:
    """Encode parts as an event; without `known` digests it has no id, so that the browser keeps the last one."""
    about = f"id: {'.'.join(known)}\n" if known else ""
    return f"{about}event: parts\ndata: {json.dumps(news)}\n\n".encode()


def _digest(name: str, content: str) -> str:
    return blake2b(f"{name}\0{content}".encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class StreamPlace:
    """Place of one stream, given back at the end of `with`."""

    places: StreamPlaces
    visitor: Visitor
    on_loss: Callable[[], None]

    @property
    def is_held(self) -> bool:
        """Return whether the stream may continue; False when another one has taken the place."""
        return self in self.places.held

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.places.give_back(self)


class StreamPlaces:
    """Places of the streams of one kind, limited in all and for one visitor."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self.held: list[StreamPlace] = []

    def __len__(self) -> int:
        return len(self.held)

    def has_room(self, visitor: Visitor, *, waits: bool = False) -> bool:
        """Return whether a visitor would get a place now; a stream that waits takes only a free one."""
        return self._is_free(visitor) or (not waits and bool(self._yielding(visitor)))

    def take(
        self, visitor: Visitor, on_loss: Callable[[], None] = lambda: None, *, waits: bool = False
    ) -> StreamPlace | None:
        """Take a place; None if all are taken. `on_loss` is called when another stream takes it."""
        if not self.has_room(visitor, waits=waits):
            return None
        lost = None if self._is_free(visitor) else self._yielding(visitor)[0]
        if lost is not None:
            self.give_back(lost)
            lost.on_loss()
        self.held.append(place := StreamPlace(self, visitor, on_loss))
        return place

    def give_back(self, place: StreamPlace) -> None:
        """Give a place back, unless it is lost already."""
        if place in self.held:
            self.held.remove(place)

    def _is_free(self, visitor: Visitor) -> bool:
        return len(self.held) < self._most and len(self._of(visitor)) < self._most_of_one

    def _of(self, visitor: Visitor) -> Sequence[StreamPlace]:
        return [place for place in self.held if place.visitor.key == visitor.key]

    def _yielding(self, visitor: Visitor) -> Sequence[StreamPlace]:
        """Return the places of which the first makes room for a visitor if none is free; empty if none does."""
        own = self._of(visitor)
        if len(own) >= self._most_of_one:
            return own
        of_guests: defaultdict[str, list[StreamPlace]] = defaultdict(list)
        for place in self.held:
            if place.visitor.role is not Role.OWNER:
                of_guests[place.visitor.key].append(place)
        most = max(of_guests.values(), key=len, default=[])
        return most if visitor.role is Role.OWNER or len(most) > len(own) + 1 else []
