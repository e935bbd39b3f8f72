"""Forms of profiles: the facts about one player or table, as readable TOML of limited size."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bunnymoose_cv.core.address import find_address, without_secrets
from bunnymoose_cv.core.errors import InputError, value_fault
from bunnymoose_cv.core.input_file import read_toml
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import is_unseen
from bunnymoose_cv.rules.exemptions import Exemption  # noqa: TC001 - pydantic reads the fields at run time
from bunnymoose_cv.rules.player_names import LONGEST_NAME, name_key, tidied

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class ProfileKind(Enum):
    """Kinds of profiles, each in a folder of its own."""

    PLAYER = "player"
    TABLE = "table"


FORMAT: Final = 1
"""Version of the form. It rises when older programs can no longer read a profile."""


class DamagedProfileError(InputError):
    """Error for a profile's file that cannot be read, or holds something else."""


class NoProfileError(ValueError):
    """Error for a TOML file that is not a profile of the wanted kind; its text is the reason."""


def _toml_of(profile: StoredProfile, facts: Mapping[str, object], heading: str) -> str:
    """Return a file's text: a heading, and texts, numbers and lists; in JSON they are also valid TOML."""
    written = {"format": FORMAT, "kind": profile.kind.value, "name": profile.name, **facts}
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in written.items())
    return "\n".join((*(f"# {line}" for line in heading.splitlines()), *lines, "")).replace("\x7f", "\\u007f")


def printable_name(name: str) -> str:
    """Check and tidy a profile's name; raise a `ValueError` if it is empty, too long or holds control characters."""
    name = tidied(name)
    if not name_key(name) or len(name) > LONGEST_NAME or any(map(is_unseen, name)):
        message = f"has to have 1 to {LONGEST_NAME} printable letters"
        raise ValueError(message)
    return name


ProfileName = Annotated[str, AfterValidator(printable_name)]


class PlayerForm(BaseModel):
    """Form of a player's file. `networks` and `takes` are ignored: older versions of the program wrote them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1]
    kind: Literal["player"]
    name: ProfileName
    exempt: tuple[Exemption, ...] = ()
    networks: object = None
    takes: object = None


@dataclass(frozen=True, slots=True)
class PlayerProfile:
    """Stored profile of one player."""

    kind: ClassVar = ProfileKind.PLAYER
    name: str
    exempt: frozenset[Exemption] = frozenset()

    @property
    def text(self) -> str:
        """The file's text."""
        heading = "What is not judged of one player. Delete this file, or say\nbunnymoose profile delete player NAME."
        return _toml_of(self, {"exempt": sorted(exemption.value for exemption in self.exempt)}, heading)


LONGEST_CAMERA: Final = 500
"""Largest length of a camera's title; a longer one is cut."""


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
        camera: title of the camera; for a stream its address without its secrets.
        players: names round the table, from the first narrator to the left.
        used: time of the last use, ISO 8601 in UTC.
        delay_s: measured delay of the camera in seconds; None if it was not measured.
        delay_at: width and height in pixels at which the delay was measured, as 1280x720.
    """

    kind: ClassVar = ProfileKind.TABLE
    name: str
    camera: str
    players: tuple[str, ...] = ()
    used: str = ""
    delay_s: float | None = None
    delay_at: str = ""

    def __post_init__(self) -> None:
        """Remove secrets from a stream's address, and from the name of a table that is named after it."""
        address = find_address(self.camera)
        if address is not None:
            object.__setattr__(self, "camera", address.kept)
        object.__setattr__(self, "name", without_secrets(self.name))

    @property
    def text(self) -> str:
        """The file's text."""
        facts = {"camera": self.camera, "players": self.players, "used": self.used}
        delay = {} if self.delay_s is None else {"delay_s": self.delay_s, "delay_at": self.delay_at}
        heading = "One camera at one table, offered again at set-up: bunnymoose profile use NAME."
        return _toml_of(self, facts | delay, heading)


StoredProfile: TypeAlias = PlayerProfile | TableProfile


def parse_profile(path: Path, kind: ProfileKind) -> StoredProfile:
    """Read a profile of a kind.

    Raises:
        OSError, UnicodeDecodeError, FormError: as `read_toml`.
        DamagedProfileError: a newer version of the program wrote it.
        NoProfileError: it does not have this form.
    """
    content = read_toml(path)
    version = content.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise DamagedProfileError(
            Phrase(
                "{path} was written by a newer version of this program: update the program, then open it again.",
                path=str(path),
            )
        )
    try:
        if kind is ProfileKind.TABLE:
            return TableProfile(**TableForm.model_validate(content).model_dump(exclude={"format", "kind"}))
        form = PlayerForm.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        raise NoProfileError(f"{'.'.join(str(part) for part in first['loc'])} {value_fault(first)}") from error
    return PlayerProfile(form.name, frozenset(form.exempt))
