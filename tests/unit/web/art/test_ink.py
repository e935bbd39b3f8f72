"""Frame of all art: its name is text, whatever it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from bunnymoose_cv.rules.pose import Animal, Side
from bunnymoose_cv.web.art.animals import bam_art, narrator_art
from bunnymoose_cv.web.art.figure_art import figure_art
from bunnymoose_cv.web.art.headgear_art import headgear_art
from tests.unit.web.art.svg import drawn

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    "art",
    [
        narrator_art,
        bam_art,
        lambda name: figure_art(Animal.RABBIT, "red", "●", name),
        lambda name: headgear_art(None, Side.LEFT, name),
    ],
)
def test_names_are_text_and_never_markup(art: Callable[[str], str]) -> None:
    name = '"><script>alert("&")</script>'
    assert drawn(art(name).replace("&lt;script", "")).attrib["role"] == "img"
    assert ET.fromstring(art(name)).attrib["aria-label"] == name  # noqa: S314 - our own art
    assert "<script" not in art(name)
