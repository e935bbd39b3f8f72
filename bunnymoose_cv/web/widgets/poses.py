"""Poses in words, and the form by which a pose is chosen.

The form has plain radio buttons under its images, so mouse, touch, arrow keys and screen readers all work. Everything
is as in a mirror and on the cards: the player's left is at the left.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.art.art_names import headgear_name
from bunnymoose_cv.art.head_art import headgear_art, pose_art
from bunnymoose_cv.art.ink import TONGUE
from bunnymoose_cv.rules.pose import HEADGEARS, Headgear, Pose, Side, Tongue, format_headgear, parse_headgear
from bunnymoose_cv.rules.pose_fields import field_values
from bunnymoose_cv.rules.pose_words import VALUE_WORDS
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import contest_address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView


class Part(Enum):
    """Part of a pose in which answers may differ, in the order of their words; sides are the player's own."""

    LEFT = Side.LEFT
    RIGHT = Side.RIGHT
    TONGUE = None

    def of(self, pose: Pose) -> Headgear | Tongue:
        """Return the headgear or tongue of a pose at this part."""
        return pose.tongue if self.value is None else pose.headgear(self.value)


def pose_lines(pose: Pose, texts: Texts) -> tuple[str, ...]:
    """Return a pose in words: a line for each side, and one for a tongue that is out."""
    parts = tuple(Part) if pose.tongue is Tongue.OUT else (Part.LEFT, Part.RIGHT)
    return tuple(_line(pose, part, texts) for part in parts)


def differing_parts(poses: Sequence[Pose]) -> tuple[Part, ...]:
    """Return the parts that not all poses share."""
    return tuple(part for part in Part if len({part.of(pose) for pose in poses}) > 1)


def distinguishing_lines(poses: Sequence[Pose], texts: Texts) -> tuple[tuple[str, ...], ...]:
    """Return what distinguishes each pose from the others, in as few words as possible.

    A line names its side only if several parts differ. If all poses are equal, whole poses are named.
    """
    match differing_parts(poses):
        case ():
            return tuple(pose_lines(pose, texts) for pose in poses)
        case (Part.LEFT | Part.RIGHT as part,):
            words = _distinguishing_words([pose.headgear(part.value) for pose in poses], texts)
            return tuple((word,) for word in words)
        case parts:
            return tuple(tuple(_line(pose, part, texts) for part in parts) for pose in poses)


def _distinguishing_words(headgears: Sequence[Headgear], texts: Texts) -> list[str]:
    """Return the one value by which headgears of one kind differ, `wide`, or the names of the whole headgears."""
    values = [field_values(headgear) for headgear in headgears]
    if len({frozenset(fields) for fields in values}) == 1:
        differing = [field for field in values[0] if len({fields[field] for fields in values}) > 1]
        if len(differing) == 1:
            return [texts(VALUE_WORDS[fields[differing[0]]]) for fields in values]
    return [headgear_name(headgear, texts) for headgear in headgears]


def _line(pose: Pose, part: Part, texts: Texts) -> str:
    match part:
        case Part.LEFT:
            return texts("left: {headgear}", headgear=headgear_name(pose.left, texts))
        case Part.RIGHT:
            return texts("right: {headgear}", headgear=headgear_name(pose.right, texts))
    return texts("tongue out") if pose.tongue is Tongue.OUT else texts("tongue in")


_NOTHING_ON: Final = Pose(None, None)
"""Pose that the form shows if nothing is known."""


def chooser_html(view: RoundView, verdict: VerdictView, game: Game, texts: Texts) -> Markup:
    """Render the form, with the current pose chosen, or the likeliest if there is none."""
    pose = verdict.pose or (verdict.likeliest[0].pose if verdict.likeliest else _NOTHING_ON)
    return render(
        "contest/chooser",
        texts,
        player=verdict.player,
        number=view.number,
        asked=verdict.pose is None,
        address=f"{contest_address(view.number, verdict.seat)}/preview.json",
        left=_side(Side.LEFT, pose.left, texts),
        right=_side(Side.RIGHT, pose.right, texts),
        tongue=_tongue(pose.tongue, texts),
        preview=pose_preview(pose, view, game, texts),
    )


def pose_preview(pose: Pose, view: RoundView, game: Game, texts: Texts) -> Mapping[str, str]:
    """Return the drawing of a pose as `art`, and its score as `words`, which are empty while cards are missing."""
    rules = game.round_rules if view.played is None else view.played.facts.rules
    words = ""
    if len(view.cards) >= rules.piles:
        scored = score(pose, view.cards, rules)
        words = announce(scored.species, scored.total, (), texts.language)
    return {"art": drawing(pose_art(pose, texts)), "words": words}


def chosen_pose(form: Mapping[str, str]) -> Pose:
    """Return the pose that was chosen in the form.

    Raises:
        NotationError: the values are not those of the form.
    """
    tongue = Tongue.OUT if form.get("tongue") == Tongue.OUT.value else Tongue.IN
    return Pose(parse_headgear(form.get("left", "")), parse_headgear(form.get("right", "")), tongue)


def _side(side: Side, chosen: Headgear, texts: Texts) -> list[Mapping[str, object]]:
    return [
        {
            "value": format_headgear(headgear),
            "art": drawing(headgear_art(headgear, side)),
            "words": headgear_name(headgear, texts),
            "checked": headgear == chosen,
        }
        for headgear in HEADGEARS
    ]


def _tongue(chosen: Tongue, texts: Texts) -> list[Mapping[str, object]]:
    named = ((Tongue.IN, texts("tongue in"), ""), (Tongue.OUT, texts("tongue out"), _TONGUE_OUT))
    return [
        {
            "value": tongue.value,
            "art": drawing(f'<svg viewBox="0 0 64 40" aria-hidden="true">{_MOUTH}{art}</svg>'),
            "words": words,
            "checked": tongue is chosen,
        }
        for tongue, words, art in named
    ]


_MOUTH: Final = (
    '<path d="M8 12C20 24 44 24 56 12" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"/>'
)
_TONGUE_OUT: Final = f'<path d="M24 19V28A8 8 0 0 0 40 28V19Z" fill="{TONGUE}" stroke="currentColor" stroke-width="3"/>'
