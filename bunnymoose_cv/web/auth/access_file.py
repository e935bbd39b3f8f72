"""File of the access data, readable by its owner alone, so that visitors remain known after a restart."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bunnymoose_cv.core.atomic_files import part_of, put_in_place
from bunnymoose_cv.core.folders import make_private, user_folder
from bunnymoose_cv.core.input_file import LARGEST_BYTES, read_bounded

if TYPE_CHECKING:
    from pathlib import Path

_logger = logging.getLogger(__name__)


class Phone(BaseModel):
    """A phone that has joined.

    Attributes:
        number: its number in the evening, from 1.
        key: the digest of its cookie.
        player: None until one is chosen.
        shares: whether the other players' phones may see this player's near films.
        address: the address from which it joined, which is not stored; empty if it joined before a restart.
    """

    number: int
    key: str
    player: str | None = None
    shares: bool = False
    address: str = Field(default="", exclude=True)


class KeptAccess(BaseModel):
    """Stored access data of an evening: its code and keys, its visitors, and the port of the screen."""

    model_config = ConfigDict(from_attributes=True)

    code: str
    owner_key: str
    owners: list[str]
    phones: list[Phone]
    port: int = 0


@dataclass(frozen=True, slots=True)
class AccessFile:
    """File of the access data, which other users of the computer may not read."""

    path: Path

    def read(self) -> KeptAccess | None:
        """Return the stored data, or None if there is nothing readable."""
        try:
            return KeptAccess.model_validate_json(read_bounded(self.path, LARGEST_BYTES))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError):
            _logger.warning("the access file is not readable", exc_info=True)
            return None

    def write(self, access: KeptAccess) -> None:
        """Store the data. If the disk refuses, phones must join again after a restart, but the game continues."""
        part = part_of(self.path)
        with suppress(OSError):
            make_private(self.path.parent)
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(access.model_dump_json().encode())
            put_in_place(self.path)


def default_access_file(port: int) -> AccessFile:
    """Return the default file for a server's port, in the user's data folder."""
    return AccessFile(user_folder() / "screen" / f"access-{port}.json")
