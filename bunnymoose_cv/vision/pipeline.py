"""Declared pipeline: the stages of a reading as data, and the documentation page derived from them.

`python -m bunnymoose_cv.vision.pipeline > docs/explanation/pipeline.md` writes the page.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from bunnymoose_cv.vision.effort import BUDGETS, Budget, Effort, HeadSearch
from bunnymoose_cv.vision.faces.face_refiner import matches_face, pose_of
from bunnymoose_cv.vision.faces.face_search import find_heads, find_newcomers
from bunnymoose_cv.vision.faces.head_tracking import follow_heads
from bunnymoose_cv.vision.hands.assignment import holding
from bunnymoose_cv.vision.hands.hand_search import CLOSER, find_hands, hands_around
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.stages import ImageStage, PlayerStage, Stage
from bunnymoose_cv.vision.tongue.mouth_crop import CROPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.faces.head import Head

from bunnymoose_cv.vision.stages import FrameState, ImageTools, PlayerState, PlayerTools

AnyStage = TypeVar("AnyStage", bound=Stage)


def _begun_hands(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    """Begin to look for hands around the earlier places, while the heads are followed."""
    heads = [head for head in state.previous_heads if head not in state.skip_hands]
    return replace(state, hands=hands_around(heads, state.image, tools.workers))


def _faces(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    """Detect the faces of a glance; a head that was to stay in place is followed unless a face shows its eyes there."""
    faces = tools.workers.face_detector.find_quick(state.image, tools.settings.sure_face)
    poses = [pose_of(face) for face in faces]
    fixed = {head for head in state.fixed_heads if any(matches_face(head, pose, FACES.leant) for pose in poses)}
    return replace(state, faces=tuple(faces), fixed_heads=fixed)


def _heads(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    if budget.heads is HeadSearch.IMAGE:
        return replace(state, heads=find_heads(state.image, tools.workers, tools.settings))
    return replace(state, heads=follow_heads(state.image, state.previous_heads, tools.workers, state.fixed_heads))


def _newcomers(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    newcomers = find_newcomers(state.image, state.faces, state.heads, tools.workers, tools.settings)
    row = sorted([*state.heads, *newcomers], key=lambda head: head.centre[0])
    hands = (*state.hands, *hands_around(newcomers, state.image, tools.workers)) if newcomers else state.hands
    return replace(state, heads=tuple(row), hands=hands)


def _hands(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    heads = tuple(head for head in state.heads if head not in state.skip_hands)

    def looks_closer(head: Head, side: Side) -> bool:
        return budget.closer_hand_crops and tools.own().headgear.may_hold_hand(state.image, head, side)

    hands = find_hands(heads, state.image, tools.workers, tools.settings, looks_closer=looks_closer)
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
        "faces",
        ("image", "previous_heads"),
        ("face_detector.onnx",),
        "none: one look",
        _LIGHT,
        _faces,
    ),
    ImageStage(
        "heads",
        ("image", "previous_heads"),
        ("face_detector.onnx", "MediaPipe face mesh", "face.onnx"),
        "very large or small faces: a second look; a face without a mesh: face.onnx with the mean mesh",
        _EVERY,
        _heads,
    ),
    ImageStage(
        "newcomers",
        ("image", "faces", "heads", "hands"),
        ("MediaPipe face mesh", "face.onnx", *_HAND_MODELS),
        "a face that is not known: its mesh and hands",
        _LIGHT,
        _newcomers,
    ),
    ImageStage(
        "hands",
        ("image", "heads"),
        (*_HAND_MODELS, "side.onnx"),
        f"a side without a hand that may hold one by side.onnx: up to {len(CLOSER)} closer crops",
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
STAGES: Final[tuple[Stage, ...]] = (*IMAGE_STAGES, *PLAYER_STAGES)


def stages_at(effort: Effort, stages: Iterable[AnyStage]) -> list[AnyStage]:
    """Choose those of the stages that run at an effort, in their declared order."""
    return [stage for stage in stages if effort in stage.efforts]


def run_image_stages(state: FrameState, tools: ImageTools, effort: Effort) -> FrameState:
    """Run the image stages at an effort."""
    for stage in stages_at(effort, IMAGE_STAGES):
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
