"""Profile of one player: declared exemptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict

from bunnymoose_cv.calibration.profiles.profile_text import FORMAT, toml_of
from bunnymoose_cv.core.unicode_text import is_unseen
from bunnymoose_cv.rules.exemptions import Exemption  # noqa: TC001 - pydantic reads the fields at run time
from bunnymoose_cv.rules.player_names import LONGEST_NAME, name_key, tidied

_HEADING: Final = "What is not judged of one player. Delete this file, or say\nbunnymoose profile delete player NAME."


def printable_name(name: str) -> str:
    """Check a profile's name, and tidy it.

    Raises:
        ValueError: it is empty, too long or holds control characters.
    """
    name = tidied(name)
    if not name_key(name) or len(name) > LONGEST_NAME or any(map(is_unseen, name)):
        message = f"has to have 1 to {LONGEST_NAME} printable letters"
        raise ValueError(message)
    return name


ProfileName = Annotated[str, AfterValidator(printable_name)]


class PlayerForm(BaseModel):
    """Form of a player's file.

    Attributes:
        networks: dropped, and so is `takes`; earlier programs wrote both.
    """

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

    name: str
    exempt: frozenset[Exemption] = frozenset()

    @classmethod
    def of(cls, form: PlayerForm) -> Self:
        """Convert from the form of a file."""
        return cls(form.name, frozenset(form.exempt))

    @property
    def text(self) -> str:
        """The file's text."""
        exempt = sorted(each.value for each in self.exempt)
        return toml_of({"format": FORMAT, "kind": "player", "name": self.name, "exempt": exempt}, _HEADING)
