"""Bytes that are no text become escapes; all else stays."""

from __future__ import annotations

import pytest

from bunnymoose_cv.core.unicode_text import as_unicode


@pytest.mark.parametrize(
    ("text", "kept"), [("Žofie 👩\u200d🎤.mp4", "Žofie 👩\u200d🎤.mp4"), ("c\udcff.mp4", "c\\udcff.mp4"), ("", "")]
)
def test_text_that_any_file_holds(text: str, kept: str) -> None:
    assert as_unicode(text) == kept
    assert as_unicode(kept) == kept
