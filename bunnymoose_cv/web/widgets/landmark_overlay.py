"""Landmark overlay of one player, as SVG over the image.

All places are pixels of the whole frame, unmirrored, whatever part of it the image shows; so the same lines fit a
player's still and the whole frame, and stay sharp when people look closer. `style/seen.css` gives the colours, and
mirrors image and lines together: people see themselves as in the live video.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import Antler, Ear, parse_headgear
from bunnymoose_cv.vision.faces.head import FACE_OUTLINE
from bunnymoose_cv.vision.hands.hand_geometry import FINGERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, PointShape
    from bunnymoose_cv.vision.geometry import Box

LINE_SHARE: Final = 1 / 190
"""Width of a line in widths of what is seen."""

# MediaPipe's face mesh: both eyes, the lips.
_RIGHT_EYE: Final = (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246)
_LEFT_EYE: Final = (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466)
_LIPS: Final = (61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185)
_PALM: Final = (0, 1, 5, 9, 13, 17)


def still_image(address: str, still: Box, player: Box, read: PlayerEvidence, name: str) -> str:
    """A player's still with the landmarks.

    The player is seen whole, and as large as can be, in every shape of tile; what room is left shows what stands beside
    (`style/verdicts.css`).

    Args:
        still: the part of the frame that it shows.
        player: the part of that which must be seen.
        name: what a screen reader says.
    """
    across = _keeps_to(player.x - still.x, still.width - player.width)
    down = _keeps_to(player.y - still.y, still.height - player.height)
    return _svg(
        f"{player.x:.1f} {player.y:.1f} {player.width:.1f} {player.height:.1f}",
        name,
        _image(address, (still.x, still.y, still.width, still.height)) + landmarks(read, player.width),
        f"x{across}Y{down} meet",
    )


def _keeps_to(before: float, room: float) -> str:
    """Alignment of the player in a larger tile: where the frame ends there is nothing to be seen beside."""
    if abs(before - room / 2) < 1:
        return "Mid"
    return "Min" if before < room / 2 else "Max"


def frame_image(address: str, size: tuple[int, int], window: Box, read: PlayerEvidence | None, name: str) -> str:
    """A whole frame with a player's landmarks, brought closer unless a style sheet takes that back (`.zoomed`).

    Args:
        window: what is to be seen closer.
        read: of the player in this frame; None where the face was not found in it.
        name: what a screen reader says.
    """
    drawn = _image(address, (0, 0, *size)) + ("" if read is None else landmarks(read, window.width))
    scale = min(size[1] / window.height, size[0] / window.width)
    across, down = (size[0] / 2 - window.centre[0] * scale, size[1] / 2 - window.centre[1] * scale)
    zoom = f"translate({across:.1f} {down:.1f}) scale({scale:.3f})"
    return _svg(f"0 0 {size[0]} {size[1]}", name, f'<g class="scene" transform="{zoom}">{drawn}</g>', "xMidYMid slice")


def landmarks(read: PlayerEvidence, width: float) -> str:
    """The face's outlines and the bones of both hands.

    Args:
        width: of what is seen around them, pixels: lines are a share of it.
    """
    line = width * LINE_SHARE
    parts = (FACE_OUTLINE, _RIGHT_EYE, _LEFT_EYE, _LIPS)
    face = [_path([read.face[index] for index in part], closed=True) for part in parts]
    drawn = _stroked(face, "face", line * 0.7) if read.face else ""
    return f'<g class="landmarks">{drawn}{_hand(read.left, line)}{_hand(read.right, line)}</g>'


def _hand(side: HeadgearEvidence, line: float) -> str:
    if not side.hand:
        return ""
    bones = [_path([side.hand[joint] for joint in finger]) for finger in FINGERS]
    bones.append(_path([side.hand[joint] for joint in _PALM], closed=True))
    joints = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{line * 1.5:.1f}"/>' for x, y, _ in side.hand)
    kind = _kind(side) + (" unclear" if side.unclear else "")
    return _stroked(bones, kind, line) + f'<g class="joints {kind}">{joints}</g>'


def _kind(side: HeadgearEvidence) -> str:
    headgear = parse_headgear(side.headgear)
    if isinstance(headgear, Antler):
        return "antler"
    return "ear" if isinstance(headgear, Ear) else "neither"


def _stroked(paths: Sequence[str], kind: str, line: float) -> str:
    """Lines with a dark edge, so that they show on every ground."""
    path = "".join(paths)
    under = f'<path class="edge" stroke-width="{2.4 * line:.2f}" d="{path}"/>'
    dashes = f' stroke-dasharray="{3 * line:.1f} {2.4 * line:.1f}"' if "unclear" in kind else ""
    return f'{under}<path class="bones {kind}" stroke-width="{line:.2f}"{dashes} d="{path}"/>'


def _path(points: Iterable[PointShape], *, closed: bool = False) -> str:
    return "M" + "L".join(_places(points)) + ("Z" if closed else "")


def _places(points: Iterable[PointShape]) -> Iterator[str]:
    return (f"{x:.1f} {y:.1f}" for x, y, _ in points)


def _image(address: str, box: tuple[float, float, float, float]) -> str:
    x, y, width, height = box
    return (
        f'<image href="{escape(address)}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        'preserveAspectRatio="none"/>'
    )


def _svg(view: str, name: str, content: str, fit: str = "xMidYMid slice") -> str:
    return f'<svg viewBox="{view}" preserveAspectRatio="{fit}" role="img" aria-label="{escape(name)}">{content}</svg>'
