"""Base of the JSON objects that the laboratory prints, one a line."""

from __future__ import annotations

import json
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, SkipValidation

AnyText: TypeAlias = SkipValidation[str]
"""Text that may hold halves of pairs, as the names of files do; pydantic's own `str` refuses them."""


class JsonShape(BaseModel):
    """One JSON object; keys stand in the order of the fields, and a field that is not given is left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def line(self, *, ascii_only: bool = True) -> str:
        """The object as one line, of plain ASCII unless told otherwise: every terminal and pipe carries that."""
        return json.dumps(self.model_dump(mode="json", exclude_unset=True, by_alias=True), ensure_ascii=ascii_only)
