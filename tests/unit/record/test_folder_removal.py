"""Removal of a folder: whole, or so that it is still known for what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunnymoose_cv.record import folder_removal
from bunnymoose_cv.record.folder_removal import remove_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files, folders and a link in it."""
    folder = tmp_path / "games" / "party"
    (folder / "rounds" / "01").mkdir(parents=True)
    for name in ("a.txt", "game.sqlite", "rounds/01/judged.jpg"):
        (folder / name).write_text(name)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "mine").touch()
    (folder / "link").symlink_to(tmp_path / "outside")
    return folder


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_all_goes_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    remove_folder(folder, last="game.sqlite")
    assert not folder.exists()
    assert (tmp_path / "outside" / "mine").is_file()


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("closed", ["rounds/01", "rounds", ".", ".."])
@pytest.mark.parametrize("rights", [0o555, 0o311])
def test_nothing_goes_where_a_folder_may_not_be_changed(folder: Path, closed: str, rights: int) -> None:
    before = everything(folder)
    (folder / closed).chmod(rights)
    with pytest.raises(PermissionError) as caught:
        remove_folder(folder, last="game.sqlite")
    (folder / closed).chmod(0o700)
    assert Path(caught.value.filename).resolve() == (folder / closed).resolve()
    assert everything(folder) == before


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("closed", ["rounds/01", "rounds"])
def test_what_is_refused_only_then_leaves_the_last_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    monkeypatch.setattr(folder_removal, "may_change", lambda _: True)
    (folder / closed).chmod(0o555)
    with pytest.raises(PermissionError):
        remove_folder(folder, last="game.sqlite")
    (folder / closed).chmod(0o700)
    assert (folder / "game.sqlite").is_file()
