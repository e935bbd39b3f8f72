"""The referee of Bunny Bunny Moose Moose.

Public API: `Reader` reads images, `judge` reads and scores one image, `score` scores a pose told by hand, `Pose` and
`Card` are the values in between. All other modules may change without notice.

    >>> from bunnymoose_cv import score
    >>> score("WU CD", "L.WU+1 B.CD+1 TONGUE+3").total
    2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bunnymoose_cv.core.version import __version__

if TYPE_CHECKING:
    from bunnymoose_cv.public import judge, score
    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.vision.reader import Reader

__all__ = ["Card", "Pose", "Reader", "__version__", "judge", "score"]

_HOMES = {
    "Card": "bunnymoose_cv.rules.cards",
    "Pose": "bunnymoose_cv.rules.pose",
    "Reader": "bunnymoose_cv.vision.reader",
    "judge": "bunnymoose_cv.public",
    "score": "bunnymoose_cv.public",
}
"""Modules of the public names, imported at first use: the rules must not need what vision needs."""


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    from importlib import import_module  # noqa: PLC0415 - only when a name is asked for

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
