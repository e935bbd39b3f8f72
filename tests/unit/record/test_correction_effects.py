"""Effects of a correction are all the difference between the two games, and nothing else."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.record.correction_effects import changes, said
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PoseCorrected, PosesJudged, TableLaid, Undone
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Pose
from bunnymoose_cv.rules.trail import Figure

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Event

PLAYERS = ("Red", "Blue", "Green")
CARDS = parse_table("B.WU+2 L.SS+1 R.TF+3 HUNTER RABBIT+1 HUNTER")


def evening(seed: int, rounds: int) -> list[Event]:
    chance = random.Random(seed)
    events: list[Event] = [GameStarted(PLAYERS, rules_for())]
    for _ in range(rounds):
        seats = fold(events).seats
        poses = {player: chance.choice(ALL_POSES) for player in seats}
        events += [BetPlaced(seats[0]), TableLaid(CARDS), Bam(), PosesJudged(poses)]
    return events


def test_a_correction_by_hand() -> None:
    poses = {"Blue": Pose.parse("WU WU"), "Green": Pose.parse("-- --")}
    events: list[Event] = [
        GameStarted(PLAYERS, rules_for()),
        BetPlaced("Green"),
        TableLaid(CARDS),
        Bam(),
        PosesJudged(poses),
    ]
    before = fold(events)
    changed = changes(before, fold([*events, PoseCorrected(1, "Green", Pose.parse("WU CU"))]))
    (lines,) = changed.lines
    assert lines.round_number == 1
    assert lines.before[:3] == ("Blue: moose ahead 4", "Green: bush — both back 1", "Red: bush — both back 1")
    assert lines.after[:3] == ("Blue: moose ahead 4", "Green: moose ahead 2", "Red: moose ahead 2")
    # Before, Green's and Red's figures went back one; now their moose go ahead 2. Who is last catches up by one.
    assert {(each.figure, each.before, each.after) for each in changed.figures} == {
        (Figure("Red", Animal.MOOSE), 5, 8),
        (Figure("Green", Animal.MOOSE), 5, 8),
        (Figure("Red", Animal.RABBIT), 5, 6),
        (Figure("Green", Animal.RABBIT), 5, 6),
        (Figure("Blue", Animal.RABBIT), 5, 6),
    }
    assert (changed.before, changed.after) == (before.ranking, changed.after)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_not_named_is_as_it_was(seed: int) -> None:
    events, chance = evening(seed, 5), random.Random(seed)
    before = fold(events)
    facts = chance.choice(before.rounds).facts
    after = fold([*events, PoseCorrected(facts.number, chance.choice(facts.seats), chance.choice(ALL_POSES))])
    changed = changes(before, after)
    named_lines = {each.round_number: each for each in changed.lines}
    named_figures = {(each.round_number, each.figure): each for each in changed.figures}
    for number, (old, new) in enumerate(zip(before.rounds, after.rounds, strict=True), start=1):
        if number in named_lines:
            assert (named_lines[number].before, named_lines[number].after) == (said(old), said(new))
        else:
            assert said(old) == said(new)
        for figure, place in old.trail.places.items():
            found = named_figures.get((number, figure))
            expected = (place, new.trail.places[figure])
            assert ((found.before, found.after) if found else (place, place)) == expected
    assert all(line.round_number >= facts.number for line in changed.lines)
    assert all(figure.round_number >= facts.number for figure in changed.figures)
    assert (changed.before, changed.after) == (before.ranking, after.ranking)


def test_nothing_changes_nothing() -> None:
    game = fold(evening(1, 3))
    changed = changes(game, game)
    assert (changed.lines, changed.figures) == ((), ())


def test_a_round_that_is_taken_back_is_named() -> None:
    events = evening(1, 2)
    changed = changes(fold(events), fold([*events, Undone()]))
    (lines,) = changed.lines
    assert (lines.round_number, lines.after) == (2, ())
    assert lines.before
    assert changed.figures == ()
