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
    from bunnymoose_cv.capture.frame import Image, UnreadableError
    from bunnymoose_cv.core.errors import InputError
    from bunnymoose_cv.drawing.annotation import draw
    from bunnymoose_cv.public import judge, score
    from bunnymoose_cv.referee.judge import BetError, JudgedPlayer, Judgement
    from bunnymoose_cv.rules.cards import (
        AntlerPattern,
        Card,
        DoubleCard,
        EarPattern,
        Half,
        HunterCard,
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
    from bunnymoose_cv.rules.deck import Rules, Variant, rules_for
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
    from bunnymoose_cv.rules.scoring import Score, ScoreLine
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FaceReading, FrameReading, PlayerReading
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

__all__ = [
    "Animal",
    "Antler",
    "AntlerPattern",
    "BetError",
    "Card",
    "Direction",
    "DoubleCard",
    "Ear",
    "EarPattern",
    "FaceReading",
    "Form",
    "FrameReading",
    "Half",
    "Headgear",
    "HeadgearReading",
    "HunterCard",
    "Image",
    "InputError",
    "JudgedPlayer",
    "Judgement",
    "NotationError",
    "Place",
    "PlayerReading",
    "Pose",
    "Reader",
    "ReversalCard",
    "Rules",
    "Score",
    "ScoreLine",
    "Side",
    "SingleCard",
    "SpeciesCard",
    "Spread",
    "Table",
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
    "parse_card",
    "parse_table",
    "rules_for",
    "score",
]

_HOMES: Final = {
    "bunnymoose_cv.capture.frame": (
        "Image",
        "UnreadableError",
    ),
    "bunnymoose_cv.core.errors": ("InputError",),
    "bunnymoose_cv.drawing.annotation": ("draw",),
    "bunnymoose_cv.public": (
        "judge",
        "score",
    ),
    "bunnymoose_cv.referee.judge": (
        "BetError",
        "JudgedPlayer",
        "Judgement",
    ),
    "bunnymoose_cv.rules.cards": (
        "AntlerPattern",
        "Card",
        "DoubleCard",
        "EarPattern",
        "Half",
        "HunterCard",
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
    "bunnymoose_cv.rules.deck": (
        "Rules",
        "Variant",
        "rules_for",
    ),
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
    "bunnymoose_cv.rules.scoring": (
        "Score",
        "ScoreLine",
    ),
    "bunnymoose_cv.vision.headgear.headgear_reading": ("HeadgearReading",),
    "bunnymoose_cv.vision.reader": ("Reader",),
    "bunnymoose_cv.vision.readings": (
        "FaceReading",
        "FrameReading",
        "PlayerReading",
    ),
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
