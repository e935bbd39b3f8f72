"""Code that a result depends on, to be named among what it is made of (`training/content_cache.py`)."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from training.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


def code_of(module: str | Path) -> tuple[Path, ...]:
    """Files of a module and of all modules of the trainings that it imports, directly or not.

    Args:
        module: the file, `__file__` of the caller.
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
            yield from (each for each in files if each.is_file())
