"""State of the camera, stream or file that a game is seen by."""

from __future__ import annotations

from enum import Enum


class CameraState(Enum):
    """State of the camera."""

    NONE = "none"  # played without one: people say what everybody shows
    WATCHING = "watching"
    LOST = "lost"
    ENDED = "ended"
