"""Questions to people: the tile of a player who is asked about, with the part in doubt ringed in the image.

The narrator's phone and the screen at the table answer. A player who is asked is frozen, so that player's phone can
only confirm the likeliest answer; all other phones only show the question. Coordinates are pixels of the whole frame,
unmirrored; the page mirrors the image, so the words at the ring are mirrored beforehand.
"""

from __future__ import annotations

from html import escape
from time import monotonic
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.art.art_names import pose_name
from bunnymoose_cv.art.head_art import doubt_art, pose_art
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import contest_address
from bunnymoose_cv.web.widgets.landmarks import LIPS, cropped_image
from bunnymoose_cv.web.widgets.poses import Part, differing_parts, distinguishing_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView
    from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView


ASKING: Final = "asking"
"""Part below the questions; while it is not empty, a page shows only the questions (`style/asking.css`)."""


def asking_html(state: TableState, texts: Texts) -> Markup:
    """Render the time left and the verdicts of the other players; empty while no question is open."""
    game = state.game
    is_asking = game.phase is Phase.FROZEN and not game.first_pass and bool(state.asked) and not state.judging
    view = round_view(state, game.round_number) if is_asking else None
    if view is None:
        return drawing("")
    left_s = None if state.answer_until is None else max(0.0, state.answer_until - monotonic())
    return render(
        "verdicts/asking",
        texts,
        more=len(state.asked) - 1,
        mirrored=view.seen is not None,
        left_s=left_s,
        share=None if left_s is None else min(1.0, left_s / (load_settings().questions.answer_s or left_s)),
        settled=[_settled(group, texts) for group in view.groups if group[0].score is not None and not group[0].asked],
        styles=styles_of(game.players, game.colours),
    )


def _settled(group: tuple[VerdictView, ...], texts: Texts) -> Mapping[str, object]:
    """Return the players who show the same pose, and the announcement about them."""
    score = group[0].score
    return {
        "players": [verdict.player for verdict in group],
        "say": "" if score is None else announce(score.species, score.total, (), texts.language),
        "way": contest_address(group[0].round_number, group[0].seat),
    }


def question_html(  # noqa: PLR0913 - all that a question depends on
    view: RoundView, verdict: VerdictView, state: TableState, visitor: Visitor, texts: Texts, *, has_keys: bool
) -> Markup:
    """Render the tile of a player who is asked about; `has_keys` for the one question that keys answer."""
    player, poses = verdict.player, [likely.pose for likely in verdict.likeliest]
    parts = differing_parts(poses) or _doubted(verdict)
    may = visitor.may(Action.CORRECT_POSE, player)
    return render(
        "verdicts/question",
        texts,
        player=player,
        seat=verdict.seat,
        styles=styles_of(state.game.players, state.game.colours),
        text=_ask(player, parts, texts),
        again=verdict.pose is not None,
        image=_image(view, verdict, parts, texts),
        round_number=verdict.round_number,
        choices=list(_choices(verdict, texts)),
        may=may,
        confirms=visitor.may(Action.CONFIRM_POSE, player) and bool(poses),
        has_keys=has_keys and may,
        marked=has_keys and may and len(state.asked) > 1,
        narrator=state.game.narrator,
        way=f"{contest_address(verdict.round_number, verdict.seat)}#correct",
    )


def _doubted(verdict: VerdictView) -> tuple[Part, ...]:
    """Return the parts with unclear fields that matter; none if nothing was read."""
    doubted = {field.side for field in verdict.unclear if field not in verdict.idle}
    return () if verdict.read is None else tuple(part for part in Part if part.value in doubted)


def _ask(player: str, parts: tuple[Part, ...], texts: Texts) -> str:
    """Return the question in words."""
    match parts:
        case (Part.LEFT,):
            return texts("What does {player}’s left hand show?", player=player)
        case (Part.RIGHT,):
            return texts("What does {player}’s right hand show?", player=player)
        case (Part.TONGUE,):
            return texts("Is {player}’s tongue in or out?", player=player)
    return texts("What does {player} show?", player=player)


def _image(view: RoundView, verdict: VerdictView, parts: tuple[Part, ...], texts: Texts) -> Markup | None:
    """Return the image at Bam; None without a camera, and empty if the player was not seen."""
    if view.seen is None:
        return None
    name = texts("{player} at Bam", player=verdict.player)
    return drawing(asked_image(view.seen, verdict.seat, parts, texts, name))


def _choices(verdict: VerdictView, texts: Texts) -> Iterator[Mapping[str, object]]:
    """Yield the answers, likeliest first, each with the words that distinguish it from the others."""
    poses = [likely.pose for likely in verdict.likeliest]
    parts = differing_parts(poses)
    sides = [part.value for part in parts if part.value is not None]
    for likely, lines in zip(verdict.likeliest, distinguishing_lines(poses, texts), strict=True):
        pose, score = likely.pose, likely.score
        art = doubt_art(pose, sides, tongue=Part.TONGUE in parts) if parts else pose_art(pose, texts)
        yield {
            "art": drawing(art),
            "lines": lines,
            "pose": str(pose),
            "name": texts("{player}: {pose}", player=verdict.player, pose=pose_name(pose, texts)),
            "say": "" if score is None else announce(score.species, score.total, (), texts.language),
        }


