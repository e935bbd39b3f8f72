"""Bytes that are no text become escapes; unseen signs are told from letters."""

from __future__ import annotations

import pytest

from bunnymoose_cv.core.unicode_text import as_unicode, is_unseen


@pytest.mark.parametrize(
    ("text", "kept"), [("Žofie 👩\u200d🎤.mp4", "Žofie 👩\u200d🎤.mp4"), ("c\udcff.mp4", "c\\udcff.mp4"), ("", "")]
)
def test_text_that_any_file_holds(text: str, kept: str) -> None:
    assert as_unicode(text) == kept
    assert as_unicode(kept) == kept


@pytest.mark.parametrize("letter", ["\n", "\x1b", "\x9b", "\u200b", "\u202e", "\ufeff", "\u2028", "\udcff", "\xad"])
def test_a_character_without_a_shape_is_unseen(letter: str) -> None:
    assert is_unseen(letter)


@pytest.mark.parametrize("letter", ["a", "é", " ", "\u0301", "🐰", "\u200d", "\u200c"])
def test_letters_accents_and_joiners_are_seen(letter: str) -> None:
    assert not is_unseen(letter)
