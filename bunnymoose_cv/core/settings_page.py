"""Settings page of the documentation, derived from `calibration/default.toml`.

`python -m bunnymoose_cv.core.settings_page > docs/reference/settings.md` writes it anew; a test holds it.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.resources import bundled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_INTRODUCTION: Final = """# Settings

Derived from `calibration/default.toml` by `python -m bunnymoose_cv.core.settings_page`.

To change one, write its value alone into your settings file: `profile.toml` in the user's data folder
(`~/.local/share/bunnymoose` on Linux, `~/Library/Application Support/bunnymoose` on macOS, `%LOCALAPPDATA%\\bunnymoose`
on Windows). Profiles of players and tables (`bunnymoose profile`) are something else:

    [headgear]
    spread = 0.9

A value outside its range, or a name that is not here, ends the program with a sentence that says so.
"""


def settings_page() -> str:
    """Write the page in Markdown: a table of each group, with value, range, unit and source."""
    groups = tomllib.loads(bundled("calibration/default.toml").read_text("utf-8"))
    return "\n".join([_INTRODUCTION, *(line for name, group in groups.items() for line in _table(name, group))])


def _table(name: str, group: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield from (f"## `[{name}]`", "", "| setting | value | range | unit | source |", "| --- | --- | --- | --- | --- |")
    for key, setting in group.items():
        low, high = map(_written, setting["range"])
        cells = (f"`{key}`", _written(setting["value"]), f"{low} to {high}", setting["unit"], setting["source"])
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def _written(value: float) -> str:
    """Write a value as TOML does: switches in small letters."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"


if __name__ == "__main__":
    print(settings_page(), end="")
