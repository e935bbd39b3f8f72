"""Check that the image is no mirror image, by the hand that one player was asked to raise.

The image alone cannot tell: a mirrored right hand beside a mirrored head looks like a left hand on the left.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.capture.orientation import AS_IT_IS
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.capture.orientation import View
    from bunnymoose_cv.vision.hands.assignment import Player

RAISE_RIGHT: Final = Phrase("One player, and nobody else: hold your right hand up beside your head.")
"""The request; everybody else's hands stay down."""


def check_mirror(looks: Iterable[Sequence[Player]], view: View = AS_IT_IS) -> Finding | None:
    """Check the side on which the one raised hand is seen.

    Args:
        looks: the players as they were read while the right hand was asked for.
        view: the rotation and mirroring that the frames have gone through.

    Returns:
        The finding by the side that was seen in most looks; None where never exactly one hand was raised.
    """
    seen = Counter(side for side in map(raised_side, looks) if side is not None)
    if not seen:
        return None
    (side, count), *_ = seen.most_common()
    if side is Side.RIGHT:
        return good(CheckLine.MIRROR, Phrase("Left and right are as they are."), float(count))
    return Finding(
        CheckLine.MIRROR,
        Level.BAD,
        Phrase("The picture is mirrored: the raised right hand is seen on the left."),
        _remedy(view),
        CheckCause.MIRRORED,
        float(count),
    )


def _remedy(view: View) -> Phrase:
    needed = view.flipped
    mirrored = "true" if needed.mirrored else "false"
    if needed.rotation_degrees == view.rotation_degrees:
        return Phrase(
            "Switch mirroring off at the camera, or write mirrored = {mirrored} "
            "below [camera] in your settings file profile.toml.",
            mirrored=mirrored,
        )
    return Phrase(
        "Switch mirroring off at the camera, or write mirrored = {mirrored} and rotation_degrees = {degrees} "
        "below [camera] in your settings file profile.toml.",
        mirrored=mirrored,
        degrees=needed.rotation_degrees,
    )


def raised_side(players: Sequence[Player]) -> Side | None:
    """The side of the only hand that is raised by anybody; None where there are none or several."""
    sides = [side for player in players if player.head.sure for side in player.hands]
    return sides[0] if len(sides) == 1 else None
