"""Words for the events of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.cli.games.event_words import event_words
from bunnymoose_cv.rules.cards import HunterCard, parse_card, parse_table
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
)
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Correction, RoundEvent


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (DeckShuffled((HunterCard(),) * 3), "deck shuffled, 3 cards"),
        (BetPlaced("Blue"), "bet placed, Blue"),
        (CardLaid(parse_card("L.WU+1"), from_deck=True), "card laid, L.WU+1"),
        (TableLaid(parse_table("L.WU+1 HUNTER")), "cards told, L.WU+1 HUNTER"),
        (Bam(), "Bam"),
        (
            PosesJudged({"Blue": Pose.parse("WU CD t"), "Green": Pose(None, None)}),
            "poses judged, Blue WU CD t, Green -- --",
        ),
        (PoseCorrected(1, "Blue", Pose(None, None)), "pose corrected, round 1, Blue, -- --"),
        (TableCorrected(2, parse_table("HUNTER REVERSE")), "cards corrected, round 2, HUNTER REVERSE"),
        (BetCorrected(2, "Green"), "bet corrected, round 2, Green"),
        (BetCorrected(2, None), "bet corrected, round 2, no bet"),
    ],
)
def test_every_event_has_words_for_people(event: RoundEvent | Correction, words: str) -> None:
    assert event_words(event) == words
