"""Layout of the unit tests: the folders of the package, and of the tools beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "tests" / "unit"
TOOLS = {"training": ROOT / "training", "render": ROOT / "fixtures" / "render"}
FOLDERS = sorted({path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")})


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_a_folder_of_tests_is_one_of_the_code(folder: Path) -> None:
    first, *others = folder.parts or ("",)
    assert TOOLS.get(first, ROOT / "bunnymoose_cv" / first).joinpath(*others).is_dir()
