"""Labelled takes for calibration: asked pose and reading, kept on this computer and only with consent.

Every take is a line of JSON: landmarks in pixels and what was read; its image lies beside it only where people asked
for that as well.
"""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.user_folder import make_private, user_folder
from bunnymoose_cv.record.still_images import write_still
from bunnymoose_cv.rules.pose import Side

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.readings import PlayerReading

TAKES_FILE: Final = "takes.jsonl"
"""The takes, a line each."""

TAKES_FORMAT: Final = 1
"""Rises when the lines change so that older programs cannot read them."""


class TakesError(InputError):
    """Failure to keep takes, or to delete them."""


def default_takes_folder() -> Path:
    """Default folder of takes, in the user's data folder."""
    return user_folder() / "takes"


@dataclass(frozen=True, slots=True)
class Consent:
    """Consent of people to keep takes and images; nothing, unless they say so each time.

    Attributes:
        takes: landmarks and labels.
        images: the images too.
    """

    takes: bool = False
    images: bool = False


NOTHING: Final = Consent()
"""Consent at the start of every practice."""


class Takes:
    """Takes of one folder, which is made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __len__(self) -> int:
        """Number of takes."""
        with suppress(OSError), self._file.open("rb") as lines:
            return sum(1 for _ in lines)
        return 0

    def keep(self, consent: Consent, asked: Pose, seen: PlayerReading, image: Image) -> bool:
        """Keep a take, as far as people consent.

        Args:
            asked: the label: what the player shows.

        Returns:
            Whether anything was kept.

        Raises:
            TakesError: the disk refuses.
        """
        if not consent.takes:
            return False
        with _writing(self.folder):
            make_private(self.folder)
            name = self._write_image(image) if consent.images else None
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(f"{json.dumps(_line(asked, seen, image, name))}\n")
        return True

    def delete(self) -> None:
        """Delete all takes, images too.

        Raises:
            TakesError: they cannot be taken away.
        """
        try:
            rmtree(self.folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise TakesError(
                Phrase(
                    "The takes in {folder} cannot be taken away ({reason}).",
                    folder=str(self.folder),
                    reason=error.strerror,
                )
            ) from error

    @property
    def _file(self) -> Path:
        return self.folder / TAKES_FILE

    def _write_image(self, image: Image) -> str:
        name = f"{datetime.now(UTC):%Y%m%d_%H%M%S_%f}.jpg"
        write_still(image, self.folder / name)
        return name


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
    return [[round(float(each), 2) for each in point] for point in points]


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn what the system says against a take into a sentence."""
    try:
        yield
    except OSError as error:
        raise TakesError(
            Phrase(
                "The take is not kept in {folder} ({reason}): make room, or practise without keeping takes.",
                folder=str(folder),
                reason=error.strerror,
            )
        ) from error
