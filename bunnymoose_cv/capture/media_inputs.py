"""Search for the images and clips that a person named: files, folders, standard input.

Nothing is read before a source is opened, so that a bad one stops nobody else; only of a folder's files those with
unusual endings are looked at, to tell pictures and clips from the rest.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Image, UnreadableError
from bunnymoose_cv.capture.images import LARGEST_BYTES, PREFIX, decode_image, is_heic, is_image, read_image
from bunnymoose_cv.core.address import find_address, without_secrets
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_STANDARD_INPUT: Final = "-"

# By these endings the files of a folder are picked unseen; what a file is, its content says.
_IMAGES: Final = r"p?jpe?g|jpe|jfif|mpo|png|webp|avif|tiff?|bmp|dib|gif|jp2|p[bgnp]m|ras|hdr|hei[cf]"
_CLIPS: Final = r"mjpe?g|mp|mp4|m4v|mov|qt|3gp|3g2|mkv|webm|avi|m?ts|m2ts|mpe?g|vob|wmv|flv|ogv"
_WANTED: Final = re.compile(rf"[^.].*\.({_IMAGES}|{_CLIPS})", re.IGNORECASE)

_FILMS_OF_JPEGS: Final = frozenset({".mjpeg", ".mjpg"})
"""Endings of JPEGs one behind the other; under other names that is a photograph which carries further ones."""

_NAMED: Final = 5
"""Most of the files that a folder leaves out which are named."""


@dataclass(frozen=True, slots=True)
class MediaInput:
    """One image or clip that a person named, not yet read.

    Attributes:
        path: the file; None is standard input, which can be opened only once.
        is_address: whether a stream was named instead of a file; its name is without secrets then.
    """

    name: str
    path: Path | None
    is_address: bool = False

    def open(self) -> Image | Clip:
        """Read the image or look into the clip; which of them it is, the content decides and not the name.

        Raises:
            UnreadableError: it is neither, or damaged, missing, or must not be read.
        """
        if self.is_address:
            raise UnreadableError(
                f"{self.name} is the address of a stream, and this takes pictures and clips: "
                "“bunnymoose mirror --camera” shows it"
            )
        content = self._piped() if self.path is None else self.path
        self._check(content[:PREFIX] if isinstance(content, bytes) else self._beginning(content))
        if not is_still(content):
            return Clip(content, self.name)
        return decode_image(content, self.name) if isinstance(content, bytes) else read_image(content)

    def image(self) -> Image:
        """Read the image where only images will do.

        Raises:
            UnreadableError: as `open`, and where it is a clip.
        """
        opened = self.open()
        if isinstance(opened, Clip):
            raise UnreadableError(f"{self.name} is a clip and this takes only pictures: save one of its frames")
        return opened

    def _piped(self) -> bytes:
        """All of standard input, unless it has no end."""
        content = sys.stdin.buffer.read(LARGEST_BYTES + 1)
        if len(content) > LARGEST_BYTES:
            raise UnreadableError(f"{self.name} is larger than {LARGEST_BYTES // 1_000_000} MB: save it to a file")
        return content

    def _beginning(self, path: Path) -> bytes:
        try:
            if path.is_dir():
                next(path.iterdir(), None)  # fails where we may not look into it
                raise UnreadableError(f"The folder {self.name} has no picture and no clip in it: give another one")
            with open_regular(path) as file:
                return file.read(PREFIX)
        except OSError as error:
            raise UnreadableError.of_file(self.name, error) from error

    def _check(self, beginning: bytes) -> None:
        """Refuse what its first bytes tell."""
        if not beginning:
            remedy = "save it again where it came from" if self.path else "pipe a picture or a clip into it"
            raise UnreadableError(f"{self.name} is empty: {remedy}")
        if is_heic(beginning):
            raise UnreadableError(f"{self.name} is a HEIC picture, which cannot be read here: save it as JPEG")


def is_still(source: Path | bytes) -> bool:
    """Return whether a file, or the bytes of one, begins as an image does and is no film of JPEGs."""
    is_film = isinstance(source, Path) and source.suffix.lower() in _FILMS_OF_JPEGS
    return not is_film and is_image(source)


def find_inputs(arguments: Iterable[str], tell: Callable[[str], object] = str) -> Iterator[MediaInput]:
    """Find the named images and clips, in that order; a folder stands for its files by their numbers and names.

    Args:
        arguments: files, folders, `-` for standard input. What does not exist stays in and fails when it is opened.
        tell: is given a sentence about what a folder holds besides.

    Raises:
        InputError: a name is empty, as of a variable that was not set.
    """
    for argument in arguments:
        if not argument:
            raise InputError("A source has an empty name: name a picture, a clip or a folder")
        if argument == _STANDARD_INPUT:
            yield MediaInput("standard input", None)
        else:
            yield from _named(argument, tell)


def _named(argument: str, tell: Callable[[str], object]) -> Iterator[MediaInput]:
    path = Path(argument)
    if find_address(argument) is not None and not _exists(path):
        yield MediaInput(without_secrets(argument), path, is_address=True)
        return
    for file in _files(path, tell):
        yield MediaInput(str(file), file)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that the system cannot have
        return False


def _files(path: Path, tell: Callable[[str], object]) -> list[Path]:
    """The wanted files of a folder; the path itself where it is none, or has none."""
    visible: list[Path] = []
    with suppress(OSError, ValueError):  # opening the folder then says what is wrong with it
        visible = sorted((file for file in path.iterdir() if not file.name.startswith(".")), key=_by_number_and_name)
    wanted: list[Path] = []
    others: list[str] = []
    for file in visible:
        if _WANTED.fullmatch(file.name) or _is_media(file):
            wanted.append(file)
        else:
            others.append(file.name)
    if wanted and others:
        named = ", ".join(others[:_NAMED]) + (f" and {len(others) - _NAMED} more" if len(others) > _NAMED else "")
        tell(f"{path} also holds what is no picture and no clip, and is left out: {named}.")
    return wanted or [path]


def _is_media(path: Path) -> bool:
    """Return whether a file is an image or a clip, by its content."""
    try:
        return path.is_file() and (is_image(path) or bool(Clip(path, path.name).size))
    except (InputError, OSError):
        return False


def _by_number_and_name(path: Path) -> list[tuple[int, str]]:
    """A key that puts `9.jpg` before `10.jpg`."""
    parts: list[str] = re.findall(r"\d+|\D+", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in parts]
