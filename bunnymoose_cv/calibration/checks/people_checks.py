"""Checks of the people in the image: their distance, the room for hands, and that it is upright and unmirrored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.capture.orientation import AS_IT_IS, View
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.reader import Reader

_EYES_CM: Final = 6.3
"""Distance between the eyes of adults on average (Dodgson 2004).

Those of children are 5 to 6 cm apart, so children are asked to come a little too close."""

_FOCAL: Final = 0.75
"""Focal length in long sides of the image, of a webcam or a phone with 67 degrees across; 55 to 80 are usual."""


def check_distance(look: TableLook) -> Finding:
    """Check the farthest player."""
    if not look.heads:
        return Finding(
            CheckLine.DISTANCE,
            Level.BAD,
            Phrase("Nobody is seen."),
            Phrase("Sit down in a row before the camera, at one to two metres, with your faces to it."),
            CheckCause.NOBODY,
        )
    eyes_px = min(head.eye_distance for head in look.heads)
    if eyes_px >= THRESHOLDS.weak_eyes_px:
        sentence = Phrase(
            "Everybody is near enough: {pixels:.0f} pixels between the eyes, {need:.0f} are needed.",
            pixels=eyes_px,
            need=THRESHOLDS.weak_eyes_px,
        )
        return good(CheckLine.DISTANCE, sentence, eyes_px)
    state = Level.BAD if eyes_px < THRESHOLDS.bad_eyes_px else Level.WEAK
    sentence = Phrase(
        "Somebody sits too far away: {pixels:.0f} pixels between the eyes, {need:.0f} are needed.",
        pixels=eyes_px,
        need=THRESHOLDS.weak_eyes_px,
    )
    closer_cm = closer_by_cm(eyes_px, max(look.image.shape[:2]))
    remedy = Phrase(
        "Bring camera and players about {closer} cm closer together, or choose a larger picture.", closer=closer_cm
    )
    return Finding(CheckLine.DISTANCE, state, sentence, remedy, CheckCause.FAR, eyes_px)


def closer_by_cm(eyes_px: float, long_side_px: int) -> int:
    """Return by how many centimetres, rounded up to tens, the players have to come closer.

    Args:
        eyes_px: distance between the eyes in the image.
        long_side_px: long side of the image.
    """
    now_cm = _FOCAL * long_side_px * _EYES_CM / eyes_px
    return 10 * ceil(now_cm * (1 - eyes_px / THRESHOLDS.weak_eyes_px) / 10)


@dataclass(frozen=True, slots=True)
class Room:
    """The least room around the heads, in eye distances of the head next to it.

    Attributes:
        above: distance of the eyes to the upper edge.
        beside: distance of the eyes to the left or right edge.
        between: distance between the eyes of neighbours, or None if one player sits alone.
    """

    above: float
    beside: float
    between: float | None


def check_room(look: TableLook) -> Finding | None:
    """Check the tightest place, or return None if nobody is found."""
    room = room_of(look)
    if room is None:
        return None
    above, beside = room.above / THRESHOLDS.weak_above, room.beside / THRESHOLDS.weak_beside
    if min(above, beside) < 1:
        tight = above <= beside
        limit = THRESHOLDS.bad_above if tight else THRESHOLDS.bad_beside
        value = room.above if tight else room.beside
        state = Level.BAD if value < limit else Level.WEAK
        return Finding(CheckLine.ROOM, state, *_cropped_words(above=tight), CheckCause.CROPPED, value)
    if room.between is not None and room.between < THRESHOLDS.weak_gap:
        state = Level.BAD if room.between < THRESHOLDS.bad_gap else Level.WEAK
        sentence = Phrase("Two players sit so close that their hands overlap.")
        remedy = Phrase("Sit farther apart: an arm’s length from nose to nose.")
        return Finding(CheckLine.ROOM, state, sentence, remedy, CheckCause.CROWDED, room.between)
    return good(CheckLine.ROOM, Phrase("Everybody’s hands fit into the picture."), min(room.above, room.beside))


def _cropped_words(*, above: bool) -> tuple[Phrase, Phrase]:
    """Sentence and remedy where hands are cut at the upper edge, or at one of the sides."""
    if above:
        return (
            Phrase("There is too little room above the heads: raised hands are cut off."),
            Phrase("Tilt the camera up, or move it back."),
        )
    return (
        Phrase("Somebody sits at the edge of the picture: hands are cut off."),
        Phrase("Turn the camera towards that player, move it back, or sit closer together."),
    )


def room_of(look: TableLook) -> Room | None:
    """Measure the room, or return None if nobody is found."""
    heads = sorted(look.heads, key=lambda head: head.centre[0])
    if not heads:
        return None
    width = look.image.shape[1]
    above = min(head.centre[1] / head.eye_distance for head in heads)
    beside = min(min(head.centre[0], width - head.centre[0]) / head.eye_distance for head in heads)
    gaps = [
        (other.centre[0] - one.centre[0]) / ((one.eye_distance + other.eye_distance) / 2)
        for one, other in pairwise(heads)
    ]
    return Room(above, beside, min(gaps, default=None))


def check_rotation(look: TableLook) -> Finding | None:
    """Check the orientation, or return None if nobody is found whichever way the image is turned."""
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


_WITHOUT_MESH: Final = 0.25
"""Weight of a face on which MediaPipe sees no mesh."""


def turn_needed(look: TableLook) -> int | None:
    """Return the clockwise turn in degrees after which faces are seen most surely upright; None without upright ones.

    Upside down most faces are found, too, and meshes lie upright on them, but the detector is less sure of them.
    """
    heads_by_turn = {0: look.heads, **look.turned}
    sums = {
        turn: sum(_WITHOUT_MESH * head.score if head.mean_mesh else head.score for head in upright_heads(heads))
        for turn, heads in heads_by_turn.items()
    }
    best = max(sums, key=sums.__getitem__)
    return best if sums[best] else None


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
    turned = {turn: reader.search(View(turn).upright(image)) for turn in _TURNS}
    view = View.of(reader.settings.camera)
    return TableLook(of_one_size(frames), tuple(times_s), players, view=view, turned=turned)


RAISE_RIGHT: Final = Phrase("One player, and nobody else: hold your right hand up beside your head.")
"""The request; everybody else's hands stay down."""


def check_mirror(looks: Iterable[Sequence[Player]], view: View = AS_IT_IS) -> Finding | None:
    """Check the side on which the one raised hand is seen.

    The image alone cannot tell: a mirrored right hand beside a mirrored head looks like a left hand on the left.

    Args:
        looks: the players as they were read while the right hand was asked for.
        view: the rotation and mirroring that the frames have gone through.

    Returns:
        The finding by the side that was seen in most looks, or None if never exactly one hand was raised.
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
    """Return the side of the only raised hand, or None if there are none or several."""
    sides = [side for player in players if player.head.sure for side in player.hands]
    return sides[0] if len(sides) == 1 else None
