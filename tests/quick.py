"""Profile for tests that judge rounds without looking at what was read: few frames."""

from pathlib import Path
from typing import Final

QUICK_FREEZE: Final = "[freeze]\nframes = 2\n"
"""Two frames in the window and one or two to see who moves, instead of thirteen."""


def write_profile(data: Path, text: str) -> None:
    """Write the user's profile into a data folder."""
    folder = data / "bunnymoose"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profile.toml").write_text(text)
