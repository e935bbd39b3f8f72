"""Cards that people tell: missing ones are waited for, and a hunter is Bam."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.session.video_source import NoVideoSource
from tests.unit.session.playing import CARDS, PHONE, done, play_by_hand, show_to_the_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.session.session import Session

    OpenSitting = Callable[..., Session]


def test_cards_that_are_missing_at_bam_are_waited_for(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    for card in CARDS[:2]:
        done(session.lay((card,), PHONE))
    done(session.bam(Maker.KEY, "screen"))
    show_to_the_table(session)
    assert session.state.game.first_pass
    assert not session.state.game.rounds
    done(session.lay(CARDS[2:3], PHONE))
    assert len(session.state.game.piles) == 3
    done(session.lay(CARDS, PHONE))
    assert len(session.state.game.rounds) == 1
    assert session.state.game.rounds[0].facts.cards == CARDS
    play_by_hand(session)
    assert len(session.state.game.rounds) == 2


def test_a_hunter_that_the_narrator_tells_is_bam_too(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, PHONE))
    done(session.lay(parse_table("HUNTER"), PHONE))
    assert session.state.asked == session.state.game.seats
