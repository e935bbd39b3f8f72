"""Level of a finding."""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """Traffic light of a finding; with a bad one nothing can be played or judged."""

    GOOD = "good"
    WEAK = "weak"
    BAD = "bad"
