"""Rights of this process to files and folders, asked before anything is touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_BY_EFFECTIVE_USER: Final = os.access in os.supports_effective_ids


def may_change(path: Path) -> bool:
    """Tell if a file may be written to; of a folder, if files may be listed, made and removed in it."""
    rights = os.R_OK | os.W_OK | os.X_OK if path.is_dir() else os.W_OK
    return os.access(path, rights, effective_ids=_BY_EFFECTIVE_USER)
