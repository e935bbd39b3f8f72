"""Files in the work folder that are named by all that they are made of, so that nothing stale is taken for new."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bunnymoose_cv.core.atomic_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Kept = TypeVar("Kept")

_LONG = 16
"""Letters of a digest in a file's name."""


def keyed(file: Path, *made_of: object) -> Path:
    """Name of a kept file with a digest of what it is made of; made of anything else, it has another name.

    Args:
        file: folder, beginning and ending of the name.
        made_of: data, settings and code: numbers, words, arrays, and collections and dataclasses of these; a path
            stands for what its file holds.
    """
    return file.with_name(f"{file.stem}_{digest(*made_of)}{file.suffix}")


def made_once(file: Path, make: Callable[[Path], object]) -> Path:
    """Have a file made if it is not there, all or nothing.

    Args:
        file: as `keyed` names it.
        make: writes the content to a path.
    """
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as part:
            make(part)
    return file


def pickled_once(file: Path, make: Callable[[], Iterable[Kept]]) -> list[Kept]:
    """Objects of a file that we wrote, made first if it is not there.

    Args:
        file: as `keyed` names it.
        make: makes the objects.
    """
    made_once(file, lambda part: part.write_bytes(pickle.dumps([*make()])))
    held: list[Kept] = pickle.loads(file.read_bytes())  # noqa: S301 - our own file in the work folder
    return held


def digest(*made_of: object) -> str:
    """Digest of contents; equal for equal ones, wherever their files lie."""
    summed = hashlib.sha256()
    for part in _parts(made_of):
        summed.update(len(part).to_bytes(8, "big"))
        summed.update(part)
    return summed.hexdigest()[:_LONG]


def _parts(content: Any) -> Iterator[bytes]:
    match content:
        case np.ndarray():
            yield f"{content.dtype.str} {content.shape}".encode()
            yield np.ascontiguousarray(content).tobytes()
        case Path():
            yield content.read_bytes()
        case bytes():
            yield content
        case None | bool() | int() | float() | str() | np.generic():
            yield repr(content).encode()
        case Enum():
            yield str(content).encode()
        case _ if is_dataclass(content):
            yield from _parts([getattr(content, field.name) for field in fields(content)])
        case Mapping():
            yield from _parts([*content.items()])
        case Iterable():
            parts = [*content]
            yield f"{len(parts)} parts".encode()
            for part in parts:
                yield from _parts(part)
        case _:
            raise TypeError(f"a {type(content).__name__} has no digest: name the data, settings and code by themselves")
