"""JSON objects for other programs, one per line."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""One JSON object; keys keep their order of insertion."""


def rounded(value: float) -> float:
    """Round a probability or seconds for the output to other programs."""
    return round(float(value), 4)


def json_line(described: JsonObject) -> str:
    """Serialize an object as one line of plain ASCII, for every terminal and pipe."""
    return json.dumps(described)
