"""Pages of a set: figures, mistakes, and reliability diagram."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.record.still_images import Stills
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.breakdowns import Bin, Reliability
from training.evaluate.datasets import RowKind
from training.evaluate.evaluated import Evaluated, mistakes
from training.evaluate.evaluation_pages import (
    LARGEST_DOT,
    LONGEST_SIDE,
    MARGIN,
    MOST_IMAGES,
    PANEL,
    SMALLEST_DOT,
    Report,
    mistakes_page,
    reliability_diagram,
)
from training.evaluate.shares import Share


def test_report_writes_figures_mistakes_and_diagram(tmp_path: Path) -> None:
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


def wide(image: Evaluated) -> Image:
    del image
    return np.zeros((600, 1200, 3), np.uint8)


def test_mistake_is_shown_with_a_shrunk_image(tmp_path: Path) -> None:
    page = mistakes_page("a set", mistakes([shown("worse", "WU WU", read("CU WU", 0.99))]), wide, Stills(tmp_path))
    assert page.startswith("# The worst mistakes: a set\n")
    assert "- wrong: spread (sure, said 99%)\n\n![worse](worse.jpg)\n" in page
    image = cv2.imread(str(tmp_path / "worse.jpg"))
    assert image is not None
    assert image.shape[:2] == (LONGEST_SIDE // 2, LONGEST_SIDE)


def test_missed_player_is_listed_with_the_wrong_measures(tmp_path: Path) -> None:
    page = mistakes_page("a set", mistakes([shown("missed", "WU WU")]), wide, Stills(tmp_path))
    assert "- read: faces 0, poses –, unclear –\n- wrong: players, pose, animal, " in page


def test_photographs_are_not_copied(tmp_path: Path) -> None:
    photograph = shown("worse", "WU WU", read("CU WU"))
    photograph = replace(photograph, row=replace(photograph.row, kind=RowKind.GROUP))
    assert "![" not in mistakes_page("a set", mistakes([photograph]), wide, Stills(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_only_the_worst_mistakes_have_images(tmp_path: Path) -> None:
    found = mistakes([shown(f"n{number:02}", "WU WU", read("CU WU")) for number in range(MOST_IMAGES + 1)])
    page = mistakes_page("a set", found, wide, Stills(tmp_path))
    assert (page.count("\n## "), page.count("![")) == (MOST_IMAGES + 1, MOST_IMAGES)


SVG = "{http://www.w3.org/2000/svg}"
KIND = Reliability("kind", (Bin(0.5, Share(4, 2)), Bin(1.0, Share(400, 400))))


def drawn(*fields: Reliability) -> ET.Element:
    return ET.fromstring(reliability_diagram(fields))  # noqa: S314 - our own text


def test_dot_has_the_position_and_size_of_its_bin() -> None:
    few, many = drawn(KIND).iter(f"{SVG}circle")
    assert (float(few.attrib["cx"]), float(few.attrib["cy"])) == (PANEL / 4, PANEL / 2)
    assert (float(many.attrib["cx"]), float(many.attrib["cy"])) == (PANEL, 0)
    assert (float(few.attrib["r"]), float(many.attrib["r"])) == (SMALLEST_DOT, LARGEST_DOT)
    assert few.findtext(f"{SVG}title") == "2 of 4 right, said 50%"


@pytest.mark.parametrize(("count", "rows", "last"), [(1, 1, (0, 0)), (3, 1, (2, 0)), (4, 2, (0, 1))])
def test_diagram_has_three_panels_per_row(count: int, rows: int, last: tuple[int, int]) -> None:
    root, step = drawn(*[KIND] * count), PANEL + MARGIN
    panels = root.findall(f"{SVG}g")
    assert len(panels) == count
    assert root.attrib["viewBox"] == f"0 0 {3 * step + MARGIN} {rows * step + MARGIN}"
    across, down = (MARGIN + place * step for place in last)
    assert panels[-1].attrib["transform"] == f"translate({across} {down})"


def test_panel_shows_its_field_and_error() -> None:
    texts = [text.text for text in drawn(KIND).iter(f"{SVG}text")]
    assert texts[:2] == ["kind", f"error {KIND.error:.1%}"]


def test_diagram_without_fields_is_empty() -> None:
    assert drawn().findall(f"{SVG}g") == []
