"""Controls, formats and halves of pairs are not seen; letters, emoji and what joins them are."""

from __future__ import annotations

import pytest

from bunnymoose_cv.core.unseen_signs import is_unseen


@pytest.mark.parametrize("letter", ["\n", "\x1b", "\x9b", "\u200b", "\u202e", "\ufeff", "\u2028", "\udcff", "\xad"])
def test_unseen(letter: str) -> None:
    assert is_unseen(letter)


@pytest.mark.parametrize("letter", ["a", "é", " ", "\u0301", "🐰", "\u200d", "\u200c"])
def test_seen(letter: str) -> None:
    assert not is_unseen(letter)
