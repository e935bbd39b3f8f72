"""Declared pipeline: the stages of a reading as data, and the documentation page derived from them.

`python -m bunnymoose_cv.vision.pipeline > docs/explanation/pipeline.md` writes the page.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.vision.effort import BUDGETS, Budget, Effort, HeadSearch
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.head_tracking import follow_heads
from bunnymoose_cv.vision.hands.assignment import holding
from bunnymoose_cv.vision.hands.hand_search import CLOSER, find_hands
from bunnymoose_cv.vision.tongue.mouth_crop import LOOKS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.core.profile import PeopleLimits
    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.nets.worker_pool import Workers
    from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading


@dataclass(frozen=True, slots=True, eq=False)
class FrameState:
    """Results of the image stages so far.

    Attributes:
        image: shape (height, width, 3), blue-green-red, unmirrored.
        earlier: heads of an earlier frame, for following.
        standing: heads whose readings stand: nobody looks at them, and hands near them are theirs.
        heads: from left to right.
        hands: in pixels of the image, not yet assigned.
        players: from left to right.
    """

    image: Picture
    earlier: tuple[Head, ...] = ()
    standing: tuple[Head, ...] = ()
    heads: tuple[Head, ...] = ()
    hands: Sequence[HandLandmarks] = ()
    players: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PlayerState:
    """Results of the player stages so far, for one player of an image."""

    image: Picture
    player: Player
    headgear: Mapping[Side, HeadgearReading] = field(default_factory=dict)
    tongue: TongueReading | None = None


@dataclass(frozen=True, slots=True)
class ImageTools:
    """Workers and limits of the image stages."""

    workers: Workers
    limits: PeopleLimits


@dataclass(frozen=True, slots=True)
class PlayerTools:
    """Loaded networks of the player stages, of one thread."""

    headgear: HeadgearReader
    tongue: TongueReader


@dataclass(frozen=True, slots=True)
class Stage:
    """Declaration of a stage.

    Attributes:
        name: of the stage and its result.
        needs: results of earlier stages.
        networks: files or models that the stage runs.
        escalation: rule by which the stage spends more calls.
    """

    name: str
    needs: tuple[str, ...]
    networks: tuple[str, ...]
    escalation: str


@dataclass(frozen=True, slots=True)
class ImageStage(Stage):
    """Stage that runs once an image."""

    run: Callable[[FrameState, ImageTools, Budget], FrameState]


@dataclass(frozen=True, slots=True)
class PlayerStage(Stage):
    """Stage that runs once a player, players side by side."""

    run: Callable[[PlayerState, PlayerTools, Budget], PlayerState]


def _heads(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    if budget.heads is HeadSearch.IMAGE:
        return replace(state, heads=find_heads(state.image, tools.workers, tools.limits))
    heads = (*state.earlier, *state.standing)
    return replace(state, heads=follow_heads(state.image, heads, tools.workers, state.standing))


def _hands(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    heads = tuple(head for head in state.heads if head not in state.standing)
    hands = find_hands(heads, state.image, tools.workers, tools.limits, closer_crops=budget.closer_hand_crops)
    return replace(state, hands=hands)


def _players(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    return replace(state, players=holding(state.hands, state.heads, tools.limits))


def _headgear(state: PlayerState, tools: PlayerTools, _: Budget) -> PlayerState:
    read = tools.headgear.read(state.image, state.player)
    return replace(state, headgear=read)


def _tongue(state: PlayerState, tools: PlayerTools, budget: Budget) -> PlayerState:
    read = tools.tongue.read(state.image, state.player.head, second_stage=budget.tongue_second_stage)
    return replace(state, tongue=read)


IMAGE_STAGES: Final = (
    ImageStage(
        "heads",
        ("image",),
        ("MediaPipe face detector", "MediaPipe face mesh", "face.onnx"),
        "nobody surely seen: tile search by face.onnx; a followed mesh that is lost: face.onnx with the mean mesh",
        _heads,
    ),
    ImageStage(
        "hands",
        ("image", "heads"),
        ("MediaPipe palm detector", "MediaPipe hand landmarks"),
        f"a side without a hand: up to {len(CLOSER)} closer crops",
        _hands,
    ),
    ImageStage("players", ("heads", "hands"), (), "none", _players),
)
PLAYER_STAGES: Final = (
    PlayerStage(
        "headgear",
        ("image", "players"),
        ("headgear.onnx", "side.onnx"),
        "none",
        _headgear,
    ),
    PlayerStage(
        "tongue",
        ("image", "players"),
        ("tongue.onnx",),
        f"a probability between the thresholds: second stage ({len(LOOKS) - 1} more crops)",
        _tongue,
    ),
)
STAGES: Final[tuple[Stage, ...]] = (*IMAGE_STAGES, *PLAYER_STAGES)


def run_image_stages(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    """Run the image stages in their declared order."""
    for stage in IMAGE_STAGES:
        state = stage.run(state, tools, budget)
    return state


def run_player_stages(state: PlayerState, tools: PlayerTools, budget: Budget) -> PlayerState:
    """Run the player stages in their declared order."""
    for stage in PLAYER_STAGES:
        state = stage.run(state, tools, budget)
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
    arrows = [f"    {needed} --> {stage.name}" for stage in STAGES for needed in stage.needs]
    return ["```mermaid", "flowchart LR", *arrows, "```"]


def _stage_table() -> list[str]:
    rows = [
        f"| {stage.name} | {'player' if isinstance(stage, PlayerStage) else 'image'} "
        f"| {', '.join(stage.networks) or 'none'} | {stage.escalation} |"
        for stage in STAGES
    ]
    return ["| stage | once a | networks | escalation |", "|---|---|---|---|", *rows]


def _budget_table() -> list[str]:
    head = "| effort | heads | closer hand crops | tongue second stage |"
    return [head, "|---|---|---|---|", *(_budget_row(effort, BUDGETS[effort]) for effort in Effort)]


def _budget_row(effort: Effort, budget: Budget) -> str:
    cells = (
        effort.value,
        budget.heads.value,
        _yes(budget.closer_hand_crops),
        _yes(budget.tongue_second_stage),
    )
    return f"| {' | '.join(cells)} |"


def _yes(allowed: bool) -> str:  # noqa: FBT001 - a cell of a table
    return "yes" if allowed else "no"


if __name__ == "__main__":
    sys.stdout.write(page())
