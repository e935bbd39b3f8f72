"""The import graph has no cycle."""

from __future__ import annotations

import pytest

from tests.import_graph import import_cycles, module_imports


def test_no_module_imports_itself_in_a_circle() -> None:
    assert import_cycles(module_imports()) == []


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
