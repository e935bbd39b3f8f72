"""Settings page of the documentation: every setting stands there as it is shipped."""

from __future__ import annotations

from pathlib import Path

from bunnymoose_cv.core.settings_page import settings_page
from bunnymoose_cv.core.user_settings import load_settings

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "settings.md"


def test_the_page_is_the_one_that_the_settings_give() -> None:
    assert PAGE.read_text("utf-8") == settings_page(), (
        "python -m bunnymoose_cv.core.settings_page > docs/reference/settings.md"
    )


def test_every_setting_of_a_profile_has_its_line() -> None:
    lines = settings_page().splitlines()
    names = [key for _, group in load_settings() for key in type(group).model_fields]
    assert len(names) > 20
    assert all(any(line.startswith(f"| `{name}` |") for line in lines) for name in names)
