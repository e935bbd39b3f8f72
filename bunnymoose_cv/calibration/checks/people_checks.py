"""Checks of the people in the image: their distance, the room for hands, and that it is upright and unmirrored."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.capture.image_geometry import AS_IT_IS, View
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.reader import Reader

_EYES_CM: Final = 6.3
"""Average distance between the eyes of adults in centimetres (Dodgson 2004).

Children have 5 to 6 cm, so they are asked to come a little too close."""

_FOCAL: Final = 0.75
"""Focal length in long sides of the image, for a webcam or phone with a view of 67 degrees; 55 to 80 are usual."""


def check_distance(look: TableLook) -> Finding:
    """Check the farthest player."""
    if not look.heads:
        sentence = Phrase("Nobody is seen.")
        remedy = Phrase("Sit down in a row before the camera, at one to two metres, with your faces to it.")
        return Finding(CheckLine.DISTANCE, Level.BAD, sentence, remedy, CheckCause.NOBODY)
    eyes_px = min(head.eye_distance for head in look.heads)
    values = {"pixels": eyes_px, "need": THRESHOLDS.weak_eyes_px}
    if eyes_px >= THRESHOLDS.weak_eyes_px:
        sentence = Phrase(
            "Everybody is near enough: {pixels:.0f} pixels between the eyes, {need:.0f} are needed.", **values
        )
        return good(CheckLine.DISTANCE, sentence, eyes_px)
    level = Level.BAD if eyes_px < THRESHOLDS.bad_eyes_px else Level.WEAK
    sentence = Phrase(
        "Somebody sits too far away: {pixels:.0f} pixels between the eyes, {need:.0f} are needed.", **values
    )
    remedy = Phrase(
        "Bring camera and players about {closer} cm closer together, or choose a larger picture.",
        closer=closer_by_cm(eyes_px, max(look.image.shape[:2])),
    )
    return Finding(CheckLine.DISTANCE, level, sentence, remedy, CheckCause.FAR, eyes_px)


def closer_by_cm(eyes_px: float, long_side_px: int) -> int:
    """Return by how many centimetres, rounded up to tens, the players have to come closer."""
    now_cm = _FOCAL * long_side_px * _EYES_CM / eyes_px
    return 10 * ceil(now_cm * (1 - eyes_px / THRESHOLDS.weak_eyes_px) / 10)


def check_room(look: TableLook) -> Finding | None:
    """Check the tightest place, in eye distances of the nearest head, or return None if no head is found."""
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
    if above < THRESHOLDS.weak_above and above / THRESHOLDS.weak_above <= beside / THRESHOLDS.weak_beside:
        value, bad, cause = above, THRESHOLDS.bad_above, CheckCause.CROPPED
        sentence = Phrase("There is too little room above the heads: raised hands are cut off.")
        remedy = Phrase("Tilt the camera up, or move it back.")
    elif beside < THRESHOLDS.weak_beside:
        value, bad, cause = beside, THRESHOLDS.bad_beside, CheckCause.CROPPED
        sentence = Phrase("Somebody sits at the edge of the picture: hands are cut off.")
        remedy = Phrase("Turn the camera towards that player, move it back, or sit closer together.")
    elif gaps and min(gaps) < THRESHOLDS.weak_gap:
        value, bad, cause = min(gaps), THRESHOLDS.bad_gap, CheckCause.CROWDED
        sentence = Phrase("Two players sit so close that their hands overlap.")
        remedy = Phrase("Sit farther apart: an arm’s length from nose to nose.")
    else:
        return good(CheckLine.ROOM, Phrase("Everybody’s hands fit into the picture."), min(above, beside))
    return Finding(CheckLine.ROOM, Level.BAD if value < bad else Level.WEAK, sentence, remedy, cause, value)


def check_rotation(look: TableLook) -> Finding | None:
    """Check the orientation, or return None if no upright head is found at any rotation of the image."""
    degrees = turn_needed(look)
    if degrees is None:
        return None
    if degrees == 0:
        return good(CheckLine.UPRIGHT, Phrase("The picture is upright."), 0.0)
    sentence = Phrase("The picture is turned: the players do not sit upright in it.")
    remedy = Phrase(
        "Turn the camera, or write rotation_degrees = {degrees} below [camera] in your settings file profile.toml.",
        degrees=(look.view.rotation_degrees + degrees) % 360,
    )
    return Finding(CheckLine.UPRIGHT, Level.BAD, sentence, remedy, CheckCause.ROTATED, float(degrees))


_WITHOUT_MESH: Final = 0.25
"""Weight of a face on which MediaPipe finds no mesh."""


def turn_needed(look: TableLook) -> int | None:
    """Return the clockwise turn in degrees after which upright faces are detected most surely; None without any.

    Most faces are also found upside down, with upright meshes on them, but with a lower detector score.
    """
    heads_by_turn = {0: look.heads, **look.turned}
    sums = {
        turn: sum(
            _WITHOUT_MESH * head.score if head.mean_mesh else head.score
            for head in heads
            if head.sure and abs(head.tilt_degrees) < THRESHOLDS.upright_degrees
        )
        for turn, heads in heads_by_turn.items()
    }
    best = max(sums, key=sums.__getitem__)
    return best if sums[best] else None


_TURNS: Final = (90, 180, 270)


def take_look(reader: Reader, frames: Sequence[Frame], times_s: Sequence[float]) -> TableLook:
    """Read the newest of the frames.

    Args:
        reader: the models. Their settings say how the frames were turned.
        frames: consecutive frames; at least one.
        times_s: arrival time of each frame of the whole look.
    """
    image = frames[-1].image
    players = tuple(reading.player for reading in reader.read(image, frames[-1].time_s).players)
    turned = {turn: reader.search(View(turn).upright(image)) for turn in _TURNS}
    view = View.of(reader.settings.camera)
    return TableLook(of_one_size(frames), tuple(times_s), players, view=view, turned=turned)


RAISE_RIGHT: Final = Phrase("One player, and nobody else: hold your right hand up beside your head.")


def check_mirror(looks: Iterable[Sequence[Player]], view: View = AS_IT_IS) -> Finding | None:
    """Check the side on which the raised hand appears in most looks; None if exactly one hand was never raised.

    The image alone is ambiguous: a mirrored right hand beside a mirrored head looks like a left hand on the left.

    Args:
        looks: readings of the players while they were asked for a right hand.
        view: rotation and mirroring already applied to the frames.
    """
    seen = Counter(side for side in map(raised_side, looks) if side is not None)
    if not seen:
        return None
    (side, count), *_ = seen.most_common()
    if side is Side.RIGHT:
        return good(CheckLine.MIRROR, Phrase("Left and right are as they are."), float(count))
    needed = view.flipped
    mirrored = "true" if needed.mirrored else "false"
    sentence = Phrase("The picture is mirrored: the raised right hand is seen on the left.")
    remedy = Phrase(
        "Switch mirroring off at the camera, or write mirrored = {mirrored} "
        "below [camera] in your settings file profile.toml.",
        mirrored=mirrored,
    )
    if needed.rotation_degrees != view.rotation_degrees:
        remedy = Phrase(
            "Switch mirroring off at the camera, or write mirrored = {mirrored} and rotation_degrees = {degrees} "
            "below [camera] in your settings file profile.toml.",
            mirrored=mirrored,
            degrees=needed.rotation_degrees,
        )
    return Finding(CheckLine.MIRROR, Level.BAD, sentence, remedy, CheckCause.MIRRORED, float(count))


def raised_side(players: Sequence[Player]) -> Side | None:
    """Return the side of the only raised hand, or None for no hand or several."""
    sides = [side for player in players if player.head.sure for side in player.hands]
    return sides[0] if len(sides) == 1 else None
