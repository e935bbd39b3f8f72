"""The built-in dealer: it deals, rests and goes on, and people may lay cards in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.referee.dealer import BAM
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.events import Bam, CardLaid
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.video_source import NoVideoSource
from tests.unit.session.playing import CARDS, PHONE, done

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bunnymoose_cv.session.session import Session

    OpenSitting = Callable[..., Session]
    Watch = Callable[[Session], Any]


def test_dealt_and_laid_cards_mix_and_the_hunter_is_bam(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource(), tempo_s=60.0)
    seen = watch(session)
    assert session.state.deal is not None
    poem = session.state.deal.poem
    assert session.state.deal.line is None
    done(session.deal())
    assert seen.until(lambda state: state.game.laid == 1).deal.line == 0
    done(session.rest())
    assert session.state.deal.line is None
    done(session.lay(CARDS[:1], PHONE))
    done(session.deal(0.01))
    state = seen.until(lambda state: state.game.phase is Phase.FROZEN and not state.judging)
    assert state.asked == state.game.seats
    assert state.deal.tempo_s == 0.01
    laid = [entry.event for entry in state.entries if isinstance(entry.event, CardLaid)]
    assert [each.from_deck for each in laid[:3]] == [True, False, True]
    assert isinstance(laid[-1].card, HunterCard)
    lines = [f"{line.draw} {line.lay}" for line in poem]
    assert seen.heard[:2] == [lines[0], lines[2]]
    assert seen.heard[-2] == BAM
    assert not any(isinstance(entry.event, Bam) for entry in state.entries)


def test_who_lets_the_dealer_deal_while_it_does_changes_its_tempo_alone(
    open_sitting: OpenSitting, watch: Watch
) -> None:
    session = open_sitting(NoVideoSource(), tempo_s=60.0)
    seen = watch(session)
    for _ in range(2):
        done(session.deal())
        done(session._submit(session._deal_on))
    assert session.state.game.laid == 1, "one line after the other"
    done(session.deal(0.01))
    seen.until(lambda state: state.game.laid > 1)
