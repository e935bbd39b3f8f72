"""Profile of one table: the camera that sees it and who plays there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from bunnymoose_cv.calibration.profiles.player_profile import ProfileName  # noqa: TC001 - pydantic reads the fields at run time
from bunnymoose_cv.calibration.profiles.profile_text import FORMAT, toml_of
from bunnymoose_cv.core.address import find_address, without_secrets

_HEADING: Final = "One camera at one table, offered again at set-up: bunnymoose profile use NAME."

LONGEST_CAMERA: Final = 500
"""Of a camera's title, in letters; a longer one is cut."""


class TableForm(BaseModel):
    """Form of a table's file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1]
    kind: Literal["table"]
    name: ProfileName
    camera: Annotated[str, Field(max_length=LONGEST_CAMERA)]
    players: Annotated[tuple[ProfileName, ...], Field(max_length=10)] = ()
    used: Annotated[str, Field(max_length=40)] = ""
    delay_s: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] | None = None
    delay_at: Annotated[str, Field(max_length=40)] = ""


@dataclass(frozen=True, slots=True)
class TableProfile:
    """Stored profile of one table.

    Attributes:
        camera: title of what sees it; a stream's address without its secrets.
        players: round the table, from the first narrator to the left.
        used: when it was used last, ISO 8601 in UTC.
        delay_s: delay of the camera as it was measured, seconds; None if it was not.
        delay_at: width and height in pixels at which the delay was measured, as 1280x720.
    """

    name: str
    camera: str
    players: tuple[str, ...] = ()
    used: str = ""
    delay_s: float | None = None
    delay_at: str = ""

    def __post_init__(self) -> None:
        """Remove secrets from the address of a stream, and from the name of a table that is called like it."""
        address = find_address(self.camera)
        if address is not None:
            object.__setattr__(self, "camera", address.kept)
        object.__setattr__(self, "name", without_secrets(self.name))

    @classmethod
    def of(cls, form: TableForm) -> Self:
        """Convert from the form of a file."""
        return cls(form.name, form.camera, form.players, form.used, form.delay_s, form.delay_at)

    @property
    def text(self) -> str:
        """The file's text."""
        facts = {"format": FORMAT, "kind": "table", "name": self.name, "camera": self.camera}
        delay = {} if self.delay_s is None else {"delay_s": self.delay_s, "delay_at": self.delay_at}
        return toml_of({**facts, "players": list(self.players), "used": self.used, **delay}, _HEADING)


def moment() -> str:
    """Present time, in the form of a profile."""
    return datetime.now(UTC).isoformat(timespec="seconds")
