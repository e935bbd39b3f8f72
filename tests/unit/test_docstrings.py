"""Lint of docstrings and names: the standard term first, and one meaning a name."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "bunnymoose_cv"
MODULES = sorted(PACKAGE.rglob("*.py"))
BANNED = re.compile(
    r"(?:What|How|Whether|Who|Whose|Whoever|Whom|Where|When|Why|Owns)\b|.*\bOwns (?:no|neither|nothing)\b"
)


def openings(path: Path) -> list[str]:
    """First lines of the docstrings of a module, its classes and its functions."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, documented)]
    return [text.splitlines()[0] for node in found if (text := ast.get_docstring(node))]


OLD_OPENINGS = 469
"""Docstrings of before the rule; the number may only fall."""


def test_no_new_docstring_opens_with_a_relative_clause() -> None:
    bad = [f"{path.relative_to(PACKAGE)}: {line}" for path in MODULES for line in openings(path) if BANNED.match(line)]
    assert len(bad) <= OLD_OPENINGS, "\n".join(bad)
    assert not [line for line in bad if "Owns" in line]


def test_no_two_modules_have_one_name() -> None:
    names = Counter(path.stem for path in MODULES if path.stem != "__init__")
    assert [name for name, count in names.items() if count > 1] == []


def test_no_two_public_classes_have_one_name() -> None:
    classes = Counter(
        node.name
        for path in MODULES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in classes.items() if count > 1] == []
