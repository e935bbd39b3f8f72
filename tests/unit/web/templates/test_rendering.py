"""Templates are filled with whatever people named."""

from __future__ import annotations

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.templates.rendering import render


def test_a_page_can_be_sent_whatever_bytes_a_name_has() -> None:
    filled = render("warm_up/problem", Texts(), sentence="There is no <c\udcff.mp4>: check the name")
    assert b"There is no &lt;c\\udcff.mp4&gt;: check the name" in filled.encode()
