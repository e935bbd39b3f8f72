"""The declared pipeline: its order, its page, and no import cycle among the modules of `vision`."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from bunnymoose_cv.vision.effort import BUDGETS, Effort
from bunnymoose_cv.vision.pipeline import STAGES, page, stages_at

ROOT = Path(__file__).parents[3]
VISION = ROOT / "bunnymoose_cv" / "vision"


@pytest.mark.parametrize("effort", Effort)
def test_every_stage_needs_only_earlier_results(effort: Effort) -> None:
    known = {"image", "previous_heads"}
    for stage in stages_at(effort, STAGES):
        assert {*stage.needs} <= known
        assert stage.name not in known, "a result is made once"
        known.add(stage.name)


def test_every_stage_runs_at_some_effort_and_every_effort_reads_whole_players() -> None:
    assert all(stage.efforts for stage in STAGES)
    whole = {"heads", "hands", "players", "headgear", "tongue"}
    assert all(whole <= {stage.name for stage in stages_at(effort, STAGES)} for effort in Effort)


def test_every_network_is_shipped() -> None:
    files = {name for stage in STAGES for name in stage.networks if name.endswith(".onnx")}
    assert all((ROOT / "models" / name).is_file() for name in files)


def test_every_effort_has_a_budget() -> None:
    assert set(BUDGETS) == set(Effort)


def test_the_page_names_the_stages_of_every_effort() -> None:
    assert "| full | heads, hands, players, headgear, tongue |" in page()
    assert "| glance | hands, heads, players, headgear, tongue, faces, newcomers |" in page()
    assert "image --> faces" not in page(), "dotted where a glance alone needs it"


def test_the_page_is_up_to_date() -> None:
    """`python -m bunnymoose_cv.vision.pipeline > docs/explanation/pipeline.md` writes it."""
    assert (ROOT / "docs" / "explanation" / "pipeline.md").read_text("utf-8") == page()


def test_vision_has_no_import_cycle() -> None:
    """Imports for type checking and inside functions count, too."""
    modules = {_name(path): path for path in VISION.rglob("*.py")}
    graph = {name: _imported(path) & modules.keys() for name, path in modules.items()}
    assert sum(map(len, graph.values())) > len(graph)  # the graph was read
    TopologicalSorter(graph).prepare()  # raises CycleError


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found
