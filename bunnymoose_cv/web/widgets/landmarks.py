"""Landmarks of a player, as SVG over the still at Bam and over the frames around it.

Coordinates are pixels of the whole frame, unmirrored, even if the image shows only a part of it. So the same lines fit
a player's still and the whole frame, and stay sharp when enlarged. `style/seen.css` gives the colours, and mirrors
image and lines together: players see themselves as in the live video.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import Antler, Ear, parse_headgear
from bunnymoose_cv.vision.faces.head import FACE_OUTLINE
from bunnymoose_cv.vision.hands.hand_geometry import FINGERS
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, PointShape
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView


LINE_SHARE: Final = 1 / 190
"""Width of a line as a share of the view's width."""

_MUCH_ROOM: Final = 0.6
"""Room on either side that nearly every tile can do without, in widths of a view."""

# MediaPipe's face mesh: both eyes, the lips.
_RIGHT_EYE: Final = (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246)
_LEFT_EYE: Final = (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466)
LIPS: Final = (61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185)
_PALM: Final = (0, 1, 5, 9, 13, 17)


def still_image(address: str, still: Box, player: Box, read: PlayerEvidence | None, name: str) -> str:
    """Return a player's still with the landmarks, or the picture alone if `read` is None; see `cropped_image`."""
    return cropped_image(address, still, player, "" if read is None else landmarks(read, player.width), name)


def cropped_image(address: str, still: Box, view: Box, drawn: str, name: str) -> str:
    """Return a part of a still, with drawings over it.

    In a tile of any shape the whole part is visible, as large as possible; the room left shows its surroundings
    (`style/verdicts.css`).

    Args:
        still: the part of the frame that the still shows.
        view: the part of the still that must be visible.
    """
    across = _keeps_to(view.x - still.x, still.width - view.width, view.width)
    down = _keeps_to(view.y - still.y, still.height - view.height, view.height)
    return _svg(
        f"{view.x:.1f} {view.y:.1f} {view.width:.1f} {view.height:.1f}",
        name,
        _image(address, (still.x, still.y, still.width, still.height)) + drawn,
        f"x{across}Y{down} meet",
    )


def _keeps_to(before: float, room: float, seen: float) -> str:
    """Return the alignment of a view in a larger tile: towards the edge of the frame, if that is near."""
    if abs(before - room / 2) < 1 or min(before, room - before) > _MUCH_ROOM * seen:
        return "Mid"
    return "Min" if before < room / 2 else "Max"


def frame_image(address: str, size: tuple[int, int], window: Box, read: PlayerEvidence | None, name: str) -> str:
    """Return a whole frame with a player's landmarks, zoomed in unless a style sheet reverts that (`.zoomed`)."""
    drawn = _image(address, (0, 0, *size)) + ("" if read is None else landmarks(read, window.width))
    scale = min(size[1] / window.height, size[0] / window.width)
    across, down = (size[0] / 2 - window.centre[0] * scale, size[1] / 2 - window.centre[1] * scale)
    zoom = f"translate({across:.1f} {down:.1f}) scale({scale:.3f})"
    return _svg(f"0 0 {size[0]} {size[1]}", name, f'<g class="scene" transform="{zoom}">{drawn}</g>')


def landmarks(read: PlayerEvidence, width: float) -> str:
    """Draw the face's outlines and the bones of both hands, for a view of a width in pixels."""
    line = width * LINE_SHARE
    parts = (FACE_OUTLINE, _RIGHT_EYE, _LEFT_EYE, LIPS)
    face = [_path([read.face[index] for index in part], closed=True) for part in parts] if read.face else []
    drawn = _stroked(face, "face", line * 0.7) if face else ""
    return f'<g class="landmarks">{drawn}{_hand(read.left, line)}{_hand(read.right, line)}</g>'


def _hand(side: HeadgearEvidence, line: float) -> str:
    if not side.hand:
        return ""
    bones = [_path([side.hand[joint] for joint in finger]) for finger in FINGERS]
    bones.append(_path([side.hand[joint] for joint in _PALM], closed=True))
    joints = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{line * 1.5:.1f}"/>' for x, y, _ in side.hand)
    kind = {Antler: "antler", Ear: "ear"}.get(type(parse_headgear(side.headgear)), "neither")
    kind += " unclear" if side.unclear else ""
    return _stroked(bones, kind, line) + f'<g class="joints {kind}">{joints}</g>'


def _stroked(paths: Sequence[str], kind: str, line: float) -> str:
    """Draw lines with a dark edge, so that they show on every background."""
    path = "".join(paths)
    under = f'<path class="edge" stroke-width="{2.4 * line:.2f}" d="{path}"/>'
    dashes = f' stroke-dasharray="{3 * line:.1f} {2.4 * line:.1f}"' if "unclear" in kind else ""
    return f'{under}<path class="bones {kind}" stroke-width="{line:.2f}"{dashes} d="{path}"/>'


def _path(points: Iterable[PointShape], *, closed: bool = False) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in points) + ("Z" if closed else "")


def _image(address: str, box: tuple[float, float, float, float]) -> str:
    x, y, width, height = box
    return (
        f'<image href="{escape(address)}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        'preserveAspectRatio="none"/>'
    )


def _svg(view: str, name: str, content: str, fit: str = "xMidYMid slice") -> str:
    return f'<svg viewBox="{view}" preserveAspectRatio="{fit}" role="img" aria-label="{escape(name)}">{content}</svg>'


SLOWNESS: Final = 4.0
"""Slow-motion factor of the film."""

_SHORTEST_STEP_S: Final = 0.05


def film_html(seen: RoundEvidenceView | None, seat: int, player: str, texts: Texts) -> Markup:
    """Render all frames, beginning at the frozen one, with a player's landmarks and buttons to step through them."""
    if seen is None:
        return render("contest/film", texts, frames=())
    times = [frame.time_s for frame in seen.frames]
    step_s = max(_SHORTEST_STEP_S, (times[-1] - times[0]) / max(1, len(times) - 1))
    return render(
        "contest/film",
        texts,
        frames=[_frame(seen, index, seat, player, texts) for index in range(len(seen.frames))],
        frozen=seen.frozen,
        step_ms=round(step_s * SLOWNESS * 1000),
    )


def viewer_keys(texts: Texts) -> Mapping[tuple[str, ...], str]:
    """Return the keys of the viewer, with their effects."""
    return {
        ("←", "→"): texts("The frame before, the frame after"),
        (texts("Home"),): texts("The frozen frame"),
        ("p",): texts("Slow motion, or stop it"),
        ("z",): texts("Closer, or the whole table"),
        ("l",): texts("Landmarks on or off"),
    }


def _frame(seen: RoundEvidenceView, index: int, seat: int, player: str, texts: Texts) -> Mapping[str, object]:
    address = f"/frame/{seen.number}/{index + 1}.jpg?at={seen.cue_s * 1000:.0f}"
    when = _when(seen.frames[index].time_s - seen.cue_s, texts)
    name = texts("{player} {time}", player=player, time=when)
    read = seen.reading_in(index, seat)
    place = texts("{number} of {count}", number=index + 1, count=len(seen.frames))
    return {
        "image": drawing(frame_image(address, seen.size, seen.window_of(seat), read, name)),
        "label": f"{when} · {place}",
    }


def _when(after_s: float, texts: Texts) -> str:
    if after_s < 0:
        return texts("{seconds:.2f} s before Bam", seconds=-after_s)
    return texts("{seconds:.2f} s after Bam", seconds=after_s)
