"""Figures of an earlier evaluation, read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.earlier_figures import earlier_figures
from training.evaluate.figures_json import ImageFiguresShape
from training.evaluate.metrics import Figures

if TYPE_CHECKING:
    from pathlib import Path


def test_figures_are_read_again_as_they_were_printed(tmp_path: Path) -> None:
    figures = Figures.of([shown("a", "WU WU", read("WU WU")), shown("b", "WU --", read("WU WU", 0.7))])
    (tmp_path / "printed").write_text("\n" + ImageFiguresShape.of(figures).line() + "\n")
    earlier = earlier_figures(tmp_path / "printed")
    assert {name: earlier[name.value] for name in figures.right} == figures.right
    assert (earlier["sure_wrong"], earlier["unclear"]) == (figures.sure_wrong, figures.unclear)


NOBODY = '{"fields": {"pose": {"n": 0, "right": 0}}, "shares": {}}'


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"fields": {"pose": 3}}', '{"id": "a"}', NOBODY])
def test_a_file_without_earlier_figures(tmp_path: Path, content: str) -> None:
    (tmp_path / "printed").write_text(content)
    with pytest.raises(InputError, match="holds no earlier figures"):
        earlier_figures(tmp_path / "printed")
    with pytest.raises(InputError, match=r"There is no .*nothing"):
        earlier_figures(tmp_path / "nothing")
