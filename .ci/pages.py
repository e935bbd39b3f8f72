"""Pages of the documentation that are derived from the code and its settings.

`python .ci/pages.py` (`make pages`) rewrites `docs/reference/settings.md` and `docs/explanation/pipeline.md`; tests
compare them with their sources.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.vision.effort import BUDGETS, Budget, Effort
from bunnymoose_cv.vision.pipeline import STAGES, stages_at
from bunnymoose_cv.vision.stages import PlayerStage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DOCS: Final = Path(__file__).parents[1] / "docs"

_SETTINGS_HEAD: Final = """# Settings

Derived from `calibration/default.toml` by `make pages`.

To change one, write its value alone into your settings file: `profile.toml` in the user's data folder
(`~/.local/share/bunnymoose` on Linux, `~/Library/Application Support/bunnymoose` on macOS, `%LOCALAPPDATA%\\bunnymoose`
on Windows). Profiles of players and tables (`bunnymoose profile`) are something else:

    [headgear]
    spread = 0.9

A value outside its range, or a name that is not here, ends the program with a sentence that says so.
"""


def settings_page() -> str:
    """Render the page in Markdown: a table of each group, with value, range, unit and source."""
    groups = tomllib.loads(bundled("calibration/default.toml").read_text("utf-8"))
    return "\n".join([_SETTINGS_HEAD, *(line for name, group in groups.items() for line in _table(name, group))])


def _table(name: str, group: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield from (f"## `[{name}]`", "", "| setting | value | range | unit | source |", "| --- | --- | --- | --- | --- |")
    for key, setting in group.items():
        low, high = map(_written, setting["range"])
        cells = (f"`{key}`", _written(setting["value"]), f"{low} to {high}", setting["unit"], setting["source"])
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def _written(value: float) -> str:
    """Format a value as TOML does, with Booleans in lower case."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"


def pipeline_page() -> str:
    """Render the documentation page in Markdown, with a mermaid figure."""
    return "\n".join([*_PIPELINE_HEAD, *_figure(), "", *_stage_table(), "", *_budget_table(), ""])


_PIPELINE_HEAD: Final = (
    "# The vision pipeline",
    "",
    "Derived from `bunnymoose_cv/vision/pipeline.py` by `make pages`.",
    "",
)


def _figure() -> list[str]:
    """Render arrows from results to the stages that need them, dotted for stages that only a glance runs."""
    arrows: dict[tuple[str, str], str] = {}
    for stage in STAGES:
        for needed in stage.needs:
            arrow = "-->" if Effort.FULL in stage.efforts else arrows.get((needed, stage.name), "-.->")
            arrows[needed, stage.name] = arrow
    lines = [f"    {needed} {arrow} {stage}" for (needed, stage), arrow in arrows.items()]
    return ["```mermaid", "flowchart LR", *lines, "```"]


def _stage_table() -> list[str]:
    rows = [
        f"| {stage.name} | {'player' if isinstance(stage, PlayerStage) else 'image'} "
        f"| {', '.join(stage.networks) or 'none'} | {stage.escalation} |"
        for stage in STAGES
    ]
    return ["| stage | once a | networks | escalation |", "|---|---|---|---|", *rows]


def _budget_table() -> list[str]:
    head = "| effort | stages | heads | closer hand crops | tongue second stage |"
    return [head, "|---|---|---|---|---|", *(_budget_row(effort, BUDGETS[effort]) for effort in Effort)]


def _budget_row(effort: Effort, budget: Budget) -> str:
    cells = (
        effort.value,
        ", ".join(stage.name for stage in stages_at(effort, STAGES)),
        "whole image searched" if budget.whole_image else "followed",
        _yes(budget.closer_hand_crops),
        _yes(budget.tongue_second_stage),
    )
    return f"| {' | '.join(cells)} |"


def _yes(allowed: bool) -> str:  # noqa: FBT001 - a cell of a table
    return "yes" if allowed else "no"


if __name__ == "__main__":
    (DOCS / "reference" / "settings.md").write_text(settings_page(), "utf-8")
    (DOCS / "explanation" / "pipeline.md").write_text(pipeline_page(), "utf-8")
