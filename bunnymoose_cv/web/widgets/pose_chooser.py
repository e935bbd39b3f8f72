"""Form of a pose: a headgear for each side, and the tongue, in images.

Plain radio buttons under the images, so that mouse, touch, arrow keys and screen readers all work by themselves. All
is as in a mirror and on the cards: the player's left stands at the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import (
    HEADGEARS,
    Headgear,
    Pose,
    Side,
    Tongue,
    format_headgear,
    parse_headgear,
)
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.art_names import headgear_name
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.art.headgear_art import headgear_art
from bunnymoose_cv.web.art.ink import TONGUE
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import contest_address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView

SCRIPT: Final = "chooser"
"""Script of pages with this form: it shows what is chosen."""

_NOTHING_ON: Final = Pose(None, None)
"""Pose of the form where nothing is known."""


@dataclass(frozen=True, slots=True)
class PosePreview:
    """Preview of a chosen pose.

    Attributes:
        words: its score; empty where that is not known.
    """

    art: Markup
    words: str


def chooser_html(view: RoundView, verdict: VerdictView, game: Game, texts: Texts) -> Markup:
    """The form, with the standing pose chosen, else the likeliest."""
    pose = _begin_with(verdict)
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


def pose_preview(pose: Pose, view: RoundView, game: Game, texts: Texts) -> PosePreview:
    """Preview of a pose, with its score once the cards are known."""
    rules = game.round_rules if view.played is None else view.played.facts.rules
    words = ""
    if len(view.cards) >= rules.piles:
        scored = score(pose, view.cards, rules)
        words = announce(scored.species, scored.total, (), texts.language)
    return PosePreview(drawing(pose_art(pose, texts)), words)


def chosen_pose(form: Mapping[str, str]) -> Pose:
    """The pose that the form holds.

    Raises:
        NotationError: those are not the form's own values.
    """
    tongue = Tongue.OUT if form.get("tongue") == Tongue.OUT.value else Tongue.IN
    return Pose(parse_headgear(form.get("left", "")), parse_headgear(form.get("right", "")), tongue)


def _begin_with(verdict: VerdictView) -> Pose:
    if verdict.pose is not None:
        return verdict.pose
    return verdict.likeliest[0].pose if verdict.likeliest else _NOTHING_ON


def _side(side: Side, chosen: Headgear, texts: Texts) -> list[Mapping[str, object]]:
    """Choices of one side."""
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
    """Choices of the tongue."""
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
