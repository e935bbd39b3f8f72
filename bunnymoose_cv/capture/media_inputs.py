"""Search for the images and clips that a user named: files, folders, standard input.

Nothing is read before a source is opened, so that a bad one does not stop the others. Only files with unusual endings
in a folder are examined, to separate images and clips from the rest.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.request import url2pathname

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Image, UnreadableError
from bunnymoose_cv.capture.images import LARGEST_BYTES, PREFIX, decode_image, is_heic, is_image, read_image
from bunnymoose_cv.core.address import find_address, without_secrets
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Files of a folder with these endings are chosen without reading them. Their content decides what they are.
_IMAGES: Final = r"p?jpe?g|jpe|jfif|mpo|png|webp|avif|tiff?|bmp|dib|gif|jp2|p[bgnp]m|ras|hdr|hei[cf]"
_CLIPS: Final = r"mjpe?g|mp|mp4|m4v|mov|qt|3gp|3g2|mkv|webm|avi|m?ts|m2ts|mpe?g|vob|wmv|flv|ogv"
_WANTED: Final = re.compile(rf"[^.].*\.({_IMAGES}|{_CLIPS})", re.IGNORECASE)

_FILMS_OF_JPEGS: Final = frozenset({".mjpeg", ".mjpg"})
"""Endings of files of consecutive JPEGs. Under other names such a file is a photograph that carries further ones."""

_NAMED: Final = 5
"""Largest number of left-out files of a folder that are named."""


@dataclass(frozen=True, slots=True)
class MediaInput:
    """One image or clip that a user named, not yet read.

    Attributes:
        path: the file; None for standard input, which can be opened only once.
        is_address: whether a stream was named instead of a file. Its name is then without secrets.
    """

    name: str
    path: Path | None
    is_address: bool = False

    def open(self) -> Image | Clip:
        """Read the image, or open the clip, whichever the content is. Raise an `UnreadableError` if it is neither."""
        if self.is_address:
            raise UnreadableError(
                f"{self.name} is an address, and this takes pictures and clips on this computer: "
                "save it as a file, or show a stream with “bunnymoose mirror --camera”"
            )
        content = self._piped() if self.path is None else self.path
        beginning = content[:PREFIX] if isinstance(content, bytes) else self._beginning(content)
        if not beginning:
            remedy = "save it again where it came from" if self.path else "pipe a picture or a clip into it"
            raise UnreadableError(f"{self.name} is empty: {remedy}")
        if is_heic(beginning):
            raise UnreadableError(f"{self.name} is a HEIC picture, which cannot be read here: save it as JPEG")
        if not is_still(content):
            return Clip(content, self.name)
        return decode_image(content, self.name) if isinstance(content, bytes) else read_image(content)

    def image(self) -> Image:
        """Read the image, or raise an `UnreadableError` if it cannot be opened or is a clip."""
        opened = self.open()
        if isinstance(opened, Clip):
            raise UnreadableError(f"{self.name} is a clip and this takes only pictures: save one of its frames")
        return opened

    def _piped(self) -> bytes:
        """Read all of standard input, unless it has no end."""
        content = sys.stdin.buffer.read(LARGEST_BYTES + 1)
        if len(content) > LARGEST_BYTES:
            raise UnreadableError(f"{self.name} is larger than {LARGEST_BYTES // 1_000_000} MB: save it to a file")
        return content

    def _beginning(self, path: Path) -> bytes:
        try:
            if path.is_dir():
                next(path.iterdir(), None)  # fails if the folder may not be listed
                raise UnreadableError(f"The folder {self.name} has no picture and no clip in it: give another one")
            with open_regular(path) as file:
                return file.read(PREFIX)
        except OSError as error:
            raise UnreadableError.of_file(self.name, error) from error


def is_still(source: Path | bytes) -> bool:
    """Return whether a file, or the bytes of one, begins like an image and is not a film of JPEGs."""
    is_film = isinstance(source, Path) and source.suffix.lower() in _FILMS_OF_JPEGS
    return not is_film and is_image(source)


def find_inputs(arguments: Iterable[str], report: Callable[[str], object] = str) -> Iterator[MediaInput]:
    """Find the named images and clips, in that order. A folder yields its files, sorted by their numbers and names.

    Args:
        arguments: files, folders, or `-` for standard input. One that does not exist is kept and fails when opened.
        report: callback for a sentence about files of a folder that are left out.

    Raises:
        InputError: a name is empty, such as from a variable that was not set.
    """
    for argument in arguments:
        named = pasted_path(argument)
        path = Path(named)
        if not argument:
            raise InputError("A source has an empty name: name a picture, a clip or a folder")
        if argument == "-":
            yield MediaInput("standard input", None)
        elif find_address(named) is not None and not exists(path):
            yield MediaInput(without_secrets(named), path, is_address=True)
        else:
            yield from (MediaInput(str(file), file) for file in _files(path, report))


def pasted_path(text: str) -> str:
    """Return the path in a text as file managers and browsers copy it, in quotes or as `file://…`; others unchanged."""
    if exists(Path(text)):
        return text
    quoted = re.fullmatch(r"""\s*(["'])(.+)\1\s*""", text)
    path = text if quoted is None else quoted[2]
    inside = re.fullmatch(r"file://[^/]*(/.*)", path, re.IGNORECASE)
    return path if inside is None else url2pathname(inside[1])


def exists(path: Path) -> bool:
    """Return whether a path exists; False also for a name that the system does not allow."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _files(path: Path, report: Callable[[str], object]) -> list[Path]:
    """Return the images and clips of a folder, or the path itself if it is not a folder or has none."""
    visible: list[Path] = []
    with suppress(OSError, ValueError):  # opening the folder then reports the problem
        visible = sorted((file for file in path.iterdir() if not file.name.startswith(".")), key=_by_number_and_name)
    wanted = [file for file in visible if _WANTED.fullmatch(file.name) or _is_media(file)]
    chosen = set(wanted)
    others = [file.name for file in visible if file not in chosen]
    if wanted and others:
        named = ", ".join(others[:_NAMED]) + (f" and {len(others) - _NAMED} more" if len(others) > _NAMED else "")
        report(f"{path} also holds what is no picture and no clip, and is left out: {named}.")
    return wanted or [path]


def _is_media(path: Path) -> bool:
    """Return whether a file is an image or a clip, by its content."""
    try:
        return path.is_file() and (is_image(path) or bool(Clip(path, path.name).size))
    except (InputError, OSError):
        return False


def _by_number_and_name(path: Path) -> list[tuple[int, str]]:
    """Return a key that sorts `9.jpg` before `10.jpg`."""
    parts: list[str] = re.findall(r"\d+|\D+", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in parts]
