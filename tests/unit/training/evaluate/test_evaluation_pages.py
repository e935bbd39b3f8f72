"""Pages of an evaluation, added up from invented players."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np

from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.evaluation_pages import Report
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from training.evaluate.evaluated import Evaluated


def test_the_pages_of_a_set(tmp_path: Path) -> None:
    images = [shown("fine", "WU WU", read("WU WU")), shown("worse", "WU WU", read("CU WU t", 0.99))]

    def draw(image: Evaluated) -> Image:
        assert image.row.name == "worse"
        return np.zeros((600, 1200, 3), np.uint8)

    Report("a set", images, {"pose": Share(10, 4)}, draw).write(tmp_path / "pages")
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {
        "figures.md",
        "reliability.svg",
        "mistakes.md",
        "worse.jpg",
    }
    figures = (tmp_path / "pages/figures.md").read_text("utf-8").splitlines()
    assert figures[0] == "# a set"
    assert "| `pose` | 1 | 2 | 50.0% | 9.5% – 90.5% | 4 of 10, 40.0% |" in figures
    assert "| `tongue` | 1 | 2 | 50.0% | 9.5% – 90.5% | – |" in figures
    assert "| WU | 3 | · | 1 | · | · | · | · | · | · | · |" in figures
    wrong = (tmp_path / "pages/mistakes.md").read_text("utf-8")
    assert "- shown: faces 1, poses WU WU\n- read: faces 1, poses CU WU t, unclear –\n" in wrong
    assert "- wrong: spread (sure, said 99%), tongue (sure, said 99%)\n\n![worse](worse.jpg)" in wrong
    assert ET.parse(tmp_path / "pages/reliability.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own file
