"""Import graph without cycles, and one way to run a thread and to tell listeners."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.import_graph import import_cycles, module_imports


@pytest.mark.parametrize("package", ["bunnymoose_cv", "training"])
def test_no_module_imports_itself_in_a_circle(package: str) -> None:
    assert import_cycles(module_imports(package)) == []


@pytest.mark.parametrize(
    ("imports", "count"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, 0),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}}, 1),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c"}}, 2),
    ],
)
def test_circles_are_found(imports: dict[str, set[str]], count: int) -> None:
    assert len(import_cycles(imports)) == count


def test_a_thread_is_an_actor_or_says_why_not() -> None:
    package = Path(__file__).parents[2] / "bunnymoose_cv"
    for path in sorted(package.rglob("*.py")):
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            if re.search(r"\bThread\(", line) and path.name != "actor.py":
                assert any("No actor thread: " in each for each in lines[max(0, number - 3) : number]), path


def test_listeners_are_kept_by_observable_alone() -> None:
    package = Path(__file__).parents[2] / "bunnymoose_cv"
    keepers = {path.name for path in package.rglob("*.py") if "_listeners" in path.read_text("utf-8")}
    assert keepers == {"observable.py"}
