"""Rate limits: how often each client may do something.

Why they are no library's: docs/explanation/decisions/0001-libraries.md.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from bunnymoose_cv.web.limits import Pace


_MOST_KEPT: Final = 1024
"""Limit of remembered clients; the one that has been idle for longest is forgotten first."""


class TokenBucket:
    """Token buckets, one for each client."""

    def __init__(self, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace = pace
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def allows(self, who: Hashable) -> bool:
        """Tell if somebody may do it once more now; it counts as done if so."""
        now = self._clock()
        left, then = self._left.get(who, (self._pace.at_once, now))
        left = min(self._pace.at_once, left + (now - then) * self._pace.per_s)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        self._left.move_to_end(who)
        if len(self._left) > _MOST_KEPT:
            self._left.popitem(last=False)
        return left >= 1
