"""Types of the pipeline's stages: their declaration, the states that they pass on, and the tools that they use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import PeopleSettings
    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.effort import Budget, Effort
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.headgear.side_net import SideAnswer
    from bunnymoose_cv.vision.nets.face_nets import DetectedFace
    from bunnymoose_cv.vision.nets.worker_pool import Workers
    from bunnymoose_cv.vision.tongue import TongueReader, TongueReading


@dataclass(frozen=True, slots=True, eq=False)
class FrameState:
    """Results of the image stages that have run.

    Attributes:
        previous_heads: heads of an earlier frame, to be followed.
        fixed_heads: the previous heads that are not located again.
        is_reused: a predicate: whether the earlier reading of the player with a head is reused, so that neither hands
            nor tongue are looked at.
        faces: the faces detected in a glance, the surest first.
        hands: the hands, not yet assigned. Iteration may wait for a search in progress.
        tongues: the heads with their tongues. Iteration may wait for networks in progress.
        answers: the side network's answers for sides without a hand in the first crop.
    """

    image: Image
    previous_heads: tuple[Head, ...] = ()
    fixed_heads: Collection[Head] = ()
    is_reused: Callable[[Head], bool] = lambda _: False
    faces: tuple[DetectedFace, ...] = ()
    heads: tuple[Head, ...] = ()
    hands: Iterable[HandLandmarks] = ()
    tongues: Iterable[tuple[Head, TongueReading]] = ()
    answers: Mapping[tuple[Head, Side], SideAnswer] = field(default_factory=dict)
    players: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PlayerState:
    """Results of the player stages that have run, for one player of an image.

    Attributes:
        answers: those of `FrameState`.
    """

    image: Image
    player: Player
    answers: Mapping[tuple[Head, Side], SideAnswer] = field(default_factory=dict)
    headgear: Mapping[Side, HeadgearReading] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImageTools:
    """Workers, thresholds and networks of the image stages; `own` returns the tools of the calling thread."""

    workers: Workers
    settings: PeopleSettings
    own: Callable[[], PlayerTools]


@dataclass(frozen=True, slots=True)
class PlayerTools:
    """Loaded networks of the player stages, for one thread."""

    headgear: HeadgearReader
    tongue: TongueReader


@dataclass(frozen=True, slots=True)
class Stage:
    """Declaration of a stage."""

    name: str
    needs: tuple[str, ...]  # results of earlier stages; `image` and `previous_heads` are given
    networks: tuple[str, ...]  # files or models that it runs
    escalation: str  # the rule by which it makes more calls
    efforts: frozenset[Effort]


@dataclass(frozen=True, slots=True)
class ImageStage(Stage):
    """Stage that runs once per image."""

    run: Callable[[FrameState, ImageTools, Budget], FrameState]


@dataclass(frozen=True, slots=True)
class PlayerStage(Stage):
    """Stage that runs once per player, for several players in parallel."""

    run: Callable[[PlayerState, PlayerTools, Budget], PlayerState]
