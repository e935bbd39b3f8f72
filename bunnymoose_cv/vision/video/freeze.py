"""Freeze: pose of each seat at the cue, by the temporal estimate over the frames around it.

One bad frame decides nothing: hands that still move at the cue settle within the window, a tongue out for a blink does
not count, one held does (`player_estimate`). What changes after the window is a move (`movement`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.video.player_estimate import PlayerEstimate
from bunnymoose_cv.vision.video.seats import people_of, seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.seats import Person, Places, Sample
    from bunnymoose_cv.vision.video.window import Window


@dataclass(frozen=True, slots=True, eq=False)
class FrozenPlayer:
    """One seat in the freeze.

    Attributes:
        seat: counted from 1 at the image's left.
        reading: what the player shows; None where the player's face was not found.
        settled_s: until when each side was seen to hold what it shows.
        tongue_s: until when the tongue did, or until when it does not matter.
    """

    seat: int
    reading: PlayerReading | None
    settled_s: Mapping[Side, float] = field(default_factory=dict)
    tongue_s: float = math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Freeze:
    """Aggregated readings of the frames around a cue.

    Attributes:
        reading: the frame to show, with the agreed readings of everybody who was seen.
        players: one a seat, from the left.
        places: where everybody sits, if everybody was seen; else where they were known to sit before.
    """

    reading: FrameReading
    players: tuple[FrozenPlayer, ...]
    places: Places | None


def freeze(  # noqa: PLR0913 - the frames, and what is known of the row
    frames: Sequence[FrameReading],
    window: Window,
    reader: Reader,
    seats: int,
    places: Places | None = None,
    *,
    before: Sequence[Sample] = (),
) -> Freeze:
    """Aggregate the readings around a cue, for a known number of players.

    Args:
        frames: at least one reading, in order of time; those before the window tell how long a tongue was out.
        window: the times that count.
        places: where they sit, if everybody was seen before.
        before: readings of single players while the table waited, in order of time.
    """
    shown = _shown([frame for frame in frames if frame.time_s >= window.start_s] or frames)
    width = shown.image.shape[1]
    row = seat(people_of(frames, before), seats, width, places)
    players = tuple(
        FrozenPlayer(number, None) if person is None else _frozen(person, number, window, reader)
        for number, person in enumerate(row, 1)
    )
    agreed = tuple(player.reading for player in players if player.reading is not None)
    known = tuple(person.centre[0] / width for person in row if person is not None)
    return Freeze(replace(shown, players=agreed), players, known if len(known) == seats else places)


def agree(frames: Sequence[FrameReading], window: Window, reader: Reader) -> FrameReading:
    """Aggregate the readings around a cue where the number of players is not known.

    The frame in the middle among those with the most players lends its image; everybody in it is a player.

    Args:
        frames: at least one reading, in order of time.
    """
    shown = _shown([frame for frame in frames if frame.time_s >= window.start_s] or frames)
    people = people_of(frames)

    def person_of(player: PlayerReading) -> Person:
        return next(person for person in people if any(reading is player for _, reading in person.seen))

    agreed = (_frozen(person_of(player), player.seat, window, reader).reading for player in shown.players)
    return replace(shown, players=tuple(reading for reading in agreed if reading is not None))


def _shown(frames: Sequence[FrameReading]) -> FrameReading:
    """The frame in the middle among those with the most players."""
    most = max(len(frame.players) for frame in frames)
    full = [frame for frame in frames if len(frame.players) == most]
    return full[len(full) // 2]


def _frozen(person: Person, number: int, window: Window, reader: Reader) -> FrozenPlayer:
    """Aggregate a person's readings at the cue, in the seat with this number."""
    estimate = PlayerEstimate.of(person.samples, window)
    within = [reading for time_s, reading in person.seen if window.start_s <= time_s <= window.end_s]
    shown = within[len(within) // 2] if within else person.seen[-1][1]
    held = estimate.mouth.decisive
    return FrozenPlayer(
        number,
        estimate.reading(replace(shown.player, seat=number), reader),
        {side: of_side.decisive.until_s for side, of_side in estimate.sides.items()},
        held.until_s if held.out else estimate.until_s,
    )
