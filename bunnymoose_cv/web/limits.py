"""Limits of what a client may ask of the server: sizes, rates with their token buckets, connections, times.

Why the buckets are not a library's: docs/explanation/decisions/0001-libraries.md.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


EVENING_S: Final = 18 * 3600
"""Length of an evening, in seconds: the validity of cookies. A game that began earlier belongs to another evening."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Rate limit of an action.

    Attributes:
        at_once: the greatest number without a pause.
        per_s: the long-term rate per second.
    """

    at_once: float
    per_s: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits far above what an evening needs, and far below what does harm.

    Times end when a head, form or photograph has arrived. Rates hold for one visitor, those of requests and wrong codes
    for one address.

    Attributes:
        head_bytes: a request's line and headers.
        target_bytes: a request's address.
        connections_of_one: connections of strangers at one address, and of one known visitor.
        requests: a page makes about twenty.
        streams: live images at once.
        streams_of_one: live images of one visitor; with the event streams fewer than a browser's six connections.
        photo_bytes: a browser scales a photograph of the cards to about 400,000.
        photos_at_once: photographs that are read at the same time.
    """

    head_bytes: int = 16_384
    target_bytes: int = 2_048
    head_s: float = 10.0
    connections: int = 192
    connections_of_one: int = 48
    requests: Pace = Pace(400, 40)
    pages: Pace = Pace(30, 2)
    wrong_codes: Pace = Pace(10, 0.1)
    streams: int = 16
    streams_of_one: int = 2
    event_streams: int = 64
    event_streams_of_one: int = 3
    command_bytes: int = 2_048
    command_s: float = 5.0
    commands: Pace = Pace(60, 10)
    photo_bytes: int = 4_000_000
    photo_s: float = 20.0
    photos: Pace = Pace(6, 0.2)
    photos_at_once: int = 2


_MOST_KEPT: Final = 1024
"""Limit of remembered clients; the one that has been idle the longest is forgotten first."""


class TokenBucket:
    """Token buckets, one for each client."""

    def __init__(self, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace = pace
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def allows(self, client: Hashable) -> bool:
        """Return whether a client may act once more now, and count the action if so."""
        now = self._clock()
        left, then = self._left.get(client, (self._pace.at_once, now))
        left = min(self._pace.at_once, left + (now - then) * self._pace.per_s)
        self._left[client] = (left - 1 if left >= 1 else left, now)
        self._left.move_to_end(client)
        if len(self._left) > _MOST_KEPT:
            self._left.popitem(last=False)
        return left >= 1
