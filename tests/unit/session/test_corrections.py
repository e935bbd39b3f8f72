"""Corrections: answers, poses, cards and bets put right, and undoing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.video_source import NoVideoSource
from tests.unit.session.playing import CARDS, MOOSE, PHONE, done, play_by_hand, show_to_the_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.session.session import Session

    OpenSitting = Callable[..., Session]


def test_an_answer_counts_while_it_is_asked_and_the_same_pose_is_no_correction(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    done(session.answer("Green", MOOSE, PHONE, 1))
    before = session.state.entries
    other = Pose.parse("TS TS")
    for number in (1, 2):
        with pytest.raises(InputError, match="Somebody has just answered"):
            done(session.answer("Green", other, "screen", number))
    done(session.answer("Green", MOOSE, "screen", 1))
    assert not session.correct_pose("Green", MOOSE, "screen").result(60.0)
    assert not session.correct_pose("Green", MOOSE, "screen", 1).result(60.0)
    assert session.state.entries == before
    show_to_the_table(session)
    before = session.state.entries
    with pytest.raises(InputError, match="Somebody has just answered"):
        done(session.answer("Green", other, "screen", 1))
    assert not session.correct_pose("Green", MOOSE, "screen").result(60.0)
    assert not session.correct_table(1, CARDS, "screen").result(60.0)
    assert not session.correct_bet(1, None, "screen").result(60.0)
    assert (session.state.entries, session.state.changes) == (before, None)
    assert session.correct_pose("Green", other, "screen").result(60.0)
    assert session.correct_bet(1, "Green", "screen").result(60.0)
    assert session.state.game.rounds[0].facts.poses["Green"] == other


def test_undo_step_by_step_stops_at_bam_where_that_is_kept(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    done(session.answer("Green", MOOSE, PHONE, 1))
    done(session.undo("screen", keeps_bam=True))
    with pytest.raises(InputError, match="press “That was no Bam”"):
        done(session.undo("screen", keeps_bam=True))
    phases = [session.state.game.phase]
    done(session.undo("screen"))
    assert [*phases, session.state.game.phase] == [Phase.FROZEN, Phase.DEALING]


@pytest.mark.parametrize("undone", ["correction", "bam"])
def test_two_who_undo_at_once_take_one_thing_back(open_sitting: OpenSitting, undone: str) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    play_by_hand(session)
    if undone == "correction":
        done(session.correct_bet(1, "Green", "screen"))
        done(session.correct_bet(1, "Blue", "screen"))
    else:
        done(session.bam(Maker.BUTTON, PHONE))
    undo = session.undo if undone == "correction" else session.dismiss
    seen = len(session.state.entries)
    done(undo("screen", after=seen))
    before = session.state.game
    with pytest.raises(InputError, match="look once more"):
        done(undo(PHONE, after=seen))
    assert (session.state.game, len(before.rounds)) == (before, 1)
    done(undo(PHONE, after=len(session.state.entries)))
    assert session.state.game != before


def test_a_bam_can_be_dismissed_by_whoever_has_not_seen_its_verdicts(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    seen = len(session.state.entries)
    play_by_hand(session)
    with pytest.raises(InputError, match="look once more"):
        done(session.undo(PHONE, after=seen))
    done(session.dismiss(PHONE, after=seen))
    assert session.state.game.phase is Phase.DEALING


def test_corrections_tell_what_they_change_until_the_next_round_begins(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.GERMAN)
    play_by_hand(session)
    assert session.state.changes is None
    before = session.state.game
    done(session.correct_pose("Green", Pose.parse("TS TS"), PHONE))
    changed = session.state.changes
    assert changed is not None
    assert any("Green" in line and "Hase" in line for line in changed.lines[0].after)
    assert session.state.entries[-1].who == PHONE
    done(session.correct_bet(1, "Green", "screen"))
    done(session.correct_table(1, CARDS[::-1], "screen"))
    assert session.state.game.rounds[0].facts.cards == CARDS[::-1]
    assert session.state.game.rounds[0].facts.bet == "Green"
    for _ in range(3):
        done(session.undo(PHONE))
    assert session.state.game == before
    assert session.state.changes is not None
    done(session.lay(CARDS[:1], PHONE))
    assert session.state.changes is None
