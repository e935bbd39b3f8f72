"""Annotated images in a folder: whole or not at all, none over another or over an image that is not ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.jpeg_encoding import encode_jpeg
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image

JPEG_QUALITY = 92

_START: Final = b"\xff\xd8"
_OURS: Final = b"drawn by bunnymoose"
_MARK: Final = b"\xff\xfe" + (len(_OURS) + 2).to_bytes(2, "big") + _OURS
"""JPEG comment of the images that may be replaced by a later run (ITU-T T.81, B.2.4.5)."""


class StillError(InputError):
    """Error of an image that cannot be kept."""


class Stills:
    """A folder that annotated images go to.

    Args:
        folder: is made where it is missing.
        originals: files that must not be written over.

    Raises:
        StillError: the folder cannot be made.
    """

    def __init__(self, folder: Path, originals: Iterable[Path] = ()) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StillError(f"The folder {folder} cannot be made ({error.strerror}): name another one") from error
        self._folder = folder
        self._originals = {original.resolve() for original in originals}
        self._kept: set[Path] = set()

    def keep(self, image: Image, name: str) -> Path:
        """Write an image as JPEG.

        Args:
            name: what to call it, without an ending; a number is added where this run, or somebody else, has given
                that name to another image.

        Raises:
            StillError: it would be written over an original, or cannot be written.
        """
        path = self._free(name)
        if path.resolve() in self._originals:
            raise StillError(f"{path} would be written over the picture itself: name another folder")
        write_still(image, path)
        self._kept.add(path)
        return path

    def _free(self, name: str) -> Path:
        path, number = self._folder / f"{name}.jpg", 1
        while path in self._kept or (path.resolve() not in self._originals and _is_foreign(path)):
            number += 1
            path = self._folder / f"{name}-{number}.jpg"
        return path


def _is_foreign(path: Path) -> bool:
    """Tell if a file is there that no run of this program has drawn."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_START + _MARK)) != _START + _MARK


def write_still(image: Image, path: Path) -> None:
    """Write an image as JPEG; one that is there is replaced when the new one is whole.

    Raises:
        StillError: it cannot be written.
    """
    content = encode_jpeg(image, JPEG_QUALITY)
    try:
        with whole_file(path) as part:
            part.write_bytes(_START + _MARK + content[len(_START) :])
    except OSError as error:
        raise StillError(
            Phrase(
                "The picture {path} cannot be written ({reason}): name another folder",
                path=str(path),
                reason=error.strerror or str(error),
            )
        ) from error
