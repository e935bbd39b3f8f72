"""Annotated images in a folder. They are written atomically, and never over another image or a foreign file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.jpeg_frame import encode_jpeg
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError, reason_of
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image

JPEG_QUALITY = 92

_START: Final = b"\xff\xd8"
_OURS: Final = b"drawn by bunnymoose"
_MARK: Final = b"\xff\xfe" + (len(_OURS) + 2).to_bytes(2, "big") + _OURS
"""JPEG comment that marks the images which a later run may replace (ITU-T T.81, B.2.4.5)."""


class Stills:
    """Folder of annotated images, created if necessary (or a `InputError`); `originals` are never overwritten."""

    def __init__(self, folder: Path, originals: Iterable[Path] = ()) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"The folder {folder} cannot be made ({error.strerror}): name another one") from error
        self._folder = folder
        self._originals = {original.resolve() for original in originals}
        self._kept: set[Path] = set()

    def keep(self, image: Image, name: str) -> Path:
        """Write an image as JPEG, under a free name with a number if need be; raise a `InputError` for an original."""
        path = self._free(name)
        if path.resolve() in self._originals:
            raise InputError(f"{path} would be written over the picture itself: name another folder")
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
    """Return whether a path is an existing file that was not drawn by this program."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_START + _MARK)) != _START + _MARK


def write_still(image: Image, path: Path) -> None:
    """Write an image as JPEG, replacing an existing one when it is complete; raise a `InputError` if that fails."""
    content = encode_jpeg(image, JPEG_QUALITY)
    try:
        with whole_file(path) as part:
            part.write_bytes(_START + _MARK + content[len(_START) :])
    except OSError as error:
        raise InputError(
            Phrase(
                "The picture {path} cannot be written ({reason}): name another folder",
                path=str(path),
                reason=reason_of(error),
            )
        ) from error
