"""Freeze: pose of each seat at the cue, estimated from the frames around it.

A single bad frame decides nothing. Hands that still move at the cue may settle within the window. A tongue that is out
only for a moment does not count, a tongue that is held out does (`player_estimate`). A change after the window is a
move (`movement`).
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
        seat: number of the seat, counted from 1 at the image's left.
        reading: None if the player's face was not found.
        settled_s: time of the last reading in which each side still held its pose.
        tongue_s: time of the last reading of a tongue held out, or that counted for a tongue that is in.
    """

    seat: int
    reading: PlayerReading | None
    settled_s: Mapping[Side, float] = field(default_factory=dict)
    tongue_s: float = math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Freeze:
    """Aggregated readings of the frames around a cue.

    Attributes:
        reading: the frame to show, with the agreed readings of all players who were seen.
        players: one entry per seat, from the left.
        places: the positions of the seats if all players were seen, otherwise the positions known before.
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
        frames: one or more readings, in order of time. Readings before the window show how long a tongue was out.
        places: the known positions of the seats; None until all players have been seen.
        before: readings of single players while the table waited, in order of time.
    """
    shown = _shown(frames, window)
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
    """Aggregate one or more readings, in order of time, around a cue when the number of players is unknown.

    The result shows the middle frame of those with the most players. Each person in it counts as a player.
    """
    shown = _shown(frames, window)
    people = people_of(frames)

    def person_of(player: PlayerReading) -> Person:
        return next(person for person in people if any(reading is player for _, reading in person.seen))

    agreed = (_frozen(person_of(player), player.seat, window, reader).reading for player in shown.players)
    return replace(shown, players=tuple(reading for reading in agreed if reading is not None))


def _shown(frames: Sequence[FrameReading], window: Window) -> FrameReading:
    """Return the middle frame of those with the most players, within the window if there is any."""
    frames = [frame for frame in frames if frame.time_s >= window.start_s] or frames
    most = max(len(frame.players) for frame in frames)
    full = [frame for frame in frames if len(frame.players) == most]
    return full[len(full) // 2]


def _frozen(person: Person, number: int, window: Window, reader: Reader) -> FrozenPlayer:
    """Aggregate the readings of one person, who sits in the seat with this number."""
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
