"""Playing of a round by hand: people tell the cards, say Bam and what everybody shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

    from bunnymoose_cv.session.session import Session

CARDS = parse_table("L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2")
MOOSE = Pose.parse("WU WU")
PHONE = "Blue's phone"


def done(wanted: Future[Any]) -> None:
    """Wait for a command."""
    wanted.result(60.0)


def show_to_the_table(session: Session, pose: Pose = MOOSE) -> None:
    """Tell a pose of everybody who is asked."""
    for player in session.state.asked:
        done(session.correct_pose(player, pose, PHONE))


def play_by_hand(session: Session) -> None:
    """Play a round without a camera."""
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    show_to_the_table(session)
