"""Check that the image is upright, by the heads in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.calibration.checks.table_look import TableLook
    from bunnymoose_cv.vision.faces.head import Head

_UNCONFIRMED: Final = 0.25


def check_rotation(look: TableLook) -> Finding | None:
    """Check the orientation; None where nobody is found, whichever way the image is turned."""
    degrees = turn_needed(look)
    if degrees is None:
        return None
    if degrees == 0:
        return good(CheckLine.UPRIGHT, Phrase("The picture is upright."), 0.0)
    needed = (look.view.rotation_degrees + degrees) % 360
    return Finding(
        CheckLine.UPRIGHT,
        Level.BAD,
        Phrase("The picture is turned: the players do not sit upright in it."),
        Phrase(
            "Turn the camera, or write rotation_degrees = {degrees} below [camera] in your settings file profile.toml.",
            degrees=needed,
        ),
        CheckCause.ROTATED,
        float(degrees),
    )


def upright_heads(heads: Sequence[Head]) -> tuple[Head, ...]:
    """The sure heads that stand upright, give or take a leaning."""
    return tuple(head for head in heads if head.sure and abs(head.tilt_degrees) < THRESHOLDS.upright_degrees)


def likely_upright(heads: Sequence[Head]) -> float:
    """Number of upright heads; one whose mesh is not confirmed by the eyes counts less.

    In an image upside down the face mesh now and then lies upright on a face, mostly with its eyes elsewhere.
    """
    return sum(_UNCONFIRMED if head.misaligned or head.mean_mesh else 1.0 for head in upright_heads(heads))


def turn_needed(look: TableLook) -> int | None:
    """The clockwise turn, in degrees, after which most heads stand upright; None without heads."""
    counts = {0: likely_upright(look.heads), **{turn: likely_upright(heads) for turn, heads in look.turned.items()}}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else None
