"""Declared pipeline: the stages of a reading as data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from bunnymoose_cv.vision.effort import BUDGETS, Budget, Effort
from bunnymoose_cv.vision.faces.face_mesh import matches_face, pose_of
from bunnymoose_cv.vision.faces.face_search import find_heads, find_newcomers, follow_heads
from bunnymoose_cv.vision.hands.assignment import holding
from bunnymoose_cv.vision.hands.hand_search import CLOSER, find_hands, hands_around
from bunnymoose_cv.vision.settings import FACES, HEADGEAR
from bunnymoose_cv.vision.stages import FrameState, ImageStage, ImageTools, PlayerStage, PlayerState, PlayerTools, Stage
from bunnymoose_cv.vision.tongue import CROPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.headgear.side_net import SideAnswer
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
    from bunnymoose_cv.vision.tongue import TongueReading

AnyStage = TypeVar("AnyStage", bound=Stage)


def _early_hands(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    """Begin the search for hands around the earlier places, while the heads are followed."""
    return _begin_hands(state, state.previous_heads, tools)


def _begun_hands(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    return _begin_hands(state, state.heads, tools)


def _begin_hands(state: FrameState, heads: Iterable[Head], tools: ImageTools) -> FrameState:
    unread = [head for head in heads if not state.is_reused(head)]
    return replace(state, hands=hands_around(unread, state.image, tools.workers))


def _begun_tongues(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    """Begin to read the tongues, for workers that have no hands left to search for."""
    heads = [head for head in state.heads if not state.is_reused(head)]

    def read(_: Landmarkers, head: Head) -> TongueReading:
        return tools.own().tongue.read(state.image, head, second_stage=budget.tongue_second_stage)

    return replace(state, tongues=zip(heads, tools.workers.begin(read, heads), strict=True))


def _faces(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    """Detect the faces of a glance. A head remains fixed only if a detected face has its eyes in the same place."""
    faces = tools.workers.face_detector.find_quick(state.image, tools.settings.sure_face)
    poses = [pose_of(face) for face in faces]
    fixed = {head for head in state.fixed_heads if any(matches_face(head, pose, FACES.leant) for pose in poses)}
    return replace(state, faces=tuple(faces), fixed_heads=fixed)


def _heads(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    if budget.whole_image:
        return replace(state, heads=find_heads(state.image, tools.workers, tools.settings))
    return replace(state, heads=follow_heads(state.image, state.previous_heads, tools.workers, state.fixed_heads))


def _newcomers(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    newcomers = find_newcomers(state.image, state.faces, state.heads, tools.workers, tools.settings)
    row = sorted([*state.heads, *newcomers], key=lambda head: head.centre[0])
    hands = (*state.hands, *hands_around(newcomers, state.image, tools.workers)) if newcomers else state.hands
    return replace(state, heads=tuple(row), hands=hands)


def _closer_hands(state: FrameState, tools: ImageTools, budget: Budget) -> FrameState:
    heads = tuple(head for head in state.heads if not state.is_reused(head))

    answers: dict[tuple[Head, Side], SideAnswer] = {}

    def looks_closer(head: Head, side: Side) -> bool:
        if not budget.closer_hand_crops:
            return False
        answers[head, side] = answer = tools.own().headgear.look_at_side(state.image, head, side)
        return answer.shows_hand >= HEADGEAR.surely_no_hand

    hands = find_hands(state.hands, heads, state.image, tools.workers, tools.settings, looks_closer=looks_closer)
    return replace(state, hands=hands, answers=answers)


def _players(state: FrameState, tools: ImageTools, _: Budget) -> FrameState:
    hands = tuple(state.hands)
    return replace(
        state,
        hands=hands,
        tongues=tuple(state.tongues),
        players=holding(hands, state.heads, tools.settings),
    )


def _headgear(state: PlayerState, tools: PlayerTools, _: Budget) -> PlayerState:
    return replace(state, headgear=tools.headgear.read(state.image, state.player, state.answers))


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
        _early_hands,
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
        "very large, small or doubtful faces: another look; a face without a mesh: face.onnx with the mean mesh",
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
    ImageStage("hands", ("image", "heads"), _HAND_MODELS, "none", _EVERY - _LIGHT, _begun_hands),
    ImageStage(
        "tongue",
        ("image", "heads"),
        ("tongue.onnx",),
        f"a probability between the thresholds: second stage ({len(CROPS) - 1} more crops)",
        _EVERY,
        _begun_tongues,
    ),
    ImageStage(
        "closer hands",
        ("image", "heads", "hands"),
        (*_HAND_MODELS, "side.onnx"),
        f"a side without a hand that may hold one by side.onnx: up to {len(CLOSER)} closer crops",
        _EVERY - _LIGHT,
        _closer_hands,
    ),
    ImageStage("players", ("heads", "hands"), (), "none", _EVERY, _players),
)
PLAYER_STAGES: Final = (
    PlayerStage(
        "headgear",
        ("image", "players"),
        ("headgear.onnx", "hand_shape.onnx", "side.onnx"),
        "unsure joints: the pixels of the hand; no hand, or one that leaves a question: the crop of the side",
        _EVERY,
        _headgear,
    ),
)
STAGES: Final[tuple[Stage, ...]] = (*IMAGE_STAGES, *PLAYER_STAGES)


def stages_at(effort: Effort, stages: Iterable[AnyStage]) -> list[AnyStage]:
    """Return the stages that run at an effort, in their declared order."""
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
