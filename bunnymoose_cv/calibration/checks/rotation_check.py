"""Look at the table, also turned, and check that the image is upright, by the heads in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.capture.orientation import View
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.reader import Reader

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


_TURNS: Final = (90, 180, 270)


def take_look(reader: Reader, frames: Sequence[Frame], times_s: Sequence[float]) -> TableLook:
    """Read the newest of the frames.

    Args:
        reader: the models; its profile tells how the frames were turned.
        frames: consecutive ones; at least one.
        times_s: when each frame of the whole look came.
    """
    image = frames[-1].image
    players = tuple(each.player for each in reader.read(image, frames[-1].time_s).players)
    heads = [player.head for player in players]
    turned = search_turned(reader, image, heads)
    view = View.of(reader.settings.camera)
    return TableLook(of_one_size(frames), tuple(times_s), players, view=view, turned=turned)


def search_turned(reader: Reader, image: Image, heads: Sequence[Head]) -> dict[int, tuple[Head, ...]]:
    """Search the image upside down, and on its sides too unless everybody found surely sits upright.

    Returns:
        The clockwise turn in degrees → the heads found then.
    """
    turns = (180,) if heads and likely_upright(heads) == len(heads) else _TURNS
    return {turn: reader.search(View(turn).upright(image)) for turn in turns}
