"""What a game may look at, by the titles that people choose from: cameras, a script, nothing. Owns no looking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.view import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.sitting.sights import LiveSight, NoSight, ScriptSight

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.evening import Evening
    from bunnymoose_cv.profile import CameraLimits
    from bunnymoose_cv.sitting.sights import Sight


@dataclass(frozen=True, slots=True)
class Source:
    """Something to look at.

    Attributes:
        title: how people call it.
        where: what an unfinished game is found again by.
        look: makes the sight, which is opened with `with`.
    """

    title: str
    where: str
    look: Callable[[], Sight]


def camera_source(title: str, where: str, limits: CameraLimits, microphone: str | None = None) -> Source:
    """A camera, a stream or a file that is played as one.

    Args:
        title: how people call it.
        where: see `capture.live.open_live`.
        limits: how the camera stands and what it is asked for.
        microphone: see `Watcher`.
    """
    return Source(title, where, lambda: LiveSight(Watcher(where, View.of(limits), limits, microphone)))


def script_source(title: str, where: str, evening: Evening) -> Source:
    """The clips of a script."""
    return Source(title, where, lambda: ScriptSight(evening))


NO_CAMERA: Final = Source("", "no camera", NoSight)
"""People say what everybody shows."""
