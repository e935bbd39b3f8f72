"""Names under which a browser saves what it downloads."""

from __future__ import annotations

import pytest

from bunnymoose_cv.web.server import media


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("2026-11-21_20-05-33.zip", 'attachment; filename="2026-11-21_20-05-33.zip"'),
        ("oslava Žofie.zip", "attachment; filename*=UTF-8''oslava%20%C5%BDofie.zip"),
        ('a"\r\nb.csv', "attachment; filename*=UTF-8''a%22%0D%0Ab.csv"),
        ("b\udcff.zip", "attachment; filename*=UTF-8''b%5Cudcff.zip"),
    ],
)
def test_a_game_is_saved_under_the_name_of_its_folder(name: str, told: str) -> None:
    assert media._attachment(name) == {"content-disposition": told}
