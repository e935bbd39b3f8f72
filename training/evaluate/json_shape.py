"""Base of the JSON objects that the laboratory prints, one on each line."""

from __future__ import annotations

import json
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, SkipValidation

AnyText: TypeAlias = SkipValidation[str]
"""Text that may hold unpaired surrogates, as file names do; pydantic's own `str` refuses them."""


class JsonShape(BaseModel):
    """One JSON object. Its keys are in the order of the fields, and a field that is not given is left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def line(self, *, ascii_only: bool = True) -> str:
        """Return the object as one line, by default in ASCII, which every terminal and pipe can carry."""
        return json.dumps(self.model_dump(mode="json", exclude_unset=True, by_alias=True), ensure_ascii=ascii_only)
