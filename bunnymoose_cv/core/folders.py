"""Folders of the program: the bundled resources, and the user's data.

The user's data folder holds settings, games, profiles, takes, learnt sounds and the log. The bundled resources are the
models, the default calibration and the demo clip: in a wheel they are in `bunnymoose_cv/bundle/` (see pyproject.toml),
in a checkout in its top-level folders.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).parents[1]
_BUNDLE = _PACKAGE / "bundle"


def bundled(name: str) -> Path:
    """Return the path of a bundled file, such as `models/headgear.onnx`."""
    return (_BUNDLE if _BUNDLE.is_dir() else _PACKAGE.parent) / name


def user_folder() -> Path:
    """Return the path of the folder, which may not exist yet; an absolute `XDG_DATA_HOME` moves it on every system."""
    moved = Path(os.environ.get("XDG_DATA_HOME", ""))
    if moved.is_absolute():
        return moved / "bunnymoose"
    return platformdirs.user_data_path("bunnymoose", appauthor=False)


def make_private(folder: Path) -> None:
    """Create a folder for personal data, and restrict one that an earlier version left open to others."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:  # the rights of everyone except the owner
        folder.chmod(0o700)
