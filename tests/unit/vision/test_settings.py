"""Tuned thresholds: few, all of them in one file; what else stands in a module is a definition."""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass
from pathlib import Path

from bunnymoose_cv.vision import settings

VISION = Path(settings.__file__).parent
DEFINITIONS = {"WINDOW", "OUTWARD", "UPWARD", "SIDE", "SKULL_DEPTH", "TILE_STEP", "EVEN"}
"""Crops that networks were trained on, geometry, and what is even."""


def test_fewer_than_forty_thresholds_decide_what_is_read() -> None:
    """Thresholds of the cards do not count."""
    stages = [stage for name, stage in vars(settings).items() if name.isupper() and is_dataclass(stage)]
    assert settings.CARDS in stages
    assert sum(len(fields(stage)) for stage in stages if stage is not settings.CARDS) < 40


def test_no_threshold_hides_in_a_module() -> None:
    names = {
        name
        for path in VISION.rglob("*.py")
        if path.name != "settings.py" and path.parent.name != "cards"
        for name in _fractions(ast.parse(path.read_text("utf-8")))
    }
    assert names == DEFINITIONS


def _fractions(module: ast.Module) -> set[str]:
    """Public constants of a module that are a fraction or several."""
    found: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _has_fraction(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return {name for name in found if name.isupper() and not name.startswith("_")}


def _has_fraction(value: ast.expr) -> bool:
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in parts)
