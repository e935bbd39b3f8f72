"""Templates are filled with whatever people named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.templates.rendering import TEMPLATES, render

if TYPE_CHECKING:
    from pathlib import Path


def test_a_page_can_be_sent_whatever_bytes_a_name_has() -> None:
    filled = render("warm_up/problem", Texts(), sentence="There is no <c\udcff.mp4>: check the name")
    assert b"There is no &lt;c\\udcff.mp4&gt;: check the name" in filled.encode()


@pytest.mark.parametrize(
    "template", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.parent.name + "/" + path.stem
)
def test_no_template_writes_a_sign_after_a_text(template: Path) -> None:
    """French has a space before some of them, so that they belong to the text."""
    assert not re.search(r"\}\}[:;!?](?=[\s<])", template.read_text("utf-8"))
