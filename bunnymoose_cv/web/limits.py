"""Limits of what anybody may ask of the server: sizes, rates, connections, and the length of an evening."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

EVENING_S: Final = 18 * 3600
"""Length of an evening, in seconds: cookies are valid for it; a game that began before is one of another evening."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Rate of an action.

    Attributes:
        at_once: so often without a pause.
        per_s: and so often a second in the long run.
    """

    at_once: float
    per_s: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits far above what an evening needs, far below what hurts.

    Attributes:
        head_bytes: of a request with all its headers.
        target_bytes: of a request's address.
        head_s: a request's head must have come by then.
        connections: at once, of everybody.
        connections_of_one: at once, of strangers at one address, and of one known visitor.
        requests: from one address; a page asks for some twenty things.
        pages: to one visitor.
        wrong_codes: from one address.
        streams: live images that are sent at once.
        streams_of_one: to one visitor; with the event streams fewer than the six connections of a browser to a host.
        event_streams: pages that are told of changes at once.
        event_streams_of_one: of one visitor.
        command_bytes: of what a page's form sends.
        command_s: that must have come by then.
        commands: from one visitor.
        photo_bytes: of a photograph of the cards; a browser scales it to some 400,000.
        photo_s: a photograph must have come by then.
        photos: from one visitor.
        photos_at_once: that are read at the same time, of everybody.
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
