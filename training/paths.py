"""Paths of the trainings' inputs and outputs in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
MODELS: Final = ROOT / "models"

SHARED: Final = ROOT.parent / "shared"
"""Data beside the checkout; nothing of it is copied into the project."""

WORK: Final = ROOT / "training/work"
"""Intermediate results, ignored by git."""

PACKED: Final = WORK / "packed"
"""Packed training data; training/README.md says which command makes each part again."""
