"""ZIP file piece by piece, so that one of any size can be sent without a copy on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from zipstream import ZIP_STORED, ZipStream

from bunnymoose_cv.core.unicode_text import as_unicode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def zipped(folder: str, files: Mapping[str, Path | bytes]) -> Iterator[bytes]:
    """A ZIP file; films and images are packed already, so nothing is packed once more.

    Args:
        folder: the folder that unpacking makes.
        files: what comes into it by name: files of the disk, or what stands in them.

    Raises:
        OSError: a file cannot be read.
    """
    archive = ZipStream(compress_type=ZIP_STORED)
    for name, content in files.items():
        packed = as_unicode(f"{folder}/{name}")
        if isinstance(content, Path):
            archive.add_path(content, packed)
        else:
            archive.add(content, packed)
    return iter(archive)
