"""File of the access data, readable by its owner alone, so that a restart finds everybody again."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from bunnymoose_cv.core.atomic_files import part_of, put_in_place
from bunnymoose_cv.core.input_file import read_bounded
from bunnymoose_cv.core.text_file import LARGEST_BYTES
from bunnymoose_cv.core.user_folder import make_private, user_folder

if TYPE_CHECKING:
    from pathlib import Path

_logger = logging.getLogger(__name__)

_ONLY_MINE: Final = 0o600


class KeptPhone(BaseModel):
    """Stored phone, with a digest of its cookie."""

    model_config = ConfigDict(frozen=True)

    number: int
    key: str
    player: str | None


class KeptAccess(BaseModel):
    """An evening's code and keys, who came with them, and the port where they look for it."""

    model_config = ConfigDict(frozen=True)

    code: str
    owner_key: str
    owners: tuple[str, ...]
    phones: tuple[KeptPhone, ...]
    port: int = 0


@dataclass(frozen=True, slots=True)
class AccessFile:
    """File of the access data.

    Attributes:
        path: of the file; others may not read it.
    """

    path: Path

    def read(self) -> KeptAccess | None:
        """Read the data; None where nothing readable is there."""
        try:
            return KeptAccess.model_validate_json(read_bounded(self.path, LARGEST_BYTES))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError):
            _logger.warning("the access file is not readable", exc_info=True)
            return None

    def write(self, access: KeptAccess) -> None:
        """Keep it. A disk that refuses costs only this: after a restart everybody joins anew."""
        part = part_of(self.path)
        with suppress(OSError):
            make_private(self.path.parent)
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _ONLY_MINE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(access.model_dump_json().encode())
            put_in_place(self.path)


def default_access_file(port: int) -> AccessFile:
    """Default file for a server's port, in the user's data folder."""
    folder = user_folder()
    return AccessFile(folder / "screen" / f"access-{port}.json")
