"""Lesson of one player: the asked pose, its agreement with the reading, the next pose, and a tally per field.

Times are those of the readings, and random numbers come from the caller.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import ANTLERS, EARS, Antler, Ear, Pose, Tongue
from bunnymoose_cv.session.practice.coach import FIELD_NAMES, Change, Hint, differing, fields_of, hint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from bunnymoose_cv.rules.pose_fields import Field
    from bunnymoose_cv.vision.readings import PlayerReading

HOLD_S: Final = 1.0
"""Hold time: duration for which the pose must be read as asked before the next one."""

SETTLING_S: Final = 2.5
"""Settling time after a new pose was asked, in which readings do not count against a player, who has to move."""

STEADY_S: Final = 1.0
"""Time after which a held pose is intended."""

HINT_S: Final = 0.4
"""Debounce: time for which another hint must be right before it replaces one that players may be reading."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of asked poses with a field, and of those in which it was never steadily read otherwise."""

    field: Field
    agreed: int
    asked: int


@dataclass(frozen=True, slots=True, eq=False)
class LessonState:
    """State of a lesson.

    Attributes:
        number: the number of the asked pose, from 1.
        seen: the reading; None if no player is seen.
        hint: the advice; None if the reading agrees with the asked pose.
        held: the fraction of the hold time that has passed, 0 to 1.
        done: the number of poses that agreed in the end, without the skipped ones.
    """

    number: int
    asked: Pose
    seen: PlayerReading | None
    hint: Hint | None
    held: float
    done: int
    tallies: tuple[Tally, ...]


def asked_poses(random: Random) -> Iterator[Pose]:
    """Yield poses endlessly: every pair of headgears with the tongue out and in once before any is repeated."""
    poses = [Pose(left, right, tongue) for left in _HEADGEARS for right in _HEADGEARS for tongue in Tongue]
    while True:
        random.shuffle(poses)
        yield from poses


_HEADGEARS: Final[tuple[Antler | Ear, ...]] = (*ANTLERS, *EARS)


class Lesson:
    """Lesson of one player. Belongs to one thread at a time."""

    def __init__(self, random: Random) -> None:
        self._poses = asked_poses(random)
        self._agreed: Counter[Field] = Counter()
        self._asked: Counter[Field] = Counter()
        self._number = self._done = 0
        self._seen: PlayerReading | None = None
        self._asked_s: float | None = None
        self._agrees_since_s: float | None = None
        self._stumbled: set[Field] = set()
        self._finished = False
        self._hint: Hint | None = None
        self._pending: tuple[Hint | None, float] | None = None
        self._ask()

    @property
    def state(self) -> LessonState:
        """Current state."""
        held_s = 0.0 if self._agrees_since_s is None else self._now_s - self._agrees_since_s
        tallies = tuple(Tally(field, self._agreed[field], self._asked[field]) for field in FIELD_NAMES)
        held = min(1.0, held_s / HOLD_S)
        return LessonState(self._number, self._pose, self._seen, self._hint, held, self._done, tallies)

    def look(self, reading: PlayerReading | None, time_s: float) -> LessonState:
        """Process a reading, not earlier than the previous one, and return the new state; None if no player is seen.

        If `held` is 1, the next pose is asked from the next reading on.
        """
        if self._finished:
            self._close(agreed=True)
        if self._asked_s is None:
            self._asked_s = time_s
        if reading is None or self._seen is None or reading.pose != self._seen.pose:
            self._steady_since_s = time_s
        self._seen, self._now_s = reading, time_s
        self._compare(reading, time_s)
        self._give(hint(self._pose, reading), time_s)
        state = self.state
        self._finished = state.held >= 1
        return state

    def skip(self) -> LessonState:
        """Go on to the next pose; fields that differ now count as not agreed."""
        if self._seen is not None:
            self._stumbled |= differing(self._pose, self._seen)
        self._close(agreed=self._finished)
        return self.state

    def _compare(self, reading: PlayerReading | None, time_s: float) -> None:
        """Update the time of agreement and the fields that have been held otherwise."""
        wrong = set() if reading is None else differing(self._pose, reading)
        if reading is not None and not wrong:
            self._agrees_since_s = time_s if self._agrees_since_s is None else self._agrees_since_s
            return
        self._agrees_since_s = None
        settled = self._asked_s is not None and time_s - self._asked_s >= SETTLING_S
        if wrong and settled and time_s - self._steady_since_s >= STEADY_S:
            self._stumbled |= wrong

    def _give(self, given: Hint | None, time_s: float) -> None:
        """Give a hint; it replaces another one only after some time."""
        if self._hint in {None, given, Hint(Change.COME_INTO_IMAGE)} or given is None:
            self._hint, self._pending = given, None
        elif self._pending is None or self._pending[0] != given:
            self._pending = given, time_s
        elif time_s - self._pending[1] >= HINT_S:
            self._hint, self._pending = given, None

    def _close(self, *, agreed: bool) -> None:
        fields = fields_of(self._pose)
        self._asked.update(fields)
        self._agreed.update(fields - self._stumbled)
        self._done += agreed
        self._ask()

    def _ask(self) -> None:
        self._pose = next(self._poses)
        self._number += 1
        self._asked_s = self._agrees_since_s = None
        self._steady_since_s = self._now_s = float("-inf")
        self._stumbled = set()
        self._finished = False
        self._hint, self._pending = hint(self._pose, self._seen), None
