"""The referee of Bunny Bunny Moose Moose.

Public API: `Reader` reads images, `judge` reads and scores one image, `score` scores a pose told by hand, `draw` draws
a reading; the classes are the values in between, and the errors. All other modules may change without notice.

    >>> from bunnymoose_cv import score
    >>> score("WU CD", "L.WU+1 B.CD+1 TONGUE+3").total
    2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.version import __version__

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Frame, Image, UnreadableError
    from bunnymoose_cv.core.errors import InputError
    from bunnymoose_cv.core.phrase import Phrase
    from bunnymoose_cv.core.user_settings import Settings, load_settings
    from bunnymoose_cv.drawing.annotation import draw
    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.public import judge, score
    from bunnymoose_cv.referee.judge import Announced, Bet, BetError, JudgedPlayer, Judgement
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.cards import (
        AntlerPattern,
        Card,
        DoubleCard,
        EarPattern,
        Half,
        HunterCard,
        Pattern,
        ReversalCard,
        SingleCard,
        SpeciesCard,
        Table,
        TimesTwoCard,
        TongueCard,
        format_table,
        parse_card,
        parse_table,
    )
    from bunnymoose_cv.rules.deck import Edition, Rules, Variant, rules_for
    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.rules.moves import LikelyMove
    from bunnymoose_cv.rules.pose import (
        Animal,
        Antler,
        Direction,
        Ear,
        Form,
        Headgear,
        NotationError,
        Place,
        Pose,
        Side,
        Spread,
        Tongue,
    )
    from bunnymoose_cv.rules.pose_fields import Field, HeadgearField, PoseField
    from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
    from bunnymoose_cv.rules.scoring import Move, Score, ScoreLine
    from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
    from bunnymoose_cv.vision.effort import Effort
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading, Kind
    from bunnymoose_cv.vision.headgear.measures import HandMeasures
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FaceReading, FrameReading, PlayerReading
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

__all__ = [
    "Animal",
    "Announced",
    "Antler",
    "AntlerPattern",
    "Bet",
    "BetError",
    "Box",
    "Card",
    "Direction",
    "DoubleCard",
    "Ear",
    "EarPattern",
    "Edition",
    "Effort",
    "Exemption",
    "FaceLandmarks",
    "FaceReading",
    "Field",
    "Form",
    "Frame",
    "FrameReading",
    "Half",
    "HandLandmarks",
    "HandMeasures",
    "Head",
    "Headgear",
    "HeadgearField",
    "HeadgearProbabilities",
    "HeadgearReading",
    "HunterCard",
    "Image",
    "InputError",
    "JudgedMove",
    "JudgedPlayer",
    "Judgement",
    "Kind",
    "Language",
    "LikelyMove",
    "Move",
    "NotationError",
    "Pattern",
    "Phrase",
    "Place",
    "Player",
    "PlayerReading",
    "Pose",
    "PoseField",
    "PoseProbabilities",
    "Reader",
    "ReversalCard",
    "Rules",
    "Score",
    "ScoreLine",
    "Settings",
    "Side",
    "SingleCard",
    "SpeciesCard",
    "Spread",
    "Table",
    "Texts",
    "TimesTwoCard",
    "Tongue",
    "TongueCard",
    "TongueReading",
    "UnreadableError",
    "Variant",
    "__version__",
    "draw",
    "format_table",
    "judge",
    "load_settings",
    "parse_card",
    "parse_table",
    "rules_for",
    "score",
]

_HOMES: Final = {
    "bunnymoose_cv.capture.frame": ("Frame", "Image", "UnreadableError"),
    "bunnymoose_cv.core.errors": ("InputError",),
    "bunnymoose_cv.core.phrase": ("Phrase",),
    "bunnymoose_cv.core.user_settings": ("Settings", "load_settings"),
    "bunnymoose_cv.drawing.annotation": ("draw",),
    "bunnymoose_cv.i18n.language": ("Language",),
    "bunnymoose_cv.i18n.texts": ("Texts",),
    "bunnymoose_cv.public": ("judge", "score"),
    "bunnymoose_cv.referee.judge": ("Announced", "Bet", "BetError", "JudgedPlayer", "Judgement"),
    "bunnymoose_cv.referee.question": ("JudgedMove",),
    "bunnymoose_cv.rules.cards": (
        "AntlerPattern",
        "Card",
        "DoubleCard",
        "EarPattern",
        "Half",
        "HunterCard",
        "Pattern",
        "ReversalCard",
        "SingleCard",
        "SpeciesCard",
        "Table",
        "TimesTwoCard",
        "TongueCard",
        "format_table",
        "parse_card",
        "parse_table",
    ),
    "bunnymoose_cv.rules.deck": ("Edition", "Rules", "Variant", "rules_for"),
    "bunnymoose_cv.rules.exemptions": ("Exemption",),
    "bunnymoose_cv.rules.moves": ("LikelyMove",),
    "bunnymoose_cv.rules.pose": (
        "Animal",
        "Antler",
        "Direction",
        "Ear",
        "Form",
        "Headgear",
        "NotationError",
        "Place",
        "Pose",
        "Side",
        "Spread",
        "Tongue",
    ),
    "bunnymoose_cv.rules.pose_fields": ("Field", "HeadgearField", "PoseField"),
    "bunnymoose_cv.rules.pose_probabilities": ("PoseProbabilities",),
    "bunnymoose_cv.rules.scoring": ("Move", "Score", "ScoreLine"),
    "bunnymoose_cv.vision.detections": ("FaceLandmarks", "HandLandmarks"),
    "bunnymoose_cv.vision.effort": ("Effort",),
    "bunnymoose_cv.vision.faces.head": ("Head",),
    "bunnymoose_cv.vision.geometry": ("Box",),
    "bunnymoose_cv.vision.hands.assignment": ("Player",),
    "bunnymoose_cv.vision.headgear.headgear_reading": ("HeadgearProbabilities", "HeadgearReading", "Kind"),
    "bunnymoose_cv.vision.headgear.measures": ("HandMeasures",),
    "bunnymoose_cv.vision.reader": ("Reader",),
    "bunnymoose_cv.vision.readings": ("FaceReading", "FrameReading", "PlayerReading"),
    "bunnymoose_cv.vision.tongue.tongue_reading": ("TongueReading",),
}
"""Modules of the public names, imported at first use: the rules must not need what vision needs."""


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    from importlib import import_module  # noqa: PLC0415 - only when a name is asked for

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
