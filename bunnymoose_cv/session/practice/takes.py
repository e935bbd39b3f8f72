"""Labelled takes for calibration: asked pose and reading, kept on this computer and only with consent.

Every take is a line of JSON with landmarks in pixels and the reading. Its image is stored beside it only with separate
consent.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import make_private, user_folder
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.still_images import write_still
from bunnymoose_cv.rules.pose import Side

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.readings import PlayerReading

TAKES_FILE: Final = "takes.jsonl"

TAKES_FORMAT: Final = 1
"""Version of the format, which rises if older programs cannot read the lines."""


class TakesError(InputError):
    """Failure to keep takes, or to delete them."""


def default_takes_folder() -> Path:
    """Return the default folder of takes, in the user's data folder."""
    return user_folder() / "takes"


@dataclass(frozen=True, slots=True)
class Consent:
    """Consent to keep takes (landmarks and labels) and also images, which has to be given in each practice."""

    takes: bool = False
    images: bool = False


NOTHING: Final = Consent()
"""Consent at the start of every practice."""


class Takes:
    """Takes in one folder, which is created with the first take."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __len__(self) -> int:
        """Number of takes."""
        with suppress(OSError), self._file.open("rb") as lines:
            return sum(1 for _ in lines)
        return 0

    def keep(self, consent: Consent, asked: Pose, seen: PlayerReading, image: Image) -> bool:
        """Keep a take as far as there is consent, and return whether one was kept.

        The label `asked` is the pose that the player shows. Raise a `TakesError` if the disk refuses.
        """
        if not consent.takes:
            return False
        name = f"{datetime.now(UTC):%Y%m%d_%H%M%S_%f}.jpg" if consent.images else None
        try:
            make_private(self.folder)
            if name is not None:
                write_still(image, self.folder / name)
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(f"{json.dumps(_line(asked, seen, image, name))}\n")
        except OSError as error:
            raise TakesError(
                Phrase(
                    "The take is not kept in {folder} ({reason}): make room, or practise without keeping takes.",
                    folder=str(self.folder),
                    reason=error.strerror,
                )
            ) from error
        return True

    def delete(self) -> None:
        """Delete all takes, images too; raise a `TakesError` if that fails."""
        try:
            rmtree(self.folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise TakesError(
                Phrase(
                    "The takes in {folder} cannot be removed ({reason}).",
                    folder=str(self.folder),
                    reason=error.strerror,
                )
            ) from error

    @property
    def _file(self) -> Path:
        return self.folder / TAKES_FILE


def _line(asked: Pose, seen: PlayerReading, image: Image, name: str | None) -> dict[str, Any]:
    """Encode a take: joints and face points in pixels of the image with depth, unmirrored, sides the player's own."""
    hands = seen.player.hands
    return {
        "format": TAKES_FORMAT,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "asked": str(asked),
        "read": str(seen.pose),
        "unclear": list(seen.unclear),
        "size": [image.shape[1], image.shape[0]],
        "face": _points(seen.player.head.face.points),
        "hands": {
            side.name.lower(): {
                "anatomical": hands[side].anatomical.name.lower(),
                "points": _points(hands[side].points),
            }
            for side in Side
            if side in hands
        },
        "picture": name,
    }


def _points(points: Points) -> list[list[float]]:
    return [[round(float(value), 2) for value in point] for point in points]
