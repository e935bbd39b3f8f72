"""Places of streams that last, live images and events: a few for each visitor, and always some for the owner.

The oldest stream of a visitor makes room for the next one: a phone that was out of reach leaves streams behind that
nobody reads. When all places are taken, the guest with the most streams gives one up to the owner, or to a guest who
has fewer.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.web.auth.access import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.web.auth.access import Visitor


@dataclass(frozen=True, slots=True, eq=False)
class StreamPlace:
    """Place of one stream, which is given back at the end of a `with` block."""

    places: StreamPlaces
    visitor: Visitor
    on_loss: Callable[[], None]

    @property
    def is_held(self) -> bool:
        """Return whether the stream may go on; False once another one has the place."""
        return self.places.holds(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.places.give_back(self)


class StreamPlaces:
    """Places of the streams of one kind.

    Args:
        most: number of streams at once.
        most_of_one: number of streams of one visitor at once.
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._held: list[StreamPlace] = []

    def __len__(self) -> int:
        return len(self._held)

    def has_room(self, visitor: Visitor, *, waits: bool = False) -> bool:
        """Return whether a visitor would get a place now.

        Args:
            waits: whether the visitor takes a free place alone.
        """
        return self._is_free(visitor) or (not waits and bool(self._yielding(visitor)))

    def take(
        self, visitor: Visitor, on_loss: Callable[[], None] = lambda: None, *, waits: bool = False
    ) -> StreamPlace | None:
        """Take a place; None when there is none.

        Args:
            on_loss: called when another stream takes it.
            waits: whether the visitor takes a free place alone.
        """
        if not self.has_room(visitor, waits=waits):
            return None
        lost = None if self._is_free(visitor) else self._yielding(visitor)[0]
        if lost is not None:
            self.give_back(lost)
            lost.on_loss()
        self._held.append(place := StreamPlace(self, visitor, on_loss))
        return place

    def holds(self, place: StreamPlace) -> bool:
        """Return whether a place is still the stream's that took it."""
        return place in self._held

    def give_back(self, place: StreamPlace) -> None:
        """Give a place back, unless it is lost already."""
        if place in self._held:
            self._held.remove(place)

    def _is_free(self, visitor: Visitor) -> bool:
        return len(self._held) < self._most and len(self._of(visitor)) < self._most_of_one

    def _of(self, visitor: Visitor) -> Sequence[StreamPlace]:
        return [place for place in self._held if place.visitor.key == visitor.key]

    def _yielding(self, visitor: Visitor) -> Sequence[StreamPlace]:
        """Places of which the first makes room for a visitor for whom none is free; empty when none does."""
        own = self._of(visitor)
        if len(own) >= self._most_of_one:
            return own
        of_guests: defaultdict[str, list[StreamPlace]] = defaultdict(list)
        for place in self._held:
            if place.visitor.role is not Role.OWNER:
                of_guests[place.visitor.key].append(place)
        most = max(of_guests.values(), key=len, default=[])
        return most if visitor.role is Role.OWNER or len(most) > len(own) + 1 else []
