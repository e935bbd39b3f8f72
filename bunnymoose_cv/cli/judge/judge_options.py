"""Options of `bunnymoose judge`: the rules and cards, and the moments of a clip."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from bunnymoose_cv.cli.rule_options import AdvancedOption, EditionOption, SpeciesChangeOption, chosen_rules
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, deck_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.core.user_settings import FreezeSettings
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules

_SHORTEST_STEP_S: Final = 0.001
"""Shortest step; no camera takes so many images a second that a shorter one would show more."""


CardsOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--cards", help="The cards on the piles, such as “L.WU+1 B.CD+1/-1 RABBIT*2”."),
]
CardsFromOption: TypeAlias = Annotated[
    Path | None, typer.Option("--cards-from", metavar="IMAGE", help="Read the cards in this photograph of them.")
]
BetOption: TypeAlias = Annotated[
    int | None, typer.Option("--bet", metavar="SEAT", help="The seat that the narrator bet on, 1 at the left.")
]
AtOption: TypeAlias = Annotated[
    float | None, typer.Option("--at", metavar="SECONDS", help="Judge a clip by several frames around this moment.")
]
EveryOption: TypeAlias = Annotated[
    float | None,
    typer.Option("--every", metavar="SECONDS", help="Judge a clip again and again, each time by one frame."),
]
AskEverythingOption: TypeAlias = Annotated[
    bool, typer.Option("--ask-everything", help="Ask about every unsure field, also where it changes no move.")
]
GameOption: TypeAlias = Annotated[
    bool, typer.Option("--game", help="The images show a freeze of the game: take hands at heads rather for headgear.")
]
SpeakOption: TypeAlias = Annotated[bool, typer.Option("--speak", help="Say the announcements.")]


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Options of one call, as they were typed.

    Raises:
        InputError: the options contradict each other, or one is out of range.
    """

    cards: CardsOption = None
    cards_from: CardsFromOption = None
    edition: EditionOption = DEFAULT_EDITION
    advanced: AdvancedOption = True
    species_change: SpeciesChangeOption = True
    bet: BetOption = None
    at: AtOption = None
    every: EveryOption = None
    ask_everything: AskEverythingOption = False
    game: GameOption = False
    speak: SpeakOption = False

    def __post_init__(self) -> None:
        self._check_moments()
        if self.cards is not None and self.cards_from is not None:
            raise InputError("--cards names the cards and --cards-from reads them: choose one of them")
        needs_cards = "--speak" if self.speak else "--bet" if self.bet is not None else ""
        if needs_cards and self.cards is None and self.cards_from is None:
            raise InputError(f"{needs_cards} needs the cards: add --cards, such as --cards L.WU+1")
        if self.bet is not None and self.bet < 1:
            raise InputError(f"There is no seat {self.bet} to bet on: seats are counted from 1 at the picture's left.")

    def _check_moments(self) -> None:
        if self.at is not None and self.every is not None:
            raise InputError("--at judges one moment and --every many: choose one of them")
        if self.at is not None and self.at < 0:
            raise InputError(f"--at needs a moment in seconds, 0 or later, not {self.at:g}")
        if self.every is not None and self.every < _SHORTEST_STEP_S:
            raise InputError(f"--every needs at least {_SHORTEST_STEP_S:g} seconds, not {self.every:g}")

    def rules(self) -> Rules:
        """Choose what is scored by.

        Raises:
            InputError: there is no such edition, or the options do not fit it.
        """
        return chosen_rules(self.edition, advanced=self.advanced, species_change=self.species_change)

    def table(self) -> Table:
        """Read the cards that were named, or those on the photograph; none where neither was given.

        Raises:
            InputError: they are no cards, or the photograph cannot be read.
        """
        if self.cards_from is None:
            return () if self.cards is None else parse_table(self.cards)
        from bunnymoose_cv.cli.cards_command import table_in

        return table_in(self.cards_from, deck_of(self.rules()))

    def moments(self, opened: Image | Clip, settings: FreezeSettings) -> Iterator[tuple[Sequence[Frame], float]]:
        """Yield the frames of each moment that is judged, with its time in seconds."""
        from bunnymoose_cv.capture.clips import Clip
        from bunnymoose_cv.capture.frame import Frame
        from bunnymoose_cv.referee.clip_frames import freeze_frames, stepped_frames

        if not isinstance(opened, Clip):
            yield (Frame(opened, 0.0),), 0.0
        elif self.every is not None:
            for frame, time_s in stepped_frames(opened, self.every):
                yield (frame,), time_s
        else:
            time_s = opened.duration_s / 2 if self.at is None else abs(self.at)  # −0 is 0
            yield freeze_frames(opened, time_s, settings), time_s
