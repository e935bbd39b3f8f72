"""Page of the worst mistakes, of invented players."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.record.still_images import Stills
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.datasets import RowKind
from training.evaluate.mistakes import mistakes
from training.evaluate.mistakes_page import LONGEST_SIDE, SHOWN, mistakes_page

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from training.evaluate.evaluated import Evaluated


def wide(image: Evaluated) -> Image:
    del image
    return np.zeros((600, 1200, 3), np.uint8)


def test_a_mistake_is_told_with_its_image_shrunk(tmp_path: Path) -> None:
    page = mistakes_page("a set", mistakes([shown("worse", "WU WU", read("CU WU", 0.99))]), wide, Stills(tmp_path))
    assert page.startswith("# The worst mistakes: a set\n")
    assert "- wrong: spread (sure, said 99%)\n\n![worse](worse.jpg)\n" in page
    image = cv2.imread(str(tmp_path / "worse.jpg"))
    assert image is not None
    assert image.shape[:2] == (LONGEST_SIDE // 2, LONGEST_SIDE)


def test_a_player_who_was_not_found_is_told_by_the_measures(tmp_path: Path) -> None:
    page = mistakes_page("a set", mistakes([shown("missed", "WU WU")]), wide, Stills(tmp_path))
    assert "- read: faces 0, poses –, unclear –\n- wrong: players, pose, animal, " in page


def test_photographs_are_not_copied(tmp_path: Path) -> None:
    photograph = shown("worse", "WU WU", read("CU WU"))
    photograph = replace(photograph, row=replace(photograph.row, kind=RowKind.GROUP))
    assert "![" not in mistakes_page("a set", mistakes([photograph]), wide, Stills(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_only_the_worst_are_shown_as_images(tmp_path: Path) -> None:
    found = mistakes([shown(f"n{number:02}", "WU WU", read("CU WU")) for number in range(SHOWN + 1)])
    page = mistakes_page("a set", found, wide, Stills(tmp_path))
    assert (page.count("\n## "), page.count("![")) == (SHOWN + 1, SHOWN)
