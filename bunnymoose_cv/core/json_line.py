"""JSON objects that other programs read, one a line."""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""One JSON object; keys stay in the order in which they are put in."""

DIGITS: Final = 4
"""Decimals of probabilities and seconds."""


def rounded(value: float) -> float:
    """Round a probability or seconds as other programs read them."""
    return round(float(value), DIGITS)


def json_line(described: JsonObject) -> str:
    """Write an object as one line of plain ASCII, which every terminal and pipe carries."""
    return json.dumps(described)
