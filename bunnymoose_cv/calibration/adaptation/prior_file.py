"""Prior of every field, read from the file that travels with the program; `training.adaptation` writes it."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.adaptation.map_fit import PriorSpread
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.rules.pose_fields import Field

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.calibration.adaptation.player_calibration import Priors

PRIOR_FILE: Final = "calibration/players.toml"


@cache
def shipped_priors() -> Priors:
    """The prior that travels with the program."""
    return load_priors(bundled(PRIOR_FILE))


def load_priors(path: Path) -> Priors:
    """Read a prior, one table a field."""
    tables = tomllib.loads(path.read_text("utf-8"))
    return {Field(name): PriorSpread(float(table["offset"]), float(table["scale"])) for name, table in tables.items()}
