"""Files named in docstrings: each is one of ours, so that nobody looks for a module that has another name by now."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("bunnymoose_cv", "training", "tests")
NAMED = re.compile(r"[\w/-]+\.(?:py|md)\b")


def ends_of(path: Path) -> set[str]:
    """Names by which a docstring may call a file: its path, or the end of it."""
    parts = path.relative_to(ROOT).parts
    return {"/".join(parts[start:]) for start in range(len(parts))}


def test_every_file_that_a_docstring_names_is_there() -> None:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    ours = {end for path in (*paths, *(ROOT / "docs").rglob("*.md")) for end in ends_of(path)}
    gone = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for name in NAMED.findall(node.value.value)
        if name not in ours and not (ROOT / name).is_file()
    ]
    assert gone == []
