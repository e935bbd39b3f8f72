"""True face boxes of an image, from the truth file beside it.

Beside a rendered picture lies `NAME.json` (fixtures/README.md): a single player's `face_px`, or that of everybody in
`players`. Photographs have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bunnymoose_cv.core.text_file import read_json
from bunnymoose_cv.evaluation.manifest import ManifestError
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from pathlib import Path


def faces_beside(picture: Path) -> tuple[Box, ...]:
    """The boxes of all faces from left to right, in pixels of the picture; none where no truth lies beside it.

    Raises:
        ManifestError: the truth cannot be read.
    """
    path = picture.with_suffix(".json")
    try:
        if not path.is_file():
            return ()
        truth = read_json(path)
        players = truth.get("players", [truth])
        return tuple(_box(player["face_px"]) for player in players)
    except (OSError, ValueError, OverflowError, KeyError, TypeError, AttributeError) as error:
        raise ManifestError(
            f"{picture} has a truth beside it, {path.name}, that cannot be read: mend or remove it"
        ) from error


def _box(numbers: Any) -> Box:
    x, y, width, height = map(float, numbers)
    return Box(x, y, width, height)
