"""Distributions: the wheel can be built from what the source distribution carries."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGETS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]


def test_the_source_distribution_carries_what_the_wheel_is_built_from() -> None:
    carried = set(TARGETS["sdist"]["only-include"])
    assert set(TARGETS["wheel"]["packages"]) | set(TARGETS["wheel"]["force-include"]) <= carried
    assert [path for path in carried if not (ROOT / path).exists()] == []
