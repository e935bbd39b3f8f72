"""Whole files: what they replace, and what they leave alone."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.atomic_files import is_part, part_of, whole_file

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, text: str = "new") -> None:
    with whole_file(path) as part:
        part.write_text(text, "utf-8")


def test_a_file_beside_it_stays_whatever_its_name(tmp_path: Path) -> None:
    own = tmp_path / "y.wav.part"
    own.write_text("mine")
    write(tmp_path / "y.wav")
    assert own.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["y.wav", "y.wav.part"]
    assert is_part(part_of(tmp_path / "y.wav"))


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_written_through(tmp_path: Path, *, there: bool) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    if there:
        target.write_text("old")
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert [path.name for path in target.parent.iterdir()] == ["target"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes and sockets in folders")
def test_what_is_no_regular_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        before = sorted(tmp_path.iterdir())
        for path, reason in (
            (folder, "it is a folder"),
            (folder.parent.__class__(), "it is a folder"),
            (pipe, "it is a pipe or a device"),
            (tmp_path / "link", "it is a pipe or a device"),
            (tmp_path / "socket", "it is a pipe or a device"),
        ):
            with pytest.raises(OSError, match=reason):
                write(path)
        assert sorted(tmp_path.iterdir()) == before
    assert pipe.is_fifo()
