"""Profile that reads few frames, for tests of rounds that do not depend on the readings."""

from pathlib import Path
from typing import Final

QUICK_FREEZE: Final = "[freeze]\nframes = 2\n"
"""Two frames in the window and one or two in the watch for moves, instead of thirteen."""


def write_profile(data: Path, text: str) -> None:
    """Write the user's profile into a data folder."""
    folder = data / "bunnymoose"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profile.toml").write_text(text)