# All in widths of the face.
_AROUND_FACE: Final = 0.25
_AROUND_PART: Final = 0.4
_AROUND_RING: Final = 0.14
_NO_HAND: Final = (0.95, 0.1, 0.8)
"""Assumed position of a hand that was not found: outward and up from the face's middle to its own, and its size."""

_MOUTH: Final = (0.3, 0.3)
"""Assumed position of the mouth if no face mesh was kept: distance below the face's middle, and its size."""

_LETTER: Final = 0.085
_WIDEST_LETTER: Final = 0.62
"""Greatest width of a letter as a share of its height, which `_LETTER` gives as a share of the image's width."""


def asked_image(seen: RoundEvidenceView, seat: int, parts: Sequence[Part], texts: Texts, name: str) -> str:
    """Draw a player at Bam with a ring around each part in doubt; empty for a player who was not seen.

    The image is cropped to the face and these parts, or to the whole player without any. Pixels nearer to a neighbour
    than to the player are veiled.
    """
    read = seen.reading_of(seat)
    if read is None:
        return ""
    still = seen.still_of(seat)
    view = _view(seen, seat, read, parts)
    drawn = _veil(still, _own_strip(seen, read, view))
    for part in parts:
        words = "" if len(parts) > 1 else texts("the tongue?") if part is Part.TONGUE else texts("this hand?")
        drawn += _ring(part_box(read, part), view, read.face_px[2] * _AROUND_RING, words)
    address = f"/still/{seen.number}/{seat}.jpg?at={seen.cue_s * 1000:.0f}"
    return cropped_image(address, still, view, drawn, name)


def part_box(read: PlayerEvidence, part: Part) -> Box:
    """Return the box of a part in the image, or its assumed box if it was not found."""
    x, y, width, height = read.face_px
    middle = x + width / 2
    if part is Part.TONGUE:
        if read.face:
            return _around([read.face[index][:2] for index in LIPS])
        down, size = _MOUTH
        return _square(middle, y + height * (0.5 + down), size * width)
    hand = (read.left if part is Part.LEFT else read.right).hand
    if hand:
        return _around([point[:2] for point in hand])
    outward, up, size = _NO_HAND
    across = outward if part is Part.LEFT else -outward  # the player's left is at the right of the camera's image
    return _square(middle + across * width, y + height * (0.5 - up), size * width)


def _view(seen: RoundEvidenceView, seat: int, read: PlayerEvidence, parts: Sequence[Part]) -> Box:
    """Return the box around the face and the parts in doubt, within the frame."""
    if not parts:
        return seen.player_in(seat)
    width = read.face_px[2]
    boxes = [_grown(Box(*read.face_px), _AROUND_FACE * width)]
    boxes += [_grown(part_box(read, part), _AROUND_PART * width) for part in parts]
    corners = np.array([(box.x, box.y) for box in boxes] + [(box.x + box.width, box.y + box.height) for box in boxes])
    low, high = np.maximum(corners.min(0), 0), np.minimum(corners.max(0), seen.size)
    return Box(*map(float, (*low, *(high - low))))


def _own_strip(seen: RoundEvidenceView, read: PlayerEvidence, view: Box) -> tuple[float, float]:
    """Return the left and right end of the strip that is nearer to the player than to a neighbour."""
    middle = Box(*read.face_px).centre[0]
    others = [Box(*other.face_px).centre[0] for other in seen.agreed.players if other.seat != read.seat]
    left = max(((middle + other) / 2 for other in others if other < middle), default=0.0)
    right = min(((middle + other) / 2 for other in others if other > middle), default=float(seen.size[0]))
    return min(left, view.x), max(right, view.x + view.width)


def _veil(still: Box, strip: tuple[float, float]) -> str:
    """Draw a veil over both sides of the player's own strip."""
    left, right = strip
    sides = ((still.x, left - still.x), (right, still.x + still.width - right))
    return "".join(
        f'<rect class="veil" x="{x:.1f}" y="{still.y:.1f}" width="{width:.1f}" height="{still.height:.1f}"/>'
        for x, width in sides
        if width > 0
    )


def _ring(part: Box, view: Box, margin: float, words: str) -> str:
    """Draw a ring around a part, with words, if any, below or above it, within the view."""
    (across, down), letter = part.centre, _LETTER * view.width
    wide, high = part.width / 2 + margin, part.height / 2 + margin
    base = down + high + letter
    if base > view.y + view.height:
        base = max(down - high - 0.3 * letter, view.y + letter)
    room = len(words) * letter * _WIDEST_LETTER / 2
    words_at = min(max(across, view.x + room), view.x + view.width - room)
    place = f'cx="{across:.1f}" cy="{down:.1f}" rx="{wide:.1f}" ry="{high:.1f}"'
    rings = "".join(
        f'<ellipse class="{kind}" {place} stroke-width="{thick * view.width:.1f}"/>'
        for kind, thick in (("edge", 0.02), ("ring", 0.011))
    )
    if not words:
        return rings
    return (
        f'{rings}<text class="which" transform="translate({words_at:.1f} {base:.1f}) scale(-1 1)"'
        f' font-size="{letter:.1f}">{escape(words)}</text>'
    )


def _around(points: Sequence[Sequence[float]]) -> Box:
    return Box.around(np.array(points, np.float32))


def _square(across: float, down: float, size: float) -> Box:
    return Box(across - size / 2, down - size / 2, size, size)


def _grown(box: Box, margin: float) -> Box:
    return Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
