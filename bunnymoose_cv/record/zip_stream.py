"""Writes a ZIP file piece by piece, so that one of any size can be sent without a copy on the disk."""

from __future__ import annotations

from io import RawIOBase
from typing import TYPE_CHECKING
from zipfile import ZIP_STORED, ZipFile, ZipInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from typing_extensions import Buffer

_PIECE_BYTES = 1 << 18


def zipped(folder: str, files: Mapping[str, Path | bytes]) -> Iterator[bytes]:
    """A ZIP file; films and pictures are packed already, so nothing is packed once more.

    Args:
        folder: the folder that unpacking makes.
        files: what comes into it by name: files of the disk, or what stands in them.

    Raises:
        OSError: a file cannot be read.
    """
    passed_on = _PassedOn()
    with ZipFile(passed_on, "w", ZIP_STORED) as archive:
        for name, content in files.items():
            if isinstance(content, bytes):
                archive.writestr(f"{folder}/{name}", content)
            else:
                info = ZipInfo.from_file(content, f"{folder}/{name}")
                with content.open("rb") as source, archive.open(info, "w", force_zip64=True) as target:
                    while piece := source.read(_PIECE_BYTES):
                        target.write(piece)
                        yield passed_on.taken()
            yield passed_on.taken()
    yield passed_on.taken()


class _PassedOn(RawIOBase):
    """Write buffer that can be emptied at once."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        """It takes what is written, and knows no place to go back to."""
        return True

    def write(self, piece: Buffer, /) -> int:
        """Hold a piece until it is taken."""
        self._pieces.append(bytes(piece))
        return len(self._pieces[-1])

    def taken(self) -> bytes:
        """All that was written since the last time."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
