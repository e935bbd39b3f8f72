"""The declared pipeline and its thresholds: order, documentation page, and place of the thresholds."""

import ast
from dataclasses import fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

import pytest
from pages import pipeline_page

from bunnymoose_cv.vision import settings
from bunnymoose_cv.vision.cards import card_settings
from bunnymoose_cv.vision.effort import BUDGETS, Effort
from bunnymoose_cv.vision.pipeline import STAGES, stages_at

ROOT = Path(__file__).parents[3]
VISION = ROOT / "bunnymoose_cv" / "vision"


@pytest.mark.parametrize("effort", Effort)
def test_every_stage_needs_only_earlier_results(effort: Effort) -> None:
    known = {"image", "previous_heads"}
    for stage in stages_at(effort, STAGES):
        assert {*stage.needs} <= known
        assert stage.name not in known, "a result is made once"
        known.add(stage.name)


def test_every_effort_has_a_budget_and_complete_stages() -> None:
    assert set(BUDGETS) == set(Effort)
    assert all(stage.efforts for stage in STAGES)
    whole = {"heads", "hands", "players", "headgear", "tongue"}
    assert all(whole <= {stage.name for stage in stages_at(effort, STAGES)} for effort in Effort)
    files = {name for stage in STAGES for name in stage.networks if name.endswith(".onnx")}
    assert all((ROOT / "models" / name).is_file() for name in files)


def test_pipeline_page_is_up_to_date() -> None:
    """Run `python -m bunnymoose_cv.vision.pipeline > docs/explanation/pipeline.md` to update the page."""
    assert (ROOT / "docs" / "explanation" / "pipeline.md").read_text("utf-8") == pipeline_page()


DEFINITIONS = {"WINDOW", "OUTWARD", "UPWARD", "SIDE", "SKULL_DEPTH", "MESH_SIDE", "MESH_CENTRE"}
"""Constants that are not thresholds: crops of trained networks, and geometry."""


CARD_DEFINITIONS = {
    *("CARD_SIZE_MM", "PRINTED_CARD", "SCALE", "BLURS"),
    *("_HEIGHT", "_PITCH", "_EDGE", "_MARKER", "_MARKER_EDGE", "_AROUND"),  # of the mat and its markers
    *("_TURNS", "_STOP", "_HIGH_PASS", "_SOFT", "_REGION_SHARE", "_SHRINKAGE", "_COLOUR_WEIGHT"),  # of features
}
"""Sizes of prints, and definitions of crops and features."""


def test_reading_of_people_has_fewer_than_forty_thresholds() -> None:
    stages = [stage for name, stage in vars(settings).items() if name.isupper() and is_dataclass(stage)]
    assert settings.FACES in stages
    assert sum(len(fields(stage)) for stage in stages) < 40


def test_thresholds_are_defined_only_in_the_settings() -> None:
    own, cards = set[str](), set[str]()
    for path in VISION.rglob("*.py"):
        if path.name not in {"settings.py", "card_settings.py"}:
            names = cards if path.parent.name == "cards" else own
            names |= _fractions(ast.parse(path.read_text("utf-8")))
    assert {name for name in own if not name.startswith("_")} == DEFINITIONS
    assert cards - CARD_DEFINITIONS == set()


@pytest.mark.parametrize("module", [settings, card_settings], ids=["people", "cards"])
def test_every_threshold_has_a_docstring(module: ModuleType) -> None:
    """Each field has a docstring with its meaning and, if measured, its evidence."""
    stages = [node for node in ast.parse(Path(str(module.__file__)).read_text("utf-8")).body if _is_stage(node)]
    bare = [
        ast.unparse(field.target)
        for stage in stages
        for field, after in pairwise((*stage.body, ast.Pass()))
        if isinstance(field, ast.AnnAssign) and not (isinstance(after, ast.Expr) and ast.unparse(after))
    ]
    assert stages
    assert bare == []


def _is_stage(node: ast.stmt) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef) and bool(node.decorator_list)


def _fractions(module: ast.Module) -> set[str]:
    """Return the constants of a module with fractional values."""
    found: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _has_fraction(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return {name for name in found if name.isupper()}


def _has_fraction(value: ast.expr) -> bool:
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in parts)
