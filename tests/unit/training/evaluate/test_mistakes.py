"""Order of mistakes, on invented players."""

from __future__ import annotations

from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.comparison import Measure, Outcome
from training.evaluate.mistakes import mistakes


def test_the_worst_mistakes_are_the_surest() -> None:
    images = [
        shown("asked", "WU WU", read("CU WU", 0.7, limit=0.9)),
        shown("right", "WU WU", read("WU WU")),
        shown("surest", "WU WU", read("CU WU", 0.99)),
        shown("missed", "WU WU"),
        shown("sure", "WU WU", read("CU CU", 0.6, limit=0.5)),
    ]
    assert [mistake.image.row.name for mistake in mistakes(images)] == ["surest", "sure", "asked", "missed"]
    assert mistakes(images)[1].wrong == (Outcome(Measure.SPREAD, right=False, sure=True, confidence=0.6),) * 2
