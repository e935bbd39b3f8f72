"""Options of `bunnymoose judge`: the rules and cards, and the moments of a clip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import deck_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.core.user_settings import FreezeSettings
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules

_SHORTEST_STEP_S: Final = 0.001
"""Shortest step; no camera takes so many images a second that a shorter one would show more."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Options of one call, as they were typed.

    Attributes:
        rules: what is scored by.
        cards: on the piles, in the notation.
        cards_from: photograph of them, instead.
        bet: the seat that the narrator bet on, from 1 at the left.
        at_s: the one moment of a clip that is judged.
        every_s: step between the moments that are judged, instead.
        speaks: whether announcements are said.

    Raises:
        InputError: the options contradict each other, or one is out of range.
    """

    rules: Rules
    cards: str | None
    cards_from: Path | None
    bet: int | None
    at_s: float | None
    every_s: float | None
    speaks: bool

    def __post_init__(self) -> None:
        self._check_moments()
        if self.cards is not None and self.cards_from is not None:
            raise InputError("--cards names the cards and --cards-from reads them: choose one of them")
        needs_cards = "--speak" if self.speaks else "--bet" if self.bet is not None else ""
        if needs_cards and self.cards is None and self.cards_from is None:
            raise InputError(f"{needs_cards} needs the cards: add --cards, such as --cards “L.WU+1”")
        if self.bet is not None and self.bet < 1:
            raise InputError(f"There is no seat {self.bet} to bet on: seats are counted from 1 at the picture's left.")

    def _check_moments(self) -> None:
        if self.at_s is not None and self.every_s is not None:
            raise InputError("--at judges one moment and --every many: choose one of them")
        if self.at_s is not None and self.at_s < 0:
            raise InputError(f"--at needs a moment in seconds, 0 or later, not {self.at_s:g}")
        if self.every_s is not None and self.every_s < _SHORTEST_STEP_S:
            raise InputError(f"--every needs at least {_SHORTEST_STEP_S:g} seconds, not {self.every_s:g}")

    def table(self) -> Table:
        """Read the cards that were named, or those on the photograph; none where neither was given.

        Raises:
            InputError: they are no cards, or the photograph cannot be read.
        """
        if self.cards_from is None:
            return () if self.cards is None else parse_table(self.cards)
        from bunnymoose_cv.cli.cards_command import table_in

        return table_in(self.cards_from, deck_of(self.rules))

    def moments(self, opened: Image | Clip, settings: FreezeSettings) -> Iterator[tuple[Sequence[Frame], float]]:
        """Yield the frames of each moment that is judged, with its time in seconds."""
        from bunnymoose_cv.capture.clips import Clip
        from bunnymoose_cv.capture.frame import Frame
        from bunnymoose_cv.referee.clip_frames import freeze_frames, stepped_frames

        if not isinstance(opened, Clip):
            yield (Frame(opened, 0.0),), 0.0
        elif self.every_s is not None:
            for frame, time_s in stepped_frames(opened, self.every_s):
                yield (frame,), time_s
        else:
            time_s = opened.duration_s / 2 if self.at_s is None else self.at_s
            yield freeze_frames(opened, time_s, settings), time_s
