"""Kinds of stages: states that they pass on, tools that they run with, and their declaration."""

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
    from bunnymoose_cv.vision.nets.face_detector import DetectedFace
    from bunnymoose_cv.vision.nets.worker_pool import Workers
    from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading


@dataclass(frozen=True, slots=True, eq=False)
class FrameState:
    """Results of the image stages so far.

    Attributes:
        previous_heads: heads of an earlier frame, for following.
        fixed_heads: those of them that are not located again.
        skip_hands: those of them whose hands are not looked for, since earlier readings of them are reused.
        faces: detected in a glance, the surest first.
        heads: from left to right.
        hands: in pixels of the image, not yet assigned; may be begun and waited for when iterated.
        players: from left to right.
    """

    image: Image
    previous_heads: tuple[Head, ...] = ()
    fixed_heads: Collection[Head] = ()
    skip_hands: Collection[Head] = ()
    faces: tuple[DetectedFace, ...] = ()
    heads: tuple[Head, ...] = ()
    hands: Iterable[HandLandmarks] = ()
    players: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PlayerState:
    """Results of the player stages so far, for one player of an image."""

    image: Image
    player: Player
    headgear: Mapping[Side, HeadgearReading] = field(default_factory=dict)
    tongue: TongueReading | None = None


@dataclass(frozen=True, slots=True)
class ImageTools:
    """Workers, limits and networks of the image stages.

    Attributes:
        own: returns the tools of the thread that calls it.
    """

    workers: Workers
    settings: PeopleSettings
    own: Callable[[], PlayerTools]


@dataclass(frozen=True, slots=True)
class PlayerTools:
    """Loaded networks of the player stages, of one thread."""

    headgear: HeadgearReader
    tongue: TongueReader


@dataclass(frozen=True, slots=True)
class Stage:
    """Declaration of a stage.

    Attributes:
        needs: results of earlier stages; `image` and the `previous_heads` are given.
        networks: files or models that the stage runs.
        escalation: rule by which the stage spends more calls.
        efforts: those that run it.
    """

    name: str
    needs: tuple[str, ...]
    networks: tuple[str, ...]
    escalation: str
    efforts: frozenset[Effort]


@dataclass(frozen=True, slots=True)
class ImageStage(Stage):
    """Stage that runs once an image."""

    run: Callable[[FrameState, ImageTools, Budget], FrameState]


@dataclass(frozen=True, slots=True)
class PlayerStage(Stage):
    """Stage that runs once a player, players side by side."""

    run: Callable[[PlayerState, PlayerTools, Budget], PlayerState]
