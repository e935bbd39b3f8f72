"""Provenance of a game's state: authors of poses, undone verdicts, the Bam that can be dismissed."""

from itertools import repeat

import pytest

from bunnymoose_cv.rules.cards import HunterCard, parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetPlaced,
    CardLaid,
    Event,
    GameStarted,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.provenance import NOBODY, REFEREE, BamMark, PoseSource

CARDS = parse_table("L.WU+1 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
STARTED = GameStarted(("Red", "Blue", "Green"), rules_for())
FROZEN = (TableLaid(CARDS), Bam())
MOOSE, RABBIT = Pose.parse("WU WU"), Pose.parse("TS TS")
BLUE, GREEN = PosesJudged({"Blue": MOOSE}), PosesJudged({"Green": MOOSE})


def test_each_pose_keeps_its_judgement_and_its_last_author() -> None:
    said: list[tuple[Event, str]] = [(STARTED, "Anna"), *((event, "Anna") for event in FROZEN)]
    said += [(BLUE, REFEREE), (GREEN, "Anna"), (PoseCorrected(1, "Blue", RABBIT), "Ben")]
    game = fold(*zip(*said, strict=True))
    assert game.provenance.sources == {
        (1, "Blue"): PoseSource(3, REFEREE, "Ben"),
        (1, "Green"): PoseSource(4, "Anna", "Anna"),
    }
    assert game.provenance.players_corrected(1) == {"Blue", "Green"}
    said.append((Undone(), "Ben"))
    undone = fold(*zip(*said, strict=True))
    assert undone.provenance.players_corrected(1) == {"Green"}


def test_poses_belong_to_the_round_in_which_they_were_judged() -> None:
    events = (STARTED, *FROZEN, BLUE, GREEN, *FROZEN, PosesJudged({"Blue": MOOSE}))
    game = fold(events, repeat("Anna"))
    assert set(game.provenance.sources) == {(1, "Blue"), (1, "Green"), (2, "Blue")}


@pytest.mark.parametrize(
    ("author", "after", "undone"),
    [
        (REFEREE, (Undone(),), {"Blue"}),
        (NOBODY, (Undone(),), {"Blue"}),
        ("Anna", (Undone(),), set()),
        (REFEREE, (Undone(), PosesJudged({"Blue": RABBIT})), set()),
        (REFEREE, (Undone(), TableCorrected(1, CARDS[::-1])), {"Blue"}),
        (REFEREE, (Undone(), Undone()), set()),
    ],
)
def test_a_verdict_of_the_camera_counts_as_undone_until_the_player_is_judged_again(
    author: str, after: tuple[Event, ...], undone: set[str]
) -> None:
    events = (STARTED, *FROZEN, BLUE, *after)
    authors = (*repeat("Anna", 3), author, *repeat("Anna", len(after)))
    assert fold(events, authors).provenance.undone_verdicts == undone


@pytest.mark.parametrize(
    ("events", "bam"),
    [
        ((), None),
        (FROZEN, BamMark(1, 2)),
        ((*FROZEN, BLUE, GREEN), BamMark(1, 2)),
        ((*FROZEN, BLUE, GREEN, PoseCorrected(1, "Blue", RABBIT)), BamMark(1, 2)),
        ((*FROZEN, BLUE, GREEN, BetPlaced("Red")), None),
        ((*FROZEN, BLUE, GREEN, BetPlaced("Red"), Undone()), BamMark(1, 2)),
        ((*FROZEN, BLUE, GREEN, Bam()), BamMark(2, 5)),
        ((TableLaid(CARDS), CardLaid(HunterCard())), BamMark(1, 2)),
        ((CardLaid(HunterCard()),), None),
        ((*FROZEN, Undone()), None),
    ],
)
def test_a_bam_can_be_dismissed_until_the_next_round_begins(events: tuple[Event, ...], bam: BamMark | None) -> None:
    assert fold((STARTED, *events)).provenance.dismissible_bam == bam


def test_games_that_differ_in_their_provenance_alone_are_equal() -> None:
    events = (STARTED, *FROZEN, BLUE)
    assert fold(events, repeat("Anna")) == fold(events, repeat(REFEREE)) == fold(events)
