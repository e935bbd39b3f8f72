"""Lint of docstrings and names: the standard term first, and one meaning a name."""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "bunnymoose_cv"
MODULES = sorted(PACKAGE.rglob("*.py"))
TREE = sorted(
    path
    for folder in ("bunnymoose_cv", "training", "fixtures", "tests", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if "work" not in path.relative_to(ROOT).parts
)

BANNED = re.compile(
    r"(?:What|How|Whether|Which|Who|Whose|Whoever|Whom|Where|When|Why|Owns)\b|.*\bOwns (?:no|neither|nothing)\b"
    r"|(?:It|Its|They|Their|This|That|These|Those|He|She|His|Her|There|Here|As|So|By so)\b"
    r"|(?:Some|Every|Any|No)(?:body|thing|one)\b|(?:All|Each|One|Both|None|Some) of (?:it|its|them|their)\b"
)
"""Relative clauses, lists of absent duties, and pronouns without a noun."""

LONGEST = 120
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def openings(code: str) -> Iterator[str]:
    """First lines of the docstrings of a module: its own, and those of classes, functions and constants."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, DOCUMENTED):
            yield from (ast.get_docstring(node) or "").splitlines()[:1]
        body = getattr(node, "body", None)
        for first, second in pairwise(body) if isinstance(body, list) else ():
            if isinstance(first, ast.Assign | ast.AnnAssign) and (text := stated(second)):
                yield text.strip().splitlines()[0]


def stated(statement: ast.stmt) -> str:
    """Text of a statement that is a string and nothing else; empty for any other."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def test_the_tree_is_linted_wherever_the_checkout_lies() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in TREE} == {
        "bunnymoose_cv",
        "training",
        "fixtures",
        "tests",
        "examples",
    }


@pytest.mark.parametrize(
    ("code", "is_bad"),
    [
        ('"""What is kept of a round."""', True),
        ('def f():\n    """Whether it is so."""', True),
        ('A = 1\n"""How much."""', True),
        ('"""Trail. Owns no figures."""', True),
        ('"""Its name."""', True),
        ('def f():\n    """Nothing more will come."""', True),
        ('A = 1\n"""So many at most."""', True),
        ('def f():\n    """All of it."""', True),
        ('def f():\n    """Items of it, all in order."""', False),
        ('"""Records of a game."""', False),
        ('"""Whole numbers."""', False),
        ('A = 1\n"""Time after the cue."""', False),
    ],
)
def test_the_lint_tells_a_relative_clause_and_a_pronoun(code: str, *, is_bad: bool) -> None:
    assert any(BANNED.match(line) for line in openings(code)) == is_bad


def test_no_docstring_opens_with_a_relative_clause_or_a_pronoun() -> None:
    bad = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in TREE
        for line in openings(path.read_text("utf-8"))
        if BANNED.match(line)
    ]
    assert bad == []


def test_no_line_is_longer_than_the_rule() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TREE
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST and not re.search("# (noqa|type: ignore)", line)
    ]
    assert bad == []


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
