"""Files in the work folder, named after the data, settings and code they are made from, and written atomically.

If any of these changes, the file has another name, so that a stale file is never used.
"""

from __future__ import annotations

import ast
import hashlib
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bunnymoose_cv.core.atomic_files import whole_file
from training.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

Kept = TypeVar("Kept")


def keyed(file: Path, *made_of: object) -> Path:
    """Return the name of a kept file with a digest of its inputs.

    Args:
        file: folder, beginning and ending of the name.
        made_of: data, settings and code: numbers, words, arrays, collections and dataclasses of these, and paths, of
            which the content of the files counts.
    """
    return file.with_name(f"{file.stem}_{digest(*made_of)}{file.suffix}")


def made_once(file: Path, make: Callable[[Path], object]) -> None:
    """Make a file atomically if it is missing.

    Args:
        file: name from `keyed`.
        make: writer of the content to a path.
    """
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as part:
            make(part)


def pickled_once(file: Path, make: Callable[[], Iterable[Kept]]) -> list[Kept]:
    """Return the objects in a file of ours, which is made first if it is missing.

    Args:
        file: name from `keyed`.
        make: factory of the objects.
    """
    made_once(file, lambda part: part.write_bytes(pickle.dumps([*make()])))
    held: list[Kept] = pickle.loads(file.read_bytes())  # noqa: S301 - our own file in the work folder
    return held


def save_arrays(file: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write named arrays, compressed and atomically."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as part, part.open("wb") as written:
        np.savez_compressed(written, **arrays)  # type: ignore[arg-type]  # numpy types its own options only


def digest(*made_of: object) -> str:
    """Return a digest of contents, 16 letters. Equal contents have equal digests, at any paths."""
    summed = hashlib.sha256()
    for part in _parts(made_of):
        summed.update(len(part).to_bytes(8, "big"))
        summed.update(part)
    return summed.hexdigest()[:16]


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


def code_of(module: str | Path) -> tuple[Path, ...]:
    """Return the files of a module and of all modules of `training` that it imports, directly or not.

    Args:
        module: file of the module, `__file__` of the caller.
    """
    found: set[Path] = set()
    waiting = [Path(module)]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported(file)
    return tuple(sorted(found))


def _imported(file: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "training":
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            files = (ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in names)
            yield from (imported for imported in files if imported.is_file())
