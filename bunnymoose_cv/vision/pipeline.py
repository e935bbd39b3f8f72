"""Declared pipeline: the stages of a reading as data, and the documentation page derived from them.

`python -m bunnymoose_cv.vision.pipeline > docs/explanation/pipeline.md` writes the page.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from bunnymoose_cv.vision.effort import BUDGETS, Budget, Effort, HeadSearch
from bunnymoose_cv.vision.faces.face_search import faces_in, find_heads, find_newcomers
from bunnymoose_cv.vision.faces.head_tracking import follow_heads
from bunnymoose_cv.vision.hands.assignment import holding
from bunnymoose_cv.vision.hands.hand_search import CLOSER, find_hands, hands_around
from bunnymoose_cv.vision.stages import ImageStage, PlayerStage, Stage
from bunnymoose_cv.vision.tongue.mouth_crop import CROPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.vision.stages import FrameState, ImageTools, PlayerState, PlayerTools

AnyStage = TypeVar("AnyStage", bound=Stage)


def _begun_hands(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    """Begin to look for hands around the earlier places, while the heads are followed."""
    heads = [head for head in state.previous_heads if head not in state.skip_hands]
    return replace(state, hands=hands_around(heads, state.image, tools.workers))


def _heads(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    if budget.heads is HeadSearch.IMAGE:
        return replace(state, heads=find_heads(state.image, tools.workers, tools.settings))
    return replace(state, heads=follow_heads(state.image, state.previous_heads, tools.workers, state.fixed_heads))


def _hands(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    heads = tuple(head for head in state.heads if head not in state.skip_hands)
    hands = find_hands(heads, state.image, tools.workers, tools.settings, closer_crops=budget.closer_hand_crops)
    return replace(state, hands=hands)


def _players(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    hands = tuple(state.hands)
    return replace(state, hands=hands, players=holding(hands, state.heads, tools.settings))


def _headgear(state: PlayerState, tools: PlayerTools, _: Budget) -> PlayerState:
    read = tools.headgear.read(state.image, state.player)
    return replace(state, headgear=read)


def _tongue(state: PlayerState, tools: PlayerTools, budget: Budget) -> PlayerState:
    read = tools.tongue.read(state.image, state.player.head, second_stage=budget.tongue_second_stage)
    return replace(state, tongue=read)


def _begun_faces(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    """Begin to search the tiles, while the player stages run."""
    return replace(state, faces=faces_in(state.image, state.newcomer_tiles, tools.workers))


def _newcomers(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    newcomers = find_newcomers(state.image, state.faces, state.heads, tools.workers, tools.settings)
    if not newcomers:
        return state
    row = tuple(sorted([*state.heads, *newcomers], key=lambda head: head.centre[0]))
    hands = (*state.hands, *hands_around(newcomers, state.image, tools.workers))
    return _players(replace(state, heads=row, hands=hands), tools, budget)


_EVERY: Final = frozenset(Effort)
_LIGHT: Final = frozenset({Effort.GLANCE})
_HAND_MODELS: Final = ("MediaPipe palm detector", "MediaPipe hand landmarks")

IMAGE_STAGES: Final = (
    ImageStage(
        "hands",
        ("image", "previous_heads"),
        _HAND_MODELS,
        "none; a glance looks around the earlier places",
        _LIGHT,
        _begun_hands,
    ),
    ImageStage(
        "heads",
        ("image", "previous_heads"),
        ("MediaPipe face detector", "MediaPipe face mesh", "face.onnx"),
        "nobody surely seen: tile search by face.onnx; a followed mesh that is lost: face.onnx with the mean mesh",
        _EVERY,
        _heads,
    ),
    ImageStage(
        "hands",
        ("image", "heads"),
        _HAND_MODELS,
        f"a side without a hand: up to {len(CLOSER)} closer crops",
        _EVERY - _LIGHT,
        _hands,
    ),
    ImageStage("players", ("heads", "hands"), (), "none", _EVERY, _players),
)
PLAYER_STAGES: Final = (
    PlayerStage(
        "headgear",
        ("image", "players"),
        ("hand_shape.onnx", "headgear.onnx", "side.onnx"),
        "no hand, or one that leaves a question: the crop of the side",
        _EVERY,
        _headgear,
    ),
    PlayerStage(
        "tongue",
        ("image", "players"),
        ("tongue.onnx",),
        f"a probability between the thresholds: second stage ({len(CROPS) - 1} more crops)",
        _EVERY,
        _tongue,
    ),
)
LATE_STAGES: Final = (
    ImageStage(
        "faces",
        ("image",),
        ("MediaPipe face detector",),
        "none; a glance searches the next tiles",
        _LIGHT,
        _begun_faces,
    ),
    ImageStage(
        "newcomers",
        ("image", "faces", "heads", "hands"),
        ("MediaPipe face mesh", "face.onnx"),
        "a new head: its hands, and the player stages",
        _LIGHT,
        _newcomers,
    ),
)
"""Image stages beside the player stages; they may add players, whom the player stages read then."""

STAGES: Final[tuple[Stage, ...]] = (*IMAGE_STAGES, *PLAYER_STAGES, *LATE_STAGES)


def stages_at(effort: Effort, stages: Iterable[AnyStage]) -> list[AnyStage]:
    """Choose those of the stages that run at an effort, in their declared order."""
    return [stage for stage in stages if effort in stage.efforts]


def run_image_stages(stages: Iterable[ImageStage], state: FrameState, tools: ImageTools, effort: Effort) -> FrameState:
    """Run `IMAGE_STAGES` or `LATE_STAGES` at an effort."""
    for stage in stages_at(effort, stages):
        state = stage.run(state, tools, BUDGETS[effort])
    return state


def run_player_stages(state: PlayerState, tools: PlayerTools, effort: Effort) -> PlayerState:
    """Run the player stages at an effort."""
    for stage in stages_at(effort, PLAYER_STAGES):
        state = stage.run(state, tools, BUDGETS[effort])
    return state


def page() -> str:
    """Documentation page in Markdown, with a mermaid figure."""
    return "\n".join([*_INTRODUCTION, *_figure(), "", *_stage_table(), "", *_budget_table(), ""])


_INTRODUCTION: Final = (
    "# The vision pipeline",
    "",
    "Derived from `bunnymoose_cv/vision/pipeline.py` by `python -m bunnymoose_cv.vision.pipeline`.",
    "",
)


def _figure() -> list[str]:
    """Arrows from results to the stages that need them; dotted where a glance alone does."""
    arrows: dict[tuple[str, str], str] = {}
    for stage in STAGES:
        for needed in stage.needs:
            arrow = "-->" if Effort.FULL in stage.efforts else arrows.get((needed, stage.name), "-.->")
            arrows[needed, stage.name] = arrow
    lines = [f"    {needed} {arrow} {stage}" for (needed, stage), arrow in arrows.items()]
    return ["```mermaid", "flowchart LR", *lines, "```"]


def _stage_table() -> list[str]:
    rows = [
        f"| {stage.name} | {'player' if isinstance(stage, PlayerStage) else 'image'} "
        f"| {', '.join(stage.networks) or 'none'} | {stage.escalation} |"
        for stage in STAGES
    ]
    return ["| stage | once a | networks | escalation |", "|---|---|---|---|", *rows]


def _budget_table() -> list[str]:
    head = "| effort | stages | heads | closer hand crops | tongue second stage |"
    return [head, "|---|---|---|---|---|", *(_budget_row(effort, BUDGETS[effort]) for effort in Effort)]


def _budget_row(effort: Effort, budget: Budget) -> str:
    cells = (
        effort.value,
        ", ".join(stage.name for stage in stages_at(effort, STAGES)),
        budget.heads.value,
        _yes(budget.closer_hand_crops),
        _yes(budget.tongue_second_stage),
    )
    return f"| {' | '.join(cells)} |"


def _yes(allowed: bool) -> str:  # noqa: FBT001 - a cell of a table
    return "yes" if allowed else "no"


if __name__ == "__main__":
    sys.stdout.write(page())
